//! The start of a node, shared by the main search and quiescence: values by rule, transposition
//! table, declaration and mate in one, static evaluation.

use crate::correction::CorrectionHistory;
use crate::node::Node;
use crate::node_type::NodeType;
use crate::thread::SearchThread;
use crate::tt::{DEPTH_NONE, TtBound, TtEntry};
use monomi_eval::score::{MAX_PLY, SUPERIOR, Value, mate_in, mated_in};
use monomi_movegen::{PackedMove, Repetition};

/// A win by the rules that is not a mate: perpetual check within the tree.
const WIN_BY_RULE: Value = SUPERIOR + 500;
/// Depth added to that of a proven win in the transposition table, as in Stockfish. More would let
/// these entries, which are cheap to find again, displace all others.
const PROVEN_DEPTH: i32 = 6;

impl SearchThread<'_> {
    /// Starts a principal variation at this ply.
    #[inline(always)]
    pub fn enter_pv_node(&mut self, ply: usize) {
        self.memory.stack.clear_line(ply);
        self.seldepth = self.seldepth.max(ply + 1);
    }

    /// The value that the rules or the search's limits give a node at once: repetition, the
    /// longest game allowed, the longest line.
    #[inline(always)]
    pub fn value_by_rule(&mut self, ply: usize) -> Option<Value> {
        if let Some(repetition) = self.position.repetition_in_search(ply) {
            let distance = ply as Value;
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => WIN_BY_RULE - distance,
                Repetition::Lose => distance - WIN_BY_RULE,
                Repetition::Superior => SUPERIOR - distance,
                Repetition::Inferior => distance - SUPERIOR,
            });
        }
        let limit = self.shared.options.max_moves_to_draw;
        if limit > 0 && u32::from(self.position.ply()) > limit {
            let mated = self.position.in_check() && !self.position.has_legal_move();
            return Some(if mated { mated_in(ply) } else { self.draw_value() });
        }
        if ply >= MAX_PLY {
            return Some(if self.position.in_check() { 0 } else { self.evaluate() });
        }
        None
    }

    /// Prepares the stack for a node of the main search and for its children.
    pub fn enter_node<N: NodeType>(&mut self, node: &Node) {
        let ply = node.ply;
        let stack = &mut self.memory.stack;
        let follow_pv = N::ROOT || {
            let parent = stack.back(ply, 1);
            parent.follow_pv
                && parent.current_move.is_some()
                && parent.current_move == self.last_pv.get(ply - 1).copied()
        };
        stack.at(ply + 2).cutoffs = 0;
        let entry = stack.enter(ply, &self.position);
        entry.follow_pv = follow_pv;
        entry.move_number = 0;
        entry.history_score = 0;
    }

    /// Looks the position up in the transposition table and finds its corrections.
    #[inline(always)]
    pub fn probe_tt<N: NodeType>(&mut self, node: &mut Node) {
        let stack = &self.memory.stack;
        let last = [1, 2, 4].map(|plies| stack.back(node.ply, plies).piece_to.into());
        node.correction_index = CorrectionHistory::index(&self.position, last);
        self.shared_histories.corrections.prefetch(node.correction_index);
        let (entry, slot) = self.shared.probe(self.position.key(), node.ply);
        if node.excluded.is_none() {
            let known = entry.is_some_and(|entry| entry.tt_pv);
            self.memory.stack.at(node.ply).tt_pv = N::PV || known;
        }
        node.tt_entry = entry;
        node.tt_slot = slot;
    }

    /// [`Self::probe_tt`] for a node of the main search, with what the stack keeps of it.
    pub fn look_up<N: NodeType>(&mut self, node: &mut Node) {
        self.probe_tt::<N>(node);
        node.tt_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root| root.mv)
        } else {
            node.tt_entry.and_then(|e| e.mv).filter(|&mv| self.position.is_legal(mv))
        };
        node.tt_capture = node.tt_move.is_some_and(|mv| self.position.is_capture_class(mv));
        let stack = &mut self.memory.stack;
        node.prior_reduction = stack.take_reduction(node.ply);
        let entry = stack.at(node.ply);
        entry.tt_hit = node.tt_hit();
    }

    /// Transposition table cutoff: a stored value that settles this null-window node.
    pub fn tt_cutoff<N: NodeType>(&mut self, node: &Node) -> Option<Value> {
        if N::PV {
            return None;
        }
        let value = node.tt_value()?;
        let (depth, beta) = (node.depth, node.window.beta);
        let deep_enough = node.tt_depth() > depth - i32::from(value <= beta);
        let expected = node.cut_node == (value >= beta) || depth > 5;
        if !deep_enough || !expected || !node.tt_bound().settles(value, beta) {
            return None;
        }
        if value >= beta
            && let Some(mv) = node.tt_move
        {
            self.reward_tt_cutoff(node, mv);
        }
        Some(value)
    }

    /// A declaration win or a mate in one: nothing needs to be searched.
    pub fn immediate_win<N: NodeType>(&mut self, node: &Node) -> Option<Value> {
        if N::ROOT {
            return None;
        }
        let depth = (node.depth + PROVEN_DEPTH).min(MAX_PLY as i32 - 1);
        let rule = self.shared.options.entering_king_rule;
        if let Some(declaration) = self.position.declaration(rule) {
            let value = mate_in(node.ply + 1);
            self.store(node, None, value, TtBound::Exact, depth);
            if N::PV
                && let monomi_movegen::Declaration::Try(mv) = declaration
            {
                self.memory.stack.clear_line(node.ply + 1);
                self.memory.stack.extend_line(node.ply, mv);
            }
            return Some(value);
        }
        self.mate_in_one::<N>(node, depth)
    }

    /// A mate in one, stored at the given depth. Positions of the transposition table have been
    /// examined already.
    #[inline(always)]
    pub fn mate_in_one<N: NodeType>(&mut self, node: &Node, depth: i32) -> Option<Value> {
        if node.tt_hit() || self.entry(node).in_check {
            return None;
        }
        let mv = self.position.mate_in_one()?;
        let value = mate_in(node.ply + 1);
        self.store(node, Some(mv), value, TtBound::Exact, depth);
        if N::PV {
            self.memory.stack.clear_line(node.ply + 1);
            self.memory.stack.extend_line(node.ply, mv);
        }
        Some(value)
    }

    /// Fills in the correction and raw, corrected and static evaluation. Returns the last, or `None`
    /// in check; then the stack gets the static evaluation of two plies ago instead.
    #[inline(always)]
    pub fn static_evaluation(&mut self, node: &mut Node) -> Option<Value> {
        node.correction =
            self.shared_histories.corrections.value(node.correction_index, self.params());
        if self.entry(node).in_check {
            let before = self.memory.stack.back(node.ply, 2).static_eval;
            self.memory.stack.at(node.ply).static_eval = before;
            return None;
        }
        let raw = match node.tt_entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => self.evaluate(),
        };
        node.raw_eval = Some(raw);
        let static_eval = Some(CorrectionHistory::apply(raw, node.correction));
        self.memory.stack.at(node.ply).static_eval = static_eval;
        static_eval
    }

    /// Static evaluation of a node of the main search, and what follows from it.
    pub fn evaluate_node(&mut self, node: &mut Node) {
        let Some(static_eval) = self.static_evaluation(node) else { return };
        // In a singular search the table's value is that of the move left out.
        node.estimate = match node.excluded {
            Some(_) => static_eval,
            None => node.better_estimate(static_eval),
        };
        if !node.tt_hit() && node.excluded.is_none() {
            self.shared.tt.store(node.tt_slot, self.eval_entry(node));
        }
        let before = self.memory.stack.back(node.ply, 2).static_eval;
        let theirs = self.memory.stack.back(node.ply, 1).static_eval;
        node.improving = before.is_some_and(|before| static_eval > before);
        node.opponent_worsening = theirs.is_some_and(|theirs| static_eval > -theirs);
        self.reward_eval_gain(node);
    }

    /// The transposition table entry that only holds the node's evaluation.
    #[inline(always)]
    fn eval_entry(&self, node: &Node) -> TtEntry {
        TtEntry {
            mv: None,
            value: None,
            eval: node.raw_eval,
            depth: DEPTH_NONE,
            bound: TtBound::None,
            tt_pv: self.entry(node).tt_pv,
        }
    }

    /// Stores a result of the node in the transposition table.
    #[inline(always)]
    pub fn store(
        &self,
        node: &Node,
        mv: Option<PackedMove>,
        value: Value,
        bound: TtBound,
        depth: i32,
    ) {
        let entry = TtEntry { mv, value: Some(value), bound, depth, ..self.eval_entry(node) };
        self.shared.tt.store(node.tt_slot, entry);
    }
}
