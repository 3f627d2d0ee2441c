//! Dense indices for `shogi_core`'s types, and the geometry of ranks.
//!
//! Squares count file by file, 1a = 0, 1b = 1, ..., 9i = 80: `shogi_core`'s order, from zero.

use shogi_core::{Color, Piece, PieceKind, Square};

/// Number of squares.
pub const SQUARES: usize = 81;

/// Kinds of pieces that can be held in hand, cheapest first.
pub const HAND_KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
];

/// A dense index from zero, for arrays.
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

/// The square of a dense index that is known to be below 81.
#[inline(always)]
pub(crate) fn square_of(index: usize) -> Square {
    debug_assert!(index < SQUARES);
    // SAFETY: every caller takes the index from a bitboard's bit or from another square, which
    // are below 81, so the value is in 1..=81.
    unsafe { Square::from_u8_unchecked(index as u8 + 1) }
}

/// Rank from the side's own view, 1 (the far end) to 9 (the own back rank).
#[inline(always)]
pub fn relative_rank(square: Square, color: Color) -> u8 {
    let rank = (square.dense() % 9) as u8 + 1;
    match color {
        Color::Black => rank,
        Color::White => 10 - rank,
    }
}

/// Whether a piece of `color` on `square` stands in its promotion zone (the far three ranks).
#[inline(always)]
pub fn in_promotion_zone(square: Square, color: Color) -> bool {
    relative_rank(square, color) <= 3
}

/// The kind without its promotion: what goes to the hand on capture.
#[inline(always)]
pub fn unpromoted(kind: PieceKind) -> PieceKind {
    use PieceKind::*;
    const TABLE: [PieceKind; 16] = [
        Pawn, Pawn, Lance, Knight, Silver, Gold, Bishop, Rook, King, Pawn, Lance, Knight, Silver,
        Bishop, Rook, Pawn,
    ];
    TABLE[kind as usize & 15]
}

/// The promoted kind, or the kind itself where it has no promotion.
#[inline(always)]
pub fn promoted(kind: PieceKind) -> PieceKind {
    use PieceKind::*;
    const TABLE: [PieceKind; 16] = [
        Pawn, ProPawn, ProLance, ProKnight, ProSilver, Gold, ProBishop, ProRook, King, ProPawn,
        ProLance, ProKnight, ProSilver, ProBishop, ProRook, Pawn,
    ];
    TABLE[kind as usize & 15]
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
    fn promotion_tables_agree_with_shogi_core() {
        for kind in PieceKind::all() {
            assert_eq!(promoted(kind), kind.promote().unwrap_or(kind));
            assert_eq!(unpromoted(kind), kind.unpromote().unwrap_or(kind));
        }
    }
}
