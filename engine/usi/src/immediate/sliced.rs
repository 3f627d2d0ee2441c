//! A search without an end of its own (`go infinite`, `go ponder`) that is done in slices. Each slice is a
//! search of its own that continues from the transposition table.

use crate::job::{Event, Search};
use monomi_search::{BestMove, Limits, SearchResult};
use monomi_support::host::Instant;
use std::time::Duration;

/// A search in slices.
pub(super) struct Sliced {
    pub search: Search,
    /// The result whose move begins the last line that was reported.
    pub result: Option<SearchResult>,
    /// The deepest iteration, the nodes and the time of the slices so far.
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Sliced {
    pub fn new(search: Search) -> Self {
        Self { search, result: None, depth: 0, nodes: 0, time: Duration::ZERO }
    }

    /// The search of the next slice.
    pub fn next(&self, time: Duration, now: Instant) -> Search {
        let mut search = Search { skill: None, book: None, ..self.search.clone() };
        let limits = &mut search.limits;
        (limits.start, limits.movetime) = (now, Some(time));
        (limits.infinite, limits.ponder, limits.clock) = (false, false, None);
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes).max(1));
        search
    }

    /// An event of a slice as one of the whole search: only iterations deeper than those before are
    /// reported. The result of the slice goes to `found`.
    pub fn report(&self, event: Event, found: &mut Option<SearchResult>) -> Option<Event> {
        match event {
            Event::Info(_, info) if info.depth <= self.depth => None,
            Event::Info(id, mut info) => {
                info.nodes += self.nodes;
                info.time += self.time;
                Some(Event::Info(id, info))
            }
            Event::Done(_, result) => {
                *found = Some(result);
                None
            }
            other => Some(other),
        }
    }

    /// Adds a slice with these limits that ends now. Returns the result if the whole search has come to its
    /// end. `begins` tells whether a move begins the last line that was reported.
    pub fn add(
        &mut self,
        slice: &SearchResult,
        limits: &Limits,
        now: Instant,
        begins: impl FnOnce(&BestMove) -> bool,
    ) -> Option<SearchResult> {
        let spent = now.saturating_duration_since(limits.start);
        self.time += spent;
        self.nodes += slice.nodes;
        self.depth = self.depth.max(slice.depth);
        // A slice that ended early has found a mate or reached a limit.
        let over = limits.movetime.is_some_and(|time| spent < time.mul_f64(0.9))
            || limits.nodes.is_some_and(|nodes| slice.nodes >= nodes)
            || limits.depth.is_some_and(|depth| slice.depth >= depth);
        // `bestmove` must be the first move of the last line printed. A slice that got no deeper
        // than those before may prefer another move without having printed it.
        if self.result.is_none() || begins(&slice.best) {
            self.result = Some(slice.clone());
        }
        self.result.clone().filter(|_| over)
    }
}
