//! The time budget of one move of a game.
//!
//! As in other engines it is an even share of the time left and of the increments to come. The
//! constants (moves to plan for, at most five shares and 30 % of everything) are `YaneuraOu`'s.

use crate::limits::{Clock, SearchOptions, TimeOptions};
use monomi_movegen::square::Dense;
use shogi_core::Color;
use std::time::Duration;

/// Times since the start of the search (or since `ponderhit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The search does not stop before this.
    pub minimum: Duration,
    /// The search stops around this, depending on how it goes.
    pub optimum: Duration,
    /// The search stops at this at the latest.
    pub maximum: Duration,
    /// Whether the clock rounds up to full seconds, so that the rest of a second costs nothing.
    pub rest_is_free: bool,
}

/// Milliseconds of main time to keep in reserve.
const BUSY_RESERVE: f64 = 100.0;

/// Own moves to plan for at this ply. They decrease more slowly than the moves played, since a long
/// game may last even longer.
fn moves_to_come(ply: u16, sudden_death: bool, max_moves: u32) -> f64 {
    let ply = u32::from(ply);
    let plies = if sudden_death { 200 - ply.min(40) } else { 180 - ply.min(80) };
    let drawn_after = match max_moves {
        0 => u32::MAX,
        max => max.saturating_sub(ply) + 2,
    };
    f64::from((plies.min(drawn_after) / 2).max(1))
}

/// A time rounded up to a full second minus the network delay, for servers that count whole seconds.
pub fn full_second(time: Duration, delay: Duration) -> Duration {
    let seconds = (time + delay).as_secs_f64().ceil().max(1.0);
    Duration::from_secs_f64(seconds).saturating_sub(delay).max(time)
}

impl Budget {
    /// Exactly one fixed time.
    pub fn exactly(time: Duration) -> Self {
        Self { minimum: time, optimum: time, maximum: time, rest_is_free: false }
    }

    /// For one move of a game; `ply` is its number.
    pub fn for_move(
        clock: &Clock,
        side: Color,
        ply: u16,
        time_options: &TimeOptions,
        options: &SearchOptions,
    ) -> Self {
        let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
        let increment = ms(clock.increment[side.dense()]);
        let time = ms(clock.time[side.dense()]);
        let byoyomi = ms(clock.byoyomi);
        // Some clocks add the increment before the move, some after it. The latter never show less
        // than the increment.
        let main = if time < increment { increment } else { time };
        let delay = ms(time_options.network_delay);
        // The time until the flag falls, minus the delay, but at least half of it: the default
        // delay is meant for remote servers, and short byoyomi for local games.
        let all = main + byoyomi;
        let hard = (all - ms(time_options.network_delay2)).max(all / 2.0).max(1.0);
        let usual = (all - delay).max(1.0).min(hard);
        let shortest = (ms(time_options.minimum_thinking_time) - delay).max(0.0);
        if byoyomi > 0.0 && main < 1.2 * byoyomi {
            // Unused byoyomi is lost: use it all.
            return Self::exactly(Duration::from_secs_f64(hard / 1000.0));
        }
        // An even share of the time left and of the increments to come.
        let sudden_death = increment == 0.0 && byoyomi == 0.0;
        let moves = moves_to_come(ply, sudden_death, options.max_moves_to_draw);
        // The delay option is often far too high for blitz: it takes at most half of the time.
        let to_come = main + (increment + byoyomi) * moves;
        let to_spend = (to_come - delay * moves).max(to_come / 2.0);
        let slow = f64::from(time_options.slow_mover) / 100.0
            * (f64::from(options.params().time_share) / 100.0);
        let share = to_spend / moves * slow;
        // A reserve, in case the machine is busy.
        let spendable = (main - BUSY_RESERVE).max(0.3 * main).min(0.7 * main) + byoyomi;
        let mut most = Duration::from_secs_f64((5.0 * share).min(0.3 * to_spend) / 1000.0);
        let rest_is_free = time_options.round_up_to_full_second && clock.counts_whole_seconds(side);
        if rest_is_free {
            most = full_second(most, time_options.network_delay);
        }
        let maximum = ms(most).min(spendable).min(usual).max(1.0);
        let optimum = share.min(maximum);
        // In blitz with a millisecond clock the minimum would soon use up the time: lower it.
        let shortest = if rest_is_free { shortest } else { shortest.min(share / 2.0) };
        let minimum = shortest.min(maximum);
        let duration = |ms: f64| Duration::from_secs_f64(ms / 1000.0);
        Self {
            minimum: duration(minimum),
            optimum: duration(optimum.max(minimum)),
            maximum: duration(maximum),
            rest_is_free,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(delay: u64, minimum: u64) -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(delay),
            network_delay2: Duration::from_millis(delay),
            minimum_thinking_time: Duration::from_millis(minimum),
            ..TimeOptions::default()
        }
    }

    fn budget(clock: &Clock, ply: u16, time_options: &TimeOptions) -> Budget {
        Budget::for_move(clock, Color::Black, ply, time_options, &SearchOptions::default())
    }

