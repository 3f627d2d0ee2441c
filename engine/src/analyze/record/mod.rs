//! Game records: KIF, KI2, CSA, JKF and USI lines, in whatever encoding they come.
//!
//! Real files break every rule, so the readers go line by line, keep what is good and say where it
//! ended: a [`Record`] with [`Record::faults`] is still a game up to there.

mod board;
mod build;
mod csa;
mod detect;
mod encoding;
mod jkf;
mod kakinoki;
pub mod notation;
mod usi;

pub use board::{HANDICAPS, bod, handicap_name};
pub use csa::HEADERS as CSA_HEADERS;
pub use detect::Format;
pub use encoding::{Encoding, decode, shift_jis};
pub use usi::read_line as read_usi_line;

use monomi_movegen::{PackedMove, Position};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest line of moves that is read.
pub const MAX_MOVES: usize = 20_000;

/// Why a file yields no game at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Nothing in it.
    #[error("the file is empty")]
    Empty,
    /// Bytes that are text in none of the encodings.
    #[error("this is no text (neither UTF-8, UTF-16, Shift_JIS nor EUC-JP)")]
    Binary,
    /// Text without any sign of a record.
    #[error("this is no game record (neither KIF, KI2, CSA, JKF nor USI)")]
    NoRecord,
    /// Not even a starting position could be made out.
    #[error("{0}")]
    Fault(Fault),
    /// A reader broke down: a defect to be reported.
    #[error("the reader broke down: {0}")]
    Panic(String),
}

/// Something in a record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the file, from 1; 0 when the file has no lines to speak of (JKF).
    pub line: usize,
    /// The move concerned, counted from 1 in its game; none for headers.
    pub ply: Option<usize>,
    /// What stands there.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, ", self.line)?;
        }
        if let Some(ply) = self.ply {
            write!(f, "move {ply}, ")?;
        }
        let mut shown: String = self.text.trim().chars().take(60).collect();
        shown.retain(|c| !c.is_control());
        write!(f, "`{shown}`: {}", self.reason)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move resigned.
    Resign,
    /// Broken off.
    Interrupted,
    /// Repetition.
    Repetition,
    /// The side to move lost on time.
    TimeUp,
    /// An illegal move of the side that moved last.
    IllegalMove,
    /// The side to move is lost by the other rules' breach (KIF's 反則負け).
    FoulLoss,
    /// The side to move has won by the opponent's breach (KIF's 反則勝ち).
    FoulWin,
    /// Impasse: drawn by agreement or by points.
    Impasse,
    /// The side to move declared its win.
    Declaration,
    /// The side to move is mated.
    Mate,
    /// A problem without a solution.
    NoMate,
    /// Drawn.
    Draw,
    /// The limit of moves is reached.
    MaxMoves,
    /// Anything else, in the file's words.
    Other(String),
}

/// The endings in KIF's words and CSA's.
const ENDINGS: [(Ending, &str, &str); 13] = [
    (Ending::Resign, "投了", "TORYO"),
    (Ending::Interrupted, "中断", "CHUDAN"),
    (Ending::Repetition, "千日手", "SENNICHITE"),
    (Ending::TimeUp, "切れ負け", "TIME_UP"),
    (Ending::FoulWin, "反則勝ち", "ILLEGAL_MOVE"),
    (Ending::FoulLoss, "反則負け", "ILLEGAL_MOVE"),
    (Ending::IllegalMove, "反則手", "ILLEGAL_MOVE"),
    (Ending::Impasse, "持将棋", "JISHOGI"),
    (Ending::Declaration, "入玉勝ち", "KACHI"),
    (Ending::Mate, "詰み", "TSUMI"),
    (Ending::NoMate, "不詰", "FUZUMI"),
    (Ending::Draw, "引き分け", "HIKIWAKE"),
    (Ending::MaxMoves, "最大手数", "MAX_MOVES"),
];

impl Ending {
    /// From KIF's word.
    pub fn from_kif(word: &str) -> Option<Self> {
        let also = [
            ("詰", Ending::Mate),
            ("時間切れ", Ending::TimeUp),
            ("入玉宣言", Ending::Declaration),
            ("宣言勝ち", Ending::Declaration),
            ("引分け", Ending::Draw),
            ("不戦勝", Ending::Other("不戦勝".to_owned())),
            ("不戦敗", Ending::Other("不戦敗".to_owned())),
            ("封じ手", Ending::Other("封じ手".to_owned())),
        ];
        let known = ENDINGS.into_iter().find(|ending| ending.1 == word).map(|ending| ending.0);
        known.or_else(|| also.into_iter().find(|(name, _)| *name == word).map(|(_, e)| e))
    }

