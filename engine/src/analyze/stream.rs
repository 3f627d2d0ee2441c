//! Searches the positions of a list on many threads. Each position is searched on its own; results
//! are reported in the order of the list, with bounded memory.

use crate::analyze::examine::{Examiner, NoExaminer};
use crate::analyze::found::Found;
use crate::analyze::list::{ListError, ListedPosition};
use crate::analyze::settings::{Cancel, Settings};
use crate::search::spawn;
use crossbeam_channel::{Receiver, Sender, bounded, never, select};
use monomi_eval::Evaluation;
use monomi_movegen::Position;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// Positions begun and not told of yet, for each worker: one slow position holds nobody up.
const WINDOW: usize = 32;
/// How long a Ctrl-C may go unnoticed while nothing else happens.
const TICK: Duration = Duration::from_millis(100);

/// Why the rest of a list was not searched.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// Memory or threads.
    #[error(transparent)]
    Examiner(#[from] NoExaminer),
    /// The list; what stands before the failure has been told.
    #[error(transparent)]
    List(#[from] ListError),
}

/// Searches the positions that come, and tells of each line in order, on the calling thread: broken
/// ones come without a finding.
///
/// After [`Cancel::cancel`] the positions in progress are finished and told of, and that was all.
///
/// # Errors
/// Memory or threads cannot be had; the list cannot be read on.
pub fn run(
    list: &Receiver<Result<ListedPosition, ListError>>,
    settings: &Settings,
    evaluation: &Arc<Evaluation>,
    cancel: &Cancel,
    tell: &mut dyn FnMut(&ListedPosition, Option<&Found>),
) -> Result<(), StreamError> {
    let examiners = Examiner::team(settings, evaluation, cancel, usize::MAX)?;
    let window = examiners.len() * WINDOW;
    let (jobs, queue) = bounded::<(usize, Position)>(window);
    let (done, findings) = bounded(window);
    std::thread::scope(|scope| {
        for mut examiner in examiners {
            let (queue, done) = (queue.clone(), done.clone());
            let work = move || {
                let _guard = PanicCancels(cancel);
                for (number, position) in queue {
                    if cancel.is_cancelled() {
                        break;
                    }
                    examiner.forget();
                    let found = examiner.position(&position, settings.movetime);
                    if cancel.at_once() || done.send((number, found)).is_err() {
                        break;
                    }
                }
            };
            if let Err(error) = spawn(scope, work) {
                cancel.cancel();
                return Err(NoExaminer::from(error).into());
            }
        }
        drop((queue, done));
        let ended = Desk { waiting: VecDeque::new(), left: 0, window, tell };
        ended.serve(list, jobs, &findings, cancel)
    })
}

/// Ends the analysis when a worker breaks down: its position would be waited for.
struct PanicCancels<'a>(&'a Cancel);

impl Drop for PanicCancels<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cancel();
        }
    }
}

/// Where findings arrive in any order and leave in the list's.
struct Desk<'a> {
    waiting: VecDeque<(ListedPosition, Option<Found>)>,
    /// Entries that have left.
    left: usize,
    window: usize,
    tell: &'a mut dyn FnMut(&ListedPosition, Option<&Found>),
}

impl Desk<'_> {
    fn serve(
        mut self,
        list: &Receiver<Result<ListedPosition, ListError>>,
        jobs: Sender<(usize, Position)>,
        findings: &Receiver<(usize, Found)>,
        cancel: &Cancel,
    ) -> Result<(), StreamError> {
        let (mut end, nothing) = (None, never());
        while end.is_none() && !cancel.is_cancelled() {
            let list = if self.waiting.len() < self.window { list } else { &nothing };
            select! {
                recv(list) -> entry => match entry {
                    Ok(Ok(entry)) => {
                        if let Ok(position) = &entry.position {
                            let number = self.left + self.waiting.len();
                            // The queue holds as many as may wait.
                            let _ = jobs.send((number, position.clone()));
                        }
                        self.waiting.push_back((entry, None));
                    }
                    Ok(Err(error)) => end = Some(Err(error.into())),
                    Err(_) => end = Some(Ok(())),
                },
                recv(findings) -> finding => if let Ok(finding) = finding {
                    self.take(finding);
                },
                default(TICK) => {}
            }
            self.hand_out();
        }
        // The workers end with the queue.
        drop(jobs);
        for finding in findings {
            self.take(finding);
            self.hand_out();
        }
        self.hand_out();
        end.unwrap_or(Ok(()))
    }

    fn take(&mut self, (number, found): (usize, Found)) {
        self.waiting[number - self.left].1 = Some(found);
    }

    fn hand_out(&mut self) {
        let ready = |(entry, found): &(ListedPosition, Option<Found>)| {
            found.is_some() || entry.position.is_err()
        };
        while self.waiting.front().is_some_and(ready) {
            let Some((entry, found)) = self.waiting.pop_front() else { break };
            self.left += 1;
            (self.tell)(&entry, found.as_ref());
        }
    }
}
