//! Receivers of generated moves.

use crate::bitboard::Bitboard;
use crate::packed_move::{DROP, ORIGIN, PROMOTE, PackedMove};
use crate::square::{Dense, HAND_KINDS, square_of};
use arrayvec::ArrayVec;
use shogi_core::{Color, PieceKind, Square};
use std::hint::select_unpredictable;

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
///
/// ```
/// use monomi_movegen::{MoveList, Position};
/// let position = Position::startpos();
/// let mut moves = position.legal_moves();
/// moves.retain(|mv| mv.to().file() == 2);
/// moves.sort_by_key(|mv| mv.to_string());
/// let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["2g2f"]);
/// assert_eq!(moves.iter().copied().collect::<MoveList>(), moves);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
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

    /// Keeps the moves for which the function returns true, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(PackedMove) -> bool) {
        self.0.retain(|mv| keep(*mv));
    }
}

impl std::ops::Deref for MoveList {
    type Target = [PackedMove];
    #[inline(always)]
    fn deref(&self) -> &[PackedMove] {
        &self.0
    }
}

impl std::ops::DerefMut for MoveList {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [PackedMove] {
        &mut self.0
    }
}

/// Panics if there are more than [`MAX_MOVES`].
impl Extend<PackedMove> for MoveList {
    fn extend<I: IntoIterator<Item = PackedMove>>(&mut self, moves: I) {
        self.0.extend(moves);
    }
}

/// Panics if there are more than [`MAX_MOVES`].
impl FromIterator<PackedMove> for MoveList {
    fn from_iter<I: IntoIterator<Item = PackedMove>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl IntoIterator for MoveList {
    type Item = PackedMove;
    type IntoIter = arrayvec::IntoIter<PackedMove, MAX_MOVES>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = PackedMove;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, PackedMove>>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().copied()
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Moves that differ only in their destination: of one piece, of several pawns, or drops of one kind.
/// Their bits are a linear function of the destination.
#[derive(Clone, Copy, Debug)]
pub struct MoveBatch {
    targets: Bitboard,
    /// The bits with 0 as destination, modulo 2 to the power of 16.
    first: u16,
    /// What the bits grow by from one destination to the next.
    step: u16,
}

impl MoveBatch {
    /// Moves of the piece on `from`.
    ///
    /// # Panics
    /// `from` is one of the targets.
    #[inline(always)]
    pub fn piece(from: Square, promote: bool, targets: Bitboard) -> Self {
        assert!(!targets.contains(from), "a move must change the square");
        let first = (from.dense() as u16) << ORIGIN | if promote { PROMOTE } else { 0 };
        Self { targets, first, step: 1 }
    }

    /// Moves of pawns, each from the square behind its destination. Destinations on `color`'s own last
    /// rank, which no pawn can reach, are left out.
    #[inline(always)]
    pub fn pawns(color: Color, promote: bool, targets: Bitboard) -> Self {
        let targets = targets & Bitboard::far_ranks(color, 8);
        let behind: u16 = 1 << ORIGIN;
        let from = match color {
            Color::Black => behind,
            Color::White => behind.wrapping_neg(),
        };
        let first = from.wrapping_add(if promote { PROMOTE } else { 0 });
        Self { targets, first, step: 1 + (1 << ORIGIN) }
    }

    /// Drops of one kind of piece.
    #[inline(always)]
    pub fn drops(kind: PieceKind, targets: Bitboard) -> Self {
        Self { targets, first: (kind as u16) << ORIGIN | DROP, step: 1 }
    }

    #[inline(always)]
    fn bits(&self, to: Square) -> u16 {
        self.first.wrapping_add(self.step.wrapping_mul(to.dense() as u16))
    }

    /// The batch without one move, which need not be in it.
    #[inline(always)]
    pub fn without(self, mv: PackedMove) -> Self {
        let to = mv.to();
        let targets = if self.bits(to) == mv.bits() {
            self.targets.without(Bitboard::single(to))
        } else {
            self.targets
        };
        Self { targets, ..self }
    }
}

/// Parts of batches: for each of a side's pieces with promotion and without, for the pawns, and for each
/// kind that can be dropped, on files 1 to 7 and on files 8 and 9.
const MAX_PARTS: usize = 2 * (2 * 39 + 2 + 7);

/// Batches to be listed move by move, each with some data of the receiver's.
///
/// How many moves a batch has cannot be predicted. [`BatchList::for_each`] goes from one batch to the next
/// without a branch.
#[derive(Debug)]
pub struct BatchList<T>(ArrayVec<Part<T>, MAX_PARTS>);

/// The moves of a batch to the squares of one machine word.
#[derive(Debug)]
struct Part<T> {
    targets: u64,
    /// The bits of a move to the word's first square.
    first: u16,
    step: u16,
    data: T,
}

impl<T> BatchList<T> {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> Self {
        Self(ArrayVec::new())
    }

    /// Adds a batch. `data(word, first)` is called for each word of the bitboard (0 or 1) with the index of
    /// its first square; it returns what the moves onto that word share.
    ///
    /// # Panics
    /// The list is full, which no legal moves of one position cause.
    #[inline(always)]
    pub fn push(&mut self, batch: MoveBatch, data: impl Fn(usize, usize) -> T) {
        for (number, (targets, start)) in batch.targets.words().into_iter().enumerate() {
            if targets != 0 {
                let first = batch.first.wrapping_add(batch.step.wrapping_mul(start as u16));
                self.0.push(Part { targets, first, step: batch.step, data: data(number, start) });
            }
        }
    }

    /// Calls a function with each move, the number of its destination within the word, and the data of
    /// that word.
    #[inline(always)]
    pub fn for_each(&self, mut f: impl FnMut(PackedMove, usize, &T)) {
        let (mut part, mut left) = (0, u64::MAX);
        while let Some(Part { targets, first, step, data }) = self.0.get(part) {
            let word = targets & left;
            let to = word.trailing_zeros() as u16;
            let bits = first.wrapping_add(step.wrapping_mul(to));
            // SAFETY: `word` is not 0, since parts are not empty and `left` is what is left of this one or
            // everything. So `to` is a target, which is a square. The constructors of `MoveBatch` set the drop
            // flag, or leave only targets that have another square as origin.
            f(unsafe { PackedMove::from_bits_unchecked(bits) }, usize::from(to), data);
            left = word & (word - 1);
            let ends = left == 0;
            part += usize::from(ends);
            left = select_unpredictable(ends, u64::MAX, left);
        }
    }
}

impl<T> Default for BatchList<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Calls a function with each generated move. Pawn destinations on `color`'s own last rank, which no
/// pawn can reach, are ignored.
///
/// ```
/// use monomi_movegen::{EachMove, Position};
/// let mut drops = 0;
/// let position: Position = "4k4/9/9/9/9/9/9/9/4K4 b P 1".parse()?;
/// position.generate_all(&mut EachMove(|mv: monomi_movegen::PackedMove| drops += usize::from(mv.dropped().is_some())));
/// // Not on rank a.
/// assert_eq!(drops, 81 - 9 - 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
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
#[derive(Clone, Copy, Debug, Default)]
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
pub fn held_kinds(hand: shogi_core::Hand) -> impl Iterator<Item = PieceKind> {
    HAND_KINDS.into_iter().filter(move |&kind| hand.count(kind).unwrap_or(0) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn pawn_moves_come_from_the_square_behind() {
        for color in Color::all() {
            let mut list = MoveList::new();
            list.pawns(color, Bitboard::EMPTY, Bitboard::ALL);
            // Destinations on the last rank have no square behind them.
            assert_eq!(list.len(), 72);
            for mv in &*list {
                let from = Bitboard::single(mv.from_square().unwrap());
                assert_eq!(from.forward(color).first(), Some(mv.to()));
            }
        }
    }

    /// Collects batches and the destination of each first square.
    #[derive(Default)]
    struct Batches {
        list: BatchList<usize>,
        without: Option<PackedMove>,
    }

    impl Batches {
        fn add(&mut self, batch: MoveBatch) {
            let batch = self.without.map_or(batch, |mv| batch.without(mv));
            self.list.push(batch, |word, start| {
                assert_eq!(start, 63 * word);
                start
            });
        }
    }

    impl MoveSink for Batches {
        fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
            self.add(MoveBatch::piece(from, true, promotions));
            self.add(MoveBatch::piece(from, false, plain));
        }
        fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
            self.add(MoveBatch::pawns(color, true, promotions));
            self.add(MoveBatch::pawns(color, false, plain));
        }
        fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
            self.add(MoveBatch::drops(kind, targets));
        }
    }

