//! Lines of YaneuraOu's `.db`.

use crate::book::BookMove;
use monomi_movegen::PackedMove;
use std::fmt;

/// What such a file begins with.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// A line, read.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Nothing, a comment, or a move that says there is none.
    Blank,
    /// A position; the moves behind it belong to it.
    Position(Sfen<'a>),
    /// A move.
    Move(BookMove),
}

/// The fields of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sfen<'a> {
    /// The board.
    pub board: &'a str,
    /// The side to move.
    pub side: &'a str,
    /// The hands.
    pub hands: &'a str,
    /// The number of the move to come; 0 where none is given.
    pub ply: u16,
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its number, from 1.
    pub line: usize,
    /// What stands there, shortened.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Fault {
    /// Notes what is wrong with a line.
    pub fn new(line: usize, text: &str, reason: impl Into<String>) -> Self {
        let text = text.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        Self { line, text, reason: reason.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, `{}`: {}", self.line, self.text, self.reason)
    }
}

/// Reads a line.
///
/// # Errors
/// What is wrong with it.
pub fn read(line: &str) -> Result<Line<'_>, String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
        return Ok(Line::Blank);
    }
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "sfen" {
        let mut field = |name| words.next().ok_or(format!("the sfen's {name} is missing"));
        let (board, side, hands) = (field("board")?, field("side to move")?, field("hands")?);
        let ply = match words.next() {
            None => 0,
            Some(ply) => ply.parse().map_err(|_| format!("`{ply}` is no move number"))?,
        };
        return Ok(Line::Position(Sfen { board, side, hands, ply }));
    }
    let Some(mv) = optional_move(first)? else { return Ok(Line::Blank) };
    let ponder = words.next().map_or(Ok(None), optional_move)?;
    let mut number = |name: &str, missing: i64| match words.next() {
        None => Ok(missing),
        Some(word) => word.parse::<i64>().map_err(|_| format!("`{word}` is no {name}")),
    };
    let eval = number("value", 0)?.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let depth = number("depth", 0)?.clamp(0, u32::MAX.into()) as u32;
    let count = number("count", 1)?.clamp(0, u32::MAX.into()) as u32;
    Ok(Line::Move(BookMove { mv, ponder, eval, depth, count }))
}

fn optional_move(word: &str) -> Result<Option<PackedMove>, String> {
    match word {
        "none" | "None" | "resign" => Ok(None),
        _ => word.parse().map(Some).map_err(|_| format!("`{word}` is no move")),
    }
}

/// Writes a move as [`read`] reads it.
pub fn write(found: &BookMove) -> String {
    let BookMove { mv, ponder, eval, depth, count } = found;
    match ponder {
        Some(ponder) => format!("{mv} {ponder} {eval} {depth} {count}"),
        None => format!("{mv} none {eval} {depth} {count}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book_move(line: &str) -> BookMove {
        match read(line) {
            Ok(Line::Move(found)) => found,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn moves_with_and_without_their_fields() {
        let full = book_move("7g7f 3c3d -25 32 1234\r");
        assert_eq!((full.eval, full.depth, full.count), (-25, 32, 1234));
        assert_eq!(write(&full), "7g7f 3c3d -25 32 1234");
        let bare = book_move("P*5e");
        assert_eq!((bare.ponder, bare.eval, bare.depth, bare.count), (None, 0, 0, 1));
        assert_eq!(write(&bare), "P*5e none 0 0 1");
        assert_eq!(book_move("8h2b+ none 0 0 0 trailing words").count, 0);
        assert_eq!(book_move("7g7f None 99999999999 -3 99999999999").depth, 0);
    }

    #[test]
    fn other_lines() {
        for line in ["", "  ", HEADER, "# NOE:1", "// words", "none none 0 0", "resign none 0 0 1"]
        {
            assert_eq!(read(line), Ok(Line::Blank), "{line}");
        }
        let Ok(Line::Position(sfen)) = read("sfen BOARD b - 12") else { panic!() };
        assert_eq!((sfen.board, sfen.side, sfen.hands, sfen.ply), ("BOARD", "b", "-", 12));
        assert!(matches!(read("sfen BOARD b -"), Ok(Line::Position(Sfen { ply: 0, .. }))));
        for (line, named) in [
            ("sfen", "board"),
            ("sfen x w", "hands"),
            ("sfen x w - p", "`p`"),
            ("hello 7g7f 0 0 1", "`hello`"),
            ("7g7f world 0 0 1", "`world`"),
            ("7g7f 3c3d x 0 1", "`x`"),
            ("7g7f 3c3d 0 y 1", "`y`"),
            ("7g7f 3c3d 0 0 1.5", "`1.5`"),
        ] {
            assert!(read(line).is_err_and(|error| error.contains(named)), "{line}");
        }
    }
}
