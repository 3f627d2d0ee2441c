//! Useless interpositions (muda-ai).
//!
//! A defender's move is an *interposition* if it puts a piece between the king and the only
//! checking piece, a distant slider. Take the interposition whose mate would be the longest; it is
//! *useless* if the checking piece can capture it and the mate then takes no longer than against
//! another reply, although the attacker does not get the captured piece: a dropped one goes back to
//! the defender's hand, another one off the board. So the interposition gains the defender nothing
//! but two plies, and the attacker does not need the piece.
//!
//! Replies are compared in the order of their lengths: the longest of those that are no
//! interpositions first, then the interpositions, shortest first. Without another reply the length
//! to compare with is 0: the capture must mate at once.

use monomi_movegen::attacks::between;
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::Square;

/// The distant piece that gives the only check, and the squares between it and the king.
#[derive(Clone, Copy)]
pub struct DistantCheck {
    pub checker: Square,
    pub squares: Bitboard,
}

impl DistantCheck {
    /// `None` if there is no check, or it cannot be answered by an interposition.
    pub fn of(position: &Position) -> Option<Self> {
        let checkers = position.checkers();
        if checkers.more_than_one() {
            return None;
        }
        let checker = checkers.first()?;
        let squares = between(position.king(position.side_to_move())?, checker);
        squares.any().then_some(Self { checker, squares })
    }

    /// Whether a legal reply is an interposition.
    pub fn is_answered_by(self, reply: PackedMove) -> bool {
        self.squares.contains(reply.to())
    }

    /// The captures of an interposed piece by the checking piece, of which the legal ones count.
    pub fn captures(self, reply: PackedMove) -> [PackedMove; 2] {
        [true, false].map(|promote| PackedMove::normal(self.checker, reply.to(), promote))
    }
}
