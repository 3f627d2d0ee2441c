//! NegaScout, the main search.
//!
//! The algorithm is Reinefeld's ("An Improvement to the Scout Tree Search Algorithm", ICCA Journal
//! 1983): the first move is searched with the full window, every other move with a null window
//! that only tells whether it is better. Only if it is, and its value lies inside the window, is it
//! searched again with the full window. Values are fail-soft: the best value found is returned even
//! if it lies outside the window.
//!
//! Everything else selects what to search and how deeply:
//!
//! | file | techniques |
//! |---|---|
//! | `node_start.rs` | transposition table, mate in one, declaration, static evaluation |
//! | `node_pruning.rs` | razoring, reverse futility pruning, null move pruning, ProbCut |
//! | `move_pruning.rs` | late move, futility, history and SEE pruning |
//! | `extensions.rs` | singular extension, multi-cut, negative extension |
//! | `reductions.rs` | internal iterative, hindsight and late move reduction |

use crate::move_picker::MovePicker;
use crate::node::{Candidate, Node, Window};
use crate::node_type::NodeType;
use crate::observer::SearchedNode;
use crate::thread::SearchThread;
use crate::tt::TtBound;
use monomi_movegen::{CheckInfo, PackedMove, SEE_VALUE};
use monomi_score::{INFINITE, MAX_PLY, Value, is_decisive, mated_in};
use std::ops::ControlFlow;

