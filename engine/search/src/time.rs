//! Time management: when to stop thinking about a move.
//!
//! The clock gives three times. Before the minimum the search does not stop; around the optimum it
//! stops depending on how it went; at the maximum it stops at once.

use crate::budget::{Budget, full_second};
use crate::limits::{Limits, SearchOptions, TimeOptions};
use crate::params::Params;
use crate::signals::Signals;
use monomi_eval::score::Value;
use monomi_support::host::Instant;
use shogi_core::Color;
use std::time::Duration;

/// Longer than any search.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// The first iteration after which the search may stop.
const FIRST_STOP: i32 = 4;

/// How the best move of the first line behaved over the iterations.
#[derive(Clone, Copy, Debug, Default)]
pub struct IterationStats {
    /// The iteration just completed.
    pub depth: i32,
    /// Whether there is only one legal move.
    pub single: bool,
    /// The best move's share of all nodes.
    pub share: f64,
    /// Iteration in which the best move last changed.
    pub last_change: i32,
    /// Changes of the best move; halved with each iteration.
    pub changes: f64,
    /// Values of the last iterations, newest first.
    pub values: [Option<Value>; 5],
    /// Iterations that repeated a depth because time was short.
    pub repeats: i32,
}

/// Figures of the previous move's search that time management uses.
#[derive(Clone, Copy, Debug)]
pub struct PreviousMove {
    /// Mean value of the move played, for the side that played it.
    value: Option<Value>,
    /// [`stability`] of its best move.
    stability: f64,
}

impl PreviousMove {
    /// After a search on a clock.
    pub fn new(value: Option<Value>, stats: &IterationStats, params: &Params) -> Self {
        Self { value, stability: stability(stats, params) }
    }
}

impl Default for PreviousMove {
    /// Before the first move of a game.
    fn default() -> Self {
        Self { value: None, stability: 0.85 }
    }
}

/// What to do after an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Search deeper.
    Deepen,
    /// Search about the same depth again: a deeper search would probably not be completed.
    Repeat,
    /// Stop and play.
    Stop,
}

/// Decides when a search on a clock stops.
#[derive(Clone, Debug)]
pub struct TimeManager {
    /// When the clock started: with `go`, or with `ponderhit`.
    start: Instant,
    /// When the search started, to ponder or not.
    searching_since: Instant,
    budget: Budget,
    pondering: bool,
    side: Color,
    ply: u16,
    time_options: TimeOptions,
    options: SearchOptions,
    fixed: bool,
    /// When to stop, once that is decided: at a full second, or at the minimum.
    ends_at: Option<Duration>,
    /// The longest optimum time for which the search has been long enough while pondering. Whether
    /// to stop is decided as on the clock, remembered, and done when the predicted move is played.
    pondered_enough_for: Duration,
}

impl TimeManager {
    /// For limits with a clock; `None` for the others, which never check the time.
    pub fn new(limits: &Limits, side: Color, ply: u16, options: &SearchOptions) -> Option<Self> {
        let budget = match (limits.movetime, limits.clock) {
            (Some(time), _) => Budget::exactly(time),
            (None, Some(clock)) => Budget::for_move(&clock, side, ply, &limits.time, options),
            // The clock may come with `ponderhit`.
            (None, None) if limits.ponder => Budget::exactly(FOREVER),
            (None, None) => return None,
        };
        Some(Self {
            start: limits.start,
            searching_since: limits.start,
            budget,
            pondering: limits.ponder,
            side,
            ply,
            time_options: limits.time,
            options: options.clone(),
            fixed: limits.movetime.is_some(),
            ends_at: None,
            pondered_enough_for: Duration::ZERO,
        })
    }

    fn elapsed(&mut self, signals: &Signals) -> Option<Duration> {
        if self.pondering {
            if !signals.ponder_hit() {
                return None;
            }
            self.pondering = false;
            if let Some(hit) = signals.ponder_hit_details() {
                self.start = hit.at;
                if let Some(clock) = hit.clock {
                    let Self { side, ply, time_options, options, .. } = self;
                    self.budget = Budget::for_move(&clock, *side, *ply, time_options, options);
                    self.fixed = false;
                }
            }
            let decides = !self.fixed && self.budget.minimum < self.budget.maximum;
            let enough = decides && self.pondered_enough_for >= self.budget.optimum;
            self.ends_at = enough.then(|| self.rounded(self.budget.minimum));
        }
        Some(self.start.elapsed())
    }

