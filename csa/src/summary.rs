//! The conditions of a game: `Game_Summary`.

use crate::secret::Secret;
use crate::units::Units;
use monomi_movegen::square::Dense;
use monomi_movegen::{EnteringKingRule, PackedMove, Position};
use monomi_record::{Fault, ReadError, read_csa};
use monomi_support::text::{error_message, messages};
use shogi_core::Color;
use std::time::Duration;

/// Upper limit of a game's times and limits, in their own units.
const LARGEST: u64 = 1_000_000_000;

/// A move and its time.
pub type TimedMove = (PackedMove, Option<Units>);

/// The conditions of a game.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The game's identifier.
    pub game_id: String,
    /// Black's and White's name.
    pub names: [String; 2],
    /// The color that the client plays.
    pub us: Color,
    /// The declaration rule; `None` if the server names none, or one that is not known.
    pub entering_king: Option<EnteringKingRule>,
    /// Whether the server says anything about declarations.
    pub names_declaration: bool,
    /// Number of moves after which the game is drawn; 0 for no limit.
    pub max_moves: u32,
    /// Time controls of Black and White.
    pub times: [TimeRules; 2],
    /// The position before the first move.
    pub start: Position,
    /// Moves already made, with their times in the clock's unit.
    pub moves: Vec<TimedMove>,
    /// Token for resuming the game after a lost connection.
    pub token: Option<Secret>,
}

/// The time control of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRules {
    /// The unit of the times sent with moves.
    pub unit: Duration,
    /// Time for the whole game.
    pub total: Duration,
    /// Time for each move after `total` is used up (byoyomi).
    pub byoyomi: Duration,
    /// Time added for each move (increment).
    pub increment: Duration,
    /// Minimum time counted for a move.
    pub least: Duration,
}

impl Default for TimeRules {
    fn default() -> Self {
        Self {
            unit: Duration::from_secs(1),
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            increment: Duration::ZERO,
            least: Duration::ZERO,
        }
    }
}

impl TimeRules {
    /// Whether there is a time control at all. Without one, games are played without clocks.
    pub fn is_timed(&self) -> bool {
        !(self.total + self.byoyomi + self.increment).is_zero()
    }
}

messages! {
    /// Why a game summary cannot be used.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum SummaryError {
        /// A line is missing.
        Missing(key: &'static str) => "{key} is missing", "{key} がありません";
        /// A value is invalid.
        BadValue {
            /// The key.
            key: String,
            /// Its value.
            value: String,
        } => "`{key}:{value}` cannot be used", "`{key}:{value}` は使えません";
        /// The game is not shogi.
        OtherGame(game: String) =>
            "the game is not shogi but {game}", "将棋ではなく {game} の対局です";
        /// The position, or the moves made from it, are invalid.
        Position(fault: PositionFault) =>
            "the position is broken: {fault}", "局面を読めません: {fault}";
    }

    /// What is wrong with the position or the moves of a summary.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum PositionFault {
        /// They are not in CSA's format.
        File(error: ReadError) => both "{error}";
        /// A line cannot be read.
        Line(fault: Fault) => both "{fault}";
    }
}

error_message!(SummaryError);

/// The part of the summary that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Top,
    Time(Option<Color>),
    Position,
    Other,
}

/// The time control of one side while it is read: numbers whose unit may follow later.
#[derive(Clone, Copy, Default)]
struct RawTimes {
    unit: Option<Duration>,
    total: Option<u64>,
    byoyomi: Option<u64>,
    increment: Option<u64>,
    least: Option<u64>,
}

impl RawTimes {
    /// Processes a line. Returns whether the line belongs to a time control.
    fn take(&mut self, key: &str, value: &str) -> Result<bool, SummaryError> {
        let slot = match key {
            "Time_Unit" => {
                self.unit = Some(unit(value).ok_or_else(|| bad(key, value))?);
                return Ok(true);
            }
            "Total_Time" => &mut self.total,
            "Byoyomi" => &mut self.byoyomi,
            "Increment" => &mut self.increment,
            "Least_Time_Per_Move" => &mut self.least,
            _ => return Ok(false),
        };
        *slot = Some(number(key, value)?);
        Ok(true)
    }

