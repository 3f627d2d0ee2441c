//! Whether a given move mates, answered without making it.

use crate::attacks::{attacks, between, king_attacks};
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{HAND_KINDS, relative_rank};
use shogi_core::{Color, PieceKind, Square};

impl Position {
    /// Whether a legal checking move leaves the enemy king, on `king`, without an answer.
    pub(crate) fn is_mate_after(&self, mv: PackedMove, arrived: PieceKind, king: Square) -> bool {
        let us = self.side_to_move();
        let to = mv.to();
        let moved = Bitboard::single(to);
        let vacated = mv.from().map_or(Bitboard::EMPTY, Bitboard::single);
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

/// The board after a checking move, as far as the question of mate needs it.
struct After<'a> {
    position: &'a Position,
    us: Color,
    arrived: PieceKind,
    to: Square,
    occupied: Bitboard,
    /// Our pieces that did not move.
    stayed: Bitboard,
    /// Their pieces, without the king and what was captured.
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
        // Taking the checker, or stepping or dropping in between.
        let gap = between(self.king, checker);
        if self.defender_reaches(checker) {
            return false;
        }
        gap.into_iter().all(|square| !self.can_drop(square) && !self.defender_reaches(square))
    }

    /// Our pieces that attack a square.
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

    /// Whether a piece other than the king can move there without exposing the king.
    fn defender_reaches(&self, square: Square) -> bool {
        let target = Bitboard::single(square);
        let them = self.us.flip();
        let reaching = self.position.attackers_to(square, them, self.occupied) & self.defenders;
        reaching.into_iter().any(|defender| {
            let occupied = self.occupied.without(Bitboard::single(defender)) | target;
            // What is taken attacks no more.
            self.attackers(self.king, occupied).without(target).is_empty()
        })
    }

    fn can_drop(&self, square: Square) -> bool {
        let them = self.us.flip();
        let rank = relative_rank(square, them);
        HAND_KINDS.into_iter().any(|kind| {
            self.position.hand_count(them, kind) > 0
                && match kind {
                    PieceKind::Pawn => {
                        let pawns = self.position.kind(PieceKind::Pawn) & self.defenders;
                        rank >= 2 && pawns.files_without().contains(square)
                    }
                    PieceKind::Lance => rank >= 2,
                    PieceKind::Knight => rank >= 3,
                    _ => true,
                }
        })
    }
}
