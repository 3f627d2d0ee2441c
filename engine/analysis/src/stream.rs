//! Searches the positions of a list on many threads, each one independently. Results come in the
//! order of the list, and only a few positions are in memory at a time.

use crate::analysis_settings::AnalysisSettings;
use crate::examine::{Examiner, NoExaminer};
use crate::found::Found;
use crate::list::{ListError, ListedPosition};
use crossbeam_channel::Receiver;
use monomi_batch::jobs::{self, Cancel, Options, Order, Source};
use monomi_eval::Evaluation;
use monomi_search::STACK_SIZE;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Positions in progress or waiting for an earlier one, per worker. More than one, so that a slow
/// position does not leave the other workers idle.
const WINDOW: usize = 32;

/// Why the rest of a list was not searched.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// Memory or threads.
    #[error(transparent)]
    Examiner(#[from] NoExaminer),
    /// The list cannot be read; the results before the error have been delivered.
    #[error(transparent)]
    List(#[from] ListError),
}

/// Searches positions as they arrive and calls `tell` for each line in order, on the calling
/// thread; broken lines come without a result.
///
/// After [`Cancel::cancel`] the positions in progress are finished and reported, and no others.
///
/// # Errors
/// Memory or threads are not available, or the list cannot be read.
pub fn run(
    list: &Receiver<Result<ListedPosition, ListError>>,
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&ListedPosition, Option<&Found>),
) -> Result<(), StreamError> {
    let examiners = Examiner::team(settings, evaluation, cancel, usize::MAX)?;
    let window = examiners.len() * WINDOW;
    let options = Options { window, order: Order::AsGiven, stack_size: STACK_SIZE };
    let mut failed = None;
    jobs::run(
        examiners,
        Source::Channel(list),
        &options,
        cancel,
        |examiner, entry, emit| {
            let found = match &entry {
                Ok(ListedPosition { position: Ok(position), .. }) => {
                    examiner.forget();
                    let found = examiner.position(position, settings.movetime);
                    if cancel.is_stopped() {
                        return ControlFlow::Break(());
                    }
                    Some(found)
                }
                _ => None,
            };
            emit((entry, found));
            ControlFlow::Continue(())
        },
        |(entry, found)| match entry {
            Ok(entry) => {
                tell(&entry, found.as_ref());
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )
    .map_err(NoExaminer::from)?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}
