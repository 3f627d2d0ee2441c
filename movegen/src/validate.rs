//! A consistency check for tests and fuzzing.

use crate::attacks::attacks;
use crate::bitboard::Bitboard;
use crate::position::Position;

impl Position {
    /// Recomputes everything that is updated incrementally and compares. Slow; meant for tests.
    ///
    /// # Errors
    /// The name of the first part that differs.
    pub fn validate(&self) -> Result<(), &'static str> {
        let fresh = Self::assemble(&self.to_partial());
        let us = self.side_to_move();
        let mut checkers = Bitboard::EMPTY;
        let mut pinned = Bitboard::EMPTY;
        if let Some(king) = self.king(us) {
            checkers = self.attackers_to(king, us.flip(), self.occupied());
            for own in self.pieces(us).without(Bitboard::single(king)) {
                let lifted = self.occupied().without(Bitboard::single(own));
                for slider in self.pieces(us.flip()).without(checkers) {
                    let Some(piece) = self.piece_at(slider) else { continue };
                    let reach = attacks(piece.piece_kind(), us.flip(), slider, lifted);
                    if reach.contains(king) {
                        pinned |= Bitboard::single(own);
                    }
                }
            }
        }
        let checks = [
            (fresh.board == self.board, "board"),
            (fresh.by_color == self.by_color, "colour bitboards"),
            (fresh.by_kind == self.by_kind, "kind bitboards"),
            (fresh.kings == self.kings, "king squares"),
            (self.recomputed_keys() == (self.board_key(), self.hand_key()), "keys"),
            (self.state.hand == self.hand(us), "remembered hand"),
            (self.state.checkers == checkers, "checkers"),
            (self.state.pinned == pinned, "pinned pieces"),
        ];
        checks.into_iter().find(|(same, _)| !same).map_or(Ok(()), |(_, name)| Err(name))
    }
}