impl SearchThread<'_> {
    /// The value of the current position for its side to move, fail-soft.
    ///
    /// `cut_node` says that the node is expected to fail high. Once the search has been stopped the
    /// value is meaningless.
    pub(super) fn negascout<N: NodeType>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        debug_assert!(-INFINITE <= window.alpha && window.beta <= INFINITE);
        debug_assert!(window.alpha < window.beta && (N::PV || window.beta == window.alpha + 1));
        if depth <= 0 {
            return if N::EXACT { self.evaluate() } else { self.quiescence::<N>(window, ply) };
        }
        let mut node = Node::new(window, depth.min(MAX_PLY as i32 - 1), ply, cut_node);

        // Stop, repetition and other values by rule, mate distance pruning.
        if N::PV {
            self.enter_pv_node(ply);
        }
        if !N::ROOT && self.must_stop() {
            return 0;
        }
        if !N::ROOT
            && !N::EXACT
            && let Some(value) = self.value_by_rule(ply).or_else(|| node.mate_distance_pruning())
        {
            return value;
        }

        // Transposition table, declaration, mate in one, static evaluation.
        self.enter_node::<N>(&mut node);
        self.look_up::<N>(&mut node);
        if !N::EXACT && node.excluded.is_none() {
            if let Some(value) = self.tt_cutoff::<N>(&node) {
                return value;
            }
            if let Some(value) = self.immediate_win::<N>(&node) {
                return value;
            }
        }
        self.evaluate_node(&mut node);

        // Pruning and reductions that concern the whole node.
        if !N::EXACT && !node.in_check {
            node.depth += self.hindsight_adjustment(&node);
            if let Some(value) = self.razoring::<N>(&node) {
                return value;
            }
            if let Some(value) = self.reverse_futility_pruning(&node) {
                return value;
            }
            if let Some(value) = self.null_move_pruning::<N>(&mut node) {
                return value;
            }
            node.improving |= node.static_eval >= node.window.beta;
            node.depth -= self.internal_iterative_reduction::<N>(&node);
            if let Some(value) = self.probcut::<N>(&node) {
                return value;
            }
        }
        if !N::EXACT
            && let Some(value) = self.tt_probcut(&node)
        {
            return value;
        }

        let checks = CheckInfo::new(&self.position);
        let mut picker = MovePicker::main(node.in_check, node.tt_move, node.depth);
        if N::ROOT {
            self.order_root_moves(&node, &checks);
        }
        while let Some(mv) = self.next_move::<N>(&node, &mut picker, &checks) {
            if Some(mv) == node.excluded {
                continue;
            }
            node.move_count += 1;
            self.memory.stack.at(ply).move_count = node.move_count;
            let candidate = self.inspect(&node, mv, &checks);
            if self.prune_move::<N>(&mut node, &candidate, &mut picker) {
                continue;
            }
            let extension = match self.extension::<N>(&mut node, &candidate) {
                ControlFlow::Continue(plies) => plies,
                ControlFlow::Break(value) => return value,
            };
            let mut child_depth = node.depth - 1 + extension;
            // A node with a singular move matters: its other moves get a ply more as well.
            node.depth += i32::from(extension > 0);

            let nodes_before = self.nodes;
            if N::PV {
                // Null windows leave no line, so this one would be another move's.
                self.memory.stack.clear_line(ply + 1);
            }
            self.do_move(mv, ply);
            let reduction = self.late_move_reduction::<N>(&node, &candidate);
            let mut value = -INFINITE;
            if node.depth >= 2 && node.move_count > 1 && !N::EXACT {
                // Late move reduction: null window, less depth.
                (value, child_depth) =
                    self.late_move_search::<N>(&node, &candidate, child_depth, reduction);
            } else if !N::PV || node.move_count > 1 {
                // Null window: is this move better than the best so far?
                let depth =
                    child_depth - self.first_move_reduction::<N>(&node, reduction, child_depth);
                let null_window = -Window::above(node.window.alpha);
                value = -self.negascout::<N::Null>(null_window, depth, ply + 1, !cut_node);
            }
            // Full window: for the first move, and for a better one inside the window.
            if N::PV && (node.move_count == 1 || node.window.contains(value)) {
                // Do not drop into quiescence if the table knows a deeper value, nor at the root after
                // the first iteration: reductions may leave it a depth of 1, and quiescence would
                // make the reported line a single move.
                let known_deeper = Some(mv) == node.tt_move && node.tt_depth() > 1;
                let later_iteration = N::ROOT && self.root_depth > 1;
                if (known_deeper || later_iteration) && !N::EXACT {
                    child_depth = child_depth.max(1);
                }
                value = -self.negascout::<N::Open>(-node.window, child_depth, ply + 1, false);
            }
            self.undo_move();
            if self.stopped {
                return 0;
            }

            if N::ROOT {
                self.record_root_move(&node, value, self.nodes - nodes_before);
            }
            if value > node.best_value {
                node.best_value = value;
                if value > node.window.alpha {
                    node.best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.memory.stack.extend_line(ply, mv);
                    }
                    if value >= node.window.beta {
                        self.memory.stack.at(ply).cutoffs += u32::from(extension < 2 || N::PV);
                        break;
                    }
                    node.window.alpha = value;
                    node.depth -= self.alpha_raised_reduction::<N>(&node);
                }
            }
            if Some(mv) != node.best_move {
                node.add_tried(&candidate);
            }
        }

        if node.move_count == 0 {
            return if node.excluded.is_some() { node.window.alpha } else { mated_in(ply) };
        }
        self.finish_node::<N>(&mut node);
        node.best_value
    }

    /// The next move: from the root's list, or from the picker.
    fn next_move<N: NodeType>(
        &self,
        node: &Node,
        picker: &mut MovePicker,
        checks: &CheckInfo,
    ) -> Option<PackedMove> {
        if N::ROOT {
            return self.root_order.get(node.move_count as usize).map(|&(mv, _)| mv);
        }
        picker.next(&self.move_scorer(node.ply), checks)
    }

    /// Collects what pruning and reductions need to know about a move.
    fn inspect(&self, node: &Node, mv: PackedMove, checks: &CheckInfo) -> Candidate {
        let capture = self.position.is_capture_class(mv);
        let piece_to = self.piece_to(mv);
        let (histories, shared) = (&self.memory.histories, self.shared_histories);
        let mut victim_value = 0;
        let history = if capture {
            let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
            victim_value = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
            histories.capture.get(piece_to, victim)
        } else {
            let [first, second, ..] = self.memory.stack.back(node.ply, 0).continuations;
            2 * histories.butterfly.get(self.position.side_to_move(), mv)
                + shared.continuation.get(first, piece_to)
                + shared.continuation.get(second, piece_to)
        };
        let gives_check = self.position.gives_check(mv, checks);
        let reduction = self.base_reduction(node);
        Candidate { mv, capture, gives_check, victim_value, history, piece_to, reduction }
    }

    /// After the last move: updates the histories and stores the result.
    fn finish_node<N: NodeType>(&mut self, node: &mut Node) {
        if !N::PV && node.best_move.is_some() {
            self.update_tt_move_history(node);
        }
        self.update_histories(node);
        if node.best_move.is_none() {
            node.tt_pv |= self.memory.stack.back(node.ply, 1).tt_pv;
            self.memory.stack.at(node.ply).tt_pv = node.tt_pv;
        }
        if node.excluded.is_some() || (N::ROOT && self.pv_index > 0) {
            return;
        }
        let bound = if node.best_value >= node.window.beta {
            TtBound::Lower
        } else if N::PV && node.best_move.is_some() {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        let entry = node.entry(node.best_move, node.best_value, bound, node.depth);
        self.shared.tt.store(node.tt_slot, entry);
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
        if !capture && !node.in_check && !is_decisive(node.best_value) {
            let (value, depth) = (node.best_value, node.depth);
            observer(&SearchedNode { position, value, bound, depth });
        }
    }
}
