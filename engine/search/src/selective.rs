//! The search that plays: what [NegaScout](crate::negascout) searches, and how deeply.
//!
//! | file | techniques |
//! |---|---|
//! | `node_start.rs` | transposition table, mate in one, declaration, static evaluation |
//! | `node_pruning.rs` | reverse futility pruning, null move pruning, ProbCut |
//! | `move_pruning.rs` | late move, futility, history and SEE pruning |
//! | `extensions.rs` | singular extension, multi-cut, negative extension |
//! | `reductions.rs` | internal iterative and late move reduction |

use crate::move_picker::MovePicker;
use crate::node::{Candidate, Node, Outcome, Window};
use crate::node_type::NodeType;
use crate::observer::SearchedNode;
use crate::policy::Policy;
use crate::thread::SearchThread;
use crate::tt::TtBound;
use monomi_eval::score::{MATE_IN_MAX_PLY, Value, is_decisive, mated_in};
use monomi_movegen::{CheckInfo, PackedMove, SEE_VALUE};
use std::ops::ControlFlow;

/// The policy of the search that plays.
pub struct Selective;

impl Policy for Selective {
    #[inline(always)]
    fn leaf<N: NodeType>(thread: &mut SearchThread, window: Window, ply: usize) -> Value {
        thread.quiescence::<N>(window, ply)
    }

    #[inline(always)]
    fn enter<N: NodeType>(thread: &mut SearchThread, node: &mut Node) -> Option<Value> {
        // Stop, repetition and other values by rule, mate distance pruning.
        if N::PV {
            thread.enter_pv_node(node.ply);
        }
        if !N::ROOT {
            if thread.must_stop() {
                return Some(0);
            }
            if let Some(value) = thread.value_by_rule(node.ply) {
                return Some(value);
            }
            if let Some(value) = node.mate_distance_pruning() {
                return Some(value);
            }
        }

        // Transposition table, declaration, mate in one, static evaluation.
        thread.enter_node::<N>(node);
        thread.look_up::<N>(node);
        if node.excluded.is_none() {
            if let Some(value) = thread.tt_cutoff::<N>(node) {
                return Some(value);
            }
            if let Some(value) = thread.immediate_win::<N>(node) {
                return Some(value);
            }
        }
        thread.evaluate_node(node);

        // Pruning and reductions that concern the whole node.
        if !thread.entry(node).in_check {
            if let Some(value) = thread.reverse_futility_pruning(node) {
                return Some(value);
            }
            if let Some(value) = thread.null_move_pruning::<N>(node) {
                return Some(value);
            }
            node.improving |= thread.static_eval(node) >= node.window.beta;
            node.depth -= thread.internal_iterative_reduction::<N>(node);
            if let Some(value) = thread.probcut::<N>(node) {
                return Some(value);
            }
        }
        if N::ROOT {
            thread.order_root_moves(node);
        }
        None
    }

    #[inline(always)]
    fn next<N: NodeType>(
        thread: &mut SearchThread,
        node: &mut Node,
        moves: &mut MovePicker,
        checks: &CheckInfo,
    ) -> Option<Candidate> {
        while let Some(mv) = thread.next_move::<N>(node, moves, checks) {
            if Some(mv) == node.excluded {
                continue;
            }
            node.move_count += 1;
            let mut candidate = thread.inspect(node, mv, checks);
            if thread.prune_move::<N>(node, &candidate, moves) {
                continue;
            }
            match thread.extension::<N>(node, &candidate) {
                ControlFlow::Continue(plies) => candidate.extension = plies,
                ControlFlow::Break(value) => {
                    node.settled = Some(value);
                    return None;
                }
            }
            candidate.depth = node.depth - 1 + candidate.extension;
            // A singular move raises the depth of its siblings, too.
            node.depth += i32::from(candidate.extension > 0);
            if N::ROOT {
                candidate.nodes_before = thread.nodes;
            }
            candidate.best_before = node.best_value;
            thread.note_move(node, &candidate);
            if N::PV {
                // Null-window searches store no line; clear the previous move's.
                thread.memory.stack.clear_line(node.ply + 1);
            }
            return Some(candidate);
        }
        None
    }

    #[inline(always)]
    fn scout<N: NodeType>(
        thread: &mut SearchThread,
        node: &Node,
        candidate: &mut Candidate,
    ) -> Value {
        let reduction = thread.late_move_reduction::<N>(node, candidate);
        if node.depth >= 2 && node.move_count > 1 {
            return thread.late_move_search::<N>(node, candidate, reduction);
        }
        let depth = candidate.depth - thread.first_move_reduction(node, reduction, candidate.depth);
        let window = -Window::above(node.window.alpha);
        -thread.search::<Self, N::Null>(window, depth, node.ply + 1, !node.cut_node)
    }

    #[inline(always)]
    fn open<N: NodeType>(thread: &mut SearchThread, node: &Node, candidate: &Candidate) -> Value {
        // Do not drop into quiescence if the table knows a deeper value, nor at the root after the
        // first iteration: reductions may leave it a depth of 1, and quiescence would make the
        // reported line a single move.
        let known_deeper = Some(candidate.mv) == node.tt_move && node.tt_depth() > 1;
        let later_iteration = N::ROOT && thread.root_depth > 1;
        let least = if known_deeper || later_iteration { 1 } else { candidate.depth };
        let depth = candidate.depth.max(least);
        -thread.search::<Self, N::Open>(-node.window, depth, node.ply + 1, false)
    }