    /// The oracle makes each move from its squares (`PackedMove::normal` and `drop`).
    struct OneByOne(Vec<PackedMove>);

    impl MoveSink for OneByOne {
        fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
            self.0.extend(promotions.into_iter().map(|to| PackedMove::normal(from, to, true)));
            self.0.extend(plain.into_iter().map(|to| PackedMove::normal(from, to, false)));
        }
        fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
            for (promote, targets) in [(true, promotions), (false, plain)] {
                for to in targets {
                    let from = Bitboard::single(to).forward(color.flip()).first().unwrap();
                    self.0.push(PackedMove::normal(from, to, promote));
                }
            }
        }
        fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
            self.0.extend(targets.into_iter().map(|to| PackedMove::drop(kind, to)));
        }
    }

    #[test]
    fn batches_list_the_moves_one_by_one() {
        let mut position = Position::startpos();
        let mut seed = 3u64;
        for _ in 0..if cfg!(miri) { 60 } else { 3_000 } {
            let mut expected = OneByOne(Vec::new());
            position.generate_all(&mut expected);
            let expected = expected.0;
            if expected.is_empty() || position.ply() > 200 {
                position = Position::startpos();
                continue;
            }
            assert_eq!(*position.legal_moves(), *expected);
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mv = expected[(seed >> 33) as usize % expected.len()];
            for without in [None, Some(mv)] {
                let mut batches = Batches { without, ..Batches::default() };
                position.generate_all(&mut batches);
                let mut listed = Vec::new();
                batches.list.for_each(|mv, to, &start| {
                    assert_eq!(mv.to().dense(), start + to);
                    listed.push(mv);
                });
                let others = expected.iter().copied().filter(|&mv| Some(mv) != without);
                assert_eq!(listed, others.collect::<Vec<_>>());
            }
            position.do_move(mv);
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
