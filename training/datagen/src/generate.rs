//! Plays many games at once and writes them in the order of their numbers.

use super::play::NoOpening;
use super::style::in_style;
use super::{Openings, Play};
use monomi_eval::{EvalStack, Evaluation};
use monomi_games::{AddError, GameWriter, RecordError, Scan};
use monomi_movegen::Position;
use monomi_search::bench::POSITIONS;
use monomi_search::{STACK_SIZE, Searcher, Signals, ThreadsError};
use monomi_support::batch::jobs::{self, Cancel, Options, Order, Source};
use monomi_support::text::{error_message, messages};
use std::ops::ControlFlow;
use std::sync::Arc;

/// When to stop; the limit that is reached first counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Number of games in the file, including those of earlier runs.
    pub games: Option<u64>,
    /// Number of positions with a score in the file, including those of earlier runs.
    pub positions: Option<u64>,
}

/// Progress: what is in the file or about to be written to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Produced {
    /// Number of games.
    pub games: u64,
    /// Number of positions with a score.
    pub positions: u64,
}

impl Target {
    /// Whether the target is reached.
    pub fn is_reached(&self, progress: &Produced) -> bool {
        self.games.is_some_and(|games| progress.games >= games)
            || self.positions.is_some_and(|positions| progress.positions >= positions)
    }
}

messages! {
    /// Why a run failed.
    #[derive(Debug)]
    pub enum DatagenError {
        /// Not enough memory for a thread's table, or a thread could not be started.
        Threads(error: ThreadsError) => both "{error}";
        /// No suitable opening was found.
        NoOpening(error: NoOpening) => both "{error}";
        /// A game could not be added to the file.
        Write(error: AddError) => both "{error}";
        /// The file could not be read or written.
        Record(error: RecordError) => both "{error}";
    }
}

error_message!(
    DatagenError,
    Threads: ThreadsError,
    NoOpening: NoOpening,
    Write: AddError,
    Record: RecordError,
);

/// A checksum that identifies an evaluation, computed from its values of the bench positions.
pub fn fingerprint(evaluation: &Arc<Evaluation>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for sfen in POSITIONS {
        let Ok(position) = Position::from_sfen(sfen) else { continue };
        let value = EvalStack::new(evaluation, &position).evaluate(&position);
        hasher.update(&value.to_le_bytes());
    }
    hasher.finalize()
}

/// Settings and evaluation of a run.
pub struct Job<'a> {
    /// How the games are played.
    pub play: &'a Play,
    /// Where they begin.
    pub openings: &'a Openings,
    /// The evaluation of both sides.
    pub evaluation: &'a Arc<Evaluation>,
    /// The seed of the run.
    pub seed: u64,
    /// Size of each thread's table in MiB.
    pub hash_mib: usize,
}

/// Plays games on `threads` threads and appends them to the file until the target is reached or the
/// run is cancelled. `tell` is called on the calling thread after each game.
///
/// Game `n` of a seed is the same in every run and with any number of threads, and games are
/// written in order; runs differ only in where the file ends. A few games share a searcher
/// ([`Play::session`]); which ones depends only on their numbers.
///
/// # Errors
/// Memory, openings or the file fail. Games already in the file are kept.
pub fn generate(
    job: &Job<'_>,
    target: Target,
    mut writer: GameWriter,
    scan: &Scan,
    threads: usize,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&Produced),
) -> Result<Produced, DatagenError> {
    let mut produced = Produced { games: scan.games, positions: scan.positions };
    if target.is_reached(&produced) {
        writer.finish()?;
        return Ok(produced);
    }
    let mut players = Vec::new();
    for _ in 0..threads {
        let signals = Arc::new(Signals::default());
        let stopped = Arc::clone(&signals);
        cancel.on_stop(move || stopped.stop());
        let searcher = Searcher::new(job.hash_mib, Arc::clone(job.evaluation));
        players.push((searcher.map_err(ThreadsError::from)?, signals));
    }
    // Do not start games beyond the target.
    let wanted = target.games.map(|games| games.saturating_sub(scan.games));
    let end = wanted.map_or(u64::MAX, |wanted| scan.next_game.saturating_add(wanted));
    let games = scan.next_game..end;
    let session = job.play.session();
    let first_of = |number: u64| number.saturating_mul(session);
    let mut sessions =
        (games.start / session..).map(first_of).take_while(|&first| first < games.end);
    let options = Options { window: 4 * threads, order: Order::AsGiven, stack_size: STACK_SIZE };
    let mut error = None;
    jobs::run(
        players,
        Source::Iterator(&mut sessions),
        &options,
        cancel,
        |(searcher, signals), first, emit| {
            searcher.forget();
            if job.play.style > 0.0
                && let Some(styled) = in_style(job.evaluation, job.play.style, job.seed, first)
            {
                searcher.set_evaluation(styled);
            }
            for number in first..games.end.min(first.saturating_add(session)) {
                if cancel.is_cancelled() {
                    return ControlFlow::Break(());
                }
                let game = job.play.game(job.seed, number, job.openings, searcher, signals);
                let Some(game) = game.transpose() else { return ControlFlow::Break(()) };
                // If an earlier run ended within the session, replay its games to restore the
                // searcher's state, but do not write them again.
                if games.contains(&number) {
                    emit(game);
                }
            }
            ControlFlow::Continue(())
        },
        |game| {
            let added = game.map_err(DatagenError::from).and_then(|game| {
                writer.add(&game)?;
                Ok(game.moves.len() as u64)
            });
            match added {
                Ok(positions) => {
                    produced.games += 1;
                    produced.positions += positions;
                    tell(&produced);
                }
                Err(failed) => error = Some(failed),
            }
            if error.is_some() || target.is_reached(&produced) {
                cancel.stop();
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    )
    .map_err(ThreadsError::from)?;
    writer.finish()?;
    match error {
        Some(error) => Err(error),
        None => Ok(produced),
    }
}
