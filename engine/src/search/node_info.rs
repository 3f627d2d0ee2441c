//! What a node knows before its moves are searched: the table's entry, the static evaluation, and
//! the values that settle it at once.

use crate::search::correction::{CorrectionIndex, Corrections};
use crate::search::node::Node;
use crate::search::pruning;
use crate::search::score::{MAX_PLY, Value, mate_in};
use crate::search::tt::{DEPTH_NONE, TtBound, TtEntry, TtSlot, value_from_tt, value_to_tt};
use crate::search::worker::Worker;
use monomi_movegen::PackedMove;

/// How much deeper than the search that found it a proven value is said to be: the field's figure.
const PROVEN_DEPTH: i32 = 6;

/// What a node knows before its moves are searched.
pub(super) struct NodeInfo {
    pub(super) slot: TtSlot,
    pub(super) entry: Option<TtEntry>,
    pub(super) tt_move: Option<PackedMove>,
    pub(super) tt_value: Option<Value>,
    pub(super) tt_capture: bool,
    /// Evaluation before correction; `None` in check.
    pub(super) raw_eval: Option<Value>,
    /// The best guess of the node's value: evaluation, corrected, or the table's value.
    pub(super) eval: Value,
    pub(super) correction_at: CorrectionIndex,
    /// Correction of the evaluation, in 1/131,072 units; 0 in check.
    pub(super) correction: i32,
    /// By how many plies the move to this node was reduced.
    pub(super) prior_reduction: i32,
    pub(super) improving: bool,
    pub(super) opponent_worsening: bool,
}

impl NodeInfo {
    #[inline(always)]
    pub(super) fn tt_depth(&self) -> i32 {
        self.entry.map_or(DEPTH_NONE, |entry| entry.depth)
    }

    #[inline(always)]
    pub(super) fn tt_bound(&self) -> TtBound {
        self.entry.map_or(TtBound::None, |entry| entry.bound)
    }
}

