//! Pruning of single moves before they are made.

use crate::move_picker::MovePicker;
use crate::node::{Candidate, Node};
use crate::node_type::NodeType;
use crate::thread::SearchThread;
use monomi_eval::score::{Value, is_decisive, is_loss, is_win};

impl SearchThread<'_> {
    /// Whether to skip a move. Futility pruning may raise the node's best value to the bound that
    /// pruned the move.
    pub fn prune_move<N: NodeType>(
        &mut self,
        node: &mut Node,
        candidate: &Candidate,
        picker: &mut MovePicker,
    ) -> bool {
        if N::ROOT || is_loss(node.best_value) {
            return false;
        }
        if self.late_move_pruning(node) {
            picker.skip_quiets();
        }
        let lmr_depth = node.depth - 1 - candidate.reduction / 1024;
        if candidate.capture || candidate.gives_check {
            return self.capture_futility_pruning(node, candidate, lmr_depth)
                || self.capture_see_pruning(node, candidate);
        }
        if N::PV && self.entry(node).follow_pv {
            return false;
        }
        if self.history_pruning(node, candidate) {
            return true;
        }
        let lmr_depth = lmr_depth + self.history_depth(candidate);
        if let Some(bound) = self.futility_pruning(node, lmr_depth) {
            if node.best_value <= bound && !is_decisive(node.best_value) && !is_win(bound) {
                node.best_value = bound;
            }
            return true;
        }
        self.quiet_see_pruning(candidate, lmr_depth)
    }

    /// Late move pruning: after this many moves the remaining quiet moves are skipped.
    fn late_move_pruning(&self, node: &Node) -> bool {
        let params = self.params();
        let count = params.lmp_base + params.lmp_square * node.depth * node.depth / 16;
        node.move_count >= (if node.improving { count } else { count / 2 }) as u32
    }

    /// Futility pruning of captures: even with the captured piece the node stays below alpha.
    fn capture_futility_pruning(&self, node: &Node, candidate: &Candidate, lmr_depth: i32) -> bool {
        let params = self.params();
        if candidate.gives_check
            || self.entry(node).in_check
            || lmr_depth > params.capture_futility_depth
        {
            return false;
        }
        let bound = self.static_eval(node)
            + params.capture_futility_base
            + params.capture_futility_slope * lmr_depth
            + candidate.victim_value
            + candidate.history / params.capture_futility_history;
        bound <= node.window.alpha
    }

    /// SEE pruning of captures and checks: the exchange loses too much. When alpha < 0, sacrifices
    /// are kept.
    fn capture_see_pruning(&self, node: &Node, candidate: &Candidate) -> bool {
        let params = self.params();
        let history = if candidate.capture { candidate.history } else { 0 };
        let allowed = params.capture_see_slope * node.depth + history / params.capture_see_history;
        node.window.alpha >= 0 && !self.position.see_ge(candidate.mv, -allowed.max(0))
    }

    /// History pruning: the move has failed too often in similar positions.
    fn history_pruning(&self, node: &Node, candidate: &Candidate) -> bool {
        candidate.continuation < -self.params().history_prune_slope * node.depth
    }

    /// Plies that a quiet move's history adds to the depth that futility and SEE pruning assume.
    fn history_depth(&self, candidate: &Candidate) -> i32 {
        let params = self.params();
        let butterfly = params.history_depth_butterfly * candidate.butterfly / 32;
        (candidate.continuation + butterfly) / params.history_depth_divisor
    }

    /// Futility pruning of quiet moves (Heinz, "Extended Futility Pruning", ICCA Journal 1998): the
    /// evaluation plus a margin does not reach alpha. Returns that bound.
    fn futility_pruning(&self, node: &Node, lmr_depth: i32) -> Option<Value> {
        let params = self.params();
        if self.entry(node).in_check || lmr_depth > params.quiet_futility_depth {
            return None;
        }
        let (alpha, static_eval) = (node.window.alpha, self.static_eval(node));
        let mut bound =
            static_eval + params.quiet_futility_base + params.quiet_futility_slope * lmr_depth;
        if node.best_move.is_none() {
            bound += params.quiet_futility_no_best;
        }
        if static_eval > alpha {
            bound += params.quiet_futility_above;
        }
        (bound <= alpha).then_some(bound)
    }

    /// SEE pruning of quiet moves: the piece would be lost.
    fn quiet_see_pruning(&self, candidate: &Candidate, lmr_depth: i32) -> bool {
        let depth = lmr_depth.max(0);
        !self.position.see_ge(candidate.mv, -self.params().quiet_see_square * depth * depth)
    }
}