    /// Whether the predicted move has not been played yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering
    }

    /// Whether the time is up. Never while pondering.
    pub fn must_stop(&mut self, signals: &Signals) -> bool {
        let Some(elapsed) = self.elapsed(signals) else { return false };
        elapsed >= self.budget.maximum || self.ends_at.is_some_and(|end| elapsed >= end)
    }

    /// The time until [`TimeManager::must_stop`] at the latest; `None` while pondering.
    pub fn rest(&mut self, signals: &Signals) -> Option<Duration> {
        let elapsed = self.elapsed(signals)?;
        Some(self.budget.maximum.saturating_sub(elapsed))
    }

    /// The aspiration window failed low: keep searching for something better.
    pub fn failed_low(&mut self) {
        self.ends_at = None;
        self.pondered_enough_for = Duration::ZERO;
    }

    /// What to do after an iteration.
    pub fn after_iteration(
        &mut self,
        stats: &IterationStats,
        previous: &PreviousMove,
        signals: &Signals,
    ) -> NextStep {
        let searched = self.searching_since.elapsed();
        let Some(elapsed) = self.elapsed(signals) else {
            self.judge_pondering(stats, previous, searched);
            return NextStep::Deepen;
        };
        if self.fixed || self.budget.minimum >= self.budget.maximum {
            return NextStep::Deepen;
        }
        if stats.single {
            // A single legal move: a few iterations give its score.
            return if stats.depth >= FIRST_STOP { NextStep::Stop } else { NextStep::Deepen };
        }
        if stats.depth < FIRST_STOP || self.ends_at.is_some() {
            return NextStep::Deepen;
        }
        let target =
            self.budget.optimum.mul_f64(time_factor(stats, previous, self.options.params()));
        if searched < target {
            let half = target.mul_f64(thousandths(self.options.params().time_repeat));
            return if searched > half { NextStep::Repeat } else { NextStep::Deepen };
        }
        let end = self.rounded(elapsed.max(self.budget.minimum));
        self.ends_at = Some(end);
        if elapsed >= end { NextStep::Stop } else { NextStep::Deepen }
    }

    /// After an iteration while pondering: remembers for which optimum time the search would stop
    /// here on the clock, which may come with `ponderhit` only.
    fn judge_pondering(
        &mut self,
        stats: &IterationStats,
        previous: &PreviousMove,
        searched: Duration,
    ) {
        if stats.depth < FIRST_STOP {
            return;
        }
        let enough_for = if stats.single {
            FOREVER
        } else {
            searched.div_f64(time_factor(stats, previous, self.options.params()))
        };
        self.pondered_enough_for = self.pondered_enough_for.max(enough_for);
    }

    /// Rounded up to a full second where the server's clock does that anyway.
    fn rounded(&self, time: Duration) -> Duration {
        if !self.budget.rest_is_free {
            return time;
        }
        full_second(time, self.time_options.network_delay).min(self.budget.maximum)
    }
}

/// A parameter given in 1/1000.
fn thousandths(param: i32) -> f64 {
    f64::from(param) / 1000.0
}

/// How stable the best move has been: 0.72 (just changed) to 1.44 (unchanged for long).
fn stability(stats: &IterationStats, params: &Params) -> f64 {
    let center = f64::from(params.time_center) / 100.0;
    let unchanged = f64::from(stats.depth - stats.last_change) - center;
    0.723 + thousandths(params.time_stability) / (1.104 + (-0.518_9 * unchanged).exp())
}

