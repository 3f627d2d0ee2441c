//! Pruning of whole nodes: what can be settled before any move is searched at full depth.

use crate::search::node::{Node, NonPv};
use crate::search::node_info::NodeInfo;
use crate::search::picker::MovePicker;
use crate::search::pruning::{self, is_decisive, is_loss, is_win};
use crate::search::score::Value;
use crate::search::tt::{DEPTH_NONE, TtBound};
use crate::search::worker::Worker;
use monomi_movegen::CheckInfo;

impl Worker<'_> {
    /// Razoring, reverse futility, null move, internal iterative reduction and ProbCut, in this
    /// order. Only for nodes not in check. A value ends the node; `depth` may shrink.
    pub(super) fn prune_node<N: Node>(
        &mut self,
        node: &mut NodeInfo,
        alpha: Value,
        beta: Value,
        depth: &mut i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<Value> {
        let params = self.params();
        let frame = self.memory.stack.back(ply, 0);
        let (tt_pv, excluded) = (frame.tt_pv, frame.excluded.is_some());
        let static_eval = frame.static_eval.unwrap_or(node.eval);

        if !N::PV && pruning::razor(params, node.eval, alpha, *depth) && !is_decisive(alpha) {
            return Some(self.quiescence::<NonPv>(alpha, beta, ply));
        }

        if !tt_pv
            && *depth <= params.rfp_depth
            && node.eval >= beta
            && (node.tt_move.is_none() || node.tt_capture)
            && !is_loss(beta)
            && !is_win(node.eval)
        {
            let margin = pruning::reverse_futility_margin(
                params,
                *depth,
                node.improving,
                node.opponent_worsening,
                node.entry.is_some(),
            );
            let margin = margin + node.correction.abs() / params.rfp_correction;
            if node.eval - margin >= beta {
                return Some(beta + (node.eval - beta) / 3);
            }
        }

        if cut_node
            && !N::PV
            && !excluded
            && self.memory.stack.back(ply, 1).current_move.is_some()
            && pruning::null_move_promises(params, static_eval, beta, *depth, node.improving)
            && ply >= self.null_min_ply
            && !is_loss(beta)
            && let Some(value) = self.null_move(beta, *depth, ply)
        {
            return Some(value);
        }
        if self.stopped {
            return None;
        }
        node.improving |= static_eval >= beta;

        // Internal iterative reduction: without a move from the table the node is not worth its
        // full depth; the next iteration will have one.
        let follow_pv = self.memory.stack.back(ply, 0).follow_pv;
        if (N::PV || cut_node)
            && !follow_pv
            && *depth >= params.iir_depth
            && node.tt_move.is_none()
            && node.prior_reduction <= 3
        {
            *depth -= 1;
        }

        if N::ROOT { None } else { self.probcut(node, beta, *depth, ply, cut_node) }
    }

    /// Null move: if even a pass fails high, so will some move. Deep in the tree the claim is
    /// verified by a search without null moves.
    fn null_move(&mut self, beta: Value, depth: i32, ply: usize) -> Option<Value> {
        let params = self.params();
        let reduced = depth - pruning::null_move_reduction(params, depth);
        self.do_null_move(ply);
        let value = -self.negascout::<NonPv>(-beta, -beta + 1, reduced, ply + 1, false);
        self.position.undo_null_move();
        if self.stopped || value < beta || is_win(value) {
            return None;
        }
        if self.null_min_ply > 0 || depth < params.null_verify_depth {
            return Some(value);
        }
        self.null_min_ply = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.negascout::<NonPv>(beta - 1, beta, reduced, ply, false);
        self.null_min_ply = 0;
        (!self.stopped && verified >= beta).then_some(value)
    }

    /// ProbCut: a capture that holds well above beta in a shallow search will hold beta in a deep
    /// one.
    fn probcut(
        &mut self,
        node: &mut NodeInfo,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<Value> {
        let params = self.params();
        let improving = if node.improving { params.probcut_improving } else { 0 };
        let raised = beta + params.probcut_margin - improving;
        let table_disagrees = node.tt_value.is_some_and(|value| value < raised);
        if depth < 3 || is_decisive(beta) || table_disagrees {
            return None;
        }
        let static_eval = self.memory.stack.back(ply, 0).static_eval.unwrap_or(node.eval);
        let probcut_depth = (depth - 4).max(0);
        let checks = CheckInfo::default();
        let mut picker =
            MovePicker::probcut(node.tt_move.filter(|_| node.tt_capture), raised - static_eval);
        while let Some(mv) = picker.next(&self.ordering(ply), &checks) {
            if Some(mv) == self.memory.stack.back(ply, 0).excluded {
                continue;
            }
            if Some(mv) == node.tt_move && !self.position.see_ge(mv, raised - static_eval) {
                continue;
            }
            self.do_move(mv, ply);
            let mut value = -self.quiescence::<NonPv>(-raised, -raised + 1, ply + 1);
            if value >= raised && probcut_depth > 0 {
                value = -self.negascout::<NonPv>(
                    -raised,
                    -raised + 1,
                    probcut_depth,
                    ply + 1,
                    !cut_node,
                );
            }
            self.undo_move();
            if self.stopped {
                return None;
            }
            if value >= raised {
                self.store(node, Some(mv), value, TtBound::Lower, probcut_depth + 1, ply);
                if !is_decisive(value) {
                    return Some(value - (raised - beta));
                }
            }
        }
        None
    }

    /// ProbCut by the table alone: a value so far above beta, from a search nearly as deep.
    pub(super) fn table_probcut(&self, node: &NodeInfo, beta: Value, depth: i32) -> Option<Value> {
        let raised = beta + self.params().probcut_tt_margin;
        let value = node.tt_value?;
        let (tt_depth, bound) =
            node.entry.map_or((DEPTH_NONE, TtBound::None), |entry| (entry.depth, entry.bound));
        let holds = bound.is_lower() && tt_depth >= depth - 4 && value >= raised;
        (holds && !is_decisive(beta) && !is_decisive(value)).then_some(raised)
    }
}
