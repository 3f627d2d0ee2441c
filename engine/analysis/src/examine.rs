//! Searches single positions and stretches of a game; used for games and for lists of positions.

use crate::analysis_settings::AnalysisSettings;
use crate::compare::{Comparison, SUSPICIOUS, ScoresByMove};
use crate::found::{Found, Gatherer, Over};
use crate::judge::win_probability;
use monomi_batch::jobs::Cancel;
use monomi_eval::Evaluation;
use monomi_memory::NotEnoughMemory;
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_record::Record;
use monomi_search::{Limits, Score, SearchOptions, Searcher, Signals, ThreadsError, spawn};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// Why the search cannot start.
#[derive(Debug, thiserror::Error)]
pub enum NoExaminer {
    /// Not enough memory for a searcher.
    #[error(transparent)]
    Memory(#[from] NotEnoughMemory),
    /// Its threads cannot be had.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

/// A searcher with the settings of the analysis.
pub struct Examiner<'a> {
    searcher: Searcher,
    settings: &'a AnalysisSettings,
    signals: Arc<Signals>,
}

impl<'a> Examiner<'a> {
    /// Creates the examiners that run in parallel, at most `work`, and divides threads and memory
    /// among them.
    ///
    /// # Errors
    /// Not enough memory, or a thread cannot be started.
    pub fn team(
        settings: &'a AnalysisSettings,
        evaluation: &Arc<Evaluation>,
        cancel: &Cancel,
        work: usize,
    ) -> Result<Vec<Self>, NoExaminer> {
        let (threads, workers) = settings.teams();
        let workers = workers.min(work);
        let make = |signals: Arc<Signals>| {
            let on_stop = Arc::clone(&signals);
            cancel.on_stop(move || on_stop.stop());
            let mut searcher = Searcher::new(settings.table(workers), Arc::clone(evaluation))?;
            searcher.set_threads(threads)?;
            Ok::<_, NoExaminer>(Self { searcher, settings, signals })
        };
        // In parallel: clearing their memory takes time.
        std::thread::scope(|scope| {
            let start = |_| spawn(scope, || make(Arc::new(Signals::default())));
            let making: Vec<_> = (0..workers).map(start).collect();
            let made = making.into_iter().map(|thread| match thread?.join() {
                Ok(examiner) => Ok(examiner?),
                Err(panic) => std::panic::resume_unwind(panic),
            });
            made.collect()
        })
    }

    /// An examiner on the calling thread, with one search thread and the table of one worker.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn single(
        settings: &'a AnalysisSettings,
        evaluation: &Arc<Evaluation>,
    ) -> Result<Self, NotEnoughMemory> {
        let searcher = Searcher::new(settings.table(1), Arc::clone(evaluation))?;
        Ok(Self { searcher, settings, signals: Arc::new(Signals::default()) })
    }

    /// Clears the transposition table and the histories.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on the calling thread, which must come from [`spawn`], within the limits
    /// of the settings and `movetime`.
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
        let options = options(self.settings.multi_pv);
        let mut gatherer = Gatherer::default();
        let result =
            self.searcher.go_here(position, &limits, &options, &self.signals, &mut gatherer);
        let reproducible = self.settings.is_reproducible();
        let millis = if reproducible { 0 } else { limits.start.elapsed().as_millis() as u64 };
        gatherer.found(position, &result, millis)
    }

    /// Searches consecutive positions of a game, last one first, and compares suspicious moves with
    /// the best ones. Reports each position's result as soon as it and its comparison are done.
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
        tell: &mut dyn FnMut(usize, Found),
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
            let mut found = self.position(position, movetime);
            if let Some(played) = record.moves.get(ply) {
                found.comparison = self.compare(position, &found, played.mv, kept, movetime);
            }
            if cancel.is_stopped() {
                return false;
            }
            kept = Some(1.0 - win_probability(found.score()));
            tell(ply, found);
        }
        true
    }

    /// Compares the played move with the best one, if the result of the position after it (`kept`)
    /// calls for it or is missing.
    fn compare(
        &mut self,
        position: &Position,
        found: &Found,
        played: PackedMove,
        kept: Option<f64>,
        movetime: Option<Duration>,
    ) -> Option<Comparison> {
        let best = found.best().filter(|&best| best != played)?;
        let chance = win_probability(found.score());
        let mut nodes = 0;
        let kept = match kept {
            Some(kept) => kept,
            // The position after the move belongs to another stretch.
            None => {
                let half = movetime.map(|time| time / 2);
                let (scores, depth, searched) = self.root_moves(
                    position,
                    vec![played],
                    self.settings.nodes.map(|n| n / 2),
                    half,
                );
                nodes += searched;
                let [kept] = scores.means([played], depth)?;
                kept
            }
        };
        if (chance - kept).abs() < SUSPICIOUS {
            return (nodes > 0).then(|| Comparison::new(chance, kept, nodes));
        }
        let (scores, depth, searched) =
            self.root_moves(position, vec![best, played], self.settings.nodes, movetime);
        let [best, played] = scores.means([best, played], depth)?;
        Some(Comparison::new(best, played, nodes + searched))
    }

    /// Searches only these root moves, one line for each. Returns their scores, the depth completed
    /// and the nodes searched.
    fn root_moves(
        &mut self,
        position: &Position,
        moves: Vec<PackedMove>,
        nodes: Option<u64>,
        movetime: Option<Duration>,
    ) -> (ScoresByMove, u32, u64) {
        let options = options(moves.len());
        let depth = self.settings.depth.map(|depth| depth + 1);
        let nodes = nodes.map(|nodes| nodes.max(1));
        let limits = Limits { nodes, depth, movetime, searchmoves: moves, ..Limits::new() };
        let mut scores = ScoresByMove::default();
        let result = self.searcher.go_here(position, &limits, &options, &self.signals, &mut scores);
        (scores, result.depth, result.nodes)
    }
}

fn options(multi_pv: usize) -> SearchOptions {
    SearchOptions {
        multi_pv,
        // There is no GUI and no network to wait for.
        network_delay: Duration::ZERO,
        network_delay2: Duration::ZERO,
        minimum_thinking_time: Duration::ZERO,
        round_up_to_full_second: false,
        ..SearchOptions::default()
    }
}
