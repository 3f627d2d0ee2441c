//! Lines of YaneuraOu's `.db`.

use crate::book_move::{BookMove, Results};
use crate::fault::{Field, Number, Reason};
use monomi_movegen::PackedMove;

/// The first line of a `.db`.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// A parsed line of a `.db`.
#[derive(Debug, PartialEq, Eq)]
pub enum DbLine<'a> {
    /// An empty line, a comment, or an entry without a move (`none`).
    Blank,
    /// A comment with the results of the move before it.
    Results(Results),
    /// A position; the following moves belong to it.
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
    /// The number of the next move; 0 if there is none.
    pub ply: u16,
}

/// Whether a line is that of a position, valid or not.
pub fn is_position(line: &str) -> bool {
    line.split_ascii_whitespace().next() == Some("sfen")
}

/// Parses a line.
///
/// # Errors
/// Why the line is invalid.
pub fn read(line: &str) -> Result<DbLine<'_>, Reason> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if let Some(results) = Results::read(line) {
        return Ok(DbLine::Results(results));
    }
    if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
        return Ok(DbLine::Blank);
    }
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "sfen" {
        let mut field = |field| words.next().ok_or(Reason::Missing(field));
        let (board, side, hands) =
            (field(Field::Board)?, field(Field::Side)?, field(Field::Hands)?);
        let ply = match words.next() {
            None => 0,
            Some(ply) => ply.parse().map_err(|_| Reason::NotAMoveNumber(ply.to_owned()))?,
        };
        return Ok(DbLine::Position(Sfen { board, side, hands, ply }));
    }
    let Some(mv) = optional_move(first)? else { return Ok(DbLine::Blank) };
    let ponder = words.next().map_or(Ok(None), optional_move)?;
    let mut number = |number, missing: i64| match words.next() {
        // ShogiHome writes `none` where a move has no value or depth.
        None | Some("none" | "None" | "NONE" | "null" | "-") => Ok(missing),
        Some(word) => word.parse::<i64>().map_err(|_| Reason::NotANumber(word.to_owned(), number)),
    };
    let eval = number(Number::Value, 0)?.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let depth = number(Number::Depth, 0)?.clamp(0, u32::MAX.into()) as u32;
    let count = number(Number::Count, 1)?.clamp(0, u32::MAX.into()) as u32;
    Ok(DbLine::Move(BookMove { mv, ponder, eval, depth, count }))
}

fn optional_move(word: &str) -> Result<Option<PackedMove>, Reason> {
    match word {
        "none" | "None" | "NONE" | "(none)" | "resign" => Ok(None),
        _ => word.parse().map(Some).map_err(|_| Reason::NotAMove(word.to_owned())),
    }
}

/// Formats a move so that [`read`] parses it.
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
            Ok(DbLine::Move(found)) => found,
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
    fn blank_lines_positions_and_errors() {
        for line in ["", "  ", HEADER, "# NOE:1", "// words", "none none 0 0", "resign none 0 0 1"]
        {
            assert_eq!(read(line), Ok(DbLine::Blank), "{line}");
        }
        let results = Results { won: 3, drawn: 1, lost: 2 };
        assert_eq!(read(&results.to_string()), Ok(DbLine::Results(results)));
        assert_eq!(read("# won drawn lost: 3 many"), Ok(DbLine::Blank));
        let Ok(DbLine::Position(sfen)) = read("sfen BOARD b - 12") else { panic!() };
        assert_eq!((sfen.board, sfen.side, sfen.hands, sfen.ply), ("BOARD", "b", "-", 12));
        assert!(matches!(read("sfen BOARD b -"), Ok(DbLine::Position(Sfen { ply: 0, .. }))));
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
            assert!(read(line).is_err_and(|error| error.to_string().contains(named)), "{line}");
        }
    }
}
