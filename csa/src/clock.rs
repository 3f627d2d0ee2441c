//! The clocks of a game, as far as the server's times determine them.

use crate::summary::TimeRules;
use crate::units::Units;
use monomi_movegen::square::Dense;
use monomi_search::Clock;
use shogi_core::Color;
use std::time::Duration;

/// Both sides' clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    rules: [TimeRules; 2],
    left: [Duration; 2],
}

impl Clocks {
    /// Clocks at the start of the game.
    pub fn new(rules: [TimeRules; 2]) -> Self {
        Self { rules, left: rules.map(|rules| rules.total) }
    }

    /// The time control of one side.
    pub fn rules(&self, color: Color) -> TimeRules {
        self.rules[color.dense()]
    }

    /// Remaining main time of one side.
    ///
    /// Some servers add the increment before a move, others after it. It is added after the move
    /// here, so the real time is never shorter.
    pub fn left(&self, color: Color) -> Duration {
        self.left[color.dense()]
    }

    /// Sets both sides' main time.
    pub fn set_left(&mut self, left: [Duration; 2]) {
        self.left = left;
    }

    /// Converts a time that the server sent into a duration.
    pub fn time(&self, color: Color, units: Units) -> Duration {
        let unit = self.rules(color).unit;
        let unit = if units.is_decimal { unit.max(Duration::from_secs(1)) } else { unit };
        let ms = u128::from(units.thousandths) * unit.as_millis() / 1000;
        Duration::from_millis(u64::try_from(ms).unwrap_or(u64::MAX))
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, color: Color, time: Duration) {
        let rules = self.rules(color);
        let time = time.max(rules.least);
        let left = &mut self.left[color.dense()];
        *left = (*left + rules.increment).saturating_sub(time);
    }

    /// Longest time that a side may use for its next move; `None` without clocks.
    pub fn longest_move(&self, color: Color) -> Option<Duration> {
        let rules = self.rules(color);
        rules.is_timed().then(|| self.left(color) + rules.byoyomi + rules.increment)
    }

    /// The clocks for the engine that plays `us`, whose byoyomi is used; `None` without a clock.
    pub fn for_engine(&self, us: Color) -> Option<Clock> {
        let rules = self.rules(us);
        let increment = self.rules.map(|rules| rules.increment);
        let clock = Clock { time: self.left, increment, byoyomi: rules.byoyomi };
        rules.is_timed().then_some(clock)
    }
}

/// Formats a duration: `1:02:03` or `2:03`.
pub fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn byoyomi_does_not_add_up() {
        let rules = TimeRules { total: seconds(10), byoyomi: seconds(5), ..TimeRules::default() };
        let mut clocks = Clocks::new([rules; 2]);
        clocks.spend(Color::Black, seconds(8));
        clocks.spend(Color::Black, seconds(6));
        assert_eq!(clocks.left(Color::Black), Duration::ZERO);
        assert_eq!(clocks.left(Color::White), seconds(10));
        assert_eq!(clocks.longest_move(Color::Black), Some(seconds(5)));
        let clock = clocks.for_engine(Color::Black).unwrap();
        assert_eq!(clock.time, [Duration::ZERO, seconds(10)]);
        assert_eq!((clock.increment, clock.byoyomi), ([Duration::ZERO; 2], seconds(5)));
    }

    #[test]
    fn increments_add_up() {
        let unit = Duration::from_millis(1);
        let increment = Duration::from_millis(100);
        let rules = TimeRules { unit, total: seconds(10), increment, ..TimeRules::default() };
        let mut clocks = Clocks::new([rules; 2]);
        clocks.spend(Color::White, clocks.time(Color::White, Units::whole(60)));
        assert_eq!(clocks.left(Color::White).as_millis(), 10_040);
        let clock = clocks.for_engine(Color::Black).unwrap();
        assert_eq!(clock.time, [10_000, 10_040].map(Duration::from_millis));
        assert_eq!((clock.increment, clock.byoyomi), ([increment; 2], Duration::ZERO));
    }

    #[test]
    fn times_may_have_decimals() {
        let clocks = |unit| {
            let unit = Duration::from_millis(unit);
            Clocks::new([TimeRules { unit, total: seconds(10), ..TimeRules::default() }; 2])
        };
        let ms = |unit, text| {
            Units::parse(text).map(|units| clocks(unit).time(Color::Black, units).as_millis())
        };
        for (text, expected) in [
            ("12", Some(12_000)),
            ("3.500", Some(3_500)),
            ("3.5", Some(3_500)),
            ("3.0629", Some(3_062)),
            ("1.", Some(1_000)),
            ("0", Some(0)),
            ("", None),
            (".5", None),
            ("x", None),
            ("-1", None),
            ("1.2.3", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(ms(1000, text), expected, "{text}");
        }
        // Nobody means parts of a millisecond.
        assert_eq!((ms(1, "1500"), ms(1, "1.500")), (Some(1_500), Some(1_500)));
        assert_eq!(ms(100, "15"), Some(1_500));
        assert_eq!(ms(60_000, "1.5"), Some(90_000));
    }

    #[test]
    fn a_move_uses_at_least_the_minimum_time() {
        let rules = TimeRules { total: seconds(9), least: seconds(1), ..TimeRules::default() };
        let mut clocks = Clocks::new([rules; 2]);
        clocks.spend(Color::Black, Duration::ZERO);
        assert_eq!(clocks.left(Color::Black), seconds(8));
    }

    #[test]
    fn games_without_time_have_no_clock() {
        let clocks = Clocks::new([TimeRules::default(); 2]);
        assert_eq!(
            (clocks.for_engine(Color::Black), clocks.longest_move(Color::White)),
            (None, None)
        );
    }

    #[test]
    fn times_are_shown_in_minutes() {
        assert_eq!(shown(seconds(3723)), "1:02:03");
        assert_eq!(shown(seconds(59)), "0:59");
    }
}
