//! Runs many jobs on several threads and delivers their results on the calling thread.
//!
//! ```
//! use monomi_support::batch::jobs::{Cancel, Options, Order, Source, run};
//! use std::ops::ControlFlow;
//!
//! let mut squares = Vec::new();
//! let options = Options { window: 8, order: Order::AsGiven, stack_size: 1 << 20 };
//! run(
//!     vec![(), ()], // two workers without state
//!     Source::Iterator(&mut (1..=5)),
//!     &options,
//!     &Cancel::new(),
//!     |(), job: u64, emit| {
//!         emit(job * job);
//!         ControlFlow::Continue(())
//!     },
//!     |square| {
//!         squares.push(square);
//!         ControlFlow::Continue(())
//!     },
//! )?;
//! assert_eq!(squares, [1, 4, 9, 16, 25]);
//! # Ok::<(), std::io::Error>(())
//! ```

use crossbeam_channel::{Receiver, bounded, never, select, unbounded};
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How often cancellation is checked while neither a job nor a result arrives.
const TICK: Duration = Duration::from_millis(100);

/// Ends a run from another thread, in two steps: the first [`Cancel::cancel`] lets jobs in progress
/// finish, the second one stops them.
#[derive(Default)]
pub struct Cancel {
    calls: AtomicU8,
    on_stop: Mutex<Vec<Box<dyn Fn() + Send + Sync>>>,
}

impl Cancel {
    /// Not cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a function that interrupts a job in progress. It runs at once if the run has been
    /// stopped already.
    pub fn on_stop(&self, stop: impl Fn() + Send + Sync + 'static) {
        let mut functions = self.on_stop.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_stopped() {
            stop();
        }
        functions.push(Box::new(stop));
    }

    /// First call: starts no more jobs. Second call: stops those in progress.
    pub fn cancel(&self) {
        if self.calls.fetch_max(1, Relaxed) > 0 {
            self.stop();
        }
    }

    /// Starts no more jobs and stops those in progress.
    pub fn stop(&self) {
        let functions = self.on_stop.lock().unwrap_or_else(PoisonError::into_inner);
        self.calls.store(2, Relaxed);
        functions.iter().for_each(|stop| stop());
    }

    /// Whether no more jobs are to be started.
    pub fn is_cancelled(&self) -> bool {
        self.calls.load(Relaxed) > 0
    }

    /// Whether jobs in progress are to be stopped; their unfinished results do not count.
    pub fn is_stopped(&self) -> bool {
        self.calls.load(Relaxed) > 1
    }
}

/// Where jobs come from.
pub enum Source<'a, J> {
    /// Taken as soon as there is room in the window.
    Iterator(&'a mut dyn Iterator<Item = J>),
    /// Taken as they arrive; the run ends when the channel is disconnected.
    Channel(&'a Receiver<J>),
}

/// The order in which results are delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order of the jobs; each job's results in the order it emitted them.
    AsGiven,
    /// As soon as they are emitted.
    AsDone,
}

/// How jobs are run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Jobs taken from the source whose results have not all been delivered, at most; at least one
    /// for each worker keeps all of them busy.
    pub window: usize,
    /// The order of the results.
    pub order: Order,
    /// Stack of each thread in bytes.
    pub stack_size: usize,
}

enum Event<R> {
    Result(R),
    Finished,
    /// Cancelled before it was complete.
    Abandoned,
    Panicked(Box<dyn Any + Send>),
}

