//! Search settings of an analysis, and its cancellation.

use crate::chance::WinScale;
use std::time::Duration;

/// Default size of all tables in MiB.
const HASH_MIB: usize = 256;
/// Default size per worker in MiB if only the depth is given; cleared for each position.
const HASH_MIB_BY_DEPTH: usize = 32;

/// What a worker searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Whole games, each with a table that all its positions share.
    Games,
    /// Positions, each with an empty table.
    Positions,
}

impl Work {
    /// Bytes of the table for each node of a position.
    fn bytes_per_node(self) -> u64 {
        match self {
            Self::Games => 512,
            Self::Positions => 128,
        }
    }
}

/// How positions are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisSettings {
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Last iteration, in plies.
    pub depth: Option<u32>,
    /// Time for each position.
    pub movetime: Option<Duration>,
    /// Time for a game, divided equally among the positions left.
    pub time_per_game: Option<Duration>,
    /// Total number of threads, from 1.
    pub threads: usize,
    /// Number of games analysed in parallel, from 1, which share the threads. Ignored without a
    /// clock, where every thread searches a game or a position of its own.
    pub jobs: usize,
    /// Number of lines for each position (MultiPV), from 1.
    pub multi_pv: usize,
    /// Size of the transposition tables in MiB: with a clock, of all together; without, of each
    /// one. `None` chooses by the nodes.
    pub hash_mib: Option<usize>,
    /// Scale of the winning probability.
    pub win_scale: WinScale,
    /// Whether to search why bad moves are bad.
    pub reasons: bool,
}

impl AnalysisSettings {
    /// One thread, a number of nodes for each position, one line, and a table of the default size.
    pub fn of_nodes(nodes: u64, win_scale: WinScale) -> Self {
        Self {
            nodes: Some(nodes),
            depth: None,
            movetime: None,
            time_per_game: None,
            threads: 1,
            jobs: 1,
            multi_pv: 1,
            hash_mib: None,
            win_scale,
            reasons: true,
        }
    }

    /// Whether there is no clock. Then each game or position of a list is searched by one thread, and
    /// results do not depend on the number of threads.
    pub fn is_reproducible(&self) -> bool {
        self.movetime.is_none() && self.time_per_game.is_none()
    }

    /// Identifies the settings on which results depend.
    pub fn fingerprint(&self) -> String {
        let mut text = format!(
            "version {} nodes {:?} depth {:?} movetime {:?} game {:?} multipv {} scale {:?} reasons {}",
            env!("CARGO_PKG_VERSION"),
            self.nodes,
            self.depth,
            self.movetime,
            self.time_per_game,
            self.multi_pv,
            self.win_scale,
            self.reasons
        );
        if self.is_reproducible() {
            text.push_str(&format!(" hash {}", self.table_of_game()));
        }
        text
    }

    /// Size in MiB of the table that analyses one game alone.
    pub fn table_of_game(&self) -> usize {
        self.table(Work::Games, 1)
    }

    /// Search threads of each worker, and the number of workers.
    pub(crate) fn teams(&self) -> (usize, usize) {
        if self.is_reproducible() {
            (1, self.threads.max(1))
        } else {
            let jobs = self.jobs.clamp(1, self.threads.max(1));
            (self.threads.max(1) / jobs, jobs)
        }
    }

    /// Table size of each worker in MiB; without a clock independent of the number of workers.
    pub(crate) fn table(&self, work: Work, workers: usize) -> usize {
        if !self.is_reproducible() {
            return (self.hash_mib.unwrap_or(HASH_MIB) / workers.max(1)).max(1);
        }
        match self.nodes {
            // A larger table only takes longer to clear.
            Some(nodes) => {
                let bytes = nodes.saturating_mul(work.bytes_per_node());
                let enough = usize::try_from(bytes >> 20).unwrap_or(usize::MAX).saturating_add(1);
                enough.min(self.hash_mib.unwrap_or(HASH_MIB))
            }
            None => self.hash_mib.unwrap_or(HASH_MIB_BY_DEPTH),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> AnalysisSettings {
        AnalysisSettings { nodes: None, ..AnalysisSettings::of_nodes(0, WinScale::default()) }
    }

    #[test]
    fn without_a_clock_results_do_not_depend_on_threads() {
        for (nodes, hash_mib, expected) in [
            (Some(1), None, 1),
            (Some(1 << 18), None, 129),
            (Some(u64::MAX), None, 256),
            (Some(1 << 30), Some(64), 64),
            (None, None, 32),
            (None, Some(512), 512),
        ] {
            let one = AnalysisSettings { nodes, depth: Some(9), hash_mib, ..settings() };
            let many = AnalysisSettings { threads: 64, jobs: 3, ..one.clone() };
            for workers in [1, 2, 64] {
                assert_eq!(one.table(Work::Games, workers), expected);
                assert_eq!(many.table(Work::Games, workers), expected);
            }
            assert_eq!(one.fingerprint(), many.fingerprint());
        }
    }

    #[test]
    fn with_a_clock_threads_and_memory_are_divided() {
        let movetime = Some(Duration::from_secs(1));
        let settings = AnalysisSettings { movetime, threads: 8, jobs: 3, ..settings() };
        assert_eq!(settings.teams(), (2, 3));
        assert_eq!(settings.table(Work::Games, 3), 85);
        let single = AnalysisSettings { jobs: 100, ..settings };
        assert_eq!(single.teams(), (1, 8));
    }
}
