//! What a finished node teaches: histories of the moves tried, and how far the evaluation was off.

use crate::search::negascout::{NodeInfo, Tried};
use crate::search::pruning;
use crate::search::score::Value;
use crate::search::tt::TtBound;
use crate::search::worker::Worker;
use monomi_movegen::PackedMove;
use shogi_core::PieceKind;

impl Worker<'_> {
    /// Hash of the pawns, for the histories of their structure.
    #[inline(always)]
    pub(super) fn pawn_structure(&self) -> u64 {
        self.position.kind(PieceKind::Pawn).hash64()
    }

    /// Rewards the best move and those before it that led here; punishes the others tried.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn learn_from_node(
        &mut self,
        node: &NodeInfo,
        best_move: Option<PackedMove>,
        quiets: &Tried,
        captures: &Tried,
        depth: i32,
        ply: usize,
    ) {
        let Some(best) = best_move else {
            self.reward_previous(depth, ply);
            return;
        };
        let params = self.params();
        let tt_move = if node.tt_move == Some(best) { params.bonus_tt_move } else { 0 };
        let parent = self.memory.stack.back(ply, 1);
        let bonus = pruning::history_bonus(params, depth) + tt_move + parent.history_score / 32;
        let malus = pruning::history_malus(params, depth);
        if self.position.is_capture_class(best) {
            self.update_capture(best, bonus * 5 / 4);
        } else {
            self.update_quiet(best, bonus * 4 / 5, ply);
            // The later a move came, the less its failure says.
            let mut fading = malus * 17 / 16;
            for &mv in quiets {
                fading = fading * 61 / 64;
                self.update_quiet(mv, -fading, ply);
            }
        }
        for &mv in captures {
            self.update_capture(mv, -malus * 3 / 2);
        }
        // The first quiet move of the node before was refuted.
        let parent = self.memory.stack.back(ply, 1);
        if parent.move_count == 1 && parent.current_move.is_some() && !self.after_noisy() {
            self.update_previous(ply, -malus / 2);
        }
    }

    /// Moves the histories of a quiet move of this node.
    pub(super) fn update_quiet(&mut self, mv: PackedMove, bonus: i32, ply: usize) {
        let color = self.position.side_to_move();
        let index = self.piece_to(mv);
        let pawns = self.pawn_structure();
        let histories = &mut self.memory.histories;
        histories.update_butterfly(color, mv, bonus);
        histories.update_low_ply(ply, mv, bonus * 3 / 4);
        histories.update_pawn(pawns, index, if bonus > 0 { bonus * 3 / 4 } else { bonus / 2 });
        self.update_continuations(index, bonus, ply);
    }

    /// Moves the continuation histories of a piece and destination, behind the moves before `ply`.
    fn update_continuations(&mut self, index: usize, bonus: i32, ply: usize) {
        /// Weights in 1/1024 of the moves one, two, three, four and six plies before.
        const WEIGHTS: [i32; 5] = [1_157, 648, 288, 576, 441];
        let in_check = self.memory.stack.back(ply, 0).in_check;
        let continuations = self.memory.stack.continuations(ply);
        for (i, (&after, weight)) in continuations.iter().zip(WEIGHTS).enumerate() {
            // In check only the nearest moves matter.
            if in_check && i > 1 {
                break;
            }
            self.memory.histories.update_continuation(after, index, bonus * weight / 1024);
        }
    }

    fn update_capture(&mut self, mv: PackedMove, bonus: i32) {
        let index = self.piece_to(mv);
        let victim = self.position.piece_at(mv.to()).map(|piece| piece.piece_kind());
        self.memory.histories.update_capture(index, victim, bonus);
    }

    /// Whether the move to this node was a capture or a pawn's promotion.
    fn after_noisy(&self) -> bool {
        self.position.last_captured().is_some()
            || self.position.last_move().is_some_and(|mv| {
                mv.is_promotion()
                    && self.position.piece_at(mv.to()).map(|p| p.piece_kind())
                        == Some(PieceKind::ProPawn)
            })
    }

    /// Moves the continuation histories of the move that led to this node.
    fn update_previous(&mut self, ply: usize, bonus: i32) {
        let Some(before) = ply.checked_sub(1) else { return };
        let index = self.memory.stack.back(ply, 1).piece_to;
        if index < crate::search::history::PIECE_TO {
            self.update_continuations(index, bonus, before);
        }
    }

    /// A node that failed low: the move to it was good.
    fn reward_previous(&mut self, depth: i32, ply: usize) {
        let parent = self.memory.stack.back(ply, 1);
        let Some(mv) = parent.current_move else { return };
        let (count, index) = (parent.move_count, parent.piece_to);
        let bonus = (140 * depth - 80).min(1_400) * (1 + i32::from(count > 8)) / 2;
        if self.after_noisy() {
            return;
        }
        let them = self.position.side_to_move().flip();
        let pawns = self.pawn_structure();
        self.update_previous(ply, bonus);
        self.memory.histories.update_butterfly(them, mv, bonus / 2);
        self.memory.histories.update_pawn(pawns, index, bonus);
    }

    /// A reduced move was searched again: its continuations hear of the outcome.
    pub(super) fn reward_reduced(&mut self, index: usize, ply: usize, bonus: i32) {
        self.update_continuations(index, bonus, ply);
    }

    /// Learns the evaluation's error, where the search's value says something about a quiet
    /// position.
    pub(super) fn learn_correction(
        &mut self,
        node: &NodeInfo,
        best_move: Option<PackedMove>,
        best_value: Value,
        bound: TtBound,
        depth: i32,
        ply: usize,
    ) {
        let (Some(eval), false) =
            (self.memory.stack.back(ply, 0).static_eval, self.position.in_check())
        else {
            return;
        };
        let noisy = best_move.is_some_and(|mv| self.position.is_capture(mv));
        let says_more = match bound {
            TtBound::Lower => best_value > eval,
            TtBound::Upper => best_value < eval,
            _ => true,
        };
        if noisy || !says_more || pruning::is_decisive(best_value) {
            return;
        }
        self.memory.corrections.update(node.correction, best_value - eval, depth);
    }
}
