//! Reductions: internal iterative reduction, late move reduction.

use crate::node::{Candidate, Node, Window};
use crate::node_type::NodeType;
use crate::selective::Selective;
use crate::thread::SearchThread;
use monomi_eval::score::{Value, is_decisive};

impl SearchThread<'_> {
    /// Internal iterative reduction: without a move from the table the node is searched a ply less
    /// deep; the next iteration will have a move.
    pub fn internal_iterative_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        let reduce = (N::PV || node.cut_node)
            && !self.entry(node).follow_pv
            && node.depth >= self.params().iir_depth
            && node.tt_move.is_none()
            && node.prior_reduction <= 3;
        i32::from(reduce)
    }

    /// Reduction of the remaining moves once a move has raised alpha: they have more to beat.
    pub fn alpha_raised_reduction(&self, node: &Node) -> i32 {
        let reduce = (3..14).contains(&node.depth) && !is_decisive(node.window.alpha);
        if reduce { 2 } else { 0 }
    }

    /// Base reduction of a move in 1/1024 plies, by depth, move number and window. This is what
    /// pruning assumes; [`Self::late_move_reduction`] adds the rest.
    pub fn base_reduction(&self, node: &Node) -> i32 {
        let params = self.params();
        let entry = self.entry(node);
        let scale = self.shared.reductions.get(params, node.depth, node.move_count);
        let window_share = (node.window.beta - node.window.alpha) * 1024 / self.root_delta.max(1);
        let mut reduction = scale + params.lmr_base - params.lmr_delta * window_share / 1024;
        if !node.improving {
            reduction += scale * params.lmr_not_improving / 512;
        }
        if entry.tt_pv {
            reduction += params.lmr_tt_pv_pruning;
        }
        reduction
    }

    /// Notes on the stack the number and the history score of the move to be searched next.
    pub fn note_move(&mut self, node: &Node, candidate: &Candidate) {
        let history = self.params().lmr_victim * candidate.victim_value + candidate.history;
        let entry = self.memory.stack.at(node.ply);
        (entry.move_number, entry.history_score) = (node.move_count, history);
    }

    /// Late move reduction: the reduction of a move just made, in 1/1024 plies.
    pub fn late_move_reduction<N: NodeType>(&self, node: &Node, candidate: &Candidate) -> i32 {
        let params = self.params();
        let entry = self.entry(node);
        let mut reduction = candidate.reduction + params.lmr_late;
        if entry.tt_pv {
            let promising = node.tt_value().is_some_and(|value| value > node.window.alpha);
            let deep = node.tt_depth() >= node.depth;
            reduction -= params.lmr_tt_pv
                + params.lmr_tt_pv_value
                    * (i32::from(promising) + i32::from(deep) * if node.cut_node { 2 } else { 1 });
            if N::PV {
                reduction -= params.lmr_pv;
            }
        }
        reduction -= params.lmr_move_count * node.move_count as i32;
        if node.cut_node {
            reduction += params.lmr_cut_node;
            if node.tt_move.is_none() {
                reduction += params.lmr_no_tt_move;
            }
        }
        if node.tt_capture {
            reduction += params.lmr_tt_capture;
        }
        let all_node = !N::PV && !node.cut_node;
        let cutoffs = self.memory.stack.back(node.ply + 1, 0).cutoffs;
        if cutoffs > 1 {
            reduction += params.lmr_some_cutoffs;
            if cutoffs > 2 {
                reduction += params.lmr_cutoffs;
            }
            if all_node {
                reduction += params.lmr_all_node;
            }
        }
        if candidate.capture {
            reduction += params.lmr_capture;
        }
        if candidate.mv.is_drop() {
            reduction += params.lmr_drop;
        }
        if Some(candidate.mv) == node.tt_move {
            reduction -= params.lmr_tt_move;
        }
        reduction -= node.correction.abs() / params.lmr_correction;
        let history = entry.history_score;
        reduction -= history * params.lmr_history / 16_384;
        if all_node {
            reduction +=
                reduction * params.lmr_all_share / (256 * node.depth + params.lmr_all_depth);
        }
        reduction
    }

    /// Searches a late move, already made, with a null window at reduced depth, and at full depth
    /// only if that raises alpha. Changes the depth for a full-window search.
    pub fn late_move_search<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &mut Candidate,
        reduction: i32,
    ) -> Value {
        let params = self.params();
        let depth = candidate.depth;
        let window = -Window::above(node.window.alpha);
        let reduced = (depth - reduction / 1024).min(depth + 2).max(1) + i32::from(N::PV);
        self.memory.stack.at(node.ply).reduction = depth - reduced;
        let mut value = -self.search::<Selective, N::Null>(window, reduced, node.ply + 1, true);
        self.memory.stack.at(node.ply).reduction = 0;
        if value <= node.window.alpha {
            return value;
        }
        let deeper = reduced < depth && value > node.best_value + params.deeper_margin;
        let shallower = value < node.best_value + params.shallower_margin;
        let depth = depth + i32::from(deeper) - i32::from(shallower);
        candidate.depth = depth;
        if depth > reduced {
            value = -self.search::<Selective, N::Null>(window, depth, node.ply + 1, !node.cut_node);
        }
        self.reward_reduced(node, candidate);
        value
    }

    /// Reduction, in plies, of a null-window search that is not a late move reduction: the first
    /// move of a node where little is expected of it.
    pub fn first_move_reduction(&self, node: &Node, reduction: i32, depth: i32) -> i32 {
        let params = self.params();
        let no_tt_move = if node.tt_move.is_none() { params.first_move_no_tt_move } else { 0 };
        let reduction = reduction + no_tt_move;
        i32::from(reduction > params.first_move_one)
            + i32::from(reduction > params.first_move_two && depth > 2)
    }
}
