//! Whether a checking move mates, computed without making the move.

use crate::attacks::{attacks, between, king_attacks};
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{HAND_KINDS, is_dead_piece};
use shogi_core::{Color, PieceKind, Square};

impl Position {
    /// Whether a legal checking move mates the enemy king, which is on `king`. `arrived` is the kind
    /// of the moved piece after promotion.
    pub(crate) fn is_mate_after(&self, mv: PackedMove, arrived: PieceKind, king: Square) -> bool {
        let us = self.side_to_move();
        let to = mv.to();
        let moved = Bitboard::single(to);
        let vacated = mv.from_square().map_or(Bitboard::EMPTY, Bitboard::single);
        let after = After {
            position: self,
            us,
            arrived,
            to,
            occupied: (self.occupied() | moved).without(vacated),
            stayed: self.pieces(us).without(vacated),
            defenders: self.pieces(us.flip()).without(moved | Bitboard::single(king)),
            king,
        };
        after.is_mate()
    }
}

/// The board after a checking move, as far as needed to decide whether it is mate.
struct After<'a> {
    position: &'a Position,
    us: Color,
    arrived: PieceKind,
    to: Square,
    occupied: Bitboard,
    /// The attacker's pieces except the one that moved.
    stayed: Bitboard,
    /// The defender's pieces without the king and the captured piece.
    defenders: Bitboard,
    king: Square,
}

impl After<'_> {
    fn is_mate(&self) -> bool {
        if self.king_escapes() {
            return false;
        }
        let checkers = self.attackers(self.king, self.occupied);
        let Some(checker) = checkers.first() else { return false };
        if checkers.more_than_one() {
            return true;
        }
        // Capture the checker, or interpose by a move or a drop.
        let gap = between(self.king, checker);
        if self.defender_reaches(checker) {
            return false;
        }
        gap.into_iter().all(|square| !self.can_drop(square) && !self.defender_reaches(square))
    }

    /// The attacker's pieces that attack a square.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let stayed = self.position.attackers_to(square, self.us, occupied) & self.stayed;
        if attacks(self.arrived, self.us, self.to, occupied).contains(square) {
            stayed | Bitboard::single(self.to)
        } else {
            stayed
        }
    }

    fn king_escapes(&self) -> bool {
        let lifted = self.occupied.without(Bitboard::single(self.king));
        king_attacks(self.king)
            .without(self.defenders)
            .into_iter()
            .any(|square| self.attackers(square, lifted).is_empty())
    }

    /// Whether a piece other than the king can move to `square` without exposing the king.
    fn defender_reaches(&self, square: Square) -> bool {
        let target = Bitboard::single(square);
        let them = self.us.flip();
        let reaching = self.position.attackers_to(square, them, self.occupied) & self.defenders;
        reaching.into_iter().any(|defender| {
            let occupied = self.occupied.without(Bitboard::single(defender)) | target;
            // A captured piece no longer attacks.
            self.attackers(self.king, occupied).without(target).is_empty()
        })
    }

    fn can_drop(&self, square: Square) -> bool {
        let them = self.us.flip();
        HAND_KINDS.into_iter().any(|kind| {
            self.position.hand_count(them, kind) > 0
                && !is_dead_piece(kind, them, square)
                && (kind != PieceKind::Pawn || {
                    let pawns = self.position.kind(PieceKind::Pawn) & self.defenders;
                    pawns.files_without().contains(square)
                })
        })
    }
}
