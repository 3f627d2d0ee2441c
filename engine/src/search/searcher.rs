//! The searcher: what a worker thread owns and a job drives.

use crate::search::{BestMove, Limits, Reporter, Score, SearchOptions, SearchResult, Signals};
use monomi_eval::Evaluation;
use monomi_movegen::Position;
use std::sync::Arc;

/// Owns the transposition table and the search threads' memory.
pub struct Searcher {
    evaluation: Arc<Evaluation>,
}

impl Searcher {
    /// A searcher with a table of `hash_mib` mebibytes.
    ///
    /// # Errors
    /// The table's memory cannot be had.
    pub fn new(hash_mib: usize, evaluation: Arc<Evaluation>) -> anyhow::Result<Self> {
        let _ = hash_mib;
        Ok(Self { evaluation })
    }

    /// Changes the table's size and clears it; the old table stays when memory cannot be had.
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn resize_hash(&mut self, hash_mib: usize) -> anyhow::Result<()> {
        let _ = hash_mib;
        Ok(())
    }

    /// Changes the number of search threads (from 1).
    pub fn set_threads(&mut self, threads: usize) {
        let _ = threads;
    }

    /// Changes the evaluation, from the next search on.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    /// Forgets everything learnt from earlier games.
    pub fn new_game(&mut self) {}

    /// Searches the position, which carries the game's history, until a limit or `stop`.
    ///
    /// With `limits.infinite` or `limits.ponder` it may return early (a mate is found, the depth
    /// is reached): holding the result back is the caller's part.
    pub fn go(
        &mut self,
        root: &Position,
        limits: &Limits,
        options: &SearchOptions,
        signals: &Signals,
        reporter: &mut dyn Reporter,
    ) -> SearchResult {
        let _ = (limits, options, signals, reporter);
        let best = root.legal_moves().first().map_or(BestMove::Resign, |&mv| BestMove::Move(mv));
        SearchResult { best, ponder: None, score: Score::Cp(0), depth: 1, nodes: 1 }
    }
}
