//! The numbers of the piece-square tables, read at compile time from one text file.
//!
//! `data/piece_square.txt` says what its numbers are, where they come from and how they are laid
//! out. A file with too few, too many or malformed numbers does not compile.

use super::{Color, Dense, PieceKind, PlaceKind, SET_COUNT, SQUARES, Square};
use monomi_movegen::square::HAND_KINDS;
use monomi_support::text::{error_message, messages};
use std::fmt::Write;

const KINDS: usize = 14;
const HAND_TOTAL: usize = 38;

/// Numbers in a file.
const COUNT: usize = 2 * (KINDS * SQUARES + HAND_TOTAL);

/// The built-in numbers.
static INTERNAL: [i16; COUNT] = match parse(include_bytes!("../../data/piece_square.txt")) {
    Some(numbers) => numbers,
    None => panic!("eval/data/piece_square.txt: not the expected sequence of numbers"),
};

/// The numbers of piece-square tables, in the order of their file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbers(Box<[i16; COUNT]>);

messages! {
    /// The text is not a file of piece-square tables.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct NotNumbers =>
        "not a sequence of {COUNT} whole numbers from -30000 to 30000",
        "-30000 から 30000 の整数 {COUNT} 個の列ではありません";
}
error_message!(NotNumbers);

/// The numbers that belong to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Index of its opening value.
    pub opening: usize,
    /// Index of its endgame value.
    pub endgame: usize,
    /// 1 if it counts for Black, -1 if for White.
    pub sign: i16,
}

impl Numbers {
    /// The built-in numbers.
    pub fn internal() -> Self {
        Self(Box::new(INTERNAL))
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// Too few numbers, too many, or anything that is not a number in range.
    pub fn parse(text: &str) -> Result<Self, NotNumbers> {
        parse(text.as_bytes()).map(|numbers| Self(Box::new(numbers))).ok_or(NotNumbers)
    }

    /// The numbers in order.
    pub fn as_slice(&self) -> &[i16] {
        &*self.0
    }

    /// The numbers in order, -30000 to 30000 each.
    pub fn as_mut_slice(&mut self) -> &mut [i16] {
        &mut *self.0
    }

    /// The file's text, with a header, a line or more, as a comment.
    pub fn text(&self, header: &str) -> String {
        let mut text = String::new();
        for line in header.lines() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", format!("# {line}").trim_end());
        }
        let mut rest = self.0.as_slice();
        let mut table = |title: &str, rows: usize, columns: usize, width: usize| {
            let _ = writeln!(text, "\n# {title}");
            let (numbers, behind) = rest.split_at(rows * columns);
            rest = behind;
            for row in numbers.chunks(columns) {
                let row: Vec<_> = row.iter().map(|number| format!("{number:width$}")).collect();
                let _ = writeln!(text, "{}", row.join(" "));
            }
        };
        for kind in PieceKind::all() {
            for phase in ["opening", "endgame"] {
                table(&format!("{}, {phase}", name(kind)), 9, 9, 5);
            }
        }
        for kind in HAND_KINDS {
            for phase in ["opening", "endgame"] {
                let count = usize::from(SET_COUNT[kind as usize]);
                table(&format!("{} in hand, {phase}", name(kind)), 1, count, 0);
            }
        }
        text
    }
}

fn name(kind: PieceKind) -> &'static str {
    const NAMES: [&str; KINDS] = [
        "pawn",
        "lance",
        "knight",
        "silver",
        "gold",
        "bishop",
        "rook",
        "king",
        "promoted pawn",
        "promoted lance",
        "promoted knight",
        "promoted silver",
        "horse",
        "dragon",
    ];
    NAMES[kind as usize - 1]
}

/// The numbers that belong to a place.
pub fn entry(what: PlaceKind) -> Entry {
    let (color, (opening, endgame)) = match what {
        PlaceKind::Board(piece, square) => {
            let color = piece.color();
            (color, board_indices(piece.piece_kind(), square, color))
        }
        PlaceKind::Hand(color, kind, nth) => (color, hand_indices(kind, nth)),
    };
    Entry { opening, endgame, sign: if color == Color::Black { 1 } else { -1 } }
}

/// Indices of the opening and endgame values of a piece on a square.
fn board_indices(kind: PieceKind, square: Square, color: Color) -> (usize, usize) {
    let seen = if color == Color::Black { square } else { square.flip() };
    let (file, rank) = (seen.dense() / 9, seen.dense() % 9);
    let opening = (kind as usize - 1) * 2 * SQUARES + rank * 9 + (8 - file);
    (opening, opening + SQUARES)
}

/// Indices of the opening and endgame values of the `nth` piece of a kind in hand.
fn hand_indices(kind: PieceKind, nth: u8) -> (usize, usize) {
    let before: usize = SET_COUNT[..kind as usize].iter().map(|&n| usize::from(n)).sum();
    let opening = 2 * (KINDS * SQUARES + before) + usize::from(nth);
    (opening, opening + usize::from(SET_COUNT[kind as usize]))
}

/// Reads whitespace-separated integers; `#` comments out the rest of a line.
const fn parse(text: &[u8]) -> Option<[i16; COUNT]> {
    let mut numbers = [0; COUNT];
    let mut count = 0;
    let mut i = 0;
    while i < text.len() {
        if text[i] == b'#' {
            while i < text.len() && text[i] != b'\n' {
                i += 1;
            }
        } else if text[i].is_ascii_whitespace() {
            i += 1;
        } else {
            let negative = text[i] == b'-';
            if negative {
                i += 1;
            }
            let start = i;
            let mut value: i16 = 0;
            while i < text.len() && text[i].is_ascii_digit() {
                if value > 3000 {
                    return None;
                }
                value = value * 10 + (text[i] - b'0') as i16;
                i += 1;
            }
            let ended = i == text.len() || text[i].is_ascii_whitespace() || text[i] == b'#';
            if start == i || !ended || count == COUNT {
                return None;
            }
            numbers[count] = if negative { -value } else { value };
            count += 1;
        }
    }
    if count == COUNT { Some(numbers) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_numbers_are_read_back() {
        let mut numbers = Numbers::internal();
        numbers.as_mut_slice()[COUNT - 1] = -30_000;
        let text = numbers.text("One line.\n\nAnother.");
        assert!(text.starts_with("# One line.\n#\n# Another.\n\n# pawn, opening\n"));
        assert_eq!(Numbers::parse(&text), Ok(numbers));
        assert_eq!(Numbers::parse("1 2 3"), Err(NotNumbers));
    }

    #[test]
    fn malformed_text_is_refused() {
        let good = "7 ".repeat(COUNT);
        assert!(parse(good.as_bytes()).is_some());
        assert!(parse(format!("# note\n{good}# end").as_bytes()).is_some());
        for bad in [
            "7 ".repeat(COUNT - 1),
            "7 ".repeat(COUNT + 1),
            good.replacen('7', "x", 1),
            good.replacen('7', "7x", 1),
            good.replacen('7', "-", 1),
            good.replacen('7', "99999", 1),
            good.replacen('7', "7-", 1),
        ] {
            assert!(parse(bad.as_bytes()).is_none());
        }
    }
}
