//! What a search in progress knows.

use crate::dfpn::MateProgress;
use crate::tsume::table::Plies;
use monomi_support::host::Instant;
use std::cell::Cell;
use std::time::Duration;

/// Time between two reports of the exact search.
const INTERVAL: Duration = Duration::from_secs(1);

/// What a search in progress knows; reported each second.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TsumeProgress {
    /// Proven: no mate takes fewer plies than this.
    pub at_least: u16,
    /// Nodes searched.
    pub nodes: u64,
    /// Elapsed time.
    pub time: Duration,
    /// Used share of the table of the search, in permille.
    pub hashfull: usize,
    /// The search for any mate, while that is in progress.
    pub any: Option<MateProgress>,
}

/// Passes on the progress.
pub struct Watch<'a> {
    report: &'a dyn Fn(&TsumeProgress),
    start: Instant,
    last: Cell<Duration>,
    /// Proven: no mate takes fewer plies.
    pub at_least: Cell<Plies>,
}

impl<'a> Watch<'a> {
    pub fn new(report: &'a dyn Fn(&TsumeProgress), start: Instant) -> Self {
        Self { report, start, last: Cell::default(), at_least: Cell::default() }
    }

    /// The progress of the exact search, which calls this often.
    pub fn exact(&self, nodes: u64, hashfull: usize) {
        let time = self.start.elapsed();
        if time >= self.last.get() + INTERVAL {
            self.last.set(time);
            let at_least = self.at_least.get();
            (self.report)(&TsumeProgress { at_least, nodes, time, hashfull, any: None });
        }
    }

    /// The progress of the search for any mate, before which there were so many nodes.
    pub fn any(&self, before: u64, any: &MateProgress) {
        (self.report)(&TsumeProgress {
            at_least: self.at_least.get(),
            nodes: before + any.nodes,
            time: self.start.elapsed(),
            hashfull: any.hashfull,
            any: Some(any.clone()),
        });
    }
}
