//! 64-bit keys of positions without the move number, from a position or directly from sfen.
//!
//! Books have millions of positions, so their fields are parsed here without building a position.
//! The legality of moves is checked after a lookup anyway.

use crate::fault::SfenFault;
use monomi_movegen::square::{HAND_KINDS, promoted};
use monomi_movegen::{Place, SET_COUNT, place_key};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

/// An arbitrary word for White to move.
const WHITE: u64 = 0xD6E8_FEB8_6659_FD93;

/// The key of a position.
pub fn of(position: &PartialPosition) -> u64 {
    let mut key = if position.side_to_move() == Color::White { WHITE } else { 0 };
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            key ^= place_key(Place::board(piece, square));
        }
    }
    for color in Color::all() {
        let hand = position.hand_of_a_player(color);
        for kind in HAND_KINDS {
            for nth in 0..hand.count(kind).unwrap_or(0) {
                key ^= place_key(Place::hand(color, kind, nth));
            }
        }
    }
    key
}

/// The key of a position in sfen.
///
/// # Errors
/// What is wrong with the fields.
pub fn of_sfen(board: &str, side: &str, hands: &str) -> Result<u64, SfenFault> {
    let mut key = match side {
        "b" => 0,
        "w" => WHITE,
        _ => return Err(SfenFault::Side),
    };
    key ^= board_key(board)?;
    Ok(key ^ hands_key(hands)?)
}

fn board_key(board: &str) -> Result<u64, SfenFault> {
    let mut key = 0;
    let mut rows = 0;
    for row in board.split('/') {
        rows += 1;
        let mut file = 9;
        let mut plus = false;
        for letter in row.bytes() {
            match letter {
                b'1'..=b'9' if !plus => file -= i32::from(letter - b'0'),
                b'+' if !plus => plus = true,
                _ => {
                    let (kind, color) = piece(letter).ok_or(SfenFault::BoardPiece)?;
                    let kind = if plus { promoted(kind) } else { kind };
                    let file_now = u8::try_from(file).map_err(|_| SfenFault::LongRow)?;
                    let square = Square::new(file_now, rows).ok_or(SfenFault::LongRow)?;
                    key ^= place_key(Place::board(Piece::new(kind, color), square));
                    plus = false;
                    file -= 1;
                }
            }
        }
        if file != 0 || plus {
            return Err(SfenFault::ShortRow);
        }
    }
    if rows == 9 { Ok(key) } else { Err(SfenFault::Rows) }
}

fn hands_key(hands: &str) -> Result<u64, SfenFault> {
    if hands == "-" {
        return Ok(0);
    }
    let mut key = 0;
    let mut count = 0u8;
    for letter in hands.bytes() {
        if letter.is_ascii_digit() {
            count = count.saturating_mul(10).saturating_add(letter - b'0');
            continue;
        }
        let (kind, color) = piece(letter).ok_or(SfenFault::HandPiece)?;
        let count = std::mem::take(&mut count).max(1);
        if kind == PieceKind::King || count > SET_COUNT[kind as usize & 7] {
            return Err(SfenFault::TooMany);
        }
        for nth in 0..count {
            key ^= place_key(Place::hand(color, kind, nth));
        }
    }
    if count == 0 { Ok(key) } else { Err(SfenFault::LoneNumber) }
}

fn piece(letter: u8) -> Option<(PieceKind, Color)> {
    let kind = match letter.to_ascii_uppercase() {
        b'P' => PieceKind::Pawn,
        b'L' => PieceKind::Lance,
        b'N' => PieceKind::Knight,
        b'S' => PieceKind::Silver,
        b'G' => PieceKind::Gold,
        b'B' => PieceKind::Bishop,
        b'R' => PieceKind::Rook,
        b'K' => PieceKind::King,
        _ => return None,
    };
    Some((kind, if letter.is_ascii_uppercase() { Color::Black } else { Color::White }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::{Position, rotated};

    /// Full hands, many kinds of pieces, both sides to move.
    const SFENS: [&str; 6] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "l8/4g1+P+N1/p1n1kp1p1/4s4/P8/1PP1R4/1G1PPP3/2KG3+r1/LN7 w B2SNL7Pbgslp 1",
        "1n2g1R1l/1p1kg2+S1/2s1p2+Pp/2pp1p3/4n2B1/+r5P1P/3PPP1+b1/3S1G3/1NG1K2LL w S6Pnl 1",
        "+P7r/+B2+P5/8P/BSP1pgpG1/K8/P1G6/5+p+n+p+l/8k/L+r5+s1 w GSLPs3nl8p 1",
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    ];

    #[test]
    fn sfens_and_positions_have_the_same_keys() {
        for position in SFENS {
            let position = Position::from_sfen(position).unwrap();
            let partial = position.to_partial();
            for partial in [rotated(&partial), partial] {
                let sfen = partial.to_sfen_owned();
                let fields: Vec<&str> = sfen.split(' ').collect();
                assert_eq!(of_sfen(fields[0], fields[1], fields[2]), Ok(of(&partial)), "{sfen}");
                assert_eq!(rotated(&rotated(&partial)), partial);
                assert_ne!(of(&rotated(&partial)), of(&partial), "{sfen}");
            }
        }
    }

    #[test]
    fn rotated_positions_agree_with_examples() {
        let start = Position::startpos().to_partial();
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(rotated(&start).to_sfen_owned(), sfen);
        let sfen = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4";
        let position = Position::from_sfen(sfen).unwrap().to_partial();
        let rotated = rotated(&position).to_sfen_owned();
        let expected = "lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1+b5R1/LNSGKGSNL b b 4";
        assert_eq!(rotated, expected);
    }

    #[test]
    fn invalid_fields_are_rejected() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
        assert!(of_sfen(start, "b", "-").is_ok());
        assert!(of_sfen(start, "x", "-").is_err());
        for hands in ["", "2", "3R", "19p", "K", "x", "p3"] {
            assert_eq!(of_sfen(start, "b", hands).is_err(), !hands.is_empty(), "{hands}");
        }
        for board in [
            "",
            "9/9/9",
            "9/9/9/9/9/9/9/9/9/9",
            "91/9/9/9/9/9/9/9/9",
            "8/9/9/9/9/9/9/9/9",
            "9/9/9/9/9/9/9/9/8+",
            "9/9/9/9/9/9/9/9/8x",
            "PPPPPPPPPP/9/9/9/9/9/9/9/9",
        ] {
            assert!(of_sfen(board, "b", "-").is_err(), "{board}");
        }
    }
}
