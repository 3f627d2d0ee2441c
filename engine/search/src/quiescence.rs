//! Quiescence search: captures and pawn promotions until the position is quiet; in check, all
//! evasions.

use crate::move_picker::MovePicker;
use crate::node::{Node, Window};
use crate::node_type::NodeType;
use crate::thread::SearchThread;
use crate::tt::{DEPTH_NONE, TtBound};
use monomi_eval::score::{MATE_IN_MAX_PLY, Value, is_decisive, is_loss, mated_in};
use monomi_movegen::{CheckInfo, PackedMove, SEE_VALUE};

/// Depth of quiescence results in the transposition table.
const DEPTH_QS: i32 = 0;

impl SearchThread<'_> {
    /// The value of the current position once it is quiet, fail-soft.
    pub fn quiescence<N: NodeType>(&mut self, window: Window, ply: usize) -> Value {
        let mut node = Node::new(window, DEPTH_QS, ply, false);
        if N::PV {
            self.enter_pv_node(ply);
        }
        if self.must_stop() {
            return 0;
        }
        if let Some(value) = self.value_by_rule(ply) {
            return value;
        }
        if let Some(value) = node.mate_distance_pruning() {
            return value;
        }
        let in_check = self.memory.stack.enter(ply, &self.position).in_check;
        self.probe_tt::<N>(&mut node);
        if let Some(value) = node.tt_value()
            && !N::PV
            && node.tt_depth() >= DEPTH_QS
            && node.tt_bound().settles(value, node.window.beta)
        {
            return value;
        }
        if let Some(value) = self.mate_in_one::<N>(&node, DEPTH_QS) {
            return value;
        }
        let static_eval = self.static_evaluation(&mut node);
        if let Some(static_eval) = static_eval
            && let Some(value) = self.stand_pat(&mut node, static_eval)
        {
            return value;
        }

        node.tt_move = node
            .tt_entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.position.is_legal(mv))
            .filter(|&mv| in_check || self.position.is_capture_class(mv));
        let checks = CheckInfo::new(&self.position);
        let mut tried = 0;
        let mut picker = MovePicker::quiescence(in_check, node.tt_move);
        loop {
            let scorer = self.move_scorer(ply);
            let next = picker.next(&scorer, &checks).or_else(|| {
                if !in_check || node.best_value > -MATE_IN_MAX_PLY {
                    return None;
                }
                // A mate must hold against every defence.
                picker.add_left_out(&scorer);
                picker.next(&scorer, &checks)
            });
            let Some(mv) = next else { break };
            tried += 1;
            if self.prune_in_quiescence(&mut node, mv, tried, static_eval, &checks) {
                continue;
            }
            self.do_move(mv, ply);
            let value = -self.quiescence::<N>(-node.window, ply + 1);
            self.undo_move();
            if self.stopped {
                return 0;
            }
            if value > node.best_value {
                node.best_value = value;
                if value > node.window.alpha {
                    node.best_move = Some(mv);
                    if N::PV {
                        self.memory.stack.extend_line(ply, mv);
                    }
                    if value >= node.window.beta {
                        break;
                    }
                    node.window.alpha = value;
                }
            }
        }
        if in_check && tried == 0 {
            return mated_in(ply);
        }
        // Never exact: quiet moves were not tried.
        let failed_high = node.best_value >= node.window.beta;
        let bound = if failed_high { TtBound::Lower } else { TtBound::Upper };
        self.store(&node, node.best_move, node.best_value, bound, DEPTH_QS);
        node.best_value
    }

    /// Stand pat: the side to move need not capture, so its value is at least the estimate. Returns
    /// it if it reaches beta; otherwise it becomes the best value and may raise alpha.
    #[inline(always)]
    fn stand_pat(&self, node: &mut Node, static_eval: Value) -> Option<Value> {
        let estimate = node.better_estimate(static_eval);
        node.best_value = if is_decisive(estimate) { static_eval } else { estimate };
        if node.best_value >= node.window.beta {
            if !node.tt_hit() {
                self.store(node, None, node.best_value, TtBound::Lower, DEPTH_NONE);
            }
            return Some(node.best_value);
        }
        node.window.alpha = node.window.alpha.max(node.best_value);
        None
    }

    /// Whether to skip a move: captures that cannot raise alpha, quiet evasions once a non-losing
    /// evasion is known, exchanges that lose material. May raise the best value to the bound that
    /// pruned the move. `tried` counts the moves up to this one.
    fn prune_in_quiescence(
        &self,
        node: &mut Node,
        mv: PackedMove,
        tried: i32,
        static_eval: Option<Value>,
        checks: &CheckInfo,
    ) -> bool {
        if is_loss(node.best_value) {
            return false;
        }
        let params = self.params();
        let recapture = self.position.last_move().is_some_and(|last| last.to() == mv.to());
        if let Some(static_eval) = static_eval
            && !recapture
            && !self.position.gives_check(mv, checks)
        {
            if tried > params.qs_moves {
                return true;
            }
            // Futility pruning: even with the captured piece the value stays below alpha.
            let alpha = node.window.alpha;
            let base = static_eval + params.qs_futility;
            let victim = self.position.piece_at(mv.to());
            let bound = base + victim.map_or(0, |victim| SEE_VALUE[victim.piece_kind() as usize]);
            if bound <= alpha {
                node.best_value = node.best_value.max(bound);
                return true;
            }
            if !self.position.see_ge(mv, alpha - base) {
                node.best_value = node.best_value.max(base.min(alpha));
                return true;
            }
        }
        // A non-losing evasion is known: skip quiet ones.
        if !self.position.is_capture_class(mv) {
            return true;
        }
        !self.position.see_ge(mv, -params.qs_see)
    }
}