/// The factor of the optimum time after which to stop: larger when the value falls, when the best
/// move changes or when the previous move was played quickly; smaller when the best move has been
/// stable for long or has had nearly all nodes. Stockfish's formula; some constants are tuned.
fn time_factor(stats: &IterationStats, previous: &PreviousMove, params: &Params) -> f64 {
    let value = stats.values[0].unwrap_or(0);
    // The first move of a game has no previous value and gets the most time.
    let drop = |before: Option<Value>| f64::from(before.map_or(100, |before| before - value));
    let falling = (0.113
        + thousandths(params.time_fall_previous) / 100.0 * drop(previous.value)
        + thousandths(params.time_fall_recent) / 100.0 * drop(stats.values[4].or(previous.value)))
    .clamp(thousandths(params.time_fall_min), thousandths(params.time_fall_max));
    let catching_up = (1.455 + previous.stability) / (2.237_5 * stability(stats, params));
    let unstable = 1.04 + thousandths(params.time_changes) * stats.changes;
    let settled = if stats.depth >= 10 && stats.share >= thousandths(params.time_settled_share) {
        thousandths(params.time_settled)
    } else {
        1.0
    };
    falling * catching_up * unstable * settled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;

    fn factor(stats: &IterationStats, previous: &PreviousMove) -> f64 {
        time_factor(stats, previous, &Params::DEFAULT)
    }

    fn stats(depth: i32, last_change: i32, value: Value) -> IterationStats {
        IterationStats { depth, last_change, values: [Some(value); 5], ..IterationStats::default() }
    }

    /// A manager that has pondered for so many seconds, with 30 s and 0.5 s for each move and no
    /// delays, and the signals of its search.
    fn pondering(seconds: u64, minimum: u64) -> (TimeManager, Signals) {
        let now = Instant::now();
        let clock = Clock {
            time: [Duration::from_millis(30_123); 2],
            increment: [Duration::from_millis(500); 2],
            byoyomi: Duration::ZERO,
        };
        let time = TimeOptions {
            network_delay: Duration::ZERO,
            network_delay2: Duration::ZERO,
            minimum_thinking_time: Duration::from_millis(minimum),
            ..TimeOptions::default()
        };
        let start = now.checked_sub(Duration::from_secs(seconds)).expect("an instant");
        let limits = Limits { start, clock: Some(clock), ponder: true, time, ..Limits::new() };
        let manager = TimeManager::new(&limits, Color::Black, 24, &SearchOptions::default())
            .expect("a clock");
        (manager, Signals::default())
    }

    #[test]
    fn a_stop_decided_while_pondering_is_obeyed_at_ponderhit() {
        let previous = PreviousMove { value: Some(50), stability: 0.85 };
        let calm = stats(12, 6, 50);
        let after = |seconds: u64, minimum: u64, clock: Option<Clock>| {
            let (mut manager, signals) = pondering(seconds, minimum);
            let next = manager.after_iteration(&calm, &previous, &signals);
            assert_eq!(next, NextStep::Deepen);
            assert!(!manager.must_stop(&signals), "not before ponderhit");
            signals.ponderhit(Instant::now(), clock);
            (manager, signals)
        };
        let (mut manager, signals) = after(10, 0, None);
        assert!(manager.must_stop(&signals));
        // Not before the minimum.
        let (mut manager, signals) = after(10, 60_000, None);
        assert!(!manager.must_stop(&signals));
        assert_eq!(manager.ends_at, Some(manager.budget.minimum));
        // Not if the search has been too short, but that time counts.
        let (mut manager, signals) = after(0, 0, None);
        assert!(!manager.must_stop(&signals) && manager.ends_at.is_none());
        manager.searching_since -= Duration::from_secs(4);
        assert_eq!(manager.after_iteration(&calm, &previous, &signals), NextStep::Stop);
        // A clock that comes with `ponderhit` decides: with an hour left 10 seconds are not enough.
        let hour = Clock { time: [Duration::from_millis(3_600_123); 2], ..Clock::default() };
        let (mut manager, signals) = after(10, 0, Some(hour));
        assert!(!manager.must_stop(&signals) && manager.ends_at.is_none());
    }

    #[test]
    fn a_fail_low_while_pondering_takes_the_decision_back() {
        let (mut manager, signals) = pondering(10, 0);
        let previous = PreviousMove { value: Some(50), stability: 0.85 };
        manager.after_iteration(&stats(12, 6, 50), &previous, &signals);
        manager.failed_low();
        signals.ponderhit(Instant::now(), None);
        assert!(!manager.must_stop(&signals));
        // A single move needs no time.
        let (mut manager, signals) = pondering(0, 0);
        let single = IterationStats { single: true, ..stats(5, 1, 50) };
        manager.after_iteration(&single, &previous, &signals);
        signals.ponderhit(Instant::now(), None);
        assert!(manager.must_stop(&signals));
    }

    #[test]
    fn time_grows_when_values_fall_and_shrinks_when_the_best_move_is_stable() {
        let previous = PreviousMove { value: Some(50), stability: 0.85 };
        let calm = factor(&stats(12, 6, 50), &previous);
        assert!(factor(&stats(12, 6, 0), &previous) > calm, "falling value");
        assert!(factor(&IterationStats { changes: 1.0, ..stats(12, 6, 50) }, &previous) > calm);
        assert!(factor(&stats(25, 2, 50), &previous) < factor(&stats(25, 20, 50), &previous));
        assert!(factor(&IterationStats { share: 0.95, ..stats(12, 6, 50) }, &previous) < calm);
        assert!(factor(&stats(12, 6, 50), &PreviousMove::default()) > calm, "first move of a game");
        // Time saved on a stable move may be spent on the next one.
        let steady = PreviousMove::new(Some(50), &stats(30, 2, 50), &Params::DEFAULT);
        assert!(factor(&stats(12, 6, 50), &steady) > calm);
    }
}
