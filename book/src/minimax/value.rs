//! A value with the number of plies to where it comes from.

use std::cmp::Ordering;

/// The greatest value of a move in a book; greater ones are reduced to it.
pub const MAX: i16 = 32_000;
/// Less than any value: a position without moves.
pub const LOST: i16 = -32_767;
/// The depth of a draw by repetition.
pub const REPETITION: u16 = 9999;
/// The depth, for the parent, of a position whose side to move has been checked perpetually.
pub const PERPETUAL_CHECK: u16 = REPETITION - 2;
/// The depth, for the parent, of a position whose side to move has given perpetual check.
pub const PERPETUALLY_CHECKED: u16 = REPETITION - 1;
/// Greater depths among positions with repetitions are taken as repetitions.
pub const MAX_DEPTH: u16 = 256;

/// A value and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// In centipawns for the side that chooses the move.
    pub value: i16,
    /// Plies to the leaf, or one of the constants above.
    pub depth: u16,
}

impl Value {
    /// Whether this is the better choice: the greater value; of equal values not a perpetual check; then
    /// the shorter way if it is not negative, else the longer one.
    pub fn is_better(self, than: Self) -> bool {
        self.order(than) == Ordering::Greater
    }

    /// Compares two choices; the better one is greater.
    pub fn order(self, other: Self) -> Ordering {
        let perpetual = |value: Self| value.depth == PERPETUAL_CHECK;
        let by_depth = if self.value >= 0 {
            other.depth.cmp(&self.depth)
        } else {
            self.depth.cmp(&other.depth)
        };
        let by_check = perpetual(other).cmp(&perpetual(self));
        self.value.cmp(&other.value).then(by_check).then(by_depth)
    }

    /// The value of a position's best move as the value of the move that leads there.
    pub fn for_parent(self) -> Self {
        Self { value: -self.value, depth: self.depth.saturating_add(1).min(REPETITION) }
    }
}
