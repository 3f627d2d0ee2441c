//! What a search in progress knows.

use monomi_movegen::PackedMove;
use monomi_support::host::Instant;
use std::cell::Cell;
use std::time::Duration;

/// Time between two reports; none in tests, which do not wait.
const INTERVAL: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(1) };

/// What a search in progress knows; reported each second.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MateProgress {
    /// Nodes searched.
    pub nodes: u64,
    /// Elapsed time.
    pub time: Duration,
    /// Proof number of the root: at least this many leaves must still be proven. 0 means mate.
    pub proof: u32,
    /// Disproof number of the root: at least this many leaves must still be disproven. 0 means no mate.
    pub disproof: u32,
    /// Used share of the table, in permille.
    pub hashfull: usize,
    /// The line being searched.
    pub line: Vec<PackedMove>,
}

/// Receives the progress of a search.
pub(super) struct Watch<'a> {
    report: &'a dyn Fn(&MateProgress),
    start: Instant,
    last: Cell<Instant>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(report: &'a dyn Fn(&MateProgress), start: Instant) -> Self {
        Self { report, start, last: Cell::new(start) }
    }

    /// Reports the progress if it is time.
    pub(super) fn tell(&self, progress: impl FnOnce(Duration) -> MateProgress) {
        if self.last.get().elapsed() >= INTERVAL {
            (self.report)(&progress(self.start.elapsed()));
            self.last.set(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MateLimits;
    use crate::dfpn::{MateAnswer, MateSolver};
    use monomi_movegen::Position;
    use std::cell::RefCell;

    /// The line is legal, the numbers are those of a position that is not decided, nodes are counted up.
    #[test]
    fn the_progress_is_that_of_the_search() {
        let sfen = "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1";
        let root = Position::from_sfen(sfen).unwrap();
        let reports = RefCell::new(Vec::new());
        let report = |progress: &MateProgress| reports.borrow_mut().push(progress.clone());
        let mut solver = MateSolver::new(16);
        let limits = MateLimits::default();
        let result = solver.solve_reporting(&root, &limits, &|| false, Some(&report));
        let silent = solver.solve(&root, &limits, &|| false);
        assert!(matches!(result.answer, MateAnswer::Mate(_)), "{result:?}");
        assert_eq!((result.answer, result.nodes), (silent.answer, silent.nodes));
        let reports = reports.into_inner();
        assert!(!reports.is_empty() && reports.is_sorted_by_key(|progress| progress.nodes));
        for progress in reports {
            assert!(progress.proof > 0 && progress.disproof > 0, "{progress:?}");
            let mut position = root.clone();
            for &mv in &progress.line {
                assert!(position.is_legal(mv), "{progress:?}");
                position.do_move(mv);
            }
        }
    }
}
