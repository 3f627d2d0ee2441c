//! Game records: KIF, KI2, CSA, JKF and USI lines, in any Japanese or Unicode encoding.
//!
//! Real files often violate their format. The readers go line by line, keep the valid part and
//! report where it ends: a [`Record`] with [`Record::faults`] is a valid game up to the fault.
//!
//! ```
//! let text = "先手：甲\n手数----指手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
//! let file = monomi_record::read(text.as_bytes()).expect("a KIF record");
//! let record = &file.records[0];
//! assert_eq!(record.moves.len(), 2);
//! assert_eq!(record.header("先手"), Some("甲"));
//! assert!(record.faults.is_empty());
//! ```

mod board;
mod build;
mod csa;
mod detect;
mod encoding;
mod fault;
mod jkf;
mod kakinoki;
mod kakinoki_words;
pub mod notation;
mod resolve;
mod source;
mod usi;

#[cfg(test)]
mod tests;

pub use board::{HANDICAPS, bod, handicap_name};
pub use csa::{
    HEADERS as CSA_HEADERS, board as csa_board, parse as parse_csa_move, read as read_csa,
};
pub use detect::Format;
pub use encoding::{Encoding, decode, list_in_utf8, shift_jis};
pub use fault::{Fault, ReadError, Reason};
pub use source::SourceText;
pub use usi::{read_line as read_usi_line, read_position as read_usi_position};

use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_support::text::{Lang, Message};
use shogi_core::Color;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt::{self, Formatter};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Longest line of moves that is read.
pub const MAX_MOVES: usize = 20_000;

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move resigned.
    Resign,
    /// Adjourned.
    Interrupted,
    /// Repetition.
    Repetition,
    /// The side to move lost on time.
    TimeUp,
    /// An illegal move, where the word does not say whose. Readers put [`Ending::FoulLoss`] or
    /// [`Ending::FoulWin`] into a record.
    IllegalMove,
    /// The side to move broke the rules and lost (反則負け).
    FoulLoss,
    /// The opponent of the side to move broke the rules and lost (反則勝ち).
    FoulWin,
    /// Impasse: a draw by agreement or by points (持将棋).
    Impasse,
    /// The side to move declared a win (入玉宣言).
    Declaration,
    /// The side to move is mated.
    Mate,
    /// The problem has no mate (不詰).
    NoMate,
    /// Draw.
    Draw,
    /// The maximum number of moves was reached.
    MaxMoves,
    /// Anything else, as written in the file.
    Other(String),
}

/// The endings in KIF, in CSA and in English.
const ENDINGS: [(Ending, &str, &str, &str); 13] = [
    (Ending::Resign, "投了", "TORYO", "resignation"),
    (Ending::Interrupted, "中断", "CHUDAN", "interrupted"),
    (Ending::Repetition, "千日手", "SENNICHITE", "repetition"),
    (Ending::TimeUp, "切れ負け", "TIME_UP", "time up"),
    (Ending::FoulWin, "反則勝ち", "ILLEGAL_MOVE", "illegal move"),
    (Ending::FoulLoss, "反則負け", "ILLEGAL_MOVE", "illegal move"),
    (Ending::IllegalMove, "反則負け", "ILLEGAL_MOVE", "illegal move"),
    (Ending::Impasse, "持将棋", "JISHOGI", "impasse"),
    (Ending::Declaration, "入玉勝ち", "KACHI", "declaration"),
    (Ending::Mate, "詰み", "TSUMI", "mate"),
    (Ending::NoMate, "不詰", "FUZUMI", "no mate"),
    (Ending::Draw, "引き分け", "HIKIWAKE", "draw"),
    (Ending::MaxMoves, "最大手数", "MAX_MOVES", "maximum number of moves"),
];

