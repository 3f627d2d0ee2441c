//! A move at the root and what is known of it.

use monomi_eval::score::{Bound, INFINITE, Value};
use monomi_movegen::PackedMove;

/// An exact result of a root move.
#[derive(Clone, Debug)]
pub struct ExactLine {
    /// The iteration that found it, in plies.
    pub depth: u32,
    /// Deepest line.
    pub seldepth: usize,
    pub value: Value,
    /// Its principal variation.
    pub pv: Vec<PackedMove>,
}

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: PackedMove,
    /// Value in this iteration; `-INFINITE` while it is only known to be worse than another.
    pub value: Value,
    /// Value in the previous iteration.
    pub previous: Value,
    /// Running mean of its values, the centre of the next aspiration window.
    pub mean: Option<Value>,
    /// Running mean of value times absolute value, which widens the window.
    pub mean_squared: Option<i64>,
    /// Whether `value` is exact.
    pub bound: Bound,
    /// Whether its last search showed that it loses, even if its value is unknown.
    pub loses: bool,
    /// Deepest line.
    pub seldepth: usize,
    /// Nodes spent on it in all iterations.
    pub effort: u64,
    /// Its principal variation.
    pub pv: Vec<PackedMove>,
    /// Its last exact result, of this or an earlier iteration.
    pub exact: Option<ExactLine>,
}

impl RootMove {
    /// A move not yet searched.
    pub fn new(mv: PackedMove) -> Self {
        Self {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            mean: None,
            mean_squared: None,
            bound: Bound::Exact,
            loses: false,
            seldepth: 0,
            effort: 0,
            pv: vec![mv],
            exact: None,
        }
    }

    /// Its last known value: of this iteration or of the previous one.
    pub fn known(&self) -> Option<Value> {
        [self.value, self.previous].into_iter().find(|&value| value != -INFINITE)
    }
}
