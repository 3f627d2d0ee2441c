//! The numbers of the piece-square tables, read at compile time from one text file.
//!
//! `data/piece_square.txt` says what its numbers are, where they come from and how they are laid
//! out. A file with too few, too many or malformed numbers does not compile.

use super::{Color, Dense, PieceKind, SET_COUNT, SQUARES, Square};

const KINDS: usize = 14;
const HAND_TOTAL: usize = 38;

/// Numbers in a file.
pub(super) const COUNT: usize = 2 * (KINDS * SQUARES + HAND_TOTAL);

/// The built-in numbers.
pub(super) const INTERNAL: [i16; COUNT] = match parse(include_bytes!("../../data/piece_square.txt"))
{
    Some(numbers) => numbers,
    None => panic!("eval/data/piece_square.txt: not the expected sequence of numbers"),
};

/// Where the opening and the endgame value of a piece on a square stand.
pub(super) fn board_indices(kind: PieceKind, square: Square, color: Color) -> (usize, usize) {
    let seen = if color == Color::Black { square } else { square.flip() };
    let (file, rank) = (seen.dense() / 9, seen.dense() % 9);
    let opening = (kind as usize - 1) * 2 * SQUARES + rank * 9 + (8 - file);
    (opening, opening + SQUARES)
}

/// Where the opening and the endgame value of the `nth` piece of a kind in hand stand.
pub(super) fn hand_indices(kind: PieceKind, nth: u8) -> (usize, usize) {
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