/// Runs jobs, one worker on each thread, and delivers their results on the calling thread.
///
/// `work` calls `emit` for each result; it returns [`ControlFlow::Break`] if it left the job
/// unfinished because of `cancel`. With [`Order::AsGiven`] nothing is delivered after an unfinished
/// job, so that results have no gaps. `deliver` returns `Break` to end the run: no more jobs are
/// started and further results are dropped, but jobs in progress run to their end unless the caller
/// also calls [`Cancel::stop`].
///
/// # Errors
/// A thread cannot be started; no job has been started then.
///
/// # Panics
/// With the panic of a job, after the other jobs have been stopped.
pub fn run<W: Send, J: Send, R: Send>(
    workers: Vec<W>,
    mut source: Source<'_, J>,
    options: &Options,
    cancel: &Cancel,
    work: impl Fn(&mut W, J, &mut dyn FnMut(R)) -> ControlFlow<()> + Sync,
    deliver: impl FnMut(R) -> ControlFlow<()>,
) -> io::Result<()> {
    if workers.is_empty() {
        return Ok(());
    }
    let window = options.window.max(1);
    let (jobs, queue) = bounded::<(u64, J)>(window);
    let (sender, events) = unbounded();
    // Set when `deliver` has ended the run or a job has panicked.
    let closed = AtomicBool::new(false);
    // `jobs` is dropped with the closure, on every path: that ends the workers.
    std::thread::scope(|scope| {
        for mut worker in workers {
            let (queue, sender, work, closed) = (queue.clone(), sender.clone(), &work, &closed);
            let body = move || {
                for (number, job) in queue {
                    let skip = closed.load(Relaxed) || cancel.is_cancelled();
                    let event = if skip {
                        Event::Abandoned
                    } else {
                        let mut emit = |result| drop(sender.send((number, Event::Result(result))));
                        match catch_unwind(AssertUnwindSafe(|| work(&mut worker, job, &mut emit))) {
                            Ok(ControlFlow::Continue(())) => Event::Finished,
                            Ok(ControlFlow::Break(())) => Event::Abandoned,
                            Err(panic) => Event::Panicked(panic),
                        }
                    };
                    let broken = matches!(event, Event::Panicked(_));
                    if broken {
                        closed.store(true, Relaxed);
                        cancel.stop();
                    }
                    // Fails only if `deliver` has panicked.
                    let _ = sender.send((number, event));
                    if broken {
                        break;
                    }
                }
            };
            std::thread::Builder::new().stack_size(options.stack_size).spawn_scoped(scope, body)?;
        }
        drop((queue, sender));

        let mut desk = Desk::new(options.order, &closed, deliver);
        let (mut open, nothing) = (true, never());
        while open && !cancel.is_cancelled() && !closed.load(Relaxed) {
            let room = desk.outstanding() < window;
            let mut submit = |desk: &mut Desk<'_, R, _>, job| {
                // Never blocks: the queue has room for the whole window.
                open = jobs.send((desk.add(), job)).is_ok();
            };
            match &mut source {
                Source::Iterator(iterator) if room => match iterator.next() {
                    Some(job) => submit(&mut desk, job),
                    None => open = false,
                },
                Source::Iterator(_) => {
                    if let Ok((number, event)) = events.recv_timeout(TICK) {
                        desk.take(number, event);
                    }
                }
                Source::Channel(channel) => {
                    let channel: &Receiver<J> = if room { channel } else { &nothing };
                    select! {
                        recv(channel) -> job => match job {
                            Ok(job) => submit(&mut desk, job),
                            Err(_) => open = false,
                        },
                        recv(events) -> event => if let Ok((number, event)) = event {
                            desk.take(number, event);
                        },
                        default(TICK) => {}
                    }
                }
            }
            for (number, event) in events.try_iter() {
                desk.take(number, event);
            }
        }
        drop(jobs);
        for (number, event) in events {
            desk.take(number, event);
        }
        match desk.panic {
            Some(panic) => resume_unwind(panic),
            None => Ok(()),
        }
    })
}

/// Results of a job that have not been delivered yet.
struct Slot<R> {
    results: VecDeque<R>,
    /// Whether it ran to its end; `None` while it runs.
    complete: Option<bool>,
}

/// Puts results into order.
struct Desk<'a, R, D> {
    order: Order,
    /// Jobs taken so far.
    taken: u64,
    /// The number of the first slot's job.
    first: u64,
    /// With [`Order::AsGiven`], the jobs from `first` on.
    slots: VecDeque<Slot<R>>,
    /// With [`Order::AsDone`], the number of jobs in progress.
    running: usize,
    closed: &'a AtomicBool,
    panic: Option<Box<dyn Any + Send>>,
    deliver: D,
}

impl<'a, R, D: FnMut(R) -> ControlFlow<()>> Desk<'a, R, D> {
    fn new(order: Order, closed: &'a AtomicBool, deliver: D) -> Self {
        let slots = VecDeque::new();
        Self { order, taken: 0, first: 0, slots, running: 0, closed, panic: None, deliver }
    }

    fn outstanding(&self) -> usize {
        self.slots.len() + self.running
    }

    /// Adds a job and returns its number.
    fn add(&mut self) -> u64 {
        match self.order {
            Order::AsGiven => {
                self.slots.push_back(Slot { results: VecDeque::new(), complete: None });
            }
            Order::AsDone => self.running += 1,
        }
        self.taken += 1;
        self.taken - 1
    }

    fn take(&mut self, number: u64, event: Event<R>) {
        let complete = match event {
            Event::Result(result) if self.order == Order::AsDone => return self.deliver(result),
            Event::Result(result) => {
                if let Some(slot) = self.slot(number) {
                    slot.results.push_back(result);
                }
                return self.deliver_in_order();
            }
            Event::Finished => true,
            Event::Abandoned => false,
            Event::Panicked(panic) => {
                self.panic.get_or_insert(panic);
                false
            }
        };
        match self.order {
            Order::AsDone => self.running -= 1,
            Order::AsGiven => {
                if let Some(slot) = self.slot(number) {
                    slot.complete = Some(complete);
                }
                self.deliver_in_order();
            }
        }
    }

    fn slot(&mut self, number: u64) -> Option<&mut Slot<R>> {
        self.slots.get_mut(usize::try_from(number.checked_sub(self.first)?).ok()?)
    }

    fn deliver_in_order(&mut self) {
        while let Some(slot) = self.slots.front_mut() {
            if let Some(result) = slot.results.pop_front() {
                self.deliver(result);
            } else if slot.complete == Some(true) {
                self.slots.pop_front();
                self.first += 1;
            } else {
                // The job still runs, or later results would leave a gap.
                break;
            }
        }
    }

    fn deliver(&mut self, result: R) {
        if !self.closed.load(Relaxed) && (self.deliver)(result).is_break() {
            self.closed.store(true, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
