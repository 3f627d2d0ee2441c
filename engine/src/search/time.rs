//! How long to think about a move.
//!
//! The clock gives three times: before the minimum nothing ends the search, around the optimum it
//! ends as the search's progress allows, at the maximum it ends at once.

use crate::search::root::Progress;
use crate::search::{Clock, Limits, SearchOptions, Signals};
use monomi_movegen::square::Dense;
use shogi_core::Color;
use std::time::{Duration, Instant};

/// Times from the start of the search (or from `ponderhit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Not before this.
    pub minimum: Duration,
    /// Around this.
    pub optimum: Duration,
    /// Not after this.
    pub maximum: Duration,
}

/// Milliseconds of main time that no move touches, where there are as many.
const BUSY_RESERVE: f64 = 100.0;
/// No search lasts longer.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 86_400);
/// Iterations before their progress says anything.
const FIRST_JUDGED: i32 = 4;

impl Budget {
    /// All of one fixed time.
    fn exactly(time: Duration) -> Self {
        Self { minimum: time, optimum: time, maximum: time }
    }

    /// For one move of a game. `ply` is the number of the move to come.
    pub fn for_move(clock: &Clock, side: Color, ply: u16, options: &SearchOptions) -> Self {
        let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
        let increment = ms(clock.increment[side.dense()]);
        let time = ms(clock.time[side.dense()]);
        let byoyomi = ms(clock.byoyomi);
        // Some clocks add the increment before the move, some after it. With the latter the time
        // is never less than the increment.
        let main = if time < increment { increment } else { time };
        let delay = ms(options.network_delay);
        // What is left before the flag falls; a quarter of it even if delays eat all.
        let all = main + byoyomi;
        let hard = (all - ms(options.network_delay2)).max(all / 4.0).max(1.0);
        let usual = (all - delay).max(1.0).min(hard);
        let shortest = (ms(options.minimum_thinking_time) - delay).max(0.0);
        if byoyomi > 0.0 && main < 1.2 * byoyomi {
            // Time not used is lost: use it all.
            return Self::exactly(Duration::from_secs_f64(hard / 1000.0));
        }
        // A share that grows as the game goes on, of what is there and of what will come.
        let scale = 0.024 + 0.000_4 * f64::from(ply.min(70));
        let coming = 35.0 * increment;
        let slow = f64::from(options.slow_mover) / 100.0;
        let optimum = ((main - delay).max(0.0) + coming) * scale * slow + 0.7 * byoyomi;
        // Something stays on the clock for a busy machine to lose.
        let spendable = (main - BUSY_RESERVE).max(0.3 * main).min(0.7 * main) + byoyomi;
        let maximum = (5.0 * optimum).min(spendable).min(usual).max(1.0);
        let optimum = optimum.min(maximum);
        let minimum = shortest.min(maximum);
        let duration = |ms: f64| Duration::from_secs_f64(ms / 1000.0);
        Self {
            minimum: duration(minimum),
            optimum: duration(optimum.max(minimum)),
            maximum: duration(maximum),
        }
    }
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
    /// The value fell out of the window below: time to look for something better.
    failed_low: bool,
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
            failed_low: false,
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

    /// The value fell below the window.
    pub(super) fn failed_low(&mut self) {
        self.failed_low = true;
        self.ends_at = None;
    }

    /// Whether the iteration just finished was the last one needed.
    pub(super) fn after_iteration(
        &mut self,
        depth: i32,
        value: i32,
        share: f64,
        single: bool,
        progress: &Progress,
        signals: &Signals,
    ) -> bool {
        let failed_low = std::mem::take(&mut self.failed_low);
        let Some(elapsed) = self.elapsed(signals) else { return false };
        if self.fixed || self.budget.minimum >= self.budget.maximum {
            return false;
        }
        if single {
            // There is nothing to choose; a look at the value is all.
            return depth >= FIRST_JUDGED;
        }
        if depth < FIRST_JUDGED || self.ends_at.is_some() {
            return false;
        }
        let enough =
            self.budget.optimum.as_secs_f64() * appetite(depth, value, failed_low, progress);
        let settled = share > 0.95 && depth >= 10;
        let enough = if settled { 0.75 * enough } else { enough };
        if elapsed.as_secs_f64() < enough {
            return false;
        }
        let end = self.rounded(elapsed.max(self.budget.minimum));
        self.ends_at = Some(end);
        elapsed >= end
    }

