//! NegaScout, the main search (Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA
//! Journal 1983). docs/negascout.md compares it with the algorithms it comes from.
//!
//! The first move is searched with the full window, every other move with a null window, which only
//! tells whether it is better. A better move whose value lies inside the window is searched again
//! with the full window. Values are fail-soft: the best value found is returned even if it lies
//! outside the window.
//!
//! What is searched, and how deeply, is up to a [`Policy`]: [`Exact`](crate::policy::Exact) is the
//! textbook, [`Selective`](crate::selective::Selective) plays.
//!
//! The algorithm differs from Reinefeld's in two places, because a null-window value is only a bound
//! here that the second search need not confirm: that search meets other entries of the
//! transposition table and has other reductions, so it may contradict the first one.
//!
//! - The second search has the window (alpha, beta), Reinefeld's has (value, beta). If the second
//!   search came out below `value`, his would fail low and leave an upper bound instead of a value.
//! - Reinefeld omits the second search in the last two plies, where fail-soft null-window values are
//!   exact. Here they are not, since a leaf is a quiescence search with pruning of its own.

use crate::move_picker::MovePicker;
use crate::node::{Node, Outcome, Window};
use crate::node_type::NodeType;
use crate::policy::Policy;
use crate::thread::SearchThread;
use monomi_eval::score::{INFINITE, Value};
use monomi_movegen::{CheckInfo, PackedMove};

impl SearchThread<'_> {
    /// The value of the current position for its side to move, searched to a depth in plies.
    ///
    /// `cut_node` says that the node is expected to fail high. Once the search has been stopped the
    /// value is meaningless.
    pub fn search<P: Policy, N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return P::leaf::<N>(self, window, ply);
        }
        self.negascout::<P, N>(&mut Node::new(window, depth, ply, cut_node))
    }

    /// The value of an inner node, at which the current position is.
    pub fn negascout<P: Policy, N: NodeType>(&mut self, node: &mut Node) -> Value {
        debug_assert!(-INFINITE <= node.window.alpha && node.window.beta <= INFINITE);
        debug_assert!(node.window.alpha < node.window.beta && (N::PV || node.window.is_null()));
        if let Some(value) = P::enter::<N>(self, node) {
            return value;
        }
        let checks = CheckInfo::new(&self.position);
        let mut moves = MovePicker::main(self.entry(node).in_check, node.tt_move, node.depth);
        while let Some(mut candidate) = P::next::<N>(self, node, &mut moves, &checks) {
            self.do_candidate(&candidate, node.ply);
            // In a null-window node the first move has a null window, too.
            let first = N::PV && node.searched == 0;
            let mut value = -INFINITE;
            if !first {
                // Null window (alpha, alpha + 1): is the move better?
                value = P::scout::<N>(self, node, &mut candidate);
            }
            if N::PV && (first || node.window.contains(value)) {
                // Full window (alpha, beta): the first move, or a better one inside the window.
                value = P::open::<N>(self, node, &candidate);
            }
            self.undo_move();
            if self.stopped {
                return 0;
            }
            let outcome = node.take(candidate.mv, value);
            P::searched::<N>(self, node, &candidate, value, outcome);
            if outcome == Outcome::Cutoff {
                break;
            }
        }
        P::leave::<N>(self, node)
    }
}

impl Node {
    /// Counts a searched move and takes its value into account, fail-soft.
    #[inline(always)]
    fn take(&mut self, mv: PackedMove, value: Value) -> Outcome {
        self.searched += 1;
        if value <= self.window.alpha {
            self.best_value = self.best_value.max(value);
            return Outcome::Worse;
        }
        self.best_value = value;
        self.best_move = Some(mv);
        if value >= self.window.beta {
            return Outcome::Cutoff;
        }
        self.window.alpha = value;
        Outcome::Better
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    #[test]
    fn outcomes_compare_a_value_with_the_window_and_the_best_value() {
        let moves = Position::startpos().legal_moves();
        let mut node = Node::new(Window { alpha: 10, beta: 20 }, 1, 0, false);
        // Value, outcome, and then the best value, alpha, and the number of the best move.
        let expected = [
            (5, Outcome::Worse, 5, 10, None),
            // Equal to the best value, but below alpha.
            (5, Outcome::Worse, 5, 10, None),
            (10, Outcome::Worse, 10, 10, None),
            (10, Outcome::Worse, 10, 10, None),
            (15, Outcome::Better, 15, 15, Some(4)),
            (12, Outcome::Worse, 15, 15, Some(4)),
            (15, Outcome::Worse, 15, 15, Some(4)),
            (23, Outcome::Cutoff, 23, 15, Some(7)),
        ];
        for (number, (value, outcome, best, alpha, mv)) in expected.into_iter().enumerate() {
            assert_eq!(node.take(moves[number], value), outcome, "{number}");
            assert_eq!((node.best_value, node.window.alpha), (best, alpha), "{number}");
            assert_eq!(node.searched as usize, number + 1);
            assert_eq!(node.best_move, mv.map(|number: usize| moves[number]), "{number}");
        }
    }
}