impl Worker<'_> {
    /// Asks the table.
    pub(super) fn probe<N: Node>(&mut self, ply: usize, excluded: Option<PackedMove>) -> NodeInfo {
        let last = [1, 2, 4].map(|plies| self.memory.stack.back(ply, plies).piece_to);
        let pawns = self.memory.stack.back(ply, 0).pawns;
        let correction_at = Corrections::index(&self.position, pawns, last);
        self.memory.corrections.prefetch(correction_at);
        let (entry, slot) = self.shared.tt.probe(self.position.key());
        let tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            entry.and_then(|e| e.mv).filter(|&mv| self.position.is_legal(mv))
        };
        let tt_value = entry.and_then(|e| e.value).map(|value| value_from_tt(value, ply));
        let stack = &mut self.memory.stack;
        let prior_reduction = stack.take_reduction(ply);
        if excluded.is_none() {
            stack.at(ply).tt_pv = N::PV || entry.is_some_and(|e| e.tt_pv);
        }
        stack.at(ply).tt_hit = entry.is_some();
        NodeInfo {
            slot,
            entry,
            tt_move,
            tt_value,
            tt_capture: tt_move.is_some_and(|mv| self.position.is_capture_class(mv)),
            raw_eval: None,
            eval: 0,
            correction_at,
            correction: 0,
            prior_reduction,
            improving: false,
            opponent_worsening: false,
        }
    }

    /// A value of the table that settles this null-window node.
    pub(super) fn table_cutoff(
        &mut self,
        node: &NodeInfo,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<Value> {
        let value = node.tt_value?;
        let enough = node.tt_depth() > depth - i32::from(value <= beta);
        let expected = cut_node == (value >= beta) || depth > 5;
        if !enough || !expected || !node.tt_bound().settles(value, beta) {
            return None;
        }
        if value >= beta
            && let Some(mv) = node.tt_move
        {
            self.learn_from_table(mv, node.tt_capture, depth, ply);
        }
        Some(value)
    }

    /// A declaration or a mate in one: nothing needs to be searched.
    pub(super) fn immediate_win<N: Node>(
        &mut self,
        node: &NodeInfo,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let rule = self.shared.options.entering_king_rule;
        let declared = self.position.declaration(rule).is_some();
        let mate = if declared || node.entry.is_some() || self.position.in_check() {
            None
        } else {
            self.position.mate_in_one()
        };
        if !declared && mate.is_none() {
            return None;
        }
        let value = mate_in(ply + 1);
        // True at any depth; but once gone it is found again at once, so it need not outlive all
        // other entries, which it would be in the way of.
        let depth = (depth + PROVEN_DEPTH).min(MAX_PLY as i32 - 1);
        self.store(node, mate, value, TtBound::Exact, depth, ply);
        if N::PV
            && let Some(mv) = mate
        {
            self.memory.stack.clear_line(ply + 1);
            self.memory.stack.extend_line(ply, mv);
        }
        Some(value)
    }

    /// Fills in the static evaluation and what follows from it.
    pub(super) fn evaluate_node(
        &mut self,
        node: &mut NodeInfo,
        ply: usize,
        excluded: Option<PackedMove>,
    ) {
        let before = self.memory.stack.back(ply, 2).static_eval;
        if self.position.in_check() {
            self.memory.stack.at(ply).static_eval = before;
            return;
        }
        let known = node.entry.and_then(|entry| entry.eval);
        let raw = match known {
            Some(eval) => eval,
            None => self.evaluate(),
        };
        node.correction = self.memory.corrections.value(node.correction_at, self.params());
        let eval = Corrections::apply(raw, node.correction);
        node.raw_eval = Some(raw);
        node.eval = eval;
        if let Some(value) = node.tt_value {
            let bound = node.tt_bound();
            if if value > eval { bound.is_lower() } else { bound.is_upper() } {
                node.eval = value;
            }
        } else if excluded.is_none() && node.entry.is_none() {
            let entry = self.table_entry(node, None, None, TtBound::None, DEPTH_NONE, ply);
            self.shared.tt.store(node.slot, entry);
        }
        self.memory.stack.at(ply).static_eval = Some(eval);
        let parent = self.memory.stack.back(ply, 1);
        node.improving = before.is_some_and(|before| eval > before);
        node.opponent_worsening = parent.static_eval.is_some_and(|theirs| eval > -theirs);
        // The last move lost or won something: its history may as well know at once.
        if let (Some(mv), Some(theirs), false) =
            (parent.current_move, parent.static_eval, parent.in_check)
            && excluded.is_none()
            && self.position.last_captured().is_none()
        {
            let params = self.params();
            let gain = pruning::swing(params, -(theirs + eval));
            let index = parent.piece_to;
            let them = self.position.side_to_move().flip();
            self.memory.histories.update_butterfly(them, mv, params.swing_butterfly * gain);
            if node.entry.is_none() && self.pieces_move(mv) {
                let pawns = self.memory.stack.back(ply, 0).pawns;
                self.memory.histories.update_pawn(pawns, index, params.swing_pawns * gain);
            }
        }
    }

    /// More depth if the move to this node was reduced too much, less if too little.
    pub(super) fn adjust_by_hindsight(&mut self, depth: i32, ply: usize, node: &NodeInfo) -> i32 {
        let reduced = node.prior_reduction;
        let stack = &self.memory.stack;
        let both = stack.back(ply, 1).static_eval.zip(stack.back(ply, 0).static_eval);
        let too_much = reduced >= 3 && !node.opponent_worsening;
        let depth = depth + i32::from(too_much);
        let margin = self.params().hindsight_margin;
        let too_little = reduced >= 2 && depth >= 2 && both.is_some_and(|(a, b)| a + b > margin);
        depth - i32::from(too_little)
    }

    /// The table's entry for this node.
    fn table_entry(
        &mut self,
        node: &NodeInfo,
        mv: Option<PackedMove>,
        value: Option<Value>,
        bound: TtBound,
        depth: i32,
        ply: usize,
    ) -> TtEntry {
        TtEntry {
            mv,
            value: value.map(|value| value_to_tt(value, ply)),
            eval: node.raw_eval,
            depth,
            bound,
            tt_pv: self.memory.stack.at(ply).tt_pv,
        }
    }

    /// Writes the node's result to the table.
    pub(super) fn store(
        &mut self,
        node: &NodeInfo,
        mv: Option<PackedMove>,
        value: Value,
        bound: TtBound,
        depth: i32,
        ply: usize,
    ) {
        let entry = self.table_entry(node, mv, Some(value), bound, depth, ply);
        self.shared.tt.store(node.slot, entry);
    }
}