    #[inline(always)]
    fn searched<N: NodeType>(
        thread: &mut SearchThread,
        node: &mut Node,
        candidate: &Candidate,
        value: Value,
        outcome: Outcome,
    ) {
        let equal = value == node.window.alpha && value == candidate.best_before;
        let outcome = match outcome {
            Outcome::Worse if equal && thread.prefers_equal_move::<N>(node) => {
                node.best_move = Some(candidate.mv);
                Outcome::Better
            }
            outcome => outcome,
        };
        if N::ROOT {
            let effort = thread.nodes - candidate.nodes_before;
            thread.record_root_move(node, value, outcome, effort);
        }
        if N::PV && !N::ROOT && outcome != Outcome::Worse {
            thread.memory.stack.extend_line(node.ply, candidate.mv);
        }
        match outcome {
            Outcome::Worse => node.add_tried(candidate),
            Outcome::Better => node.depth -= thread.alpha_raised_reduction(node),
            Outcome::Cutoff => {
                let counts = candidate.extension < 2 || N::PV;
                thread.memory.stack.at(node.ply).cutoffs += u32::from(counts);
            }
        }
    }

    #[inline(always)]
    fn leave<N: NodeType>(thread: &mut SearchThread, node: &mut Node) -> Value {
        if let Some(value) = node.settled {
            return value;
        }
        if node.move_count == 0 {
            return if node.excluded.is_some() { node.window.alpha } else { mated_in(node.ply) };
        }
        thread.finish_node::<N>(node);
        node.best_value
    }
}

impl SearchThread<'_> {
    /// The next move: from the root's list, or from the picker. If all moves lose by mate, the
    /// moves that are left out otherwise follow, so that a mate holds against every defence.
    fn next_move<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &mut MovePicker,
        checks: &CheckInfo,
    ) -> Option<PackedMove> {
        let mated = node.best_value <= -MATE_IN_MAX_PLY && node.excluded.is_none();
        if N::ROOT {
            let number = node.move_count as usize;
            if mated && number == self.root_order.len() {
                self.add_left_out_root_moves();
            }
            return self.root_order.get(number).map(|&(mv, _)| mv);
        }
        let scorer = self.move_scorer(node.ply);
        moves.next(&scorer, checks).or_else(|| {
            if !mated {
                return None;
            }
            moves.add_left_out(&scorer);
            moves.next(&scorer, checks)
        })
    }

    /// Collects what pruning and reductions need to know about a move.
    fn inspect(&self, node: &Node, mv: PackedMove, checks: &CheckInfo) -> Candidate {
        let mut candidate = Candidate::new(&self.position, mv, node.depth - 1);
        let (histories, shared) = (&self.memory.histories, self.shared_histories);
        if candidate.capture {
            let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
            candidate.victim_value = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
            candidate.history = histories.capture.get(candidate.piece_to, victim);
        } else {
            let [first, second, ..] = self.entry(node).continuations;
            candidate.butterfly = histories.butterfly.get(self.position.side_to_move(), mv);
            candidate.continuation = shared.continuation.get(first, candidate.piece_to)
                + shared.continuation.get(second, candidate.piece_to);
            candidate.history = 2 * candidate.butterfly + candidate.continuation;
        }
        candidate.gives_check = self.position.arrival_gives_check(mv, candidate.arrived, checks);
        candidate.reduction = self.base_reduction(node);
        candidate
    }

    /// Whether a move that equals alpha and the best value so far becomes the best move: one time in eight
    /// near the leaves, where otherwise the one ordered first would always stay. The idea is Stockfish's.
    #[inline(always)]
    fn prefers_equal_move<N: NodeType>(&self, node: &Node) -> bool {
        let near_leaves = node.ply as i32 + 2 >= self.root_depth;
        !N::ROOT && near_leaves && self.nodes & 14 == 0 && !is_decisive(node.best_value)
    }

    /// After the last move: updates the histories and stores the result.
    fn finish_node<N: NodeType>(&mut self, node: &Node) {
        if !N::PV && node.best_move.is_some() {
            self.update_tt_move_history(node);
        }
        self.update_histories(node);
        if node.best_move.is_none() {
            let parent = self.memory.stack.back(node.ply, 1).tt_pv;
            self.memory.stack.at(node.ply).tt_pv |= parent;
        }
        if node.excluded.is_some() {
            // A lower bound without one of the moves is one of the position; an upper bound is not.
            if node.best_move.is_some() {
                self.update_correction_history(node);
            }
            return;
        }
        if N::ROOT && self.pv_index > 0 {
            return;
        }
        let bound = if node.best_value >= node.window.beta {
            TtBound::Lower
        } else if N::PV && node.best_move.is_some() {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.store(node, node.best_move, node.best_value, bound, node.depth);
        self.update_correction_history(node);
        if !N::ROOT {
            self.show_node(node, bound);
        }
    }

    /// Shows a finished quiet node to the observer, if there is one.
    fn show_node(&mut self, node: &Node, bound: TtBound) {
        let Some(observer) = &mut self.memory.observer else { return };
        let Some(bound) = bound.to_bound() else { return };
        let position = &self.position;
        let capture = node.best_move.is_some_and(|mv| position.is_capture(mv));
        if !capture && !position.in_check() && !is_decisive(node.best_value) {
            let (value, depth) = (node.best_value, node.depth);
            observer(&SearchedNode { position, value, bound, depth });
        }
    }
}
