//! The squares from which each kind of piece gives check.

use crate::attacks::{
    bishop_attacks, king_attacks, lance_rays, line, near, rook_attacks, step_attacks,
};
use crate::bitboard::Bitboard;
use crate::position::Position;
use shogi_core::{PieceKind, Square};

/// For the side to move: the squares from which each kind of piece gives check, and the pieces that
/// give a discovered check when they leave their line.
#[derive(Clone, Debug, Default)]
pub struct CheckInfo {
    king: Option<Square>,
    /// By kind.
    squares: [Bitboard; 16],
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Computes the squares for the side to move.
    #[inline]
    pub fn new(position: &Position) -> Self {
        use PieceKind::*;
        let us = position.side_to_move();
        let them = us.flip();
        let Some(king) = position.king(them) else { return Self::default() };
        let occupied = position.occupied();
        let gold = step_attacks(Gold, them, king);
        let bishop = bishop_attacks(king, occupied);
        let rook = rook_attacks(king, occupied);
        let mut squares = [Bitboard::EMPTY; 16];
        squares[Pawn as usize] = step_attacks(Pawn, them, king);
        squares[Lance as usize] = rook & lance_rays(them, king);
        squares[Knight as usize] = step_attacks(Knight, them, king);
        squares[Silver as usize] = step_attacks(Silver, them, king);
        squares[Gold as usize] = gold;
        squares[Bishop as usize] = bishop;
        squares[Rook as usize] = rook;
        squares[ProPawn as usize] = gold;
        squares[ProLance as usize] = gold;
        squares[ProKnight as usize] = gold;
        squares[ProSilver as usize] = gold;
        squares[ProBishop as usize] = bishop | king_attacks(king);
        squares[ProRook as usize] = rook | king_attacks(king);
        let discoverers = position.blockers(king, us) & position.pieces(us);
        Self { king: Some(king), squares, discoverers }
    }

    /// The squares from which a piece of this kind gives check.
    #[inline(always)]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind as usize & 15]
    }

    /// The side to move's pieces that give a discovered check by leaving their line.
    #[inline(always)]
    pub(crate) fn discoverers(&self) -> Bitboard {
        self.discoverers
    }

    /// The only squares from which a silver or a piece that moves like a gold can move to give check.
    #[inline(always)]
    pub(crate) fn generals_from(&self) -> Bitboard {
        self.king.map_or(Bitboard::EMPTY, near) | self.discoverers
    }

    /// The line through the enemy king and `from`. A piece that stays on it gives no discovered
    /// check.
    #[inline(always)]
    pub(crate) fn shielding_line(&self, from: Square) -> Bitboard {
        self.king.map_or(Bitboard::EMPTY, |king| line(king, from))
    }
}
