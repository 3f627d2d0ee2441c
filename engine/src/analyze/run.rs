//! Searching the positions of many games on many threads.

use crate::analyze::found::{Found, Gatherer, Over};
use crate::analyze::record::Record;
use crate::search::{Limits, Score, SearchOptions, Searcher, Signals, TableTooLarge};
use crossbeam_channel::unbounded;
use monomi_eval::Evaluation;
use monomi_movegen::{Position, Repetition};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// How positions are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Nodes for each position.
    pub nodes: Option<u64>,
    /// Iteration to end with, in plies.
    pub depth: Option<u32>,
    /// Time for each position.
    pub movetime: Option<Duration>,
    /// Time for a game, in equal shares of what is left.
    pub time_per_game: Option<Duration>,
    /// Threads in all, from 1.
    pub threads: usize,
    /// Games at a time, from 1; each has its share of the threads. Without meaning where positions
    /// are searched independently.
    pub jobs: usize,
    /// Best lines for each position, from 1.
    pub multi_pv: usize,
    /// Transposition tables in all, in MiB.
    pub hash_mib: usize,
}

impl Settings {
    /// Whether no clock is involved. Then each position is searched by one thread with empty
    /// memories, so that its result depends on nothing else, not on the number of threads either.
    pub fn is_reproducible(&self) -> bool {
        self.movetime.is_none() && self.time_per_game.is_none()
    }

    /// What results depend on, as a text to compare.
    pub fn fingerprint(&self) -> String {
        format!(
            "nodes {:?} depth {:?} movetime {:?} game {:?} multipv {}",
            self.nodes, self.depth, self.movetime, self.time_per_game, self.multi_pv
        )
    }

    /// Search threads of each worker, and the number of workers.
    fn teams(&self) -> (usize, usize) {
        if self.is_reproducible() {
            (1, self.threads.max(1))
        } else {
            let jobs = self.jobs.clamp(1, self.threads.max(1));
            (self.threads.max(1) / jobs, jobs)
        }
    }

    /// Table of each worker in MiB: no larger than its searches can fill.
    fn table(&self, workers: usize) -> usize {
        let share = (self.hash_mib / workers).max(1);
        match self.nodes.filter(|_| self.is_reproducible()) {
            // 16 bytes a node are more than an entry takes.
            Some(nodes) => share.min(usize::try_from(nodes >> 16).unwrap_or(share) + 1),
            None => share,
        }
    }
}

/// Lets another thread end the analysis.
#[derive(Default)]
pub struct Cancel {
    after_position: AtomicBool,
    now: AtomicBool,
    signals: Vec<Signals>,
}

impl Cancel {
    /// For an analysis with these settings.
    pub fn new(settings: &Settings) -> Self {
        let (_, workers) = settings.teams();
        let signals = (0..workers).map(|_| Signals::default()).collect();
        Self { signals, ..Self::default() }
    }

    /// The first call lets the positions in progress be finished, the second one does not.
    pub fn cancel(&self) {
        if self.after_position.swap(true, Relaxed) {
            self.now.store(true, Relaxed);
            self.signals.iter().for_each(Signals::stop);
        }
    }

    /// Whether it was called.
    pub fn is_cancelled(&self) -> bool {
        self.after_position.load(Relaxed)
    }
}

/// Positions of one game that belong together: indices into [`Record::positions`].
struct Unit {
    game: usize,
    plies: Range<usize>,
}

/// Searches positions of the games and tells of each one as it is done, on the calling thread: of
/// one game in ascending order unless the settings are reproducible.
///
/// `is_known` names those that need no search.
///
/// # Errors
/// The memory for a table cannot be had.
pub fn run(
    games: &[&Record],
    settings: &Settings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    is_known: &dyn Fn(usize, usize) -> bool,
    tell: &mut dyn FnMut(usize, usize, Found),
) -> Result<(), TableTooLarge> {
    let units = units(games, settings, is_known);
    let (threads, workers) = settings.teams();
    let workers = workers.min(units.len());
    let mut searchers = Vec::new();
    for _ in 0..workers {
        let table = settings.table(workers);
        let mut searcher = Searcher::new(table, Arc::clone(evaluation))?;
        searcher.set_threads(threads);
        searchers.push(searcher);
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = unbounded();
    std::thread::scope(|scope| {
        for (searcher, signals) in searchers.iter_mut().zip(&cancel.signals) {
            let (sender, units, next) = (sender.clone(), &units, &next);
            scope.spawn(move || {
                let mut worker = Worker { searcher, settings, signals, cancel };
                while let Some(unit) = units.get(next.fetch_add(1, Relaxed)) {
                    let done = worker.unit(games[unit.game], unit, &mut |ply, found| {
                        // Nobody listens any more when the caller broke down.
                        let _ = sender.send((unit.game, ply, found));
                    });
                    if !done {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (game, ply, found) in receiver {
            tell(game, ply, found);
        }
    });
    Ok(())
}

fn units(
    games: &[&Record],
    settings: &Settings,
    is_known: &dyn Fn(usize, usize) -> bool,
) -> Vec<Unit> {
    let mut units = Vec::new();
    for (game, record) in games.iter().enumerate() {
        let positions = 0..record.moves.len() + 1;
        if settings.is_reproducible() {
            let unknown = positions.filter(|&ply| !is_known(game, ply));
            units.extend(unknown.map(|ply| Unit { game, plies: ply..ply + 1 }));
        } else if let Some(first) = positions.clone().find(|&ply| !is_known(game, ply)) {
            units.push(Unit { game, plies: first..positions.end });
        }
    }
    units
}

struct Worker<'a> {
    searcher: &'a mut Searcher,
    settings: &'a Settings,
    signals: &'a Signals,
    cancel: &'a Cancel,
}

impl Worker<'_> {
    /// False when the analysis was cancelled.
    fn unit(&mut self, record: &Record, unit: &Unit, tell: &mut dyn FnMut(usize, Found)) -> bool {
        self.searcher.new_game();
        let all = record.moves.len() + 1;
        let share = |time: Duration| time.mul_f64(unit.plies.len() as f64 / all as f64);
        let ends = self.settings.time_per_game.map(|time| Instant::now() + share(time));
        let mut position = record.start.clone();
        for played in &record.moves[..unit.plies.start] {
            position.do_move(played.mv);
        }
        for ply in unit.plies.clone() {
            if self.cancel.is_cancelled() {
                return false;
            }
            let left = unit.plies.end - ply;
            let of_game = ends.map(|ends| {
                let rest = ends.saturating_duration_since(Instant::now());
                (rest / left as u32).max(Duration::from_millis(1))
            });
            let movetime = self.settings.movetime.into_iter().chain(of_game).min();
            let found = self.position(&position, movetime);
            if self.cancel.now.load(Relaxed) {
                return false;
            }
            tell(ply, found);
            if let Some(played) = record.moves.get(ply) {
                position.do_move(played.mv);
            }
        }
        true
    }

    fn position(&mut self, position: &Position, movetime: Option<Duration>) -> Found {
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
