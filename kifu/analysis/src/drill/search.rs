//! Finds the answers to exercises on many threads.

use crate::drill::{Answers, Mistake};
use crate::settings::{AnalysisSettings, Work};
use crate::worker::Worker;
use monomi_eval::Evaluation;
use monomi_search::{STACK_SIZE, ThreadsError};
use monomi_support::batch::jobs::{self, Cancel, Options, Order, Source};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Searches the answers for mistakes whose game was analysed earlier, each one independently, and
/// reports them with the index of the mistake on the calling thread, in any order; `None` where the move
/// played turns out to be good.
///
/// # Errors
/// Not enough memory, or a thread cannot be started.
pub fn search_mistakes(
    mistakes: &[Mistake],
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    tell: &mut dyn FnMut(usize, Option<Answers>),
) -> Result<(), ThreadsError> {
    let workers =
        Worker::team(settings, evaluation, cancel, (Work::Positions, mistakes.len().max(1)))?;
    let options = Options { window: workers.len(), order: Order::AsDone, stack_size: STACK_SIZE };
    jobs::run(
        workers,
        Source::Iterator(&mut (0..mistakes.len())),
        &options,
        cancel,
        |worker, index, emit| {
            worker.forget();
            let Mistake { position, best, played, missed_mate, .. } = &mistakes[index];
            let answers = worker.answers(position, (best, *played), missed_mate.is_some());
            if cancel.is_stopped() {
                return ControlFlow::Break(());
            }
            emit((index, answers.map(Answers)));
            ControlFlow::Continue(())
        },
        |(index, answers)| {
            tell(index, answers);
            ControlFlow::Continue(())
        },
    )?;
    Ok(())
}
