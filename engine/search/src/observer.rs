//! Nodes of the search tree, shown to an observer: data generation learns from them, and tests compare
//! the exact search with the textbook.

use monomi_eval::score::{Bound, Value};
use monomi_movegen::Position;

/// A quiet node whose search is finished: the side to move is not in check, the best move (if one is
/// known) captures nothing, and the value is not decisive.
#[derive(Debug)]
#[non_exhaustive]
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

/// A node of the exact search, before its first move.
#[derive(Debug)]
#[non_exhaustive]
pub struct Visit<'a> {
    /// Its position, with the line that leads there.
    pub position: &'a Position,
    /// Plies to the leaves; 0 for a leaf.
    pub depth: i32,
    /// Lower end of the window, for the side to move.
    pub alpha: Value,
    /// Upper end of the window.
    pub beta: Value,
}