    /// The time control; missing values are taken from `common`.
    fn rules(&self, common: &Self) -> TimeRules {
        let unit = self.unit.or(common.unit).unwrap_or(Duration::from_secs(1));
        // `LARGEST` units of at most `LARGEST` milliseconds fit into u128 milliseconds; clamp.
        let time = |own: Option<u64>, other: Option<u64>| {
            let ms = u128::from(own.or(other).unwrap_or(0)) * unit.as_millis();
            Duration::from_millis(u64::try_from(ms).unwrap_or(u64::MAX).min(LARGEST * 1000))
        };
        TimeRules {
            unit,
            total: time(self.total, common.total),
            byoyomi: time(self.byoyomi, common.byoyomi),
            increment: time(self.increment, common.increment),
            least: time(self.least, common.least),
        }
    }
}

impl Summary {
    /// Parses the lines between `BEGIN Game_Summary` and `END Game_Summary`. Unknown keys are
    /// ignored, because servers add their own.
    ///
    /// # Errors
    /// The first problem that makes the game unplayable.
    pub fn parse(lines: &[String]) -> Result<Self, SummaryError> {
        let mut section = Section::Top;
        let mut common = RawTimes::default();
        let mut own = [RawTimes::default(); 2];
        let mut position = Vec::new();
        let (mut game_id, mut us, mut to_move) = (None, None, None);
        let mut names = [String::new(), String::new()];
        let (mut declaration, mut rule, mut token) = (None, None, None);
        let mut max_moves = 0;
        for line in lines {
            if let Some(name) = line.strip_prefix("BEGIN ") {
                section = match name {
                    "Time" => Section::Time(None),
                    "Time+" => Section::Time(Some(Color::Black)),
                    "Time-" => Section::Time(Some(Color::White)),
                    "Position" => Section::Position,
                    _ => Section::Other,
                };
                continue;
            }
            if line.starts_with("END ") {
                section = Section::Top;
                continue;
            }
            if section == Section::Position {
                position.push(line.as_str());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match section {
                Section::Time(color) => {
                    let times = color.map_or(&mut common, |color| &mut own[color.dense()]);
                    times.take(key, value)?;
                    continue;
                }
                Section::Other | Section::Position => continue,
                Section::Top => {}
            }
            match key {
                "Format" if !value.starts_with("Shogi") => {
                    return Err(SummaryError::OtherGame(value.to_owned()));
                }
                "Game_ID" => game_id = Some(value.to_owned()),
                "Name+" => value.clone_into(&mut names[0]),
                "Name-" => value.clone_into(&mut names[1]),
                "Your_Turn" => us = Some(side(key, value)?),
                "To_Move" => to_move = Some(side(key, value)?),
                "Declaration" => declaration = Some(value.to_owned()),
                "Entering_King_Rule" => rule = Some(value.to_owned()),
                "Max_Moves" => max_moves = number(key, value)? as u32,
                "Reconnect_Token" => token = Some(Secret::new(value)),
                _ => {
                    common.take(key, value)?;
                }
            }
        }
        let (start, moves) = read_position(&position, to_move.unwrap_or(Color::Black))?;
        Ok(Self {
            game_id: game_id.filter(|id| !id.is_empty()).ok_or(SummaryError::Missing("Game_ID"))?,
            names,
            us: us.ok_or(SummaryError::Missing("Your_Turn"))?,
            names_declaration: rule.is_some() || declaration.is_some(),
            entering_king: entering_king(rule.as_deref(), declaration.as_deref()),
            max_moves,
            times: own.map(|own| own.rules(&common)),
            start,
            moves,
            token: token.filter(Secret::is_one_word),
        })
    }

    /// The opponent's name.
    pub fn opponent(&self) -> &str {
        &self.names[self.us.flip().dense()]
    }

    /// The position after the moves already made, with its history.
    pub fn position(&self) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().for_each(|&(mv, _)| {
            position.do_move(mv);
        });
        position
    }
}

fn bad(key: &str, value: &str) -> SummaryError {
    let short = |text: &str| text.chars().take(60).filter(|c| !c.is_control()).collect();
    SummaryError::BadValue { key: short(key), value: short(value) }
}

/// A whole number. Decimals are dropped: the time is then never overestimated.
fn number(key: &str, value: &str) -> Result<u64, SummaryError> {
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    if !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(bad(key, value));
    }
    whole.parse().ok().filter(|&number| number <= LARGEST).ok_or_else(|| bad(key, value))
}

fn side(key: &str, value: &str) -> Result<Color, SummaryError> {
    match value {
        "+" => Ok(Color::Black),
        "-" => Ok(Color::White),
        _ => Err(bad(key, value)),
    }
}

