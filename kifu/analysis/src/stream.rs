//! Searches the positions of a list on many threads, each one independently. Results come in the
//! order of the list, and only a few positions are in memory at a time.

use crate::list::{ListError, ListedPosition};
use crate::search::SearchedPosition;
use crate::settings::{AnalysisSettings, Work};
use crate::worker::Worker;
use crossbeam_channel::Receiver;
use monomi_eval::Evaluation;
use monomi_search::{STACK_SIZE, ThreadsError};
use monomi_support::batch::jobs::{self, Cancel, Options, Order, Source};
use monomi_support::text::{error_message, messages};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Positions in progress or waiting for an earlier one, per worker. More than one, so that a slow
/// position does not leave the other workers idle.
const WINDOW: usize = 32;

messages! {
    /// Why the rest of a list was not searched.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum StreamError {
        /// Memory or threads.
        Worker(error: ThreadsError) => both "{error}";
        /// The list cannot be read; the results before the error have been delivered.
        List(error: ListError) => both "{error}";
    }
}
error_message!(StreamError, Worker: ThreadsError, List: ListError);

/// Searches positions as they arrive and calls `tell` for each line in order, on the calling
/// thread; broken lines come without a result.
///
/// After [`Cancel::cancel`] the positions in progress are finished and reported, and no others.
///
/// # Errors
/// Memory or threads are not available, or the list cannot be read.
pub fn search_list(
    list: &Receiver<Result<ListedPosition, ListError>>,
    settings: &AnalysisSettings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&ListedPosition, Option<&SearchedPosition>),
) -> Result<(), StreamError> {
    let workers = Worker::team(settings, evaluation, cancel, (Work::Positions, usize::MAX))
        .map_err(StreamError::Worker)?;
    let window = workers.len() * WINDOW;
    let options = Options { window, order: Order::AsGiven, stack_size: STACK_SIZE };
    let mut failed = None;
    jobs::run(
        workers,
        Source::Channel(list),
        &options,
        cancel,
        |worker, entry, emit| {
            let searched = match &entry {
                Ok(ListedPosition { position: Ok(position), .. }) => {
                    worker.forget();
                    let searched = worker.search(position);
                    if cancel.is_stopped() {
                        return ControlFlow::Break(());
                    }
                    Some(searched)
                }
                _ => None,
            };
            emit((entry, searched));
            ControlFlow::Continue(())
        },
        |(entry, searched)| match entry {
            Ok(entry) => {
                tell(&entry, searched.as_ref());
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        },
    )
    .map_err(ThreadsError::from)?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}
