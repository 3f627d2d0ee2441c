//! Runs the first two stages on one thread: searches positions and examines them with the mate solver.

use crate::chance::win_probability;
use crate::search::{PositionSearcher, SearchedPosition};
use crate::settings::AnalysisSettings;
use crate::solve::{PositionSolver, SolvedPosition};
use monomi_batch::jobs::Cancel;
use monomi_eval::Evaluation;
use monomi_memory::NotEnoughMemory;
use monomi_movegen::Position;
use monomi_record::Record;
use monomi_search::{Searcher, Signals, ThreadsError, spawn};
use monomi_text::{Lang, Message, error_message, say};
use std::fmt::{Formatter, Result as Formatted};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Why a worker cannot start.
#[derive(Debug)]
pub enum WorkerError {
    /// Not enough memory for a searcher.
    Memory(NotEnoughMemory),
    /// The threads of its searcher cannot be had.
    Threads(ThreadsError),
    /// Its thread cannot be started.
    Thread(io::Error),
}

impl Message for WorkerError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Formatted {
        match self {
            Self::Memory(error) => error.write(lang, f),
            Self::Threads(error) => error.write(lang, f),
            Self::Thread(error) => say!(
                lang,
                f,
                "cannot start a thread: {}",
                "スレッドを開始できません: {}",
                error.in_lang(lang)
            ),
        }
    }
}
error_message!(WorkerError, Memory: NotEnoughMemory, Threads: ThreadsError, Thread: io::Error);

/// A searcher and a mate solver with the settings of the analysis.
pub struct Worker<'a> {
    searcher: PositionSearcher<'a>,
    solver: PositionSolver,
    settings: &'a AnalysisSettings,
}

impl<'a> Worker<'a> {
    /// Creates the workers that run in parallel, at most `work`, and divides threads and memory among
    /// them.
    ///
    /// # Errors
    /// Not enough memory, or a thread cannot be started.
    pub(crate) fn team(
        settings: &'a AnalysisSettings,
        evaluation: &Arc<Evaluation>,
        cancel: &Cancel,
        work: usize,
    ) -> Result<Vec<Self>, WorkerError> {
        let (threads, workers) = settings.teams();
        let workers = workers.min(work);
        let make = |signals: Arc<Signals>| {
            let on_stop = Arc::clone(&signals);
            cancel.on_stop(move || on_stop.stop());
            let mut searcher = Searcher::new(settings.table(workers), Arc::clone(evaluation))?;
            searcher.set_threads(threads)?;
            Ok::<_, WorkerError>(Self::new(searcher, settings, signals))
        };
        // In parallel: clearing their memory takes time.
        std::thread::scope(|scope| {
            let start = |_| spawn(scope, || make(Arc::new(Signals::default())));
            let making: Vec<_> = (0..workers).map(start).collect();
            let made = making.into_iter().map(|thread| match thread?.join() {
                Ok(worker) => Ok(worker?),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            made.collect()
        })
    }

    /// A worker on the calling thread, with one search thread and the table of one worker.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn single(
        settings: &'a AnalysisSettings,
        evaluation: &Arc<Evaluation>,
    ) -> Result<Self, NotEnoughMemory> {
        let searcher = Searcher::new(settings.table(1), Arc::clone(evaluation))?;
        Ok(Self::new(searcher, settings, Arc::new(Signals::default())))
    }

    fn new(searcher: Searcher, settings: &'a AnalysisSettings, signals: Arc<Signals>) -> Self {
        let searcher = PositionSearcher::new(searcher, settings, signals);
        Self { searcher, solver: PositionSolver::new(), settings }
    }

    /// Clears the transposition table and the histories.
    pub(crate) fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on its own, within the limits of the settings; the mate solver is not
    /// asked. The calling thread must come from [`spawn`].
    pub(crate) fn search(&mut self, position: &Position) -> SearchedPosition {
        self.searcher.search(position, self.settings.movetime)
    }

    /// Searches consecutive positions of a game, last one first, compares suspicious moves with the
    /// best ones, and solves. Reports each position's result as soon as it is complete. The calling
    /// thread must come from [`spawn`].
    ///
    /// Going backwards, the table holds the analysis of the played line when the position before a
    /// move is searched, so that fewer moves are misjudged. `movetime` is asked before each search;
    /// its argument is the number of positions left. Returns false when cancelled.
    pub fn stretch(
        &mut self,
        record: &Record,
        plies: Range<usize>,
        cancel: &Cancel,
        movetime: &dyn Fn(usize) -> Option<Duration>,
        tell: &mut dyn FnMut(usize, SolvedPosition),
    ) -> bool {
        let positions: Vec<Position> =
            record.positions().skip(plies.start).take(plies.len()).collect();
        // Winning probability of the mover after the move played in the position.
        let mut kept: Option<f64> = None;
        for (position, ply) in positions.iter().zip(plies.clone()).rev() {
            if cancel.is_cancelled() {
                return false;
            }
            let movetime = movetime(ply + 1 - plies.start);
            let mut searched = self.searcher.search(position, movetime);
            if let Some(played) = record.moves.get(ply) {
                searched.comparison =
                    self.searcher.compare(position, &searched, played.mv, kept, movetime);
            }
            kept = Some(1.0 - win_probability(searched.score()));
            let solved = self.solver.solve(position, searched, &|| cancel.is_stopped());
            if cancel.is_stopped() {
                return false;
            }
            tell(ply, solved);
        }
        true
    }
}
