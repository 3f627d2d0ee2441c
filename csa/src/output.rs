//! What the client reports: events for a listener, results, the tally.

use crate::clock::{self, Clocks};
use crate::game::{End, Moved};
use crate::notice::Notice;
use crate::protocol::{EndReason, ServerResult};
use crate::summary::Summary;
use monomi_movegen::PackedMove;
use monomi_search::Info;
use monomi_support::text::{Lang, Message, count, messages, say};
use shogi_core::Color;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a> {
    /// The client is connecting.
    Connecting {
        /// The server.
        host: &'a str,
        /// Its port.
        port: u16,
    },
    /// The login succeeded.
    LoggedIn,
    /// A message for the user.
    Notice(&'a Notice),
    /// A game begins or is resumed.
    Started {
        /// Its conditions.
        summary: &'a Summary,
        /// All moves so far, from `summary.start`.
        moves: &'a [PackedMove],
        /// The clocks after these moves.
        clocks: &'a Clocks,
    },
    /// A move was made.
    Moved {
        /// The move.
        moved: &'a Moved,
        /// Its number in the game, from 1.
        ply: usize,
        /// The clocks after the move.
        clocks: &'a Clocks,
        /// For the client's moves: the engine's info line.
        thought: Option<&'a Info>,
    },
    /// The engine is searching or pondering.
    Thinking {
        /// Its last info line.
        thought: &'a Info,
        /// While pondering: the predicted reply, after which the line goes on.
        ponder: Option<PackedMove>,
    },
    /// A game is over.
    Ended(&'a GameResult),
}

/// Receives the client's events.
pub trait Listener {
    /// Called for every event.
    fn on_report(&mut self, report: &Report<'_>);
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameResult {
    /// Number of the game in this run, from 1.
    pub number: u32,
    /// The game's identifier.
    pub game_id: String,
    /// The client's color.
    pub color: Color,
    /// The opponent's name.
    pub opponent: String,
    /// Number of moves.
    pub plies: usize,
    /// Duration of the game.
    pub time: Duration,
    /// The verdict for the client.
    pub result: Verdict,
    /// The end of the game.
    pub end: End,
    /// Path of the record.
    pub record: Option<std::path::PathBuf>,
}

impl GameResult {
    /// The reason for the end, in a few words.
    pub fn reason(&self, lang: Lang) -> String {
        match &self.end.reason {
            Some(EndReason::Resign) => say!(lang, "resignation", "投了"),
            Some(EndReason::TimeUp) => say!(lang, "time", "時間切れ"),
            Some(EndReason::IllegalMove) => say!(lang, "illegal move", "反則"),
            Some(EndReason::Sennichite) => say!(lang, "repetition", "千日手"),
            Some(EndReason::OuteSennichite) => say!(lang, "perpetual check", "連続王手の千日手"),
            Some(EndReason::Jishogi) => say!(lang, "declaration", "入玉宣言"),
            Some(EndReason::MaxMoves) => say!(lang, "limit of moves", "手数制限"),
            Some(EndReason::Other(word)) => word.clone(),
            None => match self.end.outcome {
                Some(ServerResult::Chudan) => say!(lang, "broken off", "中断"),
                Some(_) => say!(lang, "no reason given", "理由なし"),
                None => say!(lang, "connection lost", "接続断"),
            },
        }
    }

    /// Path of the record.
    pub fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }
}

/// One line.
impl Message for GameResult {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, opponent, plies) = (self.number, &self.opponent, self.plies);
        let (verdict, reason) = (self.result.in_lang(lang), self.reason(lang));
        let (time, side) = (clock::shown(self.time), side(self.color, lang));
        let moves = count(plies as u64, "move", "moves");
        say!(
            lang,
            f,
            "{number} {verdict} ({reason}) {side} against {opponent}, {moves}, {time}",
            "{number} {verdict}（{reason}）{side} 対 {opponent}、{plies} 手、{time}"
        )?;
        if let Some(path) = self.record() {
            say!(lang, f, ", {}", "、{}", path.display())?;
        }
        Ok(())
    }
}

/// The name of a side.
pub fn side(color: Color, lang: Lang) -> String {
    match color {
        Color::Black => say!(lang, "black", "先手"),
        Color::White => say!(lang, "white", "後手"),
    }
}

messages! {
    /// The result of a game for the client.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Verdict {
        /// Won.
        Win => "win", "勝ち";
        /// Lost.
        Loss => "loss", "負け";
        /// Drawn.
        Draw => "draw", "引き分け";
        /// Without a result.
        Unfinished => "unfinished", "中断";
    }
}

