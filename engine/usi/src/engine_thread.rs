//! The thread that runs the jobs of a session.

use crate::job::{Event, Job};
use crate::worker::Worker;
use crossbeam_channel::{Receiver, Sender, unbounded};
use monomi_eval::Evaluation;
use monomi_search::{Signals, ThreadsError};
use monomi_support::host::Instant;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Deep searches need more stack than the default of a thread.
const STACK_BYTES: usize = 64 << 20;

/// A handle to the thread.
pub struct EngineThread {
    jobs: Option<Sender<(Job, Signals)>>,
    events: Receiver<Event>,
    thread: Option<JoinHandle<()>>,
    /// Of the last job that can be stopped.
    signals: Signals,
}

impl EngineThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// Not enough memory, or the thread cannot be started.
    pub fn start(evaluation: Arc<Evaluation>) -> Result<Self, ThreadsError> {
        let (job_sender, jobs) = unbounded::<(Job, Signals)>();
        let (event_sender, events) = unbounded();
        let mut worker = Worker::new(evaluation, wait)?;
        let run = move || {
            let mut tell = |event| match event_sender.send(event) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
            for (job, signals) in jobs {
                if worker.work(job, &signals, &mut tell).is_break() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(run)?;
        let (jobs, thread, signals) = (Some(job_sender), Some(thread), Signals::default());
        Ok(Self { jobs, events, thread, signals })
    }

    /// Sends a job. If the thread has died, the job is dropped; [`EngineThread::events`] is closed then.
    pub fn send(&mut self, job: Job) {
        if job.is_stoppable() {
            // The signals of the job before stay as they are: a search that does not end in time
            // keeps its stop.
            self.signals = Signals::default();
        }
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send((job, self.signals.clone()));
        }
    }

    /// The events; closed when the thread has died.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// The signals of the last job that can be stopped.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Stops the thread and waits at most `patience` for it to end. Returns whether it has ended.
    /// If not (it may be clearing a large table), it ends with the process.
    pub fn quit(mut self, patience: Duration) -> bool {
        self.signals.stop();
        self.jobs = None;
        let deadline = Instant::now() + patience;
        let rest = || deadline.saturating_duration_since(Instant::now());
        while self.events.recv_timeout(rest()).is_ok() {}
        let Some(thread) = self.thread.take() else { return true };
        // The channel closes slightly before the thread ends.
        while !thread.is_finished() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_micros(200));
        }
        thread.is_finished() && thread.join().is_ok()
    }
}

/// Sleeps until `until` or until the search is stopped.
fn wait(until: Instant, signals: &Signals) {
    while !signals.stopped()
        && let Some(rest) = until.checked_duration_since(Instant::now())
        && !rest.is_zero()
    {
        std::thread::sleep(rest.min(Duration::from_millis(5)));
    }
}
