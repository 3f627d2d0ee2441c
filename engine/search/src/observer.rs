//! Nodes of the search tree, shown to an observer (data generation learns from them).

use monomi_movegen::Position;
use monomi_score::{Bound, Value};

/// A quiet node whose search is finished: the side to move is not in check, the best move (if one is
/// known) captures nothing, and the value is not decisive.
#[derive(Debug)]
pub struct SearchedNode<'a> {
    /// Its position, with the line that leads there.
    pub position: &'a Position,
    /// For the side to move, in internal units (90 to a pawn).
    pub value: Value,
    /// Whether the value is exact. That of most nodes is only a bound.
    pub bound: Bound,
    /// Search depth in plies.
    pub depth: i32,
}

/// Is called with nodes during the search, which waits for it.
pub type NodeObserver = Box<dyn FnMut(&SearchedNode<'_>) + Send>;
