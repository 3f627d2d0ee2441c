//! What a finished node teaches: histories of the moves tried, and how far the evaluation was off.

use crate::search::negascout::Outcome;
use crate::search::node_info::NodeInfo;
use crate::search::pruning;
use crate::search::score::Value;
use crate::search::worker::Worker;
use monomi_movegen::PackedMove;
use shogi_core::PieceKind;

impl Worker<'_> {
    /// Rewards the best move and those before it that led here; punishes the others tried.
    pub(super) fn learn_from_node(
        &mut self,
        found: &Outcome,
        node: &NodeInfo,
        depth: i32,
        ply: usize,
    ) {
        let Some(best) = found.best_move else {
            self.reward_previous(found.value, depth, ply);
            return;
        };
        let params = self.params();
        let tt_move = if node.tt_move == Some(best) { params.bonus_tt_move } else { 0 };
        let parent = self.memory.stack.back(ply, 1);
        let refuted_early = parent.move_count == 1 + u32::from(parent.tt_hit);
        let bonus = pruning::history_bonus(params, depth)
            + tt_move
            + parent.history_score / params.bonus_parent_history;
        let malus = pruning::history_malus(params, depth);
        if self.position.is_capture_class(best) {
            self.update_capture(best, bonus * params.bonus_capture / 100);
        } else {
            self.update_quiet(best, bonus * params.bonus_quiet / 100, ply);
            // The later a move came, the less its failure says.
            let mut fading = malus * params.malus_quiet / 64;
            for &mv in &found.quiets {
                fading = fading * params.malus_fading / 64;
                self.update_quiet(mv, -fading, ply);
            }
        }
        // The first moves of the node before were refuted.
        if refuted_early && self.position.last_captured().is_none() {
            self.update_previous(ply, -malus * params.malus_previous / 100);
        }
        for &mv in &found.captures {
            self.update_capture(mv, -malus * params.malus_capture / 100);
        }
    }

    /// The table's move settled the node without a search.
    pub(super) fn learn_from_table(&mut self, mv: PackedMove, noisy: bool, depth: i32, ply: usize) {
        let params = self.params();
        if !noisy {
            self.update_quiet(mv, pruning::table_bonus(params, depth), ply);
        }
        let count = self.memory.stack.back(ply, 1).move_count;
        let early = count <= params.table_malus_moves as u32;
        if early && self.position.last_captured().is_none() {
            self.update_previous(ply, -params.table_malus);
        }
    }

    /// Moves the histories of a quiet move of this node.
    pub(super) fn update_quiet(&mut self, mv: PackedMove, bonus: i32, ply: usize) {
        let params = self.params();
        let color = self.position.side_to_move();
        let index = self.piece_to(mv);
        let pawns = self.memory.stack.back(ply, 0).pawns;
        let pawn_share = if bonus > 0 { params.pawn_bonus_share } else { params.pawn_malus_share };
        let histories = &mut self.memory.histories;
        histories.update_butterfly(color, mv, bonus);
        histories.update_low_ply(ply, mv, bonus * params.low_ply_share / 100);
        histories.update_pawn(pawns, index, bonus * pawn_share / 1024);
        self.update_continuations(index, bonus * params.continuation_share / 1024, ply);
    }

    /// Moves the continuation histories of a piece and destination, behind the moves before `ply`.
    fn update_continuations(&mut self, index: usize, bonus: i32, ply: usize) {
        let params = self.params();
        let weights = [
            params.continuation_one,
            params.continuation_two,
            params.continuation_three,
            params.continuation_four,
            params.continuation_six,
        ];
        let frame = self.memory.stack.back(ply, 0);
        let in_check = frame.in_check;
        for (i, (after, weight)) in frame.continuations.into_iter().zip(weights).enumerate() {
            // In check only the nearest moves matter.
            if in_check && i > 1 {
                break;
            }
            let tried = if i == 0 { params.continuation_tried } else { 0 };
            self.memory.histories.update_continuation(after, index, bonus * weight / 1024 + tried);
        }
    }

    fn update_capture(&mut self, mv: PackedMove, bonus: i32) {
        let index = self.piece_to(mv);
        let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        self.memory.histories.update_capture(index, victim, bonus);
    }

    /// Whether the move to this node, not undone yet, was one by a piece: no pawn's, no promotion.
    pub(super) fn pieces_move(&self, mv: PackedMove) -> bool {
        let kind = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        !mv.is_promotion() && kind != Some(PieceKind::Pawn)
    }

    /// Moves the continuation histories of the move that led to this node.
    fn update_previous(&mut self, ply: usize, bonus: i32) {
        let Some(before) = ply.checked_sub(1) else { return };
        let index = self.memory.stack.back(ply, 1).piece_to;
        if index < crate::search::history::PIECE_TO {
            self.update_continuations(index, bonus, before);
        }
    }

    /// A node that failed low: the move to it was good, the more so the less it looked like that.
    fn reward_previous(&mut self, best_value: Value, depth: i32, ply: usize) {
        let params = self.params();
        let (here, parent) = (self.memory.stack.back(ply, 0), self.memory.stack.back(ply, 1));
        let Some(mv) = parent.current_move else { return };
        let index = parent.piece_to;
        if let Some(victim) = self.position.last_captured() {
            let (kind, bonus) = (victim.piece_kind(), params.fail_low_capture);
            self.memory.histories.update_capture(index, Some(kind), bonus);
            return;
        }
        let disappointing = |in_check: bool, eval: Option<Value>, margin: Value| {
            !in_check && eval.is_some_and(|eval| best_value <= eval - margin)
        };
        let seen_here = disappointing(here.in_check, here.static_eval, params.fail_low_here_margin);
        let expected = parent.static_eval.map(|theirs| -theirs);
        let seen_there = disappointing(parent.in_check, expected, params.fail_low_there_margin);
        let late = parent.move_count > params.fail_low_late_moves as u32;
        let scale = (params.fail_low_scale_slope * depth).min(params.fail_low_scale_max)
            - params.fail_low_scale_base
            - parent.history_score / params.fail_low_history
            + if late { params.fail_low_late } else { 0 }
            + if seen_here { params.fail_low_here } else { 0 }
            + if seen_there { params.fail_low_there } else { 0 };
        let bonus = pruning::fail_low_bonus(params, depth) * scale.max(0);
        let them = self.position.side_to_move().flip();
        let pawns = here.pawns;
        self.update_previous(ply, bonus / 64 * params.fail_low_continuation / 256);
        let butterfly = bonus / 128 * params.fail_low_butterfly / 256;
        self.memory.histories.update_butterfly(them, mv, butterfly);
        if self.pieces_move(mv) {
            let bonus = bonus / 32 * params.fail_low_pawns / 256;
            self.memory.histories.update_pawn(pawns, index, bonus);
        }
    }

    /// A reduced move beat alpha and was searched again: its continuations hear of it.
    pub(super) fn reward_reduced(&mut self, index: usize, ply: usize) {
        self.update_continuations(index, self.params().reduced_bonus, ply);
    }

    /// Learns the evaluation's error, where the search's value says something about a quiet
    /// position.
    pub(super) fn learn_correction(
        &mut self,
        node: &NodeInfo,
        best_move: Option<PackedMove>,
        best_value: Value,
        depth: i32,
        ply: usize,
    ) {
        let eval = self.memory.stack.back(ply, 0).static_eval;
        let (Some(eval), false) = (eval, self.position.in_check()) else { return };
        let noisy = best_move.is_some_and(|mv| self.position.is_capture(mv));
        // A bound on the wrong side of the evaluation says nothing.
        let says_more = (best_value > eval) == best_move.is_some();
        if noisy || !says_more || pruning::is_decisive(best_value) {
            return;
        }
        let error = best_value - eval;
        self.memory.corrections.update(node.correction_at, error, depth, best_move.is_some());
    }
}
