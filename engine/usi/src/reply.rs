//! The replies of a session, and their text in USI.

use crate::notice::{Notice, UsiError};
use monomi_mate::{MateAnswer, MateResult};
use monomi_movegen::PackedMove;
use monomi_search::{BestMove, Bound, Info, Score, SearchResult};
use monomi_support::text::{Lang, Message as _};
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write as _};
use std::num::NonZeroU16;

/// A reply of a session. Its `Display` is one line of USI.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reply {
    /// `id name`: name and version.
    Name(&'static str),
    /// `id author`.
    Author(&'static str),
    /// An `option` line.
    Option(String),
    /// `usiok`
    UsiOk,
    /// `readyok`
    ReadyOk,
    /// An empty line, so that the GUI does not give up.
    KeepAlive,
    /// A line of a search.
    Info(Info),
    /// The same with the shares of wins, draws and losses, for the score in centipawns that wins
    /// 73 % of the games.
    InfoWithShares(Info, NonZeroU16),
    /// The cost of a mate search, and the mate if one was found.
    MateInfo(usize, MateResult),
    /// The answer to `go`.
    BestMove {
        /// What to play.
        best: BestMove,
        /// The expected reply, legal after the best move.
        ponder: Option<PackedMove>,
    },
    /// The answer to `go mate`.
    Checkmate(MateAnswer),
    /// A message.
    Notice(Notice),
    /// An error.
    Error(UsiError),
    /// A line for a user at a terminal.
    Text(String),
}

impl Reply {
    /// The answer to `go` with this result.
    pub(crate) fn best_move(result: &SearchResult) -> Self {
        Self::BestMove { best: result.best, ponder: result.ponder }
    }
}

impl Display for Reply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::UsiOk => f.write_str("usiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::KeepAlive => Ok(()),
            Self::Info(info) => f.write_str(&info_line(info)),
            Self::InfoWithShares(info, scale) => f.write_str(&line_of(info, Some(*scale))),
            Self::MateInfo(number, result) => f.write_str(&mate_info_line(*number, result)),
            Self::BestMove { best, ponder } => f.write_str(&answer_line(*best, *ponder)),
            Self::Checkmate(answer) => f.write_str(&checkmate_line(answer)),
            Self::Notice(notice) => {
                write!(f, "info string {}", cleaned(&notice.in_lang(Lang::En).to_string()))
            }
            Self::Error(error) => write!(f, "info string Error! {}", cleaned(&error.to_string())),
            Self::Option(text) | Self::Text(text) => f.write_str(&cleaned(text)),
        }
    }
}

/// Text without control characters: names of files and lines of books may contain any, and a line
/// break would begin another command.
fn cleaned(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The greatest score that is no mate, in centipawns.
const MOST: i32 = 30_000;

/// `cp N` or `mate N`; `mate -0` if the side to move is already mated. A win or a loss by the rules
/// (perpetual check, a superior position), which has no length, is `cp 30000` or `cp -30000`.
fn score(score: Score) -> String {
    match score {
        Score::Cp(value) => format!("cp {}", value.clamp(-MOST, MOST)),
        Score::Mate(0) => "mate -0".to_owned(),
        Score::Mate(plies) => format!("mate {plies}"),
    }
}

/// ` wdl WIN DRAW LOSS` in thousandths. Draws are rare in shogi and not counted.
fn shares(score: Score, win_scale: NonZeroU16) -> String {
    let win = (1000.0 * score.winning_probability(win_scale)).round() as u32;
    format!(" wdl {win} 0 {}", 1000 - win)
}

/// An `info` line. The moves come last because parsers read everything after `pv` as moves.
pub fn info_line(info: &Info) -> String {
    line_of(info, None)
}

fn line_of(info: &Info, shares_with: Option<NonZeroU16>) -> String {
    let mut line = format!("info depth {} seldepth {}", info.depth, info.seldepth);
    if info.multipv_count > 1 {
        let _ = write!(line, " multipv {}", info.multipv);
    }
    let _ = write!(line, " score {}", score(info.score));
    match info.bound {
        Bound::Exact => {}
        Bound::Lower => line.push_str(" lowerbound"),
        Bound::Upper => line.push_str(" upperbound"),
    }
    if let Some(win_scale) = shares_with {
        line.push_str(&shares(info.score, win_scale));
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} time {}",
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis()
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
        for mv in &info.pv {
            let _ = write!(line, " {mv}");
        }
    }
    line
}

/// The info for an answer that was not searched.
pub fn announcement(result: &SearchResult) -> Info {
    let pv = match result.best {
        BestMove::Move(mv) => vec![mv],
        BestMove::Resign | BestMove::Win => Vec::new(),
    };
    Info::new(result.score, pv)
}

