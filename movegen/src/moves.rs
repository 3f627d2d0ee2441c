//! Receivers of generated moves.

use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::square::{Dense, HAND_KINDS, square_of};
use arrayvec::ArrayVec;
use shogi_core::{Color, PieceKind, Square};

/// Capacity of a [`MoveList`]; the largest possible number of legal moves is 593.
pub const MAX_MOVES: usize = 600;

/// Receives generated moves as sets of destinations: a list unpacks them, a counter only counts
/// them.
pub trait MoveSink {
    /// Moves of the piece on `from`: destinations with promotion and without.
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard);
    /// Moves of several pawns: destinations with promotion and without.
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard);
    /// Drops of one kind of piece.
    fn drops(&mut self, kind: PieceKind, targets: Bitboard);
}

/// A list of at most [`MAX_MOVES`] moves, stored on the stack.
#[derive(Clone, Default)]
pub struct MoveList(ArrayVec<PackedMove, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a move.
    ///
    /// # Panics
    /// The list is full.
    #[inline(always)]
    pub fn push(&mut self, mv: PackedMove) {
        self.0.push(mv);
    }
}

impl std::ops::Deref for MoveList {
    type Target = [PackedMove];
    #[inline(always)]
    fn deref(&self) -> &[PackedMove] {
        &self.0
    }
}

impl IntoIterator for MoveList {
    type Item = PackedMove;
    type IntoIter = arrayvec::IntoIter<PackedMove, MAX_MOVES>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Calls a function with each generated move. Pawn destinations on `color`'s own last rank, which no
/// pawn can reach, are ignored.
pub struct EachMove<F>(pub F);

impl<F: FnMut(PackedMove)> MoveSink for EachMove<F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        for to in promotions {
            (self.0)(PackedMove::normal(from, to, true));
        }
        for to in plain {
            (self.0)(PackedMove::normal(from, to, false));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        // The index of the origin is below 81 only if the destination is not on the last rank.
        let reachable = Bitboard::far_ranks(color, 8);
        let origin = |to: Square| match color {
            Color::Black => square_of(to.dense() + 1),
            Color::White => square_of(to.dense() - 1),
        };
        for to in promotions & reachable {
            (self.0)(PackedMove::normal(origin(to), to, true));
        }
        for to in plain & reachable {
            (self.0)(PackedMove::normal(origin(to), to, false));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        targets.into_iter().for_each(|to| (self.0)(PackedMove::drop(kind, to)));
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        EachMove(|mv| self.0.push(mv)).piece(from, promotions, plain);
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        EachMove(|mv| self.0.push(mv)).pawns(color, promotions, plain);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        EachMove(|mv| self.0.push(mv)).drops(kind, targets);
    }
}

/// Counts moves without listing them, for the last ply of perft.
#[derive(Default)]
pub struct MoveCounter {
    /// The number of moves.
    pub count: u64,
}

impl MoveSink for MoveCounter {
    #[inline(always)]
    fn piece(&mut self, _: Square, promotions: Bitboard, plain: Bitboard) {
        self.count += u64::from(promotions.count() + plain.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: Color, promotions: Bitboard, plain: Bitboard) {
        self.count += u64::from(promotions.count() + plain.count());
    }

    #[inline(always)]
    fn drops(&mut self, _: PieceKind, targets: Bitboard) {
        self.count += u64::from(targets.count());
    }
}

/// The kinds of piece in a hand, cheapest first.
pub(crate) fn held_kinds(hand: shogi_core::Hand) -> impl Iterator<Item = PieceKind> {
    HAND_KINDS.into_iter().filter(move |&kind| hand.count(kind).unwrap_or(0) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi_core::Color;

    #[test]
    fn pawn_moves_come_from_the_square_behind() {
        for color in Color::all() {
            let mut list = MoveList::new();
            list.pawns(color, Bitboard::EMPTY, Bitboard::ALL);
            // Destinations on the last rank have no square behind them.
            assert_eq!(list.len(), 72);
            for mv in &*list {
                let from = Bitboard::single(mv.from().unwrap());
                assert_eq!(from.forward(color).first(), Some(mv.to()));
            }
        }
    }

    #[test]
    fn each_move_rejects_a_move_to_its_own_square() {
        for square in Square::all().step_by(if cfg!(miri) { 40 } else { 1 }) {
            let result = std::panic::catch_unwind(|| {
                EachMove(|_| ()).piece(square, Bitboard::EMPTY, Bitboard::single(square));
            });
            assert!(result.is_err());
        }
    }
}
