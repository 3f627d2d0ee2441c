//! Many games at once, written in the order of their numbers.

use super::play::NoOpening;
use super::style::in_style;
use super::{Openings, Play};
use crate::bench::POSITIONS;
use crate::search::{Searcher, Signals, TableTooLarge, spawn};
use crossbeam_channel::unbounded;
use monomi_eval::{EvalStack, Evaluation};
use monomi_movegen::Position;
use monomi_records::Game;
use monomi_records::{AddError, GameWriter, RecordError, Scan};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// When there are enough games in the file; whichever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Games in the file, those of earlier runs included.
    pub games: Option<u64>,
    /// Positions with a score in the file, those of earlier runs included.
    pub positions: Option<u64>,
}

/// How far it is: what the file holds, and what is about to be written to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
}

impl Target {
    /// Whether it is reached.
    pub fn is_reached(&self, progress: &Progress) -> bool {
        self.games.is_some_and(|games| progress.games >= games)
            || self.positions.is_some_and(|positions| progress.positions >= positions)
    }
}

/// Why no more games are made.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// No memory for a thread's table.
    #[error(transparent)]
    Memory(#[from] TableTooLarge),
    /// No thread to play on.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] std::io::Error),
    /// No opening to begin with.
    #[error(transparent)]
    NoOpening(#[from] NoOpening),
    /// The games' file.
    #[error(transparent)]
    Write(#[from] AddError),
    /// The games' file.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Lets another thread end the work.
#[derive(Debug)]
pub struct Cancel {
    no_more: AtomicBool,
    signals: Vec<Signals>,
}

impl Cancel {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        let signals = (0..threads).map(|_| Signals::default()).collect();
        Self { no_more: AtomicBool::new(false), signals }
    }

    /// The first call lets the games in progress be finished, the second one does not.
    pub fn cancel(&self) {
        if self.no_more.swap(true, Relaxed) {
            self.signals.iter().for_each(Signals::stop);
        }
    }

    /// Whether it was called.
    pub fn is_cancelled(&self) -> bool {
        self.no_more.load(Relaxed)
    }

    fn stop(&self) {
        self.cancel();
        self.cancel();
    }
}

/// A number that tells evaluations apart: a checksum of what this one thinks of the bench's
/// positions.
pub fn fingerprint(evaluation: &Arc<Evaluation>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for sfen in POSITIONS {
        let Ok(position) = Position::from_sfen(sfen) else { continue };
        let value = EvalStack::new(Arc::clone(evaluation), &position).evaluate(&position);
        hasher.update(&value.to_le_bytes());
    }
    hasher.finalize()
}

/// What the games of a run are made with.
pub struct Job<'a> {
    /// How they are played.
    pub play: &'a Play,
    /// From where.
    pub openings: &'a Openings,
    /// By what.
    pub evaluation: &'a Arc<Evaluation>,
    /// The seed of all of them.
    pub seed: u64,
    /// Each thread's table, in MiB.
    pub hash_mib: usize,
}

/// Plays games, as many at once as `cancel` was made for, and appends them to the file until the
/// target is reached or somebody cancels. `tell` hears of each game on the calling thread.
///
/// Game `n` of a seed is the same whenever and on however many threads it is played, and games
/// are written in order: only where the file ends depends on the circumstances. A few games share
/// a searcher ([`Play::session`]), but which ones is fixed by their numbers.
///
/// # Errors
/// Memory, openings or the file fail; what is in the file stays.
pub fn run(
    job: &Job<'_>,
    target: Target,
    mut writer: GameWriter,
    scan: &Scan,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&Progress),
) -> Result<Progress, DatagenError> {
    let mut progress = Progress { games: scan.games, positions: scan.positions };
    let mut searchers = Vec::new();
    for _ in &cancel.signals {
        searchers.push(Searcher::new(job.hash_mib, Arc::clone(job.evaluation))?);
    }
    // Games that nobody wants are not begun.
    let wanted = target.games.map(|games| games.saturating_sub(scan.games));
    let end = wanted.map_or(u64::MAX, |wanted| scan.next_game.saturating_add(wanted));
    let games = scan.next_game..end;
    let session = job.play.session();
    let next_session = AtomicU64::new(games.start / session);
    let (sender, receiver) = unbounded();
    let mut error = None;
    std::thread::scope(|scope| {
        for (searcher, signals) in searchers.iter_mut().zip(&cancel.signals) {
            let (sender, next_session, games) = (sender.clone(), &next_session, &games);
            let work = move || {
                loop {
                    let first = next_session.fetch_add(1, Relaxed).saturating_mul(session);
                    if first >= games.end {
                        break;
                    }
                    searcher.forget();
                    if job.play.style > 0.0
                        && let Some(styled) =
                            in_style(job.evaluation, job.play.style, job.seed, first)
                    {
                        searcher.set_evaluation(styled);
                    }
                    for number in first..games.end.min(first.saturating_add(session)) {
                        if cancel.is_cancelled() {
                            return;
                        }
                        let game = job.play.game(job.seed, number, job.openings, searcher, signals);
                        let Some(game) = game.transpose() else { return };
                        // An earlier run may have ended within the session: its games are played
                        // again for what is learnt from them.
                        if games.contains(&number) {
                            // Nobody listens any more when the file cannot be written.
                            let _ = sender.send((number, game));
                        }
                    }
                }
            };
            if let Err(failed) = spawn(scope, work) {
                cancel.stop();
                error = Some(DatagenError::Thread(failed));
                break;
            }
        }
        drop(sender);
        // Games that are done before one with a lower number.
        let mut waiting: BTreeMap<u64, Result<Game, NoOpening>> = BTreeMap::new();
        let mut expected = games.start;
        for (number, game) in receiver {
            waiting.insert(number, game);
            while error.is_none()
                && !target.is_reached(&progress)
                && let Some(game) = waiting.remove(&expected)
            {
                expected += 1;
                let added = game.map_err(DatagenError::from).and_then(|game| {
                    writer.add(&game)?;
                    Ok(game.moves.len() as u64)
                });
                match added {
                    Ok(positions) => {
                        progress.games += 1;
                        progress.positions += positions;
                        tell(&progress);
                    }
                    Err(failed) => error = Some(failed),
                }
            }
            if error.is_some() || target.is_reached(&progress) {
                cancel.stop();
            }
        }
    });
    writer.finish()?;
    match error {
        Some(error) => Err(error),
        None => Ok(progress),
    }
}
