//! The share of the clock that one move of a game may have.
//!
//! An even share of what is on the clock and of what will be added is the field's way; the figures
//! (moves to plan for, the cap at five shares and at three tenths of everything) are `YaneuraOu`'s.

use crate::search::{Clock, SearchOptions};
use monomi_movegen::square::Dense;
use shogi_core::Color;
use std::time::Duration;

/// Times from the start of the search (or from `ponderhit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Not before this.
    pub minimum: Duration,
    /// Around this.
    pub optimum: Duration,
    /// Not after this.
    pub maximum: Duration,
    /// Whether the rest of a second that has begun costs nothing.
    pub rest_is_free: bool,
}

/// Milliseconds of main time that no move touches, where there are as many.
const BUSY_RESERVE: f64 = 100.0;

/// Moves of one's own to plan for at this ply. They get fewer, but not as fast as they are played:
/// a game that has lasted long may last longer.
fn moves_to_come(ply: u16, sudden_death: bool, max_moves: u32) -> f64 {
    let ply = u32::from(ply);
    let plies = if sudden_death { 200 - ply.min(40) } else { 180 - ply.min(80) };
    let drawn_after = match max_moves {
        0 => u32::MAX,
        max => max.saturating_sub(ply) + 2,
    };
    f64::from((plies.min(drawn_after) / 2).max(1))
}

/// The end of the second that has begun at a time, less the way to the GUI: where servers count
/// whole seconds, this much is free.
pub(super) fn full_second(time: Duration, delay: Duration) -> Duration {
    let seconds = (time + delay).as_secs_f64().ceil().max(1.0);
    Duration::from_secs_f64(seconds).saturating_sub(delay).max(time)
}

impl Budget {
    /// All of one fixed time.
    pub(super) fn exactly(time: Duration) -> Self {
        Self { minimum: time, optimum: time, maximum: time, rest_is_free: false }
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
        // What is left before the flag falls; half of it even if delays eat all: the default ones
        // are for servers far away, and short byoyomi are played at home.
        let all = main + byoyomi;
        let hard = (all - ms(options.network_delay2)).max(all / 2.0).max(1.0);
        let usual = (all - delay).max(1.0).min(hard);
        let shortest = (ms(options.minimum_thinking_time) - delay).max(0.0);
        if byoyomi > 0.0 && main < 1.2 * byoyomi {
            // Time not used is lost: use it all.
            return Self::exactly(Duration::from_secs_f64(hard / 1000.0));
        }
        // An even share of what is there and of what will come.
        let sudden_death = increment == 0.0 && byoyomi == 0.0;
        let moves = moves_to_come(ply, sudden_death, options.max_moves_to_draw);
        // The delay is a guess, and in blitz often far too high: it takes half of that at most.
        let to_come = main + (increment + byoyomi) * moves;
        let to_spend = (to_come - delay * moves).max(to_come / 2.0);
        let slow = f64::from(options.slow_mover) / 100.0;
        let share = to_spend / moves * slow;
        // Something stays on the clock for a busy machine to lose.
        let spendable = (main - BUSY_RESERVE).max(0.3 * main).min(0.7 * main) + byoyomi;
        let mut most = Duration::from_secs_f64((5.0 * share).min(0.3 * to_spend) / 1000.0);
        let rest_is_free = options.round_up_to_full_second && clock.counts_whole_seconds(side);
        if rest_is_free {
            most = full_second(most, options.network_delay);
        }
        let maximum = ms(most).min(spendable).min(usual).max(1.0);
        let optimum = share.min(maximum);
        // Where milliseconds count the minimum gives way in blitz: it would use the clock up soon.
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
    fn delays_longer_than_the_byoyomi_leave_half_of_it() {
        let of = |byoyomi| {
            let clock = clock(0, 0, byoyomi);
            Budget::for_move(&clock, Color::Black, 50, &SearchOptions::default())
        };
        let half = |byoyomi: u64| Budget::exactly(Duration::from_millis(byoyomi / 2));
        assert_eq!([of(100), of(1_000)], [half(100), half(1_000)]);
    }

    #[test]
    fn the_default_options_leave_a_blitz_game_its_time() {
        // The rest of a second is free at 60 seconds sharp, and no more when milliseconds show.
        let of = |time, increment| {
            let clock = clock(time, increment, 0);
            Budget::for_move(&clock, Color::Black, 24, &SearchOptions::default())
        };
        assert!(of(60_000, 0).rest_is_free && of(60_000, 1_000).rest_is_free);
        assert!(!of(59_123, 0).rest_is_free && !of(5_000, 50).rest_is_free);
        // Seconds count: less than what the option asks for would gain nothing.
        assert_eq!(of(60_000, 0).minimum, Duration::from_millis(1_880));
        assert_eq!(of(600_123, 0).minimum, Duration::from_millis(1_880));
        // An even share of 5 seconds and 78 increments is 114 ms; the delay takes half of it.
        let blitz = of(5_000, 50);
        assert!(blitz.minimum < blitz.optimum && blitz.maximum < Duration::from_millis(700));
        let mut left = 5_000.0;
        for ply in (24..64).step_by(2) {
            let clock = clock(left as u64, 50, 0);
            let budget = Budget::for_move(&clock, Color::Black, ply, &SearchOptions::default());
            left += 50.0 - budget.optimum.as_secs_f64() * 1000.0;
        }
        assert!(left > 2_500.0, "{left} ms");
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

    #[test]
    fn the_clock_lasts_into_the_late_game() {
        // Always spending the optimum: at ply 100 of an increment game a sixth is left.
        let (base, increment) = (5_000.0, 50.0);
        let mut left = base;
        for ply in (24..100).step_by(2) {
            let clock = clock(left as u64, increment as u64, 0);
            let budget = Budget::for_move(&clock, Color::Black, ply, &options(0, 1));
            left += increment - budget.optimum.as_secs_f64() * 1000.0;
        }
        assert!(left > base / 6.0, "{left} ms");
    }
}