    fn clock(time: u64, increment: u64, byoyomi: u64) -> Clock {
        Clock {
            time: [Duration::from_millis(time); 2],
            increment: [Duration::from_millis(increment); 2],
            byoyomi: Duration::from_millis(byoyomi),
        }
    }

    #[test]
    fn budgets_are_ordered_and_never_exceed_the_time_left() {
        for time in [0, 1, 10, 100, 1_000, 60_000, 3_600_000] {
            for (increment, byoyomi) in [(0, 0), (10, 0), (10_000, 0), (0, 100), (0, 10_000)] {
                for delay in [0, 120, 1_120] {
                    for minimum in [1, 2_000] {
                        for ply in [1, 24, 150, 900] {
                            let clock = clock(time, increment, byoyomi);
                            let budget = budget(&clock, ply, &options(delay, minimum));
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
    fn byoyomi_without_main_time_is_used_completely() {
        let budget = budget(&clock(0, 0, 10_000), 50, &options(120, 2_000));
        assert_eq!(budget, Budget::exactly(Duration::from_millis(9_880)));
    }

    #[test]
    fn half_the_byoyomi_is_used_when_the_delay_is_longer() {
        let of = |byoyomi| budget(&clock(0, 0, byoyomi), 50, &TimeOptions::default());
        let half = |byoyomi: u64| Budget::exactly(Duration::from_millis(byoyomi / 2));
        assert_eq!([of(100), of(1_000)], [half(100), half(1_000)]);
    }

    #[test]
    fn default_options_keep_enough_time_in_blitz() {
        // 60.000 seconds can come from a clock that counts whole seconds, 59.123 cannot.
        let of = |time, increment| budget(&clock(time, increment, 0), 24, &TimeOptions::default());
        assert!(of(60_000, 0).rest_is_free && of(60_000, 1_000).rest_is_free);
        assert!(!of(59_123, 0).rest_is_free && !of(5_000, 50).rest_is_free);
        // With whole seconds, a shorter time than MinimumThinkingTime would gain nothing.
        assert_eq!(of(60_000, 0).minimum, Duration::from_millis(1_880));
        assert_eq!(of(600_123, 0).minimum, Duration::from_millis(1_880));
        // An even share of 5 seconds and 78 increments is 114 ms; the delay takes half of that.
        let blitz = of(5_000, 50);
        assert!(blitz.minimum < blitz.optimum && blitz.maximum < Duration::from_millis(700));
        let mut left = 5_000.0;
        for ply in (24..64).step_by(2) {
            let budget = budget(&clock(left as u64, 50, 0), ply, &TimeOptions::default());
            left += 50.0 - budget.optimum.as_secs_f64() * 1000.0;
        }
        assert!(left > 2_500.0, "{left} ms");
    }

    #[test]
    fn the_flag_never_falls_in_a_long_game() {
        // Always using the maximum, plus 5 ms lost with each move.
        for (base, increment) in [(1_000, 10), (5_000, 50), (300_000, 10_000)] {
            let mut left = base as f64;
            for ply in (1..600).step_by(2) {
                let budget = budget(&clock(left as u64, increment, 0), ply, &options(10, 1));
                left -= budget.maximum.as_secs_f64() * 1000.0 + 5.0;
                assert!(left > 0.0, "flag at ply {ply} of {base}+{increment}");
                left += increment as f64;
            }
        }
    }

    /// Without main time (0 s + 2 s or + 5 s a move, as in some events) the first moves build a reserve of the network
    /// delay; then the increments are used, and the flag never falls.
    #[test]
    fn increments_without_main_time_are_used() {
        for increment in [1_000.0, 2_000.0, 5_000.0_f64] {
            let (mut left, mut used): (f64, Vec<f64>) = (0.0, Vec::new());
            for ply in (1..80).step_by(2) {
                let clock = clock(left as u64, increment as u64, 0);
                let budget = budget(&clock, ply, &TimeOptions::default());
                let [optimum, maximum] =
                    [budget.optimum, budget.maximum].map(|time| time.as_secs_f64() * 1000.0);
                assert!(maximum <= left.max(increment), "{budget:?} with {left} ms left");
                used.push(optimum);
                left += increment - optimum;
            }
            let late = used[10..].iter().sum::<f64>() / (used.len() - 10) as f64;
            assert!(late > 0.9 * increment, "{late} of {increment} ms: {used:?}");
            assert!(left < 6.0 * increment, "{left} ms left: {used:?}");
        }
    }

    #[test]
    fn the_clock_lasts_into_the_late_game() {
        // Always using the optimum, with increment: a sixth of the time is left at ply 100.
        let (base, increment) = (5_000.0, 50.0);
        let mut left = base;
        for ply in (24..100).step_by(2) {
            let clock = clock(left as u64, increment as u64, 0);
            let budget = budget(&clock, ply, &options(0, 1));
            left += increment - budget.optimum.as_secs_f64() * 1000.0;
        }
        assert!(left > base / 6.0, "{left} ms");
    }
}