impl Ending {
    /// From the word used in KIF.
    pub fn from_kif(word: &str) -> Option<Self> {
        let also = [
            ("詰", Ending::Mate),
            ("不詰み", Ending::NoMate),
            ("タイムアップ", Ending::TimeUp),
            ("反則手", Ending::IllegalMove),
            ("反則行為", Ending::IllegalMove),
            ("降参", Ending::Resign),
            ("負けました", Ending::Resign),
            ("時間切れ", Ending::TimeUp),
            ("時間切れ負け", Ending::TimeUp),
            ("反則", Ending::IllegalMove),
            ("勝ち宣言", Ending::Declaration),
            ("入玉宣言勝ち", Ending::Declaration),
            ("入玉", Ending::Declaration),
            ("引分", Ending::Draw),
            ("切断", Ending::Other("切断".to_owned())),
            ("接続切れ", Ending::Other("切断".to_owned())),
            ("通信切断", Ending::Other("切断".to_owned())),
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

    /// From the word used in CSA, without `%`.
    pub fn from_csa(word: &str) -> Self {
        match word {
            _ if word.eq_ignore_ascii_case("ILLEGAL_MOVE") => Ending::IllegalMove,
            _ => ENDINGS
                .into_iter()
                .find(|ending| ending.2.eq_ignore_ascii_case(word))
                .map_or_else(|| Ending::Other(word.to_owned()), |ending| ending.0),
        }
    }

    /// The word used in KIF.
    pub fn kif(&self) -> &str {
        match self {
            Ending::Other(word) => word,
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("中断", |e| e.1),
        }
    }

    /// The word used in CSA, without `%`.
    pub fn csa(&self) -> &str {
        match self {
            Ending::Other(word) if word.is_ascii() => word,
            Ending::Other(_) => "CHUDAN",
            _ => ENDINGS.iter().find(|ending| ending.0 == *self).map_or("CHUDAN", |e| e.2),
        }
    }
}

/// How a side lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defeat {
    /// It resigned.
    Resignation,
    /// It was mated.
    Mate,
    /// On time.
    Time,
    /// By breaking the rules, perpetual check included.
    Rules,
    /// By the opponent's declaration.
    Declaration,
    /// By default (不戦敗).
    Default,
}

/// In Japanese the word used in KIF.
impl Message for Ending {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let known = ENDINGS.iter().find(|ending| ending.0 == *self);
        f.write_str(match (lang, known) {
            (Lang::En, Some(ending)) => ending.3,
            (Lang::En, None) => match self.kif() {
                "不戦勝" => "win by default",
                "不戦敗" => "loss by default",
                "切断" => "disconnected",
                "封じ手" => "sealed move",
                word => word,
            },
            _ => self.kif(),
        })
    }
}

/// A move of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move; legal in its position.
    pub mv: PackedMove,
    /// Time used, in seconds.
    pub seconds: Option<u32>,
    /// Comments after the move, one per line, without the comment mark of the format.
    pub comments: Vec<String>,
}

/// A variation. Its first move replaces move `before + 1` of the line that it branches off: the
/// latest line before it in the file (variation or main line) that reaches this move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Moves of the game before the first move of the variation.
    pub before: usize,
    /// The moves.
    pub moves: Vec<Played>,
    /// How the variation ends, if stated.
    pub ending: Option<Ending>,
    /// Time used for the ending, in seconds.
    pub ending_seconds: Option<u32>,
    /// Closing words, as in [`Record::closing`].
    pub closing: Option<String>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Record {
    /// Format of the file.
    pub format: Format,
    /// Players, dates and other headers in the order of the file, with the keys used in KIF.
    pub headers: Vec<(String, String)>,
    /// The ratings of Black and White, which CSA records of floodgate give.
    pub ratings: [Option<i32>; 2],
    /// The position before the first move.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The main line.
    pub moves: Vec<Played>,
    /// How the game ended, if stated.
    pub ending: Option<Ending>,
    /// Time used for the ending (such as a resignation), in seconds.
    pub ending_seconds: Option<u32>,
    /// The closing line of KIF and KI2: `まで11手で先手の勝ち`.
    pub closing: Option<String>,
    /// Variations in the order of the file.
    pub branches: Vec<Branch>,
    /// Parts of the file that could not be read; the moves before them are valid.
    pub faults: Vec<Fault>,
    /// The text of the file, where it holds this game only and its format allows comments to be
    /// inserted (KIF and CSA).
    pub source: Option<SourceText>,
}

