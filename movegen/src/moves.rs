//! Lists that generators fill.

use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::square::{Dense, HAND_KINDS, square_of};
use arrayvec::ArrayVec;
use shogi_core::{Color, PieceKind, Square};

/// More than any position's number of legal moves (593).
pub const MAX_MOVES: usize = 600;

/// Receives what a generator finds, in sets: a list unpacks them, a counter only counts them.
pub trait MoveSink {
    /// Moves of one piece: promoting ones and plain ones.
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard);
    /// Pawn moves by destination: promoting ones and plain ones.
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard);
    /// Drops of one kind.
    fn drops(&mut self, kind: PieceKind, targets: Bitboard);
}

/// A list of moves on the stack.
#[derive(Clone, Default)]
pub struct MoveList(ArrayVec<PackedMove, MAX_MOVES>);

impl MoveList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a move.
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

/// Unpacks sets into single moves.
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
        let origin = |to: Square| match color {
            Color::Black => square_of(to.dense() + 1),
            Color::White => square_of(to.dense() - 1),
        };
        for to in promotions {
            (self.0)(PackedMove::normal(origin(to), to, true));
        }
        for to in plain {
            (self.0)(PackedMove::normal(origin(to), to, false));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        for to in targets {
            (self.0)(PackedMove::drop(kind, to));
        }
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

/// Counts moves without unpacking them: the last ply of perft.
#[derive(Default)]
pub struct MoveCounter {
    /// Moves so far.
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

/// The kinds a hand holds, cheapest first.
pub(crate) fn held_kinds(hand: shogi_core::Hand) -> impl Iterator<Item = PieceKind> {
    HAND_KINDS.into_iter().filter(move |&kind| hand.count(kind).unwrap_or(0) > 0)
}
