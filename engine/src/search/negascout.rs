//! NegaScout: the search of a node.
//!
//! At its heart stands the algorithm of Reinefeld (ICCA Journal 1983): the first move gets the full
//! window, every other a null window that only asks whether it is better than what is known; only
//! when the answer is yes, and the value lies inside the window, is it searched again in full.
//! Values are fail-soft: the best value found is returned, also outside the window. All else here
//! decides which moves deserve how much of that: the decisions themselves are in `pruning`.

use crate::search::move_decisions::Singular;
use crate::search::node::Node;
use crate::search::node_info::NodeInfo;
use crate::search::picker::{MovePicker, Ordering};
use crate::search::pruning::{is_decisive, is_loss};
use crate::search::score::{INFINITE, MAX_PLY, Value, mated_in};
use crate::search::tt::TtBound;
use crate::search::worker::Worker;
use arrayvec::ArrayVec;
use monomi_movegen::{CheckInfo, PackedMove};

/// Moves remembered at a node for the histories' sake.
type Tried = ArrayVec<PackedMove, 32>;

/// What the moves of a node have come to so far.
pub(super) struct Outcome {
    /// The best value, fail-soft.
    pub(super) value: Value,
    /// The move that raised alpha last, if any did.
    pub(super) best_move: Option<PackedMove>,
    /// Quiet moves that did not, the first of them.
    pub(super) quiets: Tried,
    /// Captures that did not.
    pub(super) captures: Tried,
}

