//! Extensions of the transposition table's move (Anantharaman, Campbell and Hsu, "Singular
//! Extensions: Adding Selectivity to Brute-Force Searching", Artificial Intelligence 1990).

use crate::node::{Candidate, Node, Window};
use crate::node_type::NodeType;
use crate::selective::Selective;
use crate::thread::SearchThread;
use monomi_eval::score::{Value, is_decisive};
use std::ops::ControlFlow;

impl SearchThread<'_> {
    /// By how many plies to extend a move, or a value that ends the node.
    ///
    /// The other moves are searched at half the depth against a bound below the table's value. If
    /// all fail low, the table's move is singular. If one reaches beta, so do several moves.
    pub fn extension<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
    ) -> ControlFlow<Value, i32> {
        let excluded = node.excluded.is_some();
        if N::ROOT || excluded || Some(candidate.mv) != node.tt_move {
            return ControlFlow::Continue(0);
        }
        let Some(tt_value) = node.tt_value() else { return ControlFlow::Continue(0) };
        if !self.may_be_singular(node, tt_value) {
            return ControlFlow::Continue(0);
        }
        let bound = self.singular_bound::<N>(node, tt_value);
        let value = self.singular_search::<N>(node, candidate, bound);
        if self.stopped {
            return ControlFlow::Break(0);
        }
        if value < bound {
            return ControlFlow::Continue(self.singular_extension::<N>(node, bound - value));
        }
        match self.multi_cut(node, value) {
            Some(value) => ControlFlow::Break(value),
            None => ControlFlow::Continue(-self.negative_extension(node, tt_value)),
        }
    }

    /// Whether the table's value is deep and reliable enough to ask.
    fn may_be_singular(&self, node: &Node, tt_value: Value) -> bool {
        node.depth >= self.params().singular_depth + i32::from(self.entry(node).tt_pv)
            && !is_decisive(tt_value)
            && node.tt_bound().is_lower()
            && node.tt_depth() >= node.depth - 3
            && (node.ply as i32) < 2 * self.root_depth
    }

    /// The bound that all other moves must stay below.
    fn singular_bound<N: NodeType>(&self, node: &Node, tt_value: Value) -> Value {
        let params = self.params();
        let former_pv =
            if self.entry(node).tt_pv && !N::PV { params.singular_pv_margin } else { 0 };
        tt_value - (params.singular_margin + former_pv) * node.depth / 64
    }

    /// Searches all moves but the table's against the bound, at half the depth.
    fn singular_search<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        bound: Value,
    ) -> Value {
        let tt_pv = self.entry(node).tt_pv;
        let (depth, window) = ((node.depth - 1) / 2, Window::below(bound));
        let mut others = Node::new(window, depth, node.ply, node.cut_node);
        others.excluded = Some(candidate.mv);
        let value = self.negascout::<Selective, N::Null>(&mut others);
        self.memory.stack.at(node.ply).tt_pv = tt_pv;
        value
    }

    /// Singular extension: one to three plies, depending on how far the others stay below the bound.
    fn singular_extension<N: NodeType>(&self, node: &Node, distance: Value) -> i32 {
        let params = self.params();
        let doubt = node.correction.abs() / params.extension_correction;
        let mut double = params.double_margin
            - doubt
            - 1024 * self.memory.histories.tt_move.get() / params.double_tt_history;
        let mut triple = params.triple_margin - doubt;
        if N::PV {
            double += params.double_pv_margin;
            triple += params.triple_pv_margin;
        }
        if self.entry(node).tt_pv {
            triple += params.triple_tt_pv_margin;
        }
        if !node.tt_capture {
            double -= params.double_quiet_margin;
            triple -= params.triple_quiet_margin;
        }
        if node.ply as i32 > self.root_depth {
            double -= params.double_far_margin;
            triple -= params.triple_far_margin;
        }
        1 + i32::from(distance > double) + i32::from(distance > triple)
    }

    /// Multi-cut (Björnsson and Marsland, "Multi-cut αβ-pruning in game-tree search", 2001): without
    /// the table's move another one reaches beta as well, so the node fails high. How far above beta
    /// was found at half the depth only, so half of that is returned.
    fn multi_cut(&mut self, node: &Node, value: Value) -> Option<Value> {
        if value < node.window.beta || is_decisive(value) {
            return None;
        }
        let params = self.params();
        let malus = (params.multicut_malus_base + params.multicut_malus_slope * node.depth)
            .min(params.multicut_malus_max);
        self.memory.histories.tt_move.update(-malus);
        Some(node.window.beta + (value - node.window.beta) / 2)
    }

    /// Negative extension: the table's move is not singular, and the node is likely to fail high
    /// anyway.
    fn negative_extension(&self, node: &Node, tt_value: Value) -> i32 {
        if tt_value >= node.window.beta {
            3
        } else if node.cut_node {
            2
        } else {
            0
        }
    }
}
