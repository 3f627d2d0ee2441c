//! One position searched: what the analyses of games and of lists have in common.

use crate::analyze::found::{Found, Gatherer, Over};
use crate::analyze::settings::{Cancel, Settings};
use crate::search::{Limits, Score, SearchOptions, Searcher, Signals, TableTooLarge};
use monomi_eval::Evaluation;
use monomi_movegen::{Position, Repetition};
use std::sync::Arc;
use std::time::Duration;

/// A searcher with its orders.
pub struct Examiner<'a> {
    searcher: Searcher,
    settings: &'a Settings,
    signals: &'a Signals,
}

impl<'a> Examiner<'a> {
    /// As many as the settings ask for and there is work for, with their shares of the threads and
    /// the memory.
    ///
    /// # Errors
    /// The memory for a table cannot be had.
    pub fn team(
        settings: &'a Settings,
        evaluation: &Arc<Evaluation>,
        cancel: &'a Cancel,
        work: usize,
    ) -> Result<Vec<Self>, TableTooLarge> {
        let (threads, workers) = settings.teams();
        let workers = workers.min(work);
        let make = |signals| {
            let mut searcher = Searcher::new(settings.table(workers), Arc::clone(evaluation))?;
            searcher.set_threads(threads);
            Ok(Self { searcher, settings, signals })
        };
        cancel.signals.iter().take(workers).map(make).collect()
    }

    /// Forgets what was learnt from the positions before.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position, for at most `movetime` beside the settings' limits.
    pub fn position(&mut self, position: &Position, movetime: Option<Duration>) -> Found {
        match position.repeated(4) {
            Some(Repetition::Win) => return Found::over(Over::Repetition, Score::Mate(1)),
            Some(Repetition::Lose) => return Found::over(Over::Repetition, Score::Mate(0)),
            Some(_) => return Found::over(Over::Repetition, Score::Cp(0)),
            None => {}
        }
        let limits = Limits {
            nodes: self.settings.nodes,
            depth: self.settings.depth,
            movetime,
            ..Limits::new()
        };
        let options = SearchOptions {
            multi_pv: self.settings.multi_pv,
            // No GUI and no server stands between the clock and us.
            network_delay: Duration::ZERO,
            network_delay2: Duration::ZERO,
            minimum_thinking_time: Duration::ZERO,
            round_up_to_full_second: false,
            ..SearchOptions::default()
        };
        let mut gatherer = Gatherer::default();
        let result = self.searcher.go(position, &limits, &options, self.signals, &mut gatherer);
        let reproducible = self.settings.is_reproducible();
        let millis = if reproducible { 0 } else { limits.start.elapsed().as_millis() as u64 };
        gatherer.found(position, &result, millis)
    }
}
