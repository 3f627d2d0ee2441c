//! Selects the lines of a search to print.

use monomi_movegen::PackedMove;
use monomi_search::{Bound, Info};
use std::time::Duration;

/// Exact lines are printed at most once per interval, and the last one always: a line that is held back comes out when
/// the interval ends. Bounds are printed only when an iteration takes long.
///
/// The lines of one iteration (MultiPV) are kept together.
#[derive(Debug)]
pub struct InfoGate {
    interval: Duration,
    bounds: bool,
    /// When an iteration was last printed.
    shown_at: Duration,
    /// When a bound was last printed or an iteration last completed.
    quiet_since: Duration,
    /// Lines of the latest iteration, complete or not, that have not been printed.
    waiting: Vec<Info>,
}

/// How long an iteration must take before bounds are printed.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl InfoGate {
    /// `interval` is the least time between two iterations printed, counted from the start for the
    /// first one. Bounds (fail highs and fail lows) are printed only if `bounds` is set.
    pub fn new(interval: Duration, bounds: bool) -> Self {
        let (shown_at, quiet_since) = (Duration::ZERO, Duration::ZERO);
        Self { interval, bounds, shown_at, quiet_since, waiting: Vec::new() }
    }

    /// Resets the state for a new search, whose time starts from zero.
    pub fn restart(&mut self) {
        *self = Self::new(self.interval, self.bounds);
    }

    /// Adds a line and returns the lines to print now. A bound is printed after the iteration
    /// before it.
    pub fn pass(&mut self, info: Info) -> Vec<Info> {
        let now = info.time;
        if info.bound != Bound::Exact && info.multipv_count == 1 {
            let long = now >= self.quiet_since + self.interval.max(BOUNDS_AFTER);
            if !self.bounds || !long {
                return Vec::new();
            }
            self.quiet_since = now;
            let mut shown = std::mem::take(&mut self.waiting);
            shown.push(info);
            return shown;
        }
        if info.multipv == 1 {
            self.waiting.clear();
        }
        let complete = info.multipv >= info.multipv_count;
        self.waiting.push(info);
        if complete {
            self.quiet_since = now;
            if now >= self.shown_at + self.interval {
                self.shown_at = now;
                return std::mem::take(&mut self.waiting);
            }
        }
        Vec::new()
    }

    /// When the lines held back are to be printed, if there are any: at the end of the interval.
    pub fn due(&self) -> Option<Duration> {
        let last = self.waiting.last()?;
        (last.multipv >= last.multipv_count).then(|| self.shown_at + self.interval)
    }

    /// Returns the lines held back, at the time [`InfoGate::due`].
    pub fn release(&mut self) -> Vec<Info> {
        let Some(due) = self.due() else { return Vec::new() };
        self.shown_at = due;
        std::mem::take(&mut self.waiting)
    }

    /// The first move of the last main line that has not been printed.
    pub fn last_move(&self) -> Option<PackedMove> {
        self.waiting.iter().rfind(|line| line.multipv == 1)?.pv.first().copied()
    }

    /// After the search: returns the lines of its last iteration that have not been printed.
    pub fn finish(&mut self) -> Vec<Info> {
        std::mem::take(&mut self.waiting)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use monomi_search::Score;

    /// A line of a search from the start position.
    pub(crate) fn info(depth: u32, multipv: usize, of: usize, ms: u64, bound: Bound) -> Info {
        let pv: Vec<PackedMove> =
            ["7g7f", "8h2b+"].iter().filter_map(|mv| mv.parse().ok()).collect();
        let mut info = Info::new(Score::Cp(-12), pv);
        (info.depth, info.seldepth, info.bound) = (depth, depth + 2, bound);
        (info.multipv, info.multipv_count) = (multipv, of);
        (info.nodes, info.time, info.hashfull) = (1000, Duration::from_millis(ms), 5);
        info
    }

    pub(crate) fn exact(depth: u32, ms: u64) -> Info {
        info(depth, 1, 1, ms, Bound::Exact)
    }

    #[test]
    fn without_interval_every_exact_line_is_shown() {
        let mut gate = InfoGate::new(Duration::ZERO, true);
        assert_eq!(gate.pass(exact(1, 0)).len(), 1);
        assert_eq!(gate.pass(exact(2, 0)).len(), 1);
        assert!(gate.finish().is_empty());
    }

    #[test]
    fn bounds_are_shown_only_in_long_iterations() {
        let bound = |ms| info(2, 1, 1, ms, Bound::Lower);
        let mut gate = InfoGate::new(Duration::from_millis(300), true);
        assert_eq!(gate.pass(exact(1, 500)).len(), 1);
        assert!(gate.pass(bound(1_000)).is_empty());
        assert!(gate.pass(bound(3_400)).is_empty());
        assert_eq!(gate.pass(bound(3_500)).len(), 1);
        assert!(gate.pass(bound(3_700)).is_empty());
        assert!(gate.finish().is_empty(), "the last line is not a bound");
        let mut gate = InfoGate::new(Duration::ZERO, false);
        assert!(gate.pass(bound(9_000)).is_empty());
    }

    #[test]
    fn bounds_do_not_crowd_out_exact_lines() {
        let mut gate = InfoGate::new(Duration::from_millis(300), true);
        let bound = |ms| info(9, 1, 1, ms, Bound::Upper);
        for ms in [300, 600, 900, 1_200] {
            assert!(gate.pass(bound(ms)).is_empty());
        }
        let shown = gate.pass(exact(9, 1_250));
        assert_eq!(
            shown.iter().map(|i| (i.depth, i.bound)).collect::<Vec<_>>(),
            [(9, Bound::Exact)]
        );
        // Held back because of the interval, then shown before the bound that follows.
        assert!(gate.pass(exact(10, 1_300)).is_empty());
        let shown = gate.pass(bound(5_000));
        assert_eq!(shown.iter().map(|i| i.depth).collect::<Vec<_>>(), [10, 9]);
    }

    #[test]
    fn an_interval_holds_lines_back_but_not_the_last() {
        let mut gate = InfoGate::new(Duration::from_millis(300), true);
        assert!(gate.pass(exact(1, 0)).is_empty());
        assert!(gate.pass(exact(2, 299)).is_empty());
        let shown = gate.pass(exact(3, 300));
        assert_eq!(shown.iter().map(|i| i.depth).collect::<Vec<_>>(), [3]);
        assert!(gate.pass(exact(4, 400)).is_empty());
        assert!(gate.pass(info(5, 1, 1, 500, Bound::Lower)).is_empty());
        let last = gate.finish();
        assert_eq!(last.iter().map(|i| i.depth).collect::<Vec<_>>(), [4]);
        assert!(gate.finish().is_empty());
    }

    #[test]
    fn a_line_held_back_is_due_when_the_interval_ends() {
        let ms = Duration::from_millis;
        let mut gate = InfoGate::new(ms(300), true);
        assert_eq!(gate.due(), None);
        assert!(gate.pass(exact(1, 10)).is_empty());
        assert!(gate.pass(exact(2, 20)).is_empty());
        assert_eq!(gate.due(), Some(ms(300)));
        assert_eq!(gate.release().iter().map(|i| i.depth).collect::<Vec<_>>(), [2]);
        assert_eq!(gate.due(), None);
        assert!(gate.release().is_empty());
        // The next interval has begun.
        assert!(gate.pass(exact(3, 500)).is_empty());
        assert_eq!(gate.due(), Some(ms(600)));
        assert_eq!(gate.pass(exact(4, 610)).len(), 1);
        // An iteration of several lines comes out complete.
        let line = |rank, ms| info(5, rank, 2, ms, Bound::Exact);
        assert!(gate.pass(line(1, 700)).is_empty());
        assert_eq!(gate.due(), None);
        assert!(gate.pass(line(2, 710)).is_empty());
        assert_eq!(gate.due(), Some(ms(910)));
        assert_eq!(gate.release().len(), 2);
    }

    #[test]
    fn the_lines_of_an_iteration_stay_together() {
        let mut gate = InfoGate::new(Duration::from_millis(100), true);
        let line = |depth, rank, ms| info(depth, rank, 2, ms, Bound::Exact);
        assert!(gate.pass(line(1, 1, 10)).is_empty());
        assert!(gate.pass(line(1, 2, 20)).is_empty());
        assert!(gate.pass(line(2, 1, 90)).is_empty());
        let shown = gate.pass(line(2, 2, 110));
        assert_eq!(
            shown.iter().map(|i| (i.depth, i.multipv)).collect::<Vec<_>>(),
            [(2, 1), (2, 2)]
        );
        assert!(gate.finish().is_empty());
        // Bounds from an interrupted iteration make no difference.
        assert!(gate.pass(info(3, 1, 2, 120, Bound::Upper)).is_empty());
        assert!(gate.pass(line(3, 2, 120)).is_empty());
        assert_eq!(gate.finish().iter().map(|i| i.multipv).collect::<Vec<_>>(), [1, 2]);
    }
}
