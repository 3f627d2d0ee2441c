//! How `monomi analyze` and `monomi drill` search.

use crate::commands::arguments::LimitArgs;
use monomi_analysis::{AnalysisSettings, WinScale};
use monomi_eval::Evaluation;
use std::num::NonZeroU16;
use std::time::Duration;

/// Default number of nodes for each position.
const DEFAULT_NODES: u64 = 200_000;

/// The arguments that say how positions are searched.
pub(in crate::commands) struct Search<'a> {
    pub limits: &'a LimitArgs,
    /// In seconds.
    pub time_per_game: Option<u64>,
    pub threads: Option<u16>,
    pub win_scale: Option<NonZeroU16>,
}

impl Search<'_> {
    /// Settings with one line for each position, one game for each thread, and tables of the default
    /// size.
    pub fn settings(&self, evaluation: &Evaluation) -> AnalysisSettings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, usize::from);
        let unlimited = self.limits.is_empty() && self.time_per_game.is_none();
        AnalysisSettings {
            nodes: self.limits.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth: self.limits.depth,
            movetime: self.limits.movetime(),
            time_per_game: self.time_per_game.map(Duration::from_secs),
            threads,
            jobs: threads,
            multi_pv: 1,
            hash_mib: None,
            reasons: true,
            win_scale: WinScale::new(self.win_scale.unwrap_or(evaluation.win_scale())),
        }
    }

    /// The limits as shown in pages.
    pub fn in_words(&self, settings: &AnalysisSettings) -> String {
        let limits = self.limits.movetime.map(|ms| format!("{ms} ms"));
        let depth = self.limits.depth.map(|depth| format!("depth {depth}"));
        let game = self.time_per_game.map(|seconds| format!("{seconds} s per game"));
        let nodes = settings.nodes.map(|nodes| format!("{nodes} nodes"));
        let all: Vec<String> = [nodes, depth, limits, game].into_iter().flatten().collect();
        all.join(", ")
    }
}
