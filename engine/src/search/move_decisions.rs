//! What a move deserves: to be left out, to be extended, or to be searched at less depth.
//!
//! Here the circumstances are collected; the margins and formulas themselves are in `pruning`.

use crate::search::negascout::Outcome;
use crate::search::node::Node;
use crate::search::node_info::NodeInfo;
use crate::search::params::Params;
use crate::search::picker::MovePicker;
use crate::search::pruning::{self, is_decisive, is_win};
use crate::search::score::Value;
use crate::search::worker::Worker;
use monomi_movegen::{CheckInfo, PackedMove, SEE_VALUE};

/// What is known of a move before it is made.
pub(super) struct MoveInfo {
    pub(super) mv: PackedMove,
    pub(super) count: u32,
    pub(super) capture: bool,
    pub(super) gives_check: bool,
    pub(super) history: i32,
    pub(super) piece_to: usize,
}

/// The outcome of a singular search.
pub(super) enum Singular {
    Extend(i32),
    MultiCut(Value),
    Stopped,
}

impl Worker<'_> {
    /// Collects what prunings and reductions ask about a move.
    pub(super) fn inspect(
        &self,
        mv: PackedMove,
        count: u32,
        checks: &CheckInfo,
        ply: usize,
    ) -> MoveInfo {
        let capture = self.position.is_capture_class(mv);
        let index = self.piece_to(mv);
        let histories = &self.memory.histories;
        let history = if capture {
            let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
            histories.capture(index, victim)
        } else {
            let [first, second, ..] = self.memory.stack.back(ply, 0).continuations;
            2 * histories.butterfly(self.position.side_to_move(), mv)
                + histories.continuation(first, index)
                + histories.continuation(second, index)
        };
        let gives_check = self.position.gives_check(mv, checks);
        MoveInfo { mv, count, capture, gives_check, history, piece_to: index }
    }

    pub(super) fn base_reduction(
        &self,
        depth: i32,
        count: u32,
        improving: bool,
        delta: Value,
        ply: usize,
    ) -> i32 {
        let params = self.params();
        let share = delta * 1024 / self.root_delta.max(1);
        let former_pv = self.memory.stack.back(ply, 0).tt_pv;
        self.shared.reductions.base(params, depth, count, improving, share)
            + if former_pv { params.lmr_tt_pv_pruning } else { 0 }
    }

    /// Whether a move can be left out unmade: late move pruning, futility, history, exchanges.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn prune_move<N: Node>(
        &mut self,
        info: &MoveInfo,
        node: &NodeInfo,
        picker: &mut MovePicker,
        depth: i32,
        reduction: i32,
        alpha: Value,
        ply: usize,
        found: &mut Outcome,
    ) -> bool {
        let params: &Params = self.params();
        if info.count >= pruning::late_move_count(params, depth, node.improving) {
            picker.skip_quiets();
        }
        let in_check = self.position.in_check();
        let static_eval = self.memory.stack.back(ply, 0).static_eval.unwrap_or(node.eval);
        let mut lmr_depth = depth - 1 - reduction / 1024;
        if info.capture || info.gives_check {
            let victim = self.position.piece_at(info.mv.to());
            let history = if info.capture { info.history } else { 0 };
            if !info.gives_check && lmr_depth <= params.capture_futility_depth && !in_check {
                let gain = victim.map_or(0, |piece| SEE_VALUE[piece.piece_kind() as usize]);
                let bound =
                    pruning::capture_futility(params, static_eval, lmr_depth, gain, history);
                if bound <= alpha {
                    return true;
                }
            }
            let allowed = params.capture_see_slope * depth + history / params.capture_see_history;
            // Behind by more than nothing, a sacrifice may be the only chance.
            return alpha >= 0 && !self.position.see_ge(info.mv, -allowed.max(0));
        }
        if N::PV && self.memory.stack.back(ply, 0).follow_pv {
            return false;
        }
        let history = self.quiet_history(info, ply);
        if history < -params.history_prune_slope * depth {
            return true;
        }
        let butterfly = self.memory.histories.butterfly(self.position.side_to_move(), info.mv);
        lmr_depth += (history + params.history_depth_butterfly * butterfly / 32)
            / params.history_depth_divisor;
        if !in_check && lmr_depth <= params.quiet_futility_depth {
            let has_best = found.best_move.is_some();
            let bound = pruning::quiet_futility(params, static_eval, lmr_depth, alpha, has_best);
            if bound <= alpha {
                if found.value <= bound && !is_decisive(found.value) && !is_win(bound) {
                    found.value = bound;
                }
                return true;
            }
        }
        let lmr_depth = lmr_depth.max(0);
        !self.position.see_ge(info.mv, -params.quiet_see_square * lmr_depth * lmr_depth)
    }

    /// What the last two moves and the pawns say of a quiet move.
    fn quiet_history(&self, info: &MoveInfo, ply: usize) -> i32 {
        let frame = self.memory.stack.back(ply, 0);
        let [first, second, ..] = frame.continuations;
        let histories = &self.memory.histories;
        i32::from(histories.pawn_row(frame.pawns)[info.piece_to])
            + histories.continuation(first, info.piece_to)
            + histories.continuation(second, info.piece_to)
    }

    /// Searches the other moves below the table's value: if all stay below, its move is singular
    /// and is extended; if another reaches beta as well, the node fails high at once.
    pub(super) fn singular<N: Node>(
        &mut self,
        node: &NodeInfo,
        info: &MoveInfo,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Singular {
        let params = self.params();
        let Some(tt_value) = node.tt_value else { return Singular::Extend(0) };
        let tt_pv = self.memory.stack.at(ply).tt_pv;
        let deep = depth >= params.singular_depth + i32::from(tt_pv);
        if !deep
            || is_decisive(tt_value)
            || !node.tt_bound().is_lower()
            || node.tt_depth() < depth - 3
            || ply as i32 >= 2 * self.root_depth
        {
            return Singular::Extend(0);
        }
        let singular_beta = pruning::singular_beta(params, tt_value, depth, tt_pv && !N::PV);
        let half = (depth - 1) / 2;
        self.memory.stack.at(ply).excluded = Some(info.mv);
        let value =
            self.negascout::<N::Null>(singular_beta - 1, singular_beta, half, ply, cut_node);
        let frame = self.memory.stack.at(ply);
        frame.excluded = None;
        // The inner search used this node's frame.
        frame.move_count = info.count;
        frame.tt_pv = tt_pv;
        if self.stopped {
            return Singular::Stopped;
        }
        if value < singular_beta {
            let quiet = !node.tt_capture;
            let far = ply as i32 > self.root_depth;
            let doubt = node.correction.abs() / params.extension_correction;
            let trust = 1024 * self.memory.histories.tt_move() / params.double_tt_history;
            let off = [
                doubt + trust + if far { params.double_far_margin } else { 0 },
                doubt + if far { params.triple_far_margin } else { 0 },
            ];
            let plies =
                pruning::singular_extension(params, value, singular_beta, N::PV, quiet, tt_pv, off);
            return Singular::Extend(plies);
        }
        if value >= beta && !is_decisive(value) {
            let malus = pruning::multicut_malus(params, depth);
            self.memory.histories.update_tt_move(-malus);
            return Singular::MultiCut(value);
        }
        Singular::Extend(if tt_value >= beta {
            -3
        } else if cut_node {
            -2
        } else {
            0
        })
    }

    /// The reduction of a late move, by its own and the node's circumstances, in 1/1024 plies.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn late_reduction<N: Node>(
        &mut self,
        base: i32,
        info: &MoveInfo,
        node: &NodeInfo,
        ply: usize,
        alpha: Value,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        let params = self.params();
        let mut reduction = base + params.lmr_late;
        let tt_pv = self.memory.stack.at(ply).tt_pv;
        if tt_pv {
            let promising = node.tt_value.is_some_and(|value| value > alpha);
            let deep = node.tt_depth() >= depth;
            reduction -= params.lmr_tt_pv
                + params.lmr_tt_pv_value
                    * (i32::from(promising) + i32::from(deep) * if cut_node { 2 } else { 1 });
            if N::PV {
                reduction -= params.lmr_pv;
            }
        }
        reduction -= params.lmr_move_count * info.count as i32;
        if cut_node {
            reduction += params.lmr_cut_node;
            if node.tt_move.is_none() {
                reduction += params.lmr_no_tt_move;
            }
        }
        if node.tt_capture {
            reduction += params.lmr_tt_capture;
        }
        let cutoffs = self.memory.stack.at(ply + 1).cutoffs;
        if cutoffs > 1 {
            reduction += params.lmr_some_cutoffs;
            if cutoffs > 2 {
                reduction += params.lmr_cutoffs;
            }
            if !N::PV && !cut_node {
                reduction += params.lmr_all_node;
            }
        }
        if Some(info.mv) == node.tt_move {
            reduction -= params.lmr_tt_move;
        }
        let history = if info.capture {
            let victim = self.position.last_captured();
            params.lmr_victim * victim.map_or(0, |piece| SEE_VALUE[piece.piece_kind() as usize])
                + info.history
        } else {
            info.history
        };
        self.memory.stack.at(ply).history_score = history;
        reduction -= node.correction.abs() / params.lmr_correction;
        reduction -= history * params.lmr_history / 16_384;
        if !N::PV && !cut_node {
            reduction += reduction * params.lmr_all_share / (256 * depth + params.lmr_all_depth);
        }
        reduction
    }

    /// How much less deep to search a first move of which little is expected: one that is not
    /// reduced as a late one.
    pub(super) fn unlikely(&self, reduction: i32, node: &NodeInfo, new_depth: i32) -> i32 {
        let params = self.params();
        let no_move = if node.tt_move.is_none() { params.unlikely_no_tt_move } else { 0 };
        let reduction = reduction + no_move;
        i32::from(reduction > params.unlikely_one)
            + i32::from(reduction > params.unlikely_two && new_depth > 2)
    }
}
