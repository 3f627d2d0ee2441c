//! Quiescence search: captures and promotions until the position is quiet, and every evasion of a
//! check.

use crate::search::correction::Corrections;
use crate::search::node::Node;
use crate::search::picker::MovePicker;
use crate::search::pruning::{is_decisive, is_loss};
use crate::search::score::{INFINITE, Value, mate_in, mated_in};
use crate::search::tt::{DEPTH_NONE, TtBound, TtEntry, value_from_tt, value_to_tt};
use crate::search::worker::Worker;
use monomi_movegen::{CheckInfo, PackedMove, SEE_VALUE};

/// Depth under which table entries of the quiescence search are kept.
const DEPTH_QS: i32 = 0;

impl Worker<'_> {
    /// The value of the node once it is quiet, fail-soft.
    pub(super) fn quiescence<N: Node>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        ply: usize,
    ) -> Value {
        if N::PV {
            self.memory.stack.clear_line(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        if self.must_stop() {
            return 0;
        }
        if let Some(value) = self.settled_by_rules(&mut alpha, &mut beta, ply) {
            return value;
        }
        let in_check = self.position.in_check();
        let last = [1, 2, 4].map(|plies| self.memory.stack.back(ply, plies).piece_to);
        let pawns = self.memory.stack.enter(ply, &self.position).pawns;
        let correction_at = Corrections::index(&self.position, pawns, last);
        self.memory.corrections.prefetch(correction_at);
        let (entry, slot) = self.shared.tt.probe(self.position.key());
        let tt_value = entry.and_then(|e| e.value).map(|value| value_from_tt(value, ply));
        let tt_pv = N::PV || entry.is_some_and(|e| e.tt_pv);
        if !N::PV
            && let (Some(entry), Some(value)) = (entry, tt_value)
            && entry.depth >= DEPTH_QS
            && entry.bound.settles(value, beta)
        {
            return value;
        }
        let stack = &mut self.memory.stack;
        let before = stack.back(ply, 2).static_eval;
        let frame = stack.at(ply);
        frame.static_eval = before;

        let store = |worker: &Self, mv, value, eval, bound, depth| {
            let value = Some(value_to_tt(value, ply));
            worker.shared.tt.store(slot, TtEntry { mv, value, eval, depth, bound, tt_pv });
        };

        // Stand pat: the side to move need not capture.
        let mut raw_eval = None;
        let mut best_value = -INFINITE;
        let mut futility_base = -INFINITE;
        if !in_check {
            if entry.is_none()
                && let Some(mv) = self.position.mate_in_one()
            {
                let value = mate_in(ply + 1);
                store(self, Some(mv), value, None, TtBound::Exact, DEPTH_QS);
                if N::PV {
                    self.memory.stack.clear_line(ply + 1);
                    self.memory.stack.extend_line(ply, mv);
                }
                return value;
            }
            let raw = match entry.and_then(|e| e.eval) {
                Some(eval) => eval,
                None => self.evaluate(),
            };
            raw_eval = Some(raw);
            let correction = self.memory.corrections.value(correction_at, self.params());
            let eval = Corrections::apply(raw, correction);
            self.memory.stack.at(ply).static_eval = Some(eval);
            best_value = eval;
            if let (Some(entry), Some(value)) = (entry, tt_value)
                && !is_decisive(value)
                && if value > eval { entry.bound.is_lower() } else { entry.bound.is_upper() }
            {
                best_value = value;
            }
            if best_value >= beta {
                if entry.is_none() {
                    store(self, None, best_value, raw_eval, TtBound::Lower, DEPTH_NONE);
                }
                return best_value;
            }
            alpha = alpha.max(best_value);
            futility_base = eval + self.params().qs_futility;
        }

        let tt_move = entry
            .and_then(|e| e.mv)
            .filter(|&mv| self.position.is_legal(mv))
            .filter(|&mv| in_check || self.position.is_capture_class(mv));
        let checks = CheckInfo::new(&self.position);
        let mut picker = MovePicker::quiescence(in_check, tt_move);
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(&self.ordering(ply), &checks) {
            move_count += 1;
            if !is_loss(best_value)
                && self.prune_quiescent(
                    mv,
                    &checks,
                    move_count,
                    futility_base,
                    alpha,
                    &mut best_value,
                )
            {
                continue;
            }
            self.do_move(mv, ply);
            let value = -self.quiescence::<N>(-beta, -alpha, ply + 1);
            self.undo_move();
            if self.stopped {
                return 0;
            }
            if value > best_value {
                best_value = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.memory.stack.extend_line(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && move_count == 0 {
            return mated_in(ply);
        }
        // A value below the window of a node whose every capture was searched is a bound, no more:
        // quiet moves were never tried.
        let bound = if best_value >= beta { TtBound::Lower } else { TtBound::Upper };
        store(self, best_move, best_value, raw_eval, bound, DEPTH_QS);
        best_value
    }

    /// Captures that cannot raise alpha, and quiet evasions beyond the first few.
    fn prune_quiescent(
        &mut self,
        mv: PackedMove,
        checks: &CheckInfo,
        move_count: u32,
        futility_base: Value,
        alpha: Value,
        best_value: &mut Value,
    ) -> bool {
        let capture = self.position.is_capture_class(mv);
        let gives_check = self.position.gives_check(mv, checks);
        let recapture = self.position.last_move().is_some_and(|last| last.to() == mv.to());
        if !gives_check && !recapture && futility_base > -INFINITE {
            if move_count > self.params().qs_moves as u32 {
                return true;
            }
            let gain = self
                .position
                .piece_at(mv.to())
                .map_or(0, |victim| SEE_VALUE[victim.piece_kind() as usize]);
            let bound = futility_base + gain;
            if bound <= alpha {
                *best_value = (*best_value).max(bound);
                return true;
            }
            if !self.position.see_ge(mv, alpha - futility_base) {
                *best_value = (*best_value).max(futility_base.min(alpha));
                return true;
            }
        }
        // One answer to the check is known that does not lose: quiet ones will hardly do better.
        if !capture {
            return true;
        }
        !self.position.see_ge(mv, -self.params().qs_see)
    }
}