    /// From CSA's word, without its `%`.
    pub fn from_csa(word: &str) -> Self {
        match word {
            "ILLEGAL_MOVE" => Ending::IllegalMove,
            _ => ENDINGS
                .into_iter()
                .find(|ending| ending.2 == word)
                .map_or_else(|| Ending::Other(word.to_owned()), |ending| ending.0),
        }
    }

    /// KIF's word.
    pub fn kif(&self) -> &str {
        match self {
            Ending::Other(word) => word,
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("中断", |e| e.1),
        }
    }

    /// CSA's word, without its `%`.
    pub fn csa(&self) -> &str {
        match self {
            Ending::Other(word) if word.is_ascii() => word,
            Ending::Other(_) => "CHUDAN",
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("CHUDAN", |e| e.2),
        }
    }
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move; legal where it stands.
    pub mv: PackedMove,
    /// Time used, in seconds.
    pub seconds: Option<u32>,
    /// Comments behind the move, a line each, without the format's mark.
    pub comments: Vec<String>,
}

/// A variation. Its first move is an alternative to move `ply` of the line that it leaves: of the
/// main line and the variations before it, the latest that is long enough at that place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Moves of the game before the variation's first.
    pub before: usize,
    /// The moves.
    pub moves: Vec<Played>,
    /// How it ends, if it says so.
    pub ending: Option<Ending>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Record {
    /// What it was read from.
    pub format: Format,
    /// Names, dates and the like in the file's order; keys as KIF has them.
    pub headers: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The main line.
    pub moves: Vec<Played>,
    /// How the game ended, if the file says so.
    pub ending: Option<Ending>,
    /// Variations in the file's order.
    pub branches: Vec<Branch>,
    /// What could not be read; the moves up to there are good.
    pub faults: Vec<Fault>,
}

impl Record {
    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(name, _)| name == key)?;
        Some(found.1.as_str()).filter(|value| !value.is_empty())
    }

    /// Black's and White's names, empty where not given. In handicap games the taker of odds is
    /// Black.
    pub fn players(&self) -> [&str; 2] {
        [["先手", "下手"], ["後手", "上手"]]
            .map(|keys| keys.into_iter().find_map(|key| self.header(key)).unwrap_or_default())
    }

    /// The position behind the last move, with its history.
    pub fn last_position(self) -> Position {
        let mut position = self.start;
        for played in &self.moves {
            position.do_move(played.mv);
        }
        position
    }

    /// Every position of the main line with its history, from the start to behind the last move.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let mut position = self.start.clone();
        let mut moves = self.moves.iter();
        let mut next = Some(position.clone());
        std::iter::from_fn(move || {
            let now = next.take()?;
            if let Some(played) = moves.next() {
                position.do_move(played.mv);
                next = Some(position.clone());
            }
            Some(now)
        })
    }
}

/// The games of a file, and how it was encoded.
#[derive(Clone, Debug)]
pub struct File {
    /// How it was encoded.
    pub encoding: Encoding,
    /// Its games, at least one; only CSA and USI files hold several.
    pub records: Vec<Record>,
}

/// Reads a file's bytes.
///
/// # Errors
/// The file holds no game at all. A game that is broken somewhere is no error: see
/// [`Record::faults`].
pub fn read(bytes: &[u8]) -> Result<File, ReadError> {
    // Whatever bytes come, a reader's defect must not take the other files down.
    let read = catch_unwind(AssertUnwindSafe(|| {
        let (text, encoding) = decode(bytes)?;
        Ok(File { encoding, records: read_text(&text)? })
    }));
    read.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(ReadError::Panic(text.unwrap_or("no reason given").to_owned()))
    })
}

/// Reads decoded text.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str) -> Result<Vec<Record>, ReadError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match detect::detect(text).ok_or(ReadError::NoRecord)? {
        Format::Kif => kakinoki::read(text, Format::Kif),
        Format::Ki2 => kakinoki::read(text, Format::Ki2),
        Format::Csa => csa::read(text),
        Format::Jkf => jkf::read(text),
        Format::Usi => usi::read(text),
    }
}
