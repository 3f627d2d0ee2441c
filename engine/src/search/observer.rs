//! Nodes of the tree, shown to somebody who learns from all of it and not from its root alone.

use crate::search::pruning::is_decisive;
use crate::search::score::{Bound, Value};
use crate::search::tt::TtBound;
use crate::search::worker::Worker;
use monomi_movegen::{PackedMove, Position};

/// A node whose search is done, and whose static evaluation ought to have said as much: the side to
/// move is not in check, the best move (if one is known) captures nothing, no mate is in sight.
#[derive(Debug)]
pub struct SearchedNode<'a> {
    /// Its position, with the line that leads there.
    pub position: &'a Position,
    /// For the side to move, in internal units (90 to a pawn).
    pub value: Value,
    /// What the value is: most nodes only find out that they are better or worse than something.
    pub bound: Bound,
    /// Depth that it was searched to, in plies.
    pub depth: i32,
}

/// Looks at nodes while the search goes on, which waits for it.
pub type NodeObserver = Box<dyn FnMut(&SearchedNode<'_>) + Send>;

impl Worker<'_> {
    /// Shows a node that is done to the observer, if there is one.
    pub(super) fn show_node(
        &mut self,
        best_move: Option<PackedMove>,
        value: Value,
        bound: TtBound,
        depth: i32,
    ) {
        let Some(observer) = &mut self.memory.observer else { return };
        let position = &self.position;
        let noisy = best_move.is_some_and(|mv| position.is_capture(mv));
        if !noisy && !position.in_check() && !is_decisive(value) {
            let bound = match bound {
                TtBound::None => return,
                TtBound::Upper => Bound::Upper,
                TtBound::Lower => Bound::Lower,
                TtBound::Exact => Bound::Exact,
            };
            observer(&SearchedNode { position, value, bound, depth });
        }
    }
}
