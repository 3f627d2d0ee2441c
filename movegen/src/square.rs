//! Dense indices for `shogi_core`'s types, ranks, promotion, and squares without further moves.
//!
//! Squares are numbered file by file, 1a = 0, 1b = 1, ..., 9i = 80: `shogi_core`'s order, from zero.

use shogi_core::{Color, Piece, PieceKind, Square};

/// The number of squares.
pub const SQUARES: usize = 81;

/// The kinds of piece that can be in hand, cheapest first.
pub const HAND_KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// An index from zero without gaps, for arrays.
pub trait Dense: Copy {
    /// The index: `0..81` for squares, `0..2` for colours, `0..28` for pieces.
    fn dense(self) -> usize;
}

impl Dense for Square {
    #[inline(always)]
    fn dense(self) -> usize {
        self.index() as usize - 1
    }
}

impl Dense for Color {
    #[inline(always)]
    fn dense(self) -> usize {
        self as usize - 1
    }
}

impl Dense for Piece {
    #[inline(always)]
    fn dense(self) -> usize {
        let raw = self.as_u8() as usize;
        // 1..=14 black, 17..=30 white.
        raw - 1 - (raw >> 4) * 2
    }
}

/// The square of a dense index, `None` from 81 on.
#[inline]
pub fn square_at(index: usize) -> Option<Square> {
    if index < SQUARES { Square::from_u8(index as u8 + 1) } else { None }
}

/// The square of a dense index below 81.
#[inline(always)]
pub(crate) fn square_of(index: usize) -> Square {
    debug_assert!(index < SQUARES);
    // SAFETY: callers pass the index of a bit of a bitboard, an index stored by `PackedMove`, or the
    // index of a square next to another on the board. All are below 81, so the value is in 1..=81.
    unsafe { Square::from_u8_unchecked(index as u8 + 1) }
}

/// Reads the name of a square as USI writes it, such as `7g`.
///
/// ```
/// use monomi_movegen::{Position, square};
/// let position = Position::startpos();
/// let pawn = square::parse("7g").and_then(|square| position.piece_at(square));
/// assert_eq!(pawn, Some(monomi_movegen::shogi_core::Piece::B_P));
/// assert!(square::parse("7j").is_none());
/// ```
pub fn parse(name: &str) -> Option<Square> {
    let [file @ b'1'..=b'9', rank @ b'a'..=b'i'] = *name.as_bytes() else { return None };
    Square::new(file - b'0', rank - b'a' + 1)
}

/// The name of a square as USI writes it.
///
/// ```
/// use monomi_movegen::square;
/// assert_eq!(square::parse("7g").map(square::name).as_deref(), Some("7g"));
/// ```
pub fn name(square: Square) -> String {
    format!("{}{}", square.file(), char::from(b'a' + square.rank() - 1))
}

/// The rank as `color` sees it, from 1 (farthest) to 9 (its own back rank).
#[inline(always)]
pub fn relative_rank(square: Square, color: Color) -> u8 {
    let rank = (square.dense() % 9) as u8 + 1;
    match color {
        Color::Black => rank,
        Color::White => 10 - rank,
    }
}

/// Whether `square` is in the promotion zone of `color` (the three farthest ranks).
#[inline(always)]
pub fn in_promotion_zone(square: Square, color: Color) -> bool {
    relative_rank(square, color) <= 3
}

/// The kind without promotion, which goes to the hand on capture.
#[inline(always)]
pub fn unpromoted(kind: PieceKind) -> PieceKind {
    use PieceKind::*;
    const TABLE: [PieceKind; 16] = [
        Pawn, Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, Pawn, Lance, Knight, Silver,
        Bishop, Rook, Pawn,
    ];
    TABLE[kind as usize & 15]
}

/// The promoted kind, or the kind itself if it cannot promote.
#[inline(always)]
pub fn promoted(kind: PieceKind) -> PieceKind {
    use PieceKind::*;
    const TABLE: [PieceKind; 16] = [
        Pawn, ProPawn, ProLance, ProKnight, ProSilver, Gold, ProBishop, ProRook, King, ProPawn,
        ProLance, ProKnight, ProSilver, ProBishop, ProRook, Pawn,
    ];
    TABLE[kind as usize & 15]
}

/// How many of the farthest ranks an unpromoted piece of this kind must not stand on, because it
/// could never move again: 1 for pawn and lance, 2 for the knight, 0 for all others.
#[inline(always)]
pub(crate) const fn dead_ranks(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        _ => 0,
    }
}

/// Whether a piece of `color` on `square` could never move again: a pawn or lance on the farthest
/// rank, a knight on the two farthest.
#[inline(always)]
pub(crate) fn is_dead_piece(kind: PieceKind, color: Color, square: Square) -> bool {
    relative_rank(square, color) <= dead_ranks(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_indices_are_bijective() {
        let squares: Vec<usize> = Square::all().map(Dense::dense).collect();
        assert_eq!(squares, (0..81).collect::<Vec<_>>());
        for (i, square) in Square::all().enumerate() {
            assert_eq!(square_at(i), Some(square));
        }
        assert_eq!(square_at(81), None);
        let mut seen = [false; 28];
        for piece in Piece::all() {
            assert!(!std::mem::replace(&mut seen[piece.dense()], true));
        }
        assert!(seen.iter().all(|&s| s));
    }

    #[test]
    fn names_are_read_back() {
        use shogi_core::ToUsi as _;
        for square in Square::all() {
            let text = name(square);
            assert_eq!((text.as_str(), parse(&text)), (&*square.to_usi_owned(), Some(square)));
        }
        for no_name in ["", "7", "7j", "0a", "a7", "77", "7gg", "７g", "7G"] {
            assert_eq!(parse(no_name), None, "{no_name}");
        }
    }

    #[test]
    fn dead_pieces_are_those_without_attacks_on_an_empty_board() {
        use crate::attacks::attacks;
        use crate::bitboard::Bitboard;
        for piece in Piece::all() {
            let (kind, color) = piece.to_parts();
            for square in Square::all().step_by(if cfg!(miri) { 7 } else { 1 }) {
                let reach = attacks(kind, color, square, Bitboard::EMPTY);
                assert_eq!(is_dead_piece(kind, color, square), reach.is_empty());
            }
        }
    }

    #[test]
    fn promotion_tables_agree_with_shogi_core() {
        for kind in PieceKind::all() {
            assert_eq!(promoted(kind), kind.promote().unwrap_or(kind));
            assert_eq!(unpromoted(kind), kind.unpromote().unwrap_or(kind));
        }
    }
}
