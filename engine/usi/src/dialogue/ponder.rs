//! Pondering.

use super::{Action, Activity, Dialogue};
use crate::go::ClockParts;
use crate::running::{Running, Stochastic};
use monomi_movegen::Position;
use monomi_search::{Clock, Limits};
use monomi_support::host::Instant;

impl Dialogue {
    /// The predicted move was played.
    pub(super) fn ponderhit(&mut self, clock: &ClockParts, at: Instant) {
        // Ignored if it comes too late or without a `go ponder`.
        let Activity::Search(running) = &mut self.activity else { return };
        if running.stopped || !std::mem::take(&mut running.pondering) || running.holds() {
            return;
        }
        let clock = clock.clock();
        if let Some(stochastic) = running.stochastic.take() {
            return self.search_root(stochastic, clock, at);
        }
        if let Some(result) = running.result.take() {
            return self.answer(result);
        }
        let endless = clock.is_none() && !running.bounded;
        self.actions.push(Action::PonderHit { at, clock });
        if endless {
            // No clock given: answer with the best move so far.
            self.actions.push(Action::Stop);
        }
    }

    /// Prepares a search of the position before the predicted move; `None` without such a move.
    pub(super) fn start_stochastic(
        &self,
        running: &mut Running,
        limits: &Limits,
    ) -> Option<Position> {
        let mut before = self.root.position().clone();
        let predicted = before.last_move()?;
        before.undo_move();
        running.stochastic = Some(Stochastic { limits: limits.clone(), predicted, over: false });
        Some(before)
    }

    /// Ends the search of the previous position and starts the one of the root on the engine's clock.
    fn search_root(&mut self, stochastic: Stochastic, clock: Option<Clock>, at: Instant) {
        let id = self.next_id();
        let Activity::Search(running) = &mut self.activity else { return };
        // The result of the search before is not needed.
        running.id = id;
        running.result = None;
        running.gate.restart();
        running.due_at = None;
        let root = running.root.clone();
        let clock = clock.or(stochastic.limits.clock);
        let endless = clock.is_none() && !running.bounded;
        let mut limits = stochastic.limits.with_clock(clock);
        (limits.start, limits.ponder) = (at, false);
        if !stochastic.over {
            self.actions.push(Action::Stop);
        }
        self.search(id, root, limits, self.options.own_book);
        if endless {
            // No clock given: answer with what the table holds.
            self.actions.push(Action::Stop);
        }
    }
}
