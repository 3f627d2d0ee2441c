//! Runs the first two stages, search and solve, on the positions of many games on many threads.

use crate::explain::Explaining;
use crate::settings::{AnalysisSettings, Work};
use crate::solve::SolvedPosition;
use crate::worker::{LAST_SHARE, Worker};
use monomi_eval::Evaluation;
use monomi_record::Record;
use monomi_search::{STACK_SIZE, ThreadsError};
use monomi_support::batch::jobs::{self, Cancel, Options, Order, Source};
use monomi_support::host::Instant;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Share of a game's time for its positions; the rest is for the reasons.
const POSITIONS_SHARE: f64 = 0.88;

/// Searches and solves the positions of the games and reports each result (game, ply) on the calling
/// thread; those of bad moves once more when the moves are explained, and that of the first position last. `known` holds the results that need not be found again: of every game, those of its positions.
///
/// Without a clock, each game is searched as a whole by one thread, so that results depend neither on the
/// number of threads nor on interruptions: a game of which not everything is known is searched again.
///
/// # Errors
/// Not enough memory, or a thread cannot be started.
pub fn analyze(
    games: &[&Record],
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    known: &[Vec<Option<SolvedPosition>>],
    tell: &mut dyn FnMut(usize, usize, SolvedPosition),
) -> Result<(), ThreadsError> {
    let open = |game: &usize| known[*game].iter().any(Option::is_none);
    let open: Vec<usize> = (0..games.len()).filter(open).collect();
    let workers = Worker::team(settings, evaluation, cancel, (Work::Games, open.len()))?;
    let mut told = known.to_vec();
    let options = Options { window: workers.len(), order: Order::AsDone, stack_size: STACK_SIZE };
    jobs::run(
        workers,
        Source::Iterator(&mut open.into_iter()),
        &options,
        cancel,
        |worker, game, emit| {
            let mut tell = |ply, solved| emit((game, ply, solved));
            match analyze_game(worker, games[game], settings, cancel, &known[game], &mut tell) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        },
        |(game, ply, solved)| {
            // A result comes without its explanation first, also if that is known already.
            if told[game][ply].as_ref() != Some(&solved) {
                told[game][ply] = Some(solved.clone());
                tell(game, ply, solved);
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}

/// False when the analysis was cancelled.
fn analyze_game(
    worker: &mut Worker,
    record: &Record,
    settings: &AnalysisSettings,
    cancel: &Cancel,
    known: &[Option<SolvedPosition>],
    tell: &mut dyn FnMut(usize, SolvedPosition),
) -> bool {
    worker.forget();
    let all = record.moves.len() + 1;
    // Games are searched backwards, so an interrupted run leaves the last positions known.
    let end = match settings.is_reproducible() {
        true => all,
        false => known.iter().rposition(Option::is_none).map_or(0, |ply| ply + 1),
    };
    let of_positions = if settings.reasons { POSITIONS_SHARE } else { 1.0 };
    let share = |time: Duration| time.mul_f64(of_positions * end as f64 / all as f64);
    let ends = settings.time_per_game.map(|time| Instant::now() + share(time));
    let movetime = |left: usize| {
        let of_game = ends.map(|ends| {
            let rest = ends.saturating_duration_since(Instant::now());
            let shares = if left == all { left as u32 + LAST_SHARE - 1 } else { left as u32 };
            // Some time is left for comparing moves and for the mate solver.
            (rest / shares).mul_f64(0.8).max(Duration::from_millis(1))
        });
        settings.movetime.into_iter().chain(of_game).min()
    };
    let next = known.get(end).and_then(Option::as_ref);
    let mut results = known.to_vec();
    // The first position is told last, because then the game is complete.
    let done = worker.stretch(record, 0..end, next, cancel, &movetime, &mut |ply, solved| {
        results[ply] = Some(solved.clone());
        if ply > 0 {
            tell(ply, solved);
        }
    });
    if !done {
        return false;
    }
    // Bad moves are explained when all positions are known.
    let result = |ply: usize| results.get(ply).cloned().flatten();
    let mut explaining = Explaining::new(record, 0..all, settings, &result);
    while let Some(ply) = explaining.next_ply() {
        let (Some(before), Some(after)) = (&results[ply], &results[ply + 1]) else { break };
        let explanation = explaining.advance(worker, record, (before, after), cancel);
        if cancel.is_cancelled() {
            return false;
        }
        if let Some(result) = &mut results[ply] {
            result.explanation = explanation;
            if ply > 0 {
                tell(ply, result.clone());
            }
        }
    }
    if let Some(first) = results.into_iter().next().flatten() {
        tell(0, first);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that was interrupted when all its moves had been explained, but before the first position was
    /// told: it is searched again, and keeps the explanations.
    #[test]
    fn explanations_survive_a_second_search() {
        let text = "startpos moves 7g7f 3c3d 8h2b+ 9c9d 2b3a";
        let record = monomi_record::read_usi_line(1, text).unwrap();
        let mut settings = AnalysisSettings::of_nodes(2_000, crate::WinScale::default());
        (settings.reasons, settings.threads) = (true, 1);
        let evaluation = Evaluation::built_in();
        let run = |known: Vec<Option<SolvedPosition>>| {
            let mut results = known.clone();
            let mut tell = |_, ply: usize, solved| results[ply] = Some(solved);
            analyze(&[&record], &settings, &evaluation, &Cancel::new(), &[known], &mut tell)
                .unwrap();
            results
        };
        let first = run(vec![None; record.moves.len() + 1]);
        let explained = first.iter().flatten().filter(|result| result.explanation.is_some());
        assert!(explained.count() > 0);
        let mut known = first.clone();
        known[0] = None;
        assert!(run(known) == first);
    }
}