/// Parses a time unit: `1sec`, `1msec`, `100msec`, `1min`.
fn unit(value: &str) -> Option<Duration> {
    let digits = value.find(|c: char| !c.is_ascii_digit())?;
    let (count, word) = value.split_at(digits);
    let count: u64 = if count.is_empty() { 1 } else { count.parse().ok()? };
    let ms = match word.trim() {
        "msec" | "ms" => 1,
        "sec" | "s" => 1_000,
        "min" => 60_000,
        _ => return None,
    };
    Some(Duration::from_millis(ms * count)).filter(|_| (1..=1_000).contains(&count))
}

/// The declaration rule given by `Entering_King_Rule` (rshogi's extension, USI names), or else by
/// `Declaration`.
fn entering_king(rule: Option<&str>, declaration: Option<&str>) -> Option<EnteringKingRule> {
    match rule {
        // Without a known rule: do not declare.
        Some(name) => EnteringKingRule::from_name(name),
        None => {
            declaration.filter(|text| text.starts_with("Jishogi")).map(|_| EnteringKingRule::Csa27)
        }
    }
}

/// Parses the position and the moves made from it.
fn read_position(
    lines: &[&str],
    to_move: Color,
) -> Result<(Position, Vec<TimedMove>), SummaryError> {
    if lines.is_empty() {
        return Err(SummaryError::Missing("BEGIN Position"));
    }
    let mut text = String::new();
    let told = lines.iter().any(|line| matches!(*line, "+" | "-"));
    let setup_end = lines.iter().rposition(|line| line.starts_with('P')).map_or(0, |i| i + 1);
    for (index, line) in lines.iter().enumerate() {
        if index == setup_end && !told {
            text.push_str(if to_move == Color::Black { "+\n" } else { "-\n" });
        }
        text.push_str(line);
        text.push('\n');
    }
    if setup_end == lines.len() && !told {
        text.push_str(if to_move == Color::Black { "+\n" } else { "-\n" });
    }
    let records =
        read_csa(&text).map_err(|error| SummaryError::Position(PositionFault::File(error)))?;
    let record = records.into_iter().next().ok_or(SummaryError::Missing("BEGIN Position"))?;
    if let Some(fault) = record.faults.first() {
        return Err(SummaryError::Position(PositionFault::Line(fault.clone())));
    }
    let moves = record
        .moves
        .iter()
        .map(|played| (played.mv, played.seconds.map(|units| Units::whole(units.into()))));
    Ok((record.start.clone(), moves.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n\
        P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n\
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY";

    /// A summary; `times` is the text between the header and the position.
    fn text(times: &str, position: &str) -> String {
        format!(
            "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
             Declaration:Jishogi 1.1\nGame_ID:g1\nName+:a\nName-:b\nYour_Turn:-\n\
             Rematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n{times}\n\
             BEGIN Position\n{position}\nEND Position"
        )
    }

    fn parse(text: &str) -> Result<Summary, SummaryError> {
        let lines: Vec<String> = text.lines().map(ToOwned::to_owned).collect();
        Summary::parse(&lines)
    }

    const SECONDS: &str =
        "BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\nByoyomi:10\nLeast_Time_Per_Move:1\nEND Time";

    #[test]
    fn the_usual_summary() {
        let summary = parse(&text(SECONDS, &format!("{BOARD}\nP+\nP-\n+"))).unwrap();
        assert_eq!((summary.game_id.as_str(), summary.opponent()), ("g1", "a"));
        assert_eq!((summary.us, summary.max_moves), (Color::White, 256));
        assert_eq!(summary.entering_king, Some(EnteringKingRule::Csa27));
        assert_eq!(summary.start.key(), Position::startpos().key());
        let rules = summary.times[0];
        assert_eq!(rules, summary.times[1]);
        assert_eq!([rules.total, rules.byoyomi, rules.least].map(|t| t.as_secs()), [600, 10, 1]);
        assert!(summary.token.is_none() && summary.moves.is_empty());
    }

    #[test]
    fn times_by_side_and_by_millisecond() {
        let times = "BEGIN Time+\nTime_Unit:1msec\nTotal_Time:10000\nIncrement:100\nEND Time+\n\
             BEGIN Time-\nTime_Unit:1min\nTotal_Time:15\nEND Time-";
        let [black, white] = parse(&text(times, "PI\n+")).unwrap().times;
        assert_eq!((black.unit, black.total.as_secs()), (Duration::from_millis(1), 10));
        assert_eq!(black.increment.as_millis(), 100);
        assert_eq!((white.total.as_secs(), white.unit.as_secs()), (900, 60));
        // One block for both sides; White has its own total.
        let times = format!("{SECONDS}\nBEGIN Time-\nTotal_Time:30\nEND Time-");
        let [black, white] = parse(&text(&times, "PI\n+")).unwrap().times;
        assert_eq!((black.total.as_secs(), white.total.as_secs()), (600, 30));
        assert_eq!((white.byoyomi.as_secs(), white.least.as_secs()), (10, 1));
        let times = "BEGIN Time\nTotal_Time:600.0\nByoyomi:10.5\nEND Time";
        let rules = parse(&text(times, "PI\n+")).unwrap().times[0];
        assert_eq!((rules.total.as_secs(), rules.byoyomi.as_secs()), (600, 10));
        // The unit may follow the numbers.
        let times = "BEGIN Time\nTotal_Time:5000\nTime_Unit:1msec\nEND Time";
        assert_eq!(parse(&text(times, "PI\n+")).unwrap().times[0].total.as_secs(), 5);
    }

    #[test]
    fn moves_already_made_are_part_of_the_game() {
        let summary = parse(&text(SECONDS, "PI\n+\n+7776FU,T12\n-3334FU,T6")).unwrap();
        let times: Vec<_> = summary.moves.iter().map(|(_, time)| *time).collect();
        assert_eq!(times, [12, 6].map(|time| Some(Units::whole(time))));
        assert_eq!(summary.position().side_to_move(), Color::Black);
        let handicap = parse(&text(SECONDS, "PI82HI22KA\n-\n-5142OU,T1")).unwrap();
        assert_eq!(handicap.start.side_to_move(), Color::White);
        assert_eq!(handicap.moves.len(), 1);
    }

    #[test]
    fn the_header_alone_may_give_the_side_to_move() {
        let with = |header: &str, position: &str| {
            let text = text(SECONDS, position).replace("To_Move:+", header);
            parse(&text).unwrap().start.side_to_move()
        };
        assert_eq!(with("To_Move:-", "PI"), Color::White);
        assert_eq!(with("To_Move:-", "PI\n-5142OU"), Color::White);
        assert_eq!(with("To_Move:-", "PI\n+"), Color::Black);
    }

    #[test]
    fn entering_king_rules_by_name() {
        let with = |lines: &str| {
            parse(&text(SECONDS, "PI\n+").replace("Declaration:Jishogi 1.1", lines))
                .unwrap()
                .entering_king
        };
        assert_eq!(with("X:y"), None);
        let named = |lines: &str| {
            let text = text(SECONDS, "PI\n+").replace("Declaration:Jishogi 1.1", lines);
            parse(&text).unwrap().names_declaration
        };
        assert!(!named("X:y") && named("Declaration:Jishogi 1.1"));
        assert!(named("Declaration:Other") && named("Entering_King_Rule:Strange"));
        assert_eq!(with("Entering_King_Rule:CSARule24"), Some(EnteringKingRule::Csa24));
        assert_eq!(with("Declaration:Jishogi 1.1\nEntering_King_Rule:Strange"), None);
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let good = text(SECONDS, "PI\n+");
        for (from, to, expected) in [
            ("Game_ID:g1", "", "Game_ID is missing"),
            ("Your_Turn:-", "", "Your_Turn is missing"),
            ("Your_Turn:-", "Your_Turn:x", "`Your_Turn:x` cannot be used"),
            ("Total_Time:600", "Total_Time:-5", "`Total_Time:-5`"),
            ("Total_Time:600", "Total_Time:6.x", "`Total_Time:6.x`"),
            ("Total_Time:600", "Total_Time:99999999999999999999", "Total_Time"),
            ("Time_Unit:1sec", "Time_Unit:fortnight", "Time_Unit"),
            ("Time_Unit:1sec", "Time_Unit:0sec", "Time_Unit"),
            ("Format:Shogi 1.0", "Format:Chess", "not shogi but Chess"),
            ("PI\n+", "PI\n+\n+7775FU", "position is broken"),
            ("PI\n+", "P1-XX\n+", "position is broken"),
            ("PI\n+", "PI\n-\n+7776FU", "position is broken"),
            ("BEGIN Position\nPI\n+\nEND Position", "", "BEGIN Position is missing"),
        ] {
            assert!(good.contains(from), "{from}");
            let error = parse(&good.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(expected), "{from} -> {to}: {error}");
        }
    }

    #[test]
    fn tokens_are_not_shown() {
        let lines = text(SECONDS, "PI\n+") + "\nReconnect_Token:0123456789abcdef";
        let summary = parse(&lines).unwrap();
        assert!(summary.token.is_some());
        assert!(!format!("{summary:?}").contains("0123456789abcdef"));
    }
}
