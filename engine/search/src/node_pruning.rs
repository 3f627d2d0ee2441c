//! Pruning of whole nodes, before any move is searched at full depth. Not used in check.

use crate::move_picker::MovePicker;
use crate::node::{Node, Window};
use crate::node_type::{NodeType, NonPv};
use crate::selective::Selective;
use crate::thread::SearchThread;
use crate::tt::TtBound;
use monomi_eval::score::{Value, is_decisive, is_loss, is_win};
use monomi_movegen::CheckInfo;

impl SearchThread<'_> {
    /// Reverse futility pruning (static null move pruning): the estimate is so far above beta that
    /// no reply of the opponent will bring it back. Returns a value between the two.
    #[inline(always)]
    pub fn reverse_futility_pruning(&self, node: &Node) -> Option<Value> {
        let params = self.params();
        let (estimate, beta) = (node.estimate, node.window.beta);
        if self.entry(node).tt_pv
            || node.depth > params.rfp_depth
            || estimate < beta
            || (node.tt_move.is_some() && !node.tt_capture)
            || is_loss(beta)
            || is_win(estimate)
        {
            return None;
        }
        let per_ply = params.rfp_margin - if node.tt_hit() { 0 } else { params.rfp_no_tt };
        let mut margin = per_ply * node.depth + node.correction.abs() / params.rfp_correction;
        if node.improving {
            margin -= params.rfp_improving * per_ply / 16;
        }
        if node.opponent_worsening {
            margin -= params.rfp_worsening * per_ply / 1024;
        }
        (estimate - margin >= beta).then(|| beta + (estimate - beta) / 3)
    }

    /// Null move pruning (Donninger, "Null Move and Deep Search", ICCA Journal 1993): if even a pass
    /// fails high at reduced depth, so will some move. From `null_verify_depth` on, a search
    /// without null moves verifies it.
    pub fn null_move_pruning<N: NodeType>(&mut self, node: &Node) -> Option<Value> {
        let params = self.params();
        let (ply, depth, beta) = (node.ply, node.depth, node.window.beta);
        let margin = params.null_base
            - params.null_slope * depth
            - if node.improving { params.null_improving } else { 0 };
        if N::PV
            || !node.cut_node
            || node.excluded.is_some()
            || node.estimate < beta + margin
            || ply < self.null_min_ply
            || is_loss(beta)
            || self.memory.stack.back(ply, 1).current_move.is_none()
        {
            return None;
        }
        let reduced = depth - depth / 3 - params.null_reduction;
        self.do_null_move(ply);
        let value = -self.search::<Selective, NonPv>(-Window::below(beta), reduced, ply + 1, false);
        self.position.undo_null_move();
        if self.stopped {
            return Some(0);
        }
        if value < beta || is_win(value) {
            return None;
        }
        if self.null_min_ply > 0 || depth < params.null_verify_depth {
            return Some(value);
        }
        self.null_min_ply = ply + (3 * reduced.max(0) / 4) as usize;
        let verified = self.search::<Selective, NonPv>(Window::below(beta), reduced, ply, false);
        self.null_min_ply = 0;
        (self.stopped || verified >= beta).then_some(value)
    }

    /// ProbCut (Buro, "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", ICCA
    /// Journal 1995): a capture whose value at reduced depth is well above beta will reach beta at
    /// full depth. Returns the value lowered by that margin.
    pub fn probcut<N: NodeType>(&mut self, node: &Node) -> Option<Value> {
        let params = self.params();
        let beta = node.window.beta;
        let raised = beta + params.probcut_margin
            - if node.improving { params.probcut_improving } else { 0 };
        if N::ROOT
            || node.depth < 3
            || is_decisive(beta)
            || node.tt_value().is_some_and(|value| value < raised)
        {
            return None;
        }
        let depth = (node.depth - 5).max(0);
        let window = Window::below(raised);
        let gain = raised - self.static_eval(node);
        let checks = CheckInfo::default();
        self.memory.stack.at(node.ply).move_number = 0;
        let mut picker = MovePicker::probcut(node.tt_move.filter(|_| node.tt_capture), gain);
        while let Some(mv) = picker.next(&self.move_scorer(node.ply), &checks) {
            let loses = Some(mv) == node.tt_move && !self.position.see_ge(mv, gain);
            if Some(mv) == node.excluded || loses {
                continue;
            }
            self.do_move(mv, node.ply);
            let mut value = -self.quiescence::<NonPv>(-window, node.ply + 1);
            if value >= raised && depth > 0 {
                value =
                    -self.search::<Selective, NonPv>(-window, depth, node.ply + 1, !node.cut_node);
            }
            self.undo_move();
            if self.stopped {
                return Some(0);
            }
            if value >= raised {
                self.store(node, Some(mv), value, TtBound::Lower, depth + 1);
                if !is_decisive(value) {
                    return Some(value - (raised - beta));
                }
            }
        }
        None
    }
}
