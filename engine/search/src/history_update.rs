//! Updates of the histories after a node: bonuses, maluses and who gets them.

use crate::node::{Candidate, Node};
use crate::piece_to::PIECE_TO;
use crate::thread::SearchThread;
use monomi_eval::score::{Value, is_decisive};
use monomi_movegen::PackedMove;

impl SearchThread<'_> {
    /// After a node: rewards the best move, punishes the others tried, and if none was good enough
    /// rewards the opponent's move that led here.
    pub fn update_histories(&mut self, node: &Node) {
        let Some(best) = node.best_move else {
            self.reward_previous_move(node);
            return;
        };
        let params = self.params();
        let parent = self.memory.stack.back(node.ply, 1);
        let parent_was_early = parent.move_number == 1 + u32::from(parent.tt_hit);
        let mut bonus = (params.bonus_slope * node.depth - params.bonus_base).min(params.bonus_max)
            + parent.history_score / params.bonus_parent_history;
        if node.tt_move == Some(best) {
            bonus += params.bonus_tt_move;
        }
        let malus = (params.malus_slope * node.depth - params.malus_base).min(params.malus_max);
        if self.position.is_capture_class(best) {
            self.update_capture(best, bonus * params.bonus_capture / 100);
        } else {
            self.update_quiet(node, best, bonus * params.bonus_quiet / 100);
            for &mv in &node.quiets {
                self.update_quiet(node, mv, -malus * params.malus_quiet / 64);
            }
        }
        // An early move of the opponent was refuted.
        if parent_was_early && self.position.last_captured().is_none() {
            self.update_previous_continuations(node.ply, -malus * params.malus_previous / 100);
        }
        for &mv in &node.captures {
            self.update_capture(mv, -malus * params.malus_capture / 100);
        }
    }

    /// A stored value caused a cutoff without a search: rewards the table's move and punishes the
    /// opponent's move that led here if it was an early one.
    pub fn reward_tt_cutoff(&mut self, node: &Node, mv: PackedMove) {
        let params = self.params();
        if !node.tt_capture {
            let bonus = (params.table_bonus_slope * node.depth - params.table_bonus_base)
                .min(params.table_bonus_max);
            self.update_quiet(node, mv, bonus);
        }
        let early =
            self.memory.stack.back(node.ply, 1).move_number <= params.table_malus_moves as u32;
        if early && self.position.last_captured().is_none() {
            self.update_previous_continuations(node.ply, -params.table_malus);
        }
    }

    /// After a null-window node with a best move: was it the table's move?
    pub fn update_tt_move_history(&mut self, node: &Node) {
        let params = self.params();
        let hit = node.best_move == node.tt_move;
        let bonus = if hit { params.tt_move_bonus } else { -params.tt_move_malus };
        self.memory.histories.tt_move.update(bonus);
    }

    /// A reduced move raised alpha and was searched again: rewards its continuations.
    pub fn reward_reduced(&mut self, node: &Node, candidate: &Candidate) {
        self.update_continuations(node.ply, candidate.piece_to, self.params().reduced_bonus);
    }

    /// Rewards or punishes the opponent's quiet move that led here by the change of the evaluation
    /// that it caused.
    pub fn reward_eval_gain(&mut self, node: &Node) {
        let parent = self.memory.stack.back(node.ply, 1);
        let (Some(mv), Some(theirs), false) =
            (parent.current_move, parent.static_eval, parent.in_check)
        else {
            return;
        };
        if node.excluded.is_some() || self.position.last_captured().is_some() {
            return;
        }
        let params = self.params();
        let change = -(theirs + self.static_eval(node));
        let gain = change.clamp(-params.gain_max_loss, params.gain_max) + params.gain_base;
        let them = self.position.side_to_move().flip();
        self.memory.histories.butterfly.update(them, mv, params.gain_butterfly * gain);
    }

    /// Updates the correction history with the difference between value and static evaluation,
    /// where the value says something about a quiet position.
    pub fn update_correction_history(&mut self, node: &Node) {
        let (value, eval) = (node.best_value, self.static_eval(node));
        let capture = node.best_move.is_some_and(|mv| self.position.is_capture(mv));
        // A lower bound below the evaluation, or an upper bound above it, says nothing.
        let informative = (value > eval) == node.best_move.is_some();
        if self.entry(node).in_check || capture || !informative || is_decisive(value) {
            return;
        }
        // An upper bound counts more: the true value may be even lower.
        let weight = if node.best_move.is_some() { 12 } else { 17 };
        let bonus = (value - eval) * node.depth * weight / 128;
        self.shared_histories.corrections.update(node.correction_index, bonus, self.params());
    }

    /// A node that failed low: the opponent's move that led here was good. The bonus is larger the
    /// less that was to be expected.
    fn reward_previous_move(&mut self, node: &Node) {
        let params = self.params();
        let (here, parent) = (self.entry(node), self.memory.stack.back(node.ply, 1));
        let Some(mv) = parent.current_move else { return };
        let index = usize::from(parent.piece_to);
        if let Some(victim) = self.position.last_captured() {
            let kind = Some(victim.piece_kind());
            self.memory.histories.capture.update(index, kind, params.fail_low_capture);
            return;
        }
        let below = |in_check: bool, eval: Option<Value>, margin: Value| {
            !in_check && eval.is_some_and(|eval| node.best_value <= eval - margin)
        };
        let expected = parent.static_eval.map(|theirs| -theirs);
        let mut scale = (params.fail_low_scale_slope * node.depth).min(params.fail_low_scale_max)
            - params.fail_low_scale_base
            - parent.history_score / params.fail_low_history;
        if parent.move_number > params.fail_low_late_moves as u32 {
            scale += params.fail_low_late;
        }
        if below(here.in_check, here.static_eval, params.fail_low_here_margin) {
            scale += params.fail_low_here;
        }
        if below(parent.in_check, expected, params.fail_low_there_margin) {
            scale += params.fail_low_there;
        }
        let bonus = (params.fail_low_slope * node.depth - params.fail_low_base)
            .min(params.fail_low_max)
            * scale.max(0);
        let them = self.position.side_to_move().flip();
        self.update_previous_continuations(
            node.ply,
            bonus / 64 * params.fail_low_continuation / 256,
        );
        let histories = &mut self.memory.histories;
        histories.butterfly.update(them, mv, bonus / 128 * params.fail_low_butterfly / 256);
    }

    /// Updates all histories of a quiet move of this node.
    fn update_quiet(&mut self, node: &Node, mv: PackedMove, bonus: i32) {
        let params = self.params();
        let color = self.position.side_to_move();
        let index = self.piece_to(mv);
        let histories = &mut self.memory.histories;
        histories.butterfly.update(color, mv, bonus);
        histories.low_ply.update(node.ply, mv, bonus * params.low_ply_share / 100);
        self.update_continuations(node.ply, index, bonus * params.continuation_share / 1024);
    }

    /// Updates the capture history of a capture or pawn promotion of this node.
    fn update_capture(&mut self, mv: PackedMove, bonus: i32) {
        let index = self.piece_to(mv);
        let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        self.memory.histories.capture.update(index, victim, bonus);
    }

    /// Updates the continuation histories of a piece and destination at a ply.
    fn update_continuations(&mut self, ply: usize, piece_to: usize, bonus: i32) {
        let params = self.params();
        let weights = [
            params.continuation_one,
            params.continuation_two,
            params.continuation_three,
            params.continuation_four,
            params.continuation_six,
        ];
        let entry = self.memory.stack.back(ply, 0);
        let in_check = entry.in_check;
        for (i, (after, weight)) in entry.continuations.into_iter().zip(weights).enumerate() {
            // In check only the last two moves matter.
            if in_check && i > 1 {
                break;
            }
            let tried = if i == 0 { params.continuation_tried } else { 0 };
            let bonus = bonus * weight / 1024 + tried;
            self.shared_histories.continuation.update(after, piece_to, bonus);
        }
    }

    /// Updates the continuation histories of the move that led to this ply.
    fn update_previous_continuations(&mut self, ply: usize, bonus: i32) {
        let Some(previous) = ply.checked_sub(1) else { return };
        let index = usize::from(self.memory.stack.back(ply, 1).piece_to);
        if index < PIECE_TO {
            self.update_continuations(previous, index, bonus);
        }
    }
}