    /// The end of the second that has begun, less the way to the GUI: free where servers count
    /// whole seconds.
    fn rounded(&self, time: Duration) -> Duration {
        if !self.options.round_up_to_full_second {
            return time;
        }
        let delay = self.options.network_delay;
        let seconds = (time + delay).as_secs_f64().ceil().max(1.0);
        Duration::from_secs_f64(seconds).saturating_sub(delay).max(time).min(self.budget.maximum)
    }
}

/// Share of the optimum that the search's progress asks for: more when the value falls or the best
/// move changes, less when both have been steady for long.
fn appetite(depth: i32, value: i32, failed_low: bool, progress: &Progress) -> f64 {
    let drop = |before: Option<i32>| before.map_or(0, |before| before - value);
    let falling = 0.95
        + 0.004 * f64::from(drop(progress.values[1]))
        + 0.003 * f64::from(drop(progress.values[3]))
        + if failed_low { 0.25 } else { 0.0 };
    let steady = if depth - progress.last_change > 7 { 0.65 } else { 1.05 };
    falling.clamp(0.6, 1.7) * steady * (1.0 + 0.9 * progress.changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(delay: u64, minimum: u64) -> SearchOptions {
        SearchOptions {
            network_delay: Duration::from_millis(delay),
            network_delay2: Duration::from_millis(delay),
            minimum_thinking_time: Duration::from_millis(minimum),
            ..SearchOptions::default()
        }
    }

    fn clock(time: u64, increment: u64, byoyomi: u64) -> Clock {
        Clock {
            time: [Duration::from_millis(time); 2],
            increment: [Duration::from_millis(increment); 2],
            byoyomi: Duration::from_millis(byoyomi),
        }
    }

    #[test]
    fn budgets_are_ordered_and_never_exceed_what_is_left() {
        for time in [0, 1, 10, 100, 1_000, 60_000, 3_600_000] {
            for (increment, byoyomi) in [(0, 0), (10, 0), (10_000, 0), (0, 100), (0, 10_000)] {
                for delay in [0, 120, 1_120] {
                    for minimum in [1, 2_000] {
                        for ply in [1, 24, 150, 900] {
                            let clock = clock(time, increment, byoyomi);
                            let budget = Budget::for_move(
                                &clock,
                                Color::White,
                                ply,
                                &options(delay, minimum),
                            );
                            assert!(budget.minimum <= budget.optimum, "{budget:?}");
                            assert!(budget.optimum <= budget.maximum, "{budget:?}");
                            let main = time.max(if time < increment { increment } else { 0 });
                            let left = Duration::from_millis((main + byoyomi).max(1));
                            assert!(budget.maximum <= left, "{budget:?} of {left:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn byoyomi_alone_is_used_up() {
        let budget = Budget::for_move(&clock(0, 0, 10_000), Color::Black, 50, &options(120, 2_000));
        assert_eq!(budget, Budget::exactly(Duration::from_millis(9_880)));
    }

    #[test]
    fn a_whole_game_never_runs_out() {
        // Always spending the maximum, with 5 ms lost on the way each time.
        for (base, increment) in [(1_000, 10), (5_000, 50), (300_000, 10_000)] {
            let mut left = base as f64;
            for ply in (1..600).step_by(2) {
                let budget = Budget::for_move(
                    &clock(left as u64, increment, 0),
                    Color::Black,
                    ply,
                    &options(10, 1),
                );
                left -= budget.maximum.as_secs_f64() * 1000.0 + 5.0;
                assert!(left > 0.0, "flag at ply {ply} of {base}+{increment}");
                left += increment as f64;
            }
        }
    }
}
