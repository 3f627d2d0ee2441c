//! One position searched: what the analyses of games and of lists have in common.

use crate::analyze::found::{Found, Gatherer, Over};
use crate::analyze::settings::{Cancel, Settings};
use crate::search::{Limits, Score, SearchOptions, Searcher, Signals, TableTooLarge, spawn};
use monomi_eval::Evaluation;
use monomi_movegen::{Position, Repetition};
use std::sync::Arc;
use std::time::Duration;

/// Why nothing can be searched.
#[derive(Debug, thiserror::Error)]
pub enum NoExaminer {
    /// No memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// No thread.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

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
    /// Memory or threads cannot be had.
    pub fn team(
        settings: &'a Settings,
        evaluation: &Arc<Evaluation>,
        cancel: &'a Cancel,
        work: usize,
    ) -> Result<Vec<Self>, NoExaminer> {
        let (threads, workers) = settings.teams();
        let workers = workers.min(work);
        let make = |signals| {
            let mut searcher = Searcher::new(settings.table(workers), Arc::clone(evaluation))?;
            searcher.set_threads(threads);
            Ok::<_, TableTooLarge>(Self { searcher, settings, signals })
        };
        // Side by side: blanking their memories takes its time.
        std::thread::scope(|scope| {
            let signals = cancel.signals.iter().take(workers);
            let making: Vec<_> =
                signals.map(|signals| spawn(scope, move || make(signals))).collect();
            let made = making.into_iter().map(|thread| match thread?.join() {
                Ok(examiner) => Ok(examiner?),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            made.collect()
        })
    }

    /// Forgets what was learnt from the positions before.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on the calling thread, one of [`spawn`], for at most `movetime` beside
    /// the settings' limits.
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
        let result =
            self.searcher.go_here(position, &limits, &options, self.signals, &mut gatherer);
        let reproducible = self.settings.is_reproducible();
        let millis = if reproducible { 0 } else { limits.start.elapsed().as_millis() as u64 };
        gatherer.found(position, &result, millis)
    }
}
