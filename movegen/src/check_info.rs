//! The squares from which each kind of piece gives check.

use crate::attacks::{
    bishop_attacks, king_attacks, lance_attacks, line, near, rook_attacks, step_attacks,
};
use crate::bitboard::Bitboard;
use crate::position::Position;
use shogi_core::{PieceKind, Square};

/// For the side to move: the squares from which each kind of piece gives check, and the pieces that
/// give a discovered check when they leave their line.
#[derive(Clone, Debug, Default)]
pub struct CheckInfo {
    king: Option<Square>,
    pawn: Bitboard,
    lance: Bitboard,
    knight: Bitboard,
    silver: Bitboard,
    gold: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
    neighbours: Bitboard,
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Computes the squares for the side to move.
    #[inline]
    pub fn new(position: &Position) -> Self {
        let us = position.side_to_move();
        let them = us.flip();
        let Some(king) = position.king(them) else { return Self::default() };
        let occupied = position.occupied();
        Self {
            king: Some(king),
            pawn: step_attacks(PieceKind::Pawn, them, king),
            lance: lance_attacks(them, king, occupied),
            knight: step_attacks(PieceKind::Knight, them, king),
            silver: step_attacks(PieceKind::Silver, them, king),
            gold: step_attacks(PieceKind::Gold, them, king),
            bishop: bishop_attacks(king, occupied),
            rook: rook_attacks(king, occupied),
            neighbours: king_attacks(king),
            discoverers: position.blockers(king, us) & position.pieces(us),
        }
    }

    /// The squares from which a piece of this kind gives check.
    #[inline(always)]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        use PieceKind::*;
        match kind {
            Pawn => self.pawn,
            Lance => self.lance,
            Knight => self.knight,
            Silver => self.silver,
            Gold | ProPawn | ProLance | ProKnight | ProSilver => self.gold,
            Bishop => self.bishop,
            Rook => self.rook,
            ProBishop => self.bishop | self.neighbours,
            ProRook => self.rook | self.neighbours,
            King => Bitboard::EMPTY,
        }
    }

    /// The side to move's pieces that give a discovered check by leaving their line.
    #[inline(always)]
    pub fn discoverers(&self) -> Bitboard {
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