impl Verdict {
    /// The verdict of an end.
    pub fn of(end: &End) -> Self {
        match (end.outcome, &end.reason) {
            (Some(ServerResult::Win), _) => Self::Win,
            (Some(ServerResult::Lose), _) => Self::Loss,
            (Some(ServerResult::Draw), _) => Self::Draw,
            // Servers that end games as drawn at the move limit name no winner.
            (Some(ServerResult::Censored), Some(EndReason::MaxMoves)) => Self::Draw,
            (Some(ServerResult::Censored | ServerResult::Chudan) | None, _) => Self::Unfinished,
        }
    }
}

/// Number of games by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won.
    pub wins: u32,
    /// Lost.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
    /// Without a result.
    pub unfinished: u32,
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Win => &mut self.wins,
            Verdict::Loss => &mut self.losses,
            Verdict::Draw => &mut self.draws,
            Verdict::Unfinished => &mut self.unfinished,
        } += 1;
    }
}

impl Message for Counts {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wins, losses, draws, unfinished } = self;
        say!(
            lang,
            f,
            "{wins} won, {losses} lost, {draws} drawn",
            "{wins} 勝 {losses} 敗 {draws} 分"
        )?;
        if *unfinished > 0 {
            say!(lang, f, ", {unfinished} unfinished", "（中断 {unfinished}）")?;
        }
        Ok(())
    }
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All games.
    pub all: Counts,
    /// Games as Black and as White.
    pub by_color: [Counts; 2],
    /// Games against each opponent, as Black and as White.
    pub by_opponent: BTreeMap<String, [Counts; 2]>,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &GameResult) {
        let color = usize::from(game.color == Color::White);
        self.all.add(game.result);
        self.by_color[color].add(game.result);
        self.by_opponent.entry(game.opponent.clone()).or_default()[color].add(game.result);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        let Counts { wins, losses, draws, unfinished } = self.all;
        wins + losses + draws + unfinished
    }
}

impl Message for Tally {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, all) = (self.games(), self.all.in_lang(lang));
        let english = count(games, "game", "games");
        say!(lang, f, "{english}: {all}\n", "{games} 局: {all}\n")?;
        let [black, white] = self.by_color.each_ref().map(|counts| counts.in_lang(lang));
        say!(
            lang,
            f,
            "  as Black: {black}\n  as White: {white}\n",
            "  先手: {black}\n  後手: {white}\n"
        )?;
        for (opponent, by_color) in &self.by_opponent {
            let [black, white] = by_color.each_ref().map(|counts| counts.in_lang(lang));
            say!(
                lang,
                f,
                "  against {opponent}: as Black {black}; as White {white}\n",
                "  対 {opponent}: 先手 {black}、後手 {white}\n"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(opponent: &str, color: Color, end: End) -> GameResult {
        GameResult {
            number: 1,
            game_id: "g".to_owned(),
            color,
            opponent: opponent.to_owned(),
            plies: 1,
            time: Duration::ZERO,
            result: Verdict::of(&end),
            end,
            record: None,
        }
    }

    fn end(outcome: Option<ServerResult>, reason: Option<EndReason>) -> End {
        End { outcome, reason, special: None }
    }

    #[test]
    fn results_are_counted_by_opponent_and_color() {
        let mut tally = Tally::default();
        tally.add(&result(
            "a",
            Color::Black,
            end(Some(ServerResult::Win), Some(EndReason::Resign)),
        ));
        tally.add(&result(
            "a",
            Color::White,
            end(Some(ServerResult::Lose), Some(EndReason::TimeUp)),
        ));
        tally.add(&result(
            "b",
            Color::White,
            end(Some(ServerResult::Censored), Some(EndReason::MaxMoves)),
        ));
        tally.add(&result("b", Color::White, end(None, None)));
        assert_eq!(tally.games(), 4);
        assert_eq!((tally.by_color[0].wins, tally.by_color[1].losses), (1, 1));
        let [black, white] = tally.by_opponent["b"];
        assert_eq!((black, white.draws, white.unfinished), (Counts::default(), 1, 1));
        let text = tally.in_lang(Lang::En).to_string();
        assert!(text.contains("4 games: 1 won, 1 lost, 1 drawn, 1 unfinished"), "{text}");
        assert!(text.contains("against a: as Black 1 won"), "{text}");
    }
}
