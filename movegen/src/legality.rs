//! Whether a given move is legal and whether it gives check. For moves from the transposition
//! table, books and users.

use crate::attacks::{aligned, attacks, between, line};
use crate::bitboard::Bitboard;
use crate::check_info::CheckInfo;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{in_promotion_zone, is_dead_piece, promoted};
use shogi_core::{PieceKind, Square};

impl Position {
    /// Whether the move is legal in this position. Accepts any [`PackedMove`].
    pub fn is_legal(&self, mv: PackedMove) -> bool {
        let us = self.side_to_move();
        let to = mv.to();
        if self.pieces(us).contains(to) {
            return false;
        }
        match mv.dropped() {
            Some(kind) => self.is_legal_drop(kind, to),
            None => self.is_legal_board_move(mv.origin(), to, mv.is_promotion()),
        }
    }

    fn is_legal_drop(&self, kind: PieceKind, to: Square) -> bool {
        let us = self.side_to_move();
        if self.hand_count(us, kind) == 0
            || self.piece_at(to).is_some()
            || is_dead_piece(kind, us, to)
            || !self.resolves_check(to)
        {
            return false;
        }
        if kind != PieceKind::Pawn {
            return true;
        }
        // Nifu.
        if !self.pieces_of(us, PieceKind::Pawn).files_without().contains(to) {
            return false;
        }
        // Uchifuzume.
        let ahead = Bitboard::single(to).forward(us);
        let checks = self.king(us.flip()).is_some_and(|king| ahead.contains(king));
        !checks || !self.is_pawn_drop_mate(to)
    }

    fn is_legal_board_move(&self, from: Square, to: Square, promote: bool) -> bool {
        let us = self.side_to_move();
        let Some(piece) = self.piece_at(from) else { return false };
        let kind = piece.piece_kind();
        if piece.color() != us || !attacks(kind, us, from, self.occupied()).contains(to) {
            return false;
        }
        if promote {
            let zone = in_promotion_zone(from, us) || in_promotion_zone(to, us);
            if !zone || promoted(kind) == kind {
                return false;
            }
        } else if is_dead_piece(kind, us, to) {
            return false;
        }
        if kind == PieceKind::King {
            let lifted = self.occupied().without(Bitboard::single(from));
            return !self.is_attacked(to, us.flip(), lifted);
        }
        let exposes = self.pinned().contains(from)
            && self.king(us).is_some_and(|king| !line(king, from).contains(to));
        !exposes && self.resolves_check(to)
    }

    /// Whether a piece other than the king that moves to `to` resolves the check. True if there is
    /// no check.
    #[inline]
    fn resolves_check(&self, to: Square) -> bool {
        let checkers = self.checkers();
        match (checkers.first(), self.king(self.side_to_move())) {
            (Some(checker), Some(king)) => {
                !checkers.more_than_one() && (to == checker || between(king, checker).contains(to))
            }
            _ => true,
        }
    }

    /// Whether a legal move gives check. `checks` must have been computed for this position.
    #[inline]
    pub fn gives_check(&self, mv: PackedMove, checks: &CheckInfo) -> bool {
        self.arrival_gives_check(mv, self.arriving_kind(mv), checks)
    }

    /// [`Position::gives_check`] of a move whose [`Position::arriving_kind`] is known.
    #[inline]
    pub fn arrival_gives_check(
        &self,
        mv: PackedMove,
        arrived: PieceKind,
        checks: &CheckInfo,
    ) -> bool {
        let to = mv.to();
        if checks.squares(arrived).contains(to) {
            return true;
        }
        let Some(from) = mv.from_square() else { return false };
        checks.discoverers().contains(from)
            && self.king(self.side_to_move().flip()).is_some_and(|king| !aligned(king, from, to))
    }

    /// The kind of piece that a legal move puts on its destination, after promotion.
    #[inline]
    pub fn arriving_kind(&self, mv: PackedMove) -> PieceKind {
        match mv.dropped() {
            Some(kind) => kind,
            None => {
                let kind = self.moving_kind(mv);
                if mv.is_promotion() { promoted(kind) } else { kind }
            }
        }
    }

    /// The kind of piece that a legal move moves or drops, before promotion.
    #[inline]
    pub fn moving_kind(&self, mv: PackedMove) -> PieceKind {
        match mv.dropped() {
            Some(kind) => kind,
            None => self.piece_at(mv.origin()).map_or(PieceKind::Pawn, |p| p.piece_kind()),
        }
    }

    /// Whether the move captures a piece.
    #[inline]
    pub fn is_capture(&self, mv: PackedMove) -> bool {
        self.piece_at(mv.to()).is_some()
    }

    /// Whether [`Position::generate_captures`] generates the move: it captures a piece or promotes
    /// a pawn.
    #[inline]
    pub fn is_capture_class(&self, mv: PackedMove) -> bool {
        self.is_capture(mv) || mv.is_promotion() && self.moving_kind(mv) == PieceKind::Pawn
    }
}
