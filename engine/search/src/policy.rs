//! What [NegaScout](crate::negascout) leaves open: which moves it searches how deeply, and what it
//! knows without a search.

use crate::move_picker::MovePicker;
use crate::node::{Candidate, Node, Outcome, Window};
use crate::node_type::NodeType;
use crate::thread::SearchThread;
use monomi_eval::score::{Value, mated_in};
use monomi_movegen::CheckInfo;

/// The decisions of a search. They are called in this order, `N` being the type of the node at which
/// the search is.
pub trait Policy: Sized {
    /// The value of a position at the horizon.
    fn leaf<N: NodeType>(thread: &mut SearchThread, window: Window, ply: usize) -> Value;

    /// Prepares a node. Returns its value if it need not be searched.
    fn enter<N: NodeType>(thread: &mut SearchThread, node: &mut Node) -> Option<Value>;

    /// The next move to search; `None` after the last one.
    fn next<N: NodeType>(
        thread: &mut SearchThread,
        node: &mut Node,
        moves: &mut MovePicker,
        checks: &CheckInfo,
    ) -> Option<Candidate>;

    /// The value of the move just made, searched with a null window above alpha.
    fn scout<N: NodeType>(
        thread: &mut SearchThread,
        node: &Node,
        candidate: &mut Candidate,
    ) -> Value;

    /// The value of the move just made, searched with the window of the node.
    fn open<N: NodeType>(thread: &mut SearchThread, node: &Node, candidate: &Candidate) -> Value;

    /// Learns from the value of a move, which has been taken back.
    fn searched<N: NodeType>(
        thread: &mut SearchThread,
        node: &mut Node,
        candidate: &Candidate,
        value: Value,
        outcome: Outcome,
    );

    /// The value of a node after its last move.
    fn leave<N: NodeType>(thread: &mut SearchThread, node: &mut Node) -> Value;
}

/// The textbook: every move to the same depth, without pruning, reductions, extensions and
/// transposition table. The value is the minimax value, with repetitions, and leaves get their
/// static evaluation.
pub struct Exact;

impl Policy for Exact {
    fn leaf<N: NodeType>(thread: &mut SearchThread, window: Window, ply: usize) -> Value {
        thread.show_visit(window, 0);
        thread.value_by_rule(ply).unwrap_or_else(|| thread.evaluate())
    }

    fn enter<N: NodeType>(thread: &mut SearchThread, node: &mut Node) -> Option<Value> {
        thread.show_visit(node.window, node.depth);
        if !N::ROOT
            && let Some(value) = thread.value_by_rule(node.ply)
        {
            return Some(value);
        }
        // The stack holds what orders the moves.
        thread.memory.stack.enter(node.ply, &thread.position);
        None
    }

    fn next<N: NodeType>(
        thread: &mut SearchThread,
        node: &mut Node,
        moves: &mut MovePicker,
        checks: &CheckInfo,
    ) -> Option<Candidate> {
        let mv = moves.next(&thread.move_scorer(node.ply), checks)?;
        Some(Candidate::new(&thread.position, mv, node.depth - 1))
    }

    fn scout<N: NodeType>(thread: &mut SearchThread, node: &Node, mv: &mut Candidate) -> Value {
        let window = Window::above(node.window.alpha);
        -thread.search::<Self, N::Null>(-window, mv.depth, node.ply + 1, false)
    }

    fn open<N: NodeType>(thread: &mut SearchThread, node: &Node, mv: &Candidate) -> Value {
        -thread.search::<Self, N::Open>(-node.window, mv.depth, node.ply + 1, false)
    }

    fn searched<N: NodeType>(
        _: &mut SearchThread,
        _: &mut Node,
        _: &Candidate,
        _: Value,
        _: Outcome,
    ) {
    }

    fn leave<N: NodeType>(_: &mut SearchThread, node: &mut Node) -> Value {
        if node.searched == 0 { mated_in(node.ply) } else { node.best_value }
    }
}
