//! Formats results, and selects the lines of a search to print.

use monomi_mate::{MateAnswer, MateResult};
use monomi_search::{BestMove, Bound, Info, Score, SearchResult};
use std::fmt::Write as _;
use std::time::Duration;

/// `cp N` or `mate N`; `mate -0` if the side to move is already mated.
pub fn score(score: Score) -> String {
    match score {
        Score::Cp(value) => format!("cp {value}"),
        Score::Mate(0) => "mate -0".to_owned(),
        Score::Mate(plies) => format!("mate {plies}"),
    }
}

/// An `info` line. The moves come last because parsers read everything after `pv` as moves.
pub fn info_line(info: &Info) -> String {
    let mut line = format!("info depth {} seldepth {}", info.depth, info.seldepth);
    if info.multipv_count > 1 {
        let _ = write!(line, " multipv {}", info.multipv);
    }
    let _ = write!(line, " score {}", score(info.score));
    match info.bound {
        Bound::Exact => {}
        Bound::Lower => line.push_str(" lowerbound"),
        Bound::Upper => line.push_str(" upperbound"),
    }
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} time {}",
        info.nodes,
        info.nps(),
        info.hashfull,
        info.time.as_millis()
    );
    if !info.pv.is_empty() {
        line.push_str(" pv");
        for mv in &info.pv {
            let _ = write!(line, " {mv}");
        }
    }
    line
}

/// The info for an answer that was not searched.
pub fn announcement(result: &SearchResult) -> Info {
    let pv = match result.best {
        BestMove::Move(mv) => vec![mv],
        BestMove::Resign | BestMove::Win => Vec::new(),
    };
    Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        multipv_count: 1,
        score: result.score,
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        pv,
    }
}

/// The `bestmove` line.
pub fn bestmove_line(result: &SearchResult) -> String {
    match (result.best, result.ponder) {
        (BestMove::Resign, _) => "bestmove resign".to_owned(),
        (BestMove::Win, _) => "bestmove win".to_owned(),
        (BestMove::Move(mv), None) => format!("bestmove {mv}"),
        (BestMove::Move(mv), Some(ponder)) => format!("bestmove {mv} ponder {ponder}"),
    }
}

/// The answer to `go mate`.
pub fn checkmate_line(answer: &MateAnswer) -> String {
    match answer {
        MateAnswer::Mate(line) => {
            let mut text = "checkmate".to_owned();
            for mv in line {
                let _ = write!(text, " {mv}");
            }
            text
        }
        MateAnswer::NoMate => "checkmate nomate".to_owned(),
        MateAnswer::Unknown => "checkmate timeout".to_owned(),
    }
}

/// The info line of a mate search: its cost, and the mate if one was found.
pub fn mate_info_line(result: &MateResult) -> String {
    let mut line = "info".to_owned();
    let mate = match &result.answer {
        MateAnswer::Mate(line) => line.as_slice(),
        MateAnswer::NoMate | MateAnswer::Unknown => &[],
    };
    if !mate.is_empty() {
        let _ = write!(line, " depth {0} score mate {0}", mate.len());
    }
    let nps = (result.nodes as f64 / result.time.as_secs_f64().max(1e-6)) as u64;
    let _ = write!(
        line,
        " nodes {} nps {nps} hashfull {} time {}",
        result.nodes,
        result.hashfull,
        result.time.as_millis()
    );
    if !mate.is_empty() {
        line.push_str(" pv");
        for mv in mate {
            let _ = write!(line, " {mv}");
        }
    }
    line
}

/// Selects the lines of a search to print. Exact lines are printed at most once per interval, and
/// the last one always. Bounds are printed only when an iteration takes long.
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

    /// After the search: returns the lines of its last iteration that have not been printed.
    pub fn finish(&mut self) -> Vec<Info> {
        std::mem::take(&mut self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::PackedMove;

    fn info(depth: u32, multipv: usize, of: usize, ms: u64, bound: Bound) -> Info {
        let pv: Vec<PackedMove> =
            ["7g7f", "8h2b+"].iter().filter_map(|mv| mv.parse().ok()).collect();
        Info {
            depth,
            seldepth: depth + 2,
            multipv,
            multipv_count: of,
            score: Score::Cp(-12),
            bound,
            nodes: 1000,
            time: Duration::from_millis(ms),
            hashfull: 5,
            pv,
        }
    }

    fn exact(depth: u32, ms: u64) -> Info {
        info(depth, 1, 1, ms, Bound::Exact)
    }

    #[test]
    fn lines() {
        assert_eq!(
            info_line(&exact(3, 10)),
            "info depth 3 seldepth 5 score cp -12 nodes 1000 nps 100000 hashfull 5 time 10 \
             pv 7g7f 8h2b+"
        );
        let line = info_line(&info(3, 2, 3, 10, Bound::Upper));
        assert!(line.contains(" multipv 2 score cp -12 upperbound nodes "), "{line}");
        assert_eq!(score(Score::Mate(-4)), "mate -4");
        assert_eq!(score(Score::Mate(0)), "mate -0");
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

    #[test]
    fn best_moves() {
        let mv = |text: &str| text.parse::<PackedMove>().unwrap();
        let result =
            |best, ponder| SearchResult { best, ponder, score: Score::Cp(0), depth: 1, nodes: 1 };
        let moves = result(BestMove::Move(mv("7g7f")), Some(mv("3c3d")));
        assert_eq!(bestmove_line(&moves), "bestmove 7g7f ponder 3c3d");
        assert_eq!(bestmove_line(&result(BestMove::Win, None)), "bestmove win");
        assert_eq!(bestmove_line(&result(BestMove::Resign, None)), "bestmove resign");
    }
}