impl Record {
    /// The value of a header.
    pub fn header(&self, key: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(name, _)| name == key)?;
        Some(found.1.as_str()).filter(|value| !value.is_empty())
    }

    /// The names of Black and White, empty if not given. In handicap games Black is the side that
    /// receives the handicap (下手).
    pub fn players(&self) -> [&str; 2] {
        [["先手", "下手"], ["後手", "上手"]]
            .map(|keys| keys.into_iter().find_map(|key| self.header(key)).unwrap_or_default())
    }

    /// Calls a function with every text that was written by people.
    fn texts_mut(&mut self, mut each: impl FnMut(&mut String)) {
        for (key, value) in &mut self.headers {
            each(key);
            each(value);
        }
        let branches = self.branches.iter_mut();
        let lines = branches.map(|line| (&mut line.moves, &mut line.ending, &mut line.closing));
        let main = (&mut self.moves, &mut self.ending, &mut self.closing);
        self.comments.iter_mut().for_each(&mut each);
        for (moves, ending, closing) in std::iter::once(main).chain(lines) {
            moves.iter_mut().flat_map(|played| &mut played.comments).for_each(&mut each);
            closing.iter_mut().for_each(&mut each);
            if let Some(Ending::Other(word)) = ending {
                each(word);
            }
        }
    }

    /// The variations, each from where it leaves the main line: a variation of another one begins
    /// with the moves that it shares with that one. Those that leave it nowhere are left out.
    pub fn branches_off_main_line(&self) -> Vec<Branch> {
        let mut path = self.moves.clone();
        let mut whole = |branch: &Branch| {
            path.truncate(branch.before);
            path.extend_from_slice(&branch.moves);
            let same = |(a, b): &(&Played, &Played)| a.mv == b.mv;
            let before = self.moves.iter().zip(&path).take_while(same).count();
            let moves = path[before..].to_vec();
            (!moves.is_empty()).then(|| Branch { before, moves, ..branch.clone() })
        };
        self.branches.iter().filter_map(&mut whole).collect()
    }

    /// Replaces the variations by others, each from where it leaves the main line.
    pub fn set_branches(&mut self, mut branches: Vec<Branch>) {
        // In KIF a variation continues the last line before it that is long enough: here always the
        // main line.
        branches.sort_by_key(|branch| Reverse(branch.before));
        self.branches = branches;
    }

    /// The side that lost, and how, if the record says it or the rules do. A record holds legal moves only,
    /// so an illegal move that ended the game belongs to the side to move at the end.
    pub fn defeat(&self) -> Option<(Color, Defeat)> {
        let to_move = match self.moves.len() % 2 {
            0 => self.start.side_to_move(),
            _ => self.start.side_to_move().flip(),
        };
        Some(match self.ending.as_ref()? {
            Ending::Resign => (to_move, Defeat::Resignation),
            Ending::Mate => (to_move, Defeat::Mate),
            Ending::TimeUp => (to_move, Defeat::Time),
            Ending::FoulLoss | Ending::IllegalMove => (to_move, Defeat::Rules),
            Ending::FoulWin => (to_move.flip(), Defeat::Rules),
            Ending::Declaration => (to_move.flip(), Defeat::Declaration),
            // Perpetual check loses, but not every record says so.
            Ending::Repetition => match self.positions().last()?.repeated(4)? {
                Repetition::Win => (to_move.flip(), Defeat::Rules),
                Repetition::Lose => (to_move, Defeat::Rules),
                _ => return None,
            },
            Ending::Other(word) if word == "不戦敗" => (to_move, Defeat::Default),
            Ending::Other(word) if word == "不戦勝" => (to_move.flip(), Defeat::Default),
            _ => return None,
        })
    }

    /// The position after the last move, with its history.
    pub fn last_position(self) -> Position {
        let mut position = self.start;
        for played in &self.moves {
            position.do_move(played.mv);
        }
        position
    }

    /// Every position of the main line with its history, from the start to the one after the last
    /// move.
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

/// The games of a file, and its encoding.
#[derive(Clone, Debug)]
pub struct File {
    /// Encoding of the file.
    pub encoding: Encoding,
    /// Its games, at least one; only CSA and USI files hold several.
    pub records: Vec<Record>,
}

/// Reads a file's bytes.
///
/// # Errors
/// The file holds no game. A game with invalid parts is not an error: see
/// [`Record::faults`].
pub fn read(bytes: &[u8]) -> Result<File, ReadError> {
    // A bug in a reader must not stop the analysis of other files.
    let read = catch_unwind(AssertUnwindSafe(|| {
        let (text, encoding) = decode(bytes)?;
        Ok(File { encoding, records: read_text(&text)? })
    }));
    read.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(ReadError::Panic(text.unwrap_or("unknown reason").to_owned()))
    })
}

/// Removes control characters, which would do things to the terminal on which a name or a comment is
/// shown. Line ends and tabs stay.
fn without_controls(text: Cow<'_, str>) -> Cow<'_, str> {
    let harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.contains(harmful) { text.replace(harmful, "").into() } else { text }
}

/// Reads decoded text.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str) -> Result<Vec<Record>, ReadError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let text = without_controls(text.into());
    let text: &str = &text;
    // Old Mac files end lines with a single carriage return.
    let unix;
    let text = if text.replace("\r\n", "").contains('\r') {
        unix = text.replace("\r\n", "\n").replace('\r', "\n");
        &unix
    } else {
        text
    };
    let format = detect::detect(text).ok_or(ReadError::NoRecord)?;
    let mut records = match format {
        Format::Kif => kakinoki::read(text, Format::Kif),
        Format::Ki2 => kakinoki::read(text, Format::Ki2),
        Format::Csa => csa::read(text),
        Format::Jkf => jkf::read(text),
        Format::Usi => usi::read(text),
    }?;
    let single = records.len() == 1;
    for record in &mut records {
        // JSON can hide them from the look at the whole text.
        record.texts_mut(|text| *text = without_controls(std::mem::take(text).into()).into_owned());
        let usable = single && record.faults.is_empty();
        record.source = match format {
            Format::Kif | Format::Csa if usable => {
                record.source.take().and_then(|source| source.with_text(text))
            }
            _ => None,
        };
    }
    Ok(records)
}