/// The `bestmove` line.
pub fn bestmove_line(result: &SearchResult) -> String {
    answer_line(result.best, result.ponder)
}

fn answer_line(best: BestMove, ponder: Option<PackedMove>) -> String {
    match (best, ponder) {
        (BestMove::Resign, _) => "bestmove resign".to_owned(),
        (BestMove::Win, _) => "bestmove win".to_owned(),
        (BestMove::Move(mv), None) => format!("bestmove {mv}"),
        (BestMove::Move(mv), Some(ponder)) => format!("bestmove {mv} ponder {ponder}"),
    }
}

/// The answer to `go mate`.
fn checkmate_line(answer: &MateAnswer) -> String {
    match answer {
        MateAnswer::Mate(line) => {
            let mut text = "checkmate".to_owned();
            for mv in line {
                let _ = write!(text, " {mv}");
            }
            text
        }
        MateAnswer::NoMate => "checkmate nomate".to_owned(),
        MateAnswer::Unknown => "checkmate timeout".to_owned(),
    }
}

/// The info line of a mate search: its cost, and the mate if one was found.
fn mate_info_line(number: usize, result: &MateResult) -> String {
    let mut line = "info".to_owned();
    if number > 1 {
        let _ = write!(line, " multipv {number}");
    }
    let mate = match &result.answer {
        MateAnswer::Mate(line) => line.as_slice(),
        MateAnswer::NoMate | MateAnswer::Unknown => &[],
    };
    if !mate.is_empty() {
        let _ = write!(line, " depth {0} score mate {0}", mate.len());
    }
    let nps = (result.nodes as f64 / result.time.as_secs_f64().max(1e-6)) as u64;
    let _ = write!(
        line,
        " nodes {} nps {nps} hashfull {} time {}",
        result.nodes,
        result.hashfull,
        result.time.as_millis()
    );
    if !mate.is_empty() {
        line.push_str(" pv");
        for mv in mate {
            let _ = write!(line, " {mv}");
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info_gate::tests::{exact, info};
    use monomi_eval::DEFAULT_WIN_SCALE;

    #[test]
    fn lines() {
        assert_eq!(
            info_line(&exact(3, 10)),
            "info depth 3 seldepth 5 score cp -12 nodes 1000 nps 100000 hashfull 5 time 10 \
             pv 7g7f 8h2b+"
        );
        let line = info_line(&info(3, 2, 3, 10, Bound::Upper));
        assert!(line.contains(" multipv 2 score cp -12 upperbound nodes "), "{line}");
        assert_eq!(score(Score::Mate(-4)), "mate -4");
        assert_eq!(score(Score::Mate(0)), "mate -0");
    }

    #[test]
    fn shares_follow_the_score() {
        for scale in [287, 600] {
            let win_scale = NonZeroU16::new(scale).unwrap();
            let cp = i32::from(scale);
            let texts = [0, cp, -cp, 30_000].map(|cp| shares(Score::Cp(cp), win_scale));
            let expected = [" wdl 500 0 500", " wdl 731 0 269", " wdl 269 0 731", " wdl 1000 0 0"];
            assert_eq!(texts, expected);
            assert_eq!(shares(Score::Mate(-3), win_scale), " wdl 0 0 1000");
        }
        let line = Reply::InfoWithShares(exact(3, 10), DEFAULT_WIN_SCALE).to_string();
        assert!(line.contains(" score cp -12 wdl 495 0 505 nodes "), "{line}");
    }

    #[test]
    fn best_moves() {
        let mv = |text: &str| text.parse::<PackedMove>().unwrap();
        let result = |best, ponder| {
            let mut result = SearchResult::new(best, Score::Cp(0));
            result.ponder = ponder;
            result
        };
        let moves = result(BestMove::Move(mv("7g7f")), Some(mv("3c3d")));
        assert_eq!(bestmove_line(&moves), "bestmove 7g7f ponder 3c3d");
        assert_eq!(bestmove_line(&result(BestMove::Win, None)), "bestmove win");
        assert_eq!(bestmove_line(&result(BestMove::Resign, None)), "bestmove resign");
    }

    #[test]
    fn messages_have_no_control_characters() {
        let error = Reply::Error(UsiError::Crashed("a\u{1b}[2J\nbestmove 7g7f".to_owned()));
        let error = error.to_string();
        assert!(error.starts_with("info string Error! ") && !error.contains(char::is_control));
        assert!(error.ends_with("a\u{fffd}[2J\u{fffd}bestmove 7g7f"), "{error}");
        let notice = Reply::Notice(Notice::Evaluation("x\ry".to_owned()));
        assert_eq!(notice.to_string(), "info string evaluation: x\u{fffd}y");
    }
}
