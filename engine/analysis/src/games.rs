//! Runs the first two stages, search and solve, on the positions of many games on many threads.

use crate::settings::AnalysisSettings;
use crate::solve::SolvedPosition;
use crate::worker::{Worker, WorkerError};
use monomi_batch::jobs::{self, Cancel, Options, Order, Source};
use monomi_eval::Evaluation;
use monomi_host::Instant;
use monomi_record::Record;
use monomi_search::STACK_SIZE;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::Duration;

/// Positions searched in sequence with the same table when there is no clock. Sharing the table
/// makes the search faster and better; short stretches keep all threads busy. The number is fixed,
/// so that results depend neither on the number of threads nor on interruptions.
const TOGETHER: usize = 8;

/// Positions of one game that belong together: indices into [`Record::positions`].
struct Unit {
    game: usize,
    plies: Range<usize>,
}

/// Searches and solves the positions of the games and reports each result on the calling thread. `is_known`
/// tells which positions (game, ply) need no search.
///
/// # Errors
/// Not enough memory, or a thread cannot be started.
pub fn analyze(
    games: &[&Record],
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    is_known: &dyn Fn(usize, usize) -> bool,
    tell: &mut dyn FnMut(usize, usize, SolvedPosition),
) -> Result<(), WorkerError> {
    let units = units(games, settings, is_known);
    let workers = Worker::team(settings, evaluation, cancel, units.len())?;
    let options = Options { window: workers.len(), order: Order::AsDone, stack_size: STACK_SIZE };
    jobs::run(
        workers,
        Source::Iterator(&mut units.into_iter()),
        &options,
        cancel,
        |worker, unit, emit| {
            let mut tell = |ply, solved| emit((unit.game, ply, solved));
            match run_unit(worker, games[unit.game], &unit, settings, cancel, &mut tell) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        },
        |(game, ply, solved)| {
            // Known positions are searched again only to fill the table for their neighbours.
            if !is_known(game, ply) {
                tell(game, ply, solved);
            }
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}

fn units(
    games: &[&Record],
    settings: &AnalysisSettings,
    is_known: &dyn Fn(usize, usize) -> bool,
) -> Vec<Unit> {
    let mut units = Vec::new();
    for (game, record) in games.iter().enumerate() {
        let positions = 0..record.moves.len() + 1;
        if settings.is_reproducible() {
            let open = together(positions.end)
                .filter(|plies| plies.clone().any(|ply| !is_known(game, ply)));
            units.extend(open.map(|plies| Unit { game, plies }));
        } else if let Some(last) = positions.rev().find(|&ply| !is_known(game, ply)) {
            // Games are searched backwards, so an interrupted run leaves the last positions known.
            units.push(Unit { game, plies: 0..last + 1 });
        }
    }
    units
}

/// Splits the positions of a game into parts that are searched with the same table, of at most
/// eight, smaller at the end so that threads finish at nearly the same time.
pub fn together(positions: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let left = positions - start;
        let part = start..start + left.min((left / 4).clamp(1, TOGETHER));
        start = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// False when the analysis was cancelled.
fn run_unit(
    worker: &mut Worker<'_>,
    record: &Record,
    unit: &Unit,
    settings: &AnalysisSettings,
    cancel: &Cancel,
    tell: &mut dyn FnMut(usize, SolvedPosition),
) -> bool {
    worker.forget();
    let all = record.moves.len() + 1;
    let share = |time: Duration| time.mul_f64(unit.plies.len() as f64 / all as f64);
    let ends = settings.time_per_game.map(|time| Instant::now() + share(time));
    let movetime = |left: usize| {
        let of_game = ends.map(|ends| {
            let rest = ends.saturating_duration_since(Instant::now());
            // Some time is left for comparing moves and for the mate solver.
            (rest / left as u32).mul_f64(0.8).max(Duration::from_millis(1))
        });
        settings.movetime.into_iter().chain(of_game).min()
    };
    worker.stretch(record, unit.plies.clone(), cancel, &movetime, tell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_of_it_in_order() {
        for positions in [0, 1, 2, 7, 8, 31, 32, 33, 301] {
            let parts: Vec<_> = together(positions).collect();
            assert!(parts.iter().all(|part| (1..=TOGETHER).contains(&part.len())), "{parts:?}");
            assert!(parts.iter().cloned().flatten().eq(0..positions), "{parts:?}");
            assert!(parts.last().is_none_or(|part| part.len() == 1), "{parts:?}");
        }
    }
}
