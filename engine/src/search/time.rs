//! When to stop thinking about a move.
//!
//! The clock gives three times: before the minimum nothing ends the search, around the optimum it
//! ends as the search's progress allows, at the maximum it ends at once.

use crate::search::budget::{Budget, full_second};
use crate::search::root::Progress;
use crate::search::score::Value;
use crate::search::{Limits, SearchOptions, Signals};
use shogi_core::Color;
use std::time::{Duration, Instant};

/// No search lasts longer.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Iterations before their progress says anything.
const FIRST_JUDGED: i32 = 4;
/// Share of the time behind which the next iteration would hardly be finished.
const REPEAT_FROM: f64 = 0.503;

/// What one move's search leaves for the next one's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Mean value of the move played, from the view of the one who played it.
    value: Option<Value>,
    /// How much it saved by being steady: 0.72 (nothing) to 1.44.
    thrift: f64,
}

impl Pace {
    /// Before the first move.
    pub(super) fn new() -> Self {
        Self { value: None, thrift: 0.85 }
    }

    /// What a search on a clock leaves that has ended.
    pub(super) fn after(value: Option<Value>, progress: &Progress) -> Self {
        Self { value, thrift: thrift(progress) }
    }
}

/// What an iteration means for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Search deeper.
    Deepen,
    /// Search once more to a like depth: one deeper would hardly be finished.
    Repeat,
    /// Play.
    Enough,
}

/// Decides when a search on a clock ends.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    budget: Budget,
    pondering: bool,
    side: Color,
    ply: u16,
    options: SearchOptions,
    fixed: bool,
    /// The end once it is decided: at a full second, or at the minimum.
    ends_at: Option<Duration>,
}

impl TimeManager {
    /// For limits that have a clock; `None` for the others, which never look at the time.
    pub fn new(limits: &Limits, side: Color, ply: u16, options: &SearchOptions) -> Option<Self> {
        let budget = match (limits.movetime, limits.clock) {
            (Some(time), _) => Budget::exactly(time),
            (None, Some(clock)) => Budget::for_move(&clock, side, ply, options),
            // The clock may come with `ponderhit`.
            (None, None) if limits.ponder => Budget::exactly(FOREVER),
            (None, None) => return None,
        };
        Some(Self {
            start: limits.start,
            budget,
            pondering: limits.ponder,
            side,
            ply,
            options: options.clone(),
            fixed: limits.movetime.is_some(),
            ends_at: None,
        })
    }

    fn elapsed(&mut self, signals: &Signals) -> Option<Duration> {
        if self.pondering {
            if !signals.ponder_hit() {
                return None;
            }
            self.pondering = false;
            self.ends_at = None;
            if let Some(hit) = signals.ponder_hit_details() {
                self.start = hit.at;
                if let Some(clock) = hit.clock {
                    self.budget = Budget::for_move(&clock, self.side, self.ply, &self.options);
                    self.fixed = false;
                }
            }
        }
        Some(self.start.elapsed())
    }

    /// Whether the time is up. Never while pondering.
    pub fn must_stop(&mut self, signals: &Signals) -> bool {
        let Some(elapsed) = self.elapsed(signals) else { return false };
        elapsed >= self.budget.maximum || self.ends_at.is_some_and(|end| elapsed >= end)
    }

    /// The value fell below the window: time to look for something better.
    pub(super) fn failed_low(&mut self) {
        self.ends_at = None;
    }

    /// What the iteration just finished means for the next one.
    pub(super) fn after_iteration(
        &mut self,
        progress: &Progress,
        pace: &Pace,
        signals: &Signals,
    ) -> Verdict {
        let Some(elapsed) = self.elapsed(signals) else { return Verdict::Deepen };
        if self.fixed || self.budget.minimum >= self.budget.maximum {
            return Verdict::Deepen;
        }
        if progress.single {
            // There is nothing to choose; a look at the value is all.
            return if progress.depth >= FIRST_JUDGED { Verdict::Enough } else { Verdict::Deepen };
        }
        if progress.depth < FIRST_JUDGED || self.ends_at.is_some() {
            return Verdict::Deepen;
        }
        let enough = self.budget.optimum.mul_f64(appetite(progress, pace));
        if elapsed < enough {
            let half = enough.mul_f64(REPEAT_FROM);
            return if elapsed > half { Verdict::Repeat } else { Verdict::Deepen };
        }
        let end = self.rounded(elapsed.max(self.budget.minimum));
        self.ends_at = Some(end);
        if elapsed >= end { Verdict::Enough } else { Verdict::Deepen }
    }

    /// Free time of the second that has begun is used where servers count whole seconds.
    fn rounded(&self, time: Duration) -> Duration {
        if !self.budget.rest_is_free {
            return time;
        }
        full_second(time, self.options.network_delay).min(self.budget.maximum)
    }
}

/// How much time a steady best move saves: 0.72 (none) to 1.44.
fn thrift(progress: &Progress) -> f64 {
    let steady = f64::from(progress.depth - progress.last_change) - 11.57;
    0.723 + 0.79 / (1.104 + (-0.518_9 * steady).exp())
}

/// Share of the optimum that the search's progress asks for: more when the value falls, when the
/// best move changes or when the move before was made quickly; less when the best move has been
/// steady for long or has had nearly all nodes. Stockfish's formula and figures.
fn appetite(progress: &Progress, pace: &Pace) -> f64 {
    let value = progress.values[0].unwrap_or(0);
    // A game's first move knows nothing of those before: it gets the most.
    let drop = |before: Option<Value>| f64::from(before.map_or(100, |before| before - value));
    let falling =
        (0.113 + 0.021_15 * drop(pace.value) + 0.009_87 * drop(progress.values[4].or(pace.value)))
            .clamp(0.568_8, 1.569_8);
    let catching_up = (1.455 + pace.thrift) / (2.237_5 * thrift(progress));
    let unstable = 1.04 + 1.895_6 * progress.changes;
    let settled = if progress.depth >= 10 && progress.share >= 0.924 { 0.666 } else { 1.0 };
    falling * catching_up * unstable * settled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(depth: i32, last_change: i32, value: Value) -> Progress {
        Progress { depth, last_change, values: [Some(value); 5], ..Progress::default() }
    }

    #[test]
    fn the_search_takes_more_in_trouble_and_less_when_steady() {
        let pace = Pace { value: Some(50), thrift: 0.85 };
        let calm = appetite(&progress(12, 6, 50), &pace);
        assert!(appetite(&progress(12, 6, 0), &pace) > calm, "a falling value");
        assert!(appetite(&Progress { changes: 1.0, ..progress(12, 6, 50) }, &pace) > calm);
        assert!(appetite(&progress(25, 2, 50), &pace) < appetite(&progress(25, 20, 50), &pace));
        assert!(appetite(&Progress { share: 0.95, ..progress(12, 6, 50) }, &pace) < calm);
        assert!(appetite(&progress(12, 6, 50), &Pace::new()) > calm, "a game's first move");
        // What a steady move saved may be spent on the next one.
        let steady = Pace::after(Some(50), &progress(30, 2, 50));
        assert!(appetite(&progress(12, 6, 50), &steady) > calm);
    }
}