impl Worker<'_> {
    /// The value of the node for its side to move, fail-soft.
    ///
    /// `cut_node` says that this node is expected to fail high.
    pub(super) fn negascout<N: Node>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE);
        debug_assert!(N::PV || alpha == beta - 1);
        if depth <= 0 {
            return if N::EXACT { self.evaluate() } else { self.quiescence::<N>(alpha, beta, ply) };
        }
        let mut depth = depth.min(MAX_PLY as i32 - 1);
        let params = self.params();

        // The rules first: stop, repetition, the longest game, a shorter mate known already.
        if N::PV {
            self.memory.stack.clear_line(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if !N::ROOT {
            if self.must_stop() {
                return 0;
            }
            if !N::EXACT
                && let Some(value) = self.settled_by_rules(&mut alpha, &mut beta, ply)
            {
                return value;
            }
        }
        let excluded = self.enter_frame::<N>(ply);

        // The transposition table.
        let mut node = self.probe::<N>(ply, excluded);
        if !N::PV
            && !N::EXACT
            && excluded.is_none()
            && let Some(value) = self.table_cutoff(&node, beta, depth, ply, cut_node)
        {
            return value;
        }
        if !N::ROOT
            && !N::EXACT
            && excluded.is_none()
            && let Some(value) = self.immediate_win::<N>(&node, depth, ply)
        {
            return value;
        }

        // Static evaluation, and the pruning that needs no move.
        self.evaluate_node(&mut node, ply, excluded);
        let in_check = self.position.in_check();
        if !in_check && !N::EXACT {
            depth = self.adjust_by_hindsight(depth, ply, &node);
            if let Some(value) =
                self.prune_node::<N>(&mut node, alpha, beta, &mut depth, ply, cut_node)
            {
                return value;
            }
            if self.stopped {
                return 0;
            }
        }
        if !N::EXACT
            && let Some(value) = self.table_probcut(&node, beta, depth)
        {
            return value;
        }

        // The moves.
        let checks = CheckInfo::new(&self.position);
        let mut picker = MovePicker::main(in_check, node.tt_move, depth);
        if N::ROOT {
            self.order_root(MovePicker::main(in_check, node.tt_move, MAX_PLY as i32), &checks);
        }
        let mut found = Outcome {
            value: -INFINITE,
            best_move: None,
            quiets: Tried::new(),
            captures: Tried::new(),
        };
        let mut move_count = 0;
        while let Some(mv) = self.next_move::<N>(&mut picker, &checks, move_count, ply) {
            if Some(mv) == excluded {
                continue;
            }
            move_count += 1;
            self.memory.stack.at(ply).move_count = move_count;
            let info = self.inspect(mv, move_count, &checks, ply);
            let reduction =
                self.base_reduction(depth, move_count, node.improving, beta - alpha, ply);

            // Moves that are not worth making.
            if !N::ROOT
                && !N::EXACT
                && !is_loss(found.value)
                && self.prune_move::<N>(
                    &info,
                    &node,
                    &mut picker,
                    depth,
                    reduction,
                    alpha,
                    ply,
                    &mut found,
                )
            {
                continue;
            }

            // Moves that deserve more.
            let unextended = depth;
            let mut extension = 0;
            if !N::ROOT && !N::EXACT && Some(mv) == node.tt_move && excluded.is_none() {
                match self.singular::<N>(&node, &info, beta, depth, ply, cut_node) {
                    Singular::Extend(plies) => {
                        extension = plies;
                        // The node matters: its other moves get a ply more as well.
                        depth += i32::from(plies > 0);
                    }
                    Singular::MultiCut(value) => return value,
                    Singular::Stopped => return 0,
                }
            }

            let mut new_depth = unextended - 1 + extension;
            let nodes_before = self.nodes;
            if N::PV {
                // Null windows leave no line: what stands there belongs to another move.
                self.memory.stack.clear_line(ply + 1);
            }
            self.do_move(mv, ply);
            let mut value = -INFINITE;

            let reduction =
                self.late_reduction::<N>(reduction, &info, &node, ply, alpha, depth, cut_node);
            if depth >= 2 && move_count > 1 && !N::EXACT {
                // Late move reduction: a null window at less depth, and at full depth only if
                // that finds the move good after all.
                let reduced =
                    (new_depth - reduction / 1024).min(new_depth + 2).max(1) + i32::from(N::PV);
                self.memory.stack.at(ply).reduction = new_depth - reduced;
                value = -self.negascout::<N::Null>(-alpha - 1, -alpha, reduced, ply + 1, true);
                self.memory.stack.at(ply).reduction = 0;
                if value > alpha {
                    let deeper = reduced < new_depth && value > found.value + params.deeper_margin;
                    let shallower = value < found.value + params.shallower_margin;
                    new_depth += i32::from(deeper) - i32::from(shallower);
                    if new_depth > reduced {
                        value = -self.negascout::<N::Null>(
                            -alpha - 1,
                            -alpha,
                            new_depth,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    let index = self.memory.stack.back(ply, 0).piece_to;
                    self.reward_reduced(index, ply);
                }
            } else if !N::PV || move_count > 1 {
                // The null window: is this move better than the best so far?
                let less = if N::EXACT { 0 } else { self.unlikely(reduction, &node, new_depth) };
                let full = new_depth - less;
                value = -self.negascout::<N::Null>(-alpha - 1, -alpha, full, ply + 1, !cut_node);
            }
            // The full window: for the first move, and for one that proved better but within
            // the window.
            if N::PV && (move_count == 1 || (alpha < value && value < beta)) {
                if Some(mv) == node.tt_move && node.tt_depth() > 1 && !N::EXACT {
                    // Deeper known already: not straight into quiescence.
                    new_depth = new_depth.max(1);
                }
                value = -self.negascout::<N::Open>(-beta, -alpha, new_depth, ply + 1, false);
            }

            self.undo_move();
            if self.stopped {
                return 0;
            }
            if N::ROOT {
                self.record_root_move(value, alpha, beta, move_count, self.nodes - nodes_before);
            }
            if value > found.value {
                found.value = value;
                if value > alpha {
                    found.best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.memory.stack.extend_line(ply, mv);
                    }
                    if value >= beta {
                        self.memory.stack.at(ply).cutoffs += u32::from(extension < 2 || N::PV);
                        break;
                    }
                    alpha = value;
                    // The others have more to beat now.
                    if (3..14).contains(&depth) && !N::EXACT && !is_decisive(value) {
                        depth -= 2;
                    }
                }
            }
            if Some(mv) != found.best_move {
                let tried = if info.capture { &mut found.captures } else { &mut found.quiets };
                // Beyond the list's end nothing is learnt.
                let _ = tried.try_push(mv);
            }
        }

        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None => mated_in(ply),
            };
        }
        self.conclude::<N>(&found, &node, beta, depth, ply, excluded);
        found.value
    }

    /// Behind the last move: what the node has learnt, for the histories and for the table.
    fn conclude<N: Node>(
        &mut self,
        found: &Outcome,
        node: &NodeInfo,
        beta: Value,
        depth: i32,
        ply: usize,
        excluded: Option<PackedMove>,
    ) {
        let (params, value, best_move) = (self.params(), found.value, found.best_move);
        if !N::PV && best_move.is_some() {
            let bonus = if best_move == node.tt_move {
                params.tt_move_bonus
            } else {
                -params.tt_move_malus
            };
            self.memory.histories.update_tt_move(bonus);
        }
        self.learn_from_node(found, node, depth, ply);
        if best_move.is_none() {
            let parent_pv = self.memory.stack.back(ply, 1).tt_pv;
            self.memory.stack.at(ply).tt_pv |= parent_pv;
        }
        if excluded.is_some() || (N::ROOT && self.pv_index > 0) {
            return;
        }
        let bound = if value >= beta {
            TtBound::Lower
        } else if N::PV && best_move.is_some() {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.store(node, best_move, value, bound, depth, ply);
        self.learn_correction(node, best_move, value, depth, ply);
        if !N::ROOT {
            self.show_node(best_move, value, bound, depth);
        }
    }

    /// Prepares the node's frame and those of its children; returns the excluded move.
    fn enter_frame<N: Node>(&mut self, ply: usize) -> Option<PackedMove> {
        let stack = &mut self.memory.stack;
        let follow_pv = N::ROOT || {
            let parent = stack.back(ply, 1);
            parent.follow_pv
                && parent.current_move.is_some()
                && parent.current_move == self.last_pv.get(ply - 1).copied()
        };
        stack.at(ply + 2).cutoffs = 0;
        stack.at(ply + 1).excluded = None;
        let frame = stack.enter(ply, &self.position);
        frame.follow_pv = follow_pv;
        frame.move_count = 0;
        frame.history_score = 0;
        frame.excluded
    }

    /// The root's moves in the picker's order, which knows what the histories have learnt since the
    /// last iteration; behind them the ones that the picker does not make.
    fn order_root(&mut self, mut picker: MovePicker, checks: &CheckInfo) {
        let mut order = std::mem::take(&mut self.root_order);
        order.clear();
        let places = self.root_moves.iter().map(|root| root.mv).zip(0..).skip(self.pv_index);
        let mut rest: Vec<(PackedMove, usize)> = places.clone().collect();
        rest.sort_unstable_by_key(|(mv, _)| mv.bits());
        while let Some(mv) = picker.next(&self.ordering(0), checks) {
            if let Ok(found) = rest.binary_search_by_key(&mv.bits(), |(mv, _)| mv.bits()) {
                order.push(rest[found]);
            }
        }
        if order.len() < rest.len() {
            let left: Vec<_> = places.filter(|place| !order.contains(place)).collect();
            order.extend(left);
        }
        self.root_order = order;
    }

    /// The next move: from the root's list, or from the picker.
    fn next_move<N: Node>(
        &self,
        picker: &mut MovePicker,
        checks: &CheckInfo,
        count: u32,
        ply: usize,
    ) -> Option<PackedMove> {
        if N::ROOT {
            return self.root_order.get(count as usize).map(|&(mv, _)| mv);
        }
        picker.next(&self.ordering(ply), checks)
    }

    /// What ordering looks at.
    pub(super) fn ordering(&self, ply: usize) -> Ordering<'_> {
        let frame = self.memory.stack.back(ply, 0);
        Ordering {
            position: &self.position,
            histories: &self.memory.histories,
            continuations: frame.continuations,
            ply,
            pawns: frame.pawns,
            all_moves: self.shared.options.generate_all_legal_moves,
        }
    }
}
