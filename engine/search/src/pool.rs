//! The search threads after the first one, and the thread that watches the clock for them. They are
//! kept between searches: creating a hundred threads takes longer than a fast move.
//!
//! Every wait has a deadline. All that a search uses is owned by [`Arc`]s, so a thread that does
//! not get a core in time may end its search after the answer has been given.

use crate::history::SharedHistories;
use crate::placement::{Place, Placement};
use crate::report::Silent;
use crate::signals::Signals;
use crate::thread::{Ending, STACK_SIZE, SearchThread, Shared, ThreadMemory, ThreadResult, search};
use crate::time::TimeManager;
use crossbeam_channel::{Receiver, Sender, unbounded};
use monomi_movegen::Position;
use monomi_support::host::numa::Node;
use std::io;
use std::sync::Arc;
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Threads that share the large histories. Sharing saves memory; if too many threads share, they
/// wait for each other's cache lines.
pub const SHARING: usize = 8;
/// How long to wait for new threads.
const START: Duration = Duration::from_secs(10);
/// How long to wait for threads to end; after that they end by themselves.
const END: Duration = Duration::from_secs(1);
/// How often the clock is looked at, even if nothing happens.
const LONGEST_WATCH: Duration = Duration::from_secs(1);

/// A thread's result, or its panic.
pub type ResultOrPanic = std::thread::Result<ThreadResult>;

/// The helper threads.
pub struct Pool {
    workers: Vec<Sender<Task>>,
    watcher: Option<Sender<Watch>>,
    /// Closed when all threads have ended; they hold the senders.
    ended: Receiver<()>,
    alive: Option<Sender<()>>,
}

enum Task {
    Search {
        shared: Arc<Shared>,
        histories: Arc<SharedHistories>,
        root: Arc<Position>,
        results: Sender<ResultOrPanic>,
        place: Option<Place>,
    },
    /// Clear what the thread has learned; with `eval`, also drop what belongs to the evaluation. The
    /// sender is dropped when that is done.
    Clear { eval: bool, done: Sender<()> },
}

/// A search whose clock is to be watched.
struct Watch {
    ending: Arc<Ending>,
    clock: Option<TimeManager>,
    signals: Signals,
}

impl Pool {
    /// No threads.
    pub fn new() -> Self {
        let (alive, ended) = unbounded();
        Self { workers: Vec::new(), watcher: None, ended, alive: Some(alive) }
    }

    /// The number of threads.
    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// Changes the number of threads. On an error it stays.
    ///
    /// # Errors
    /// The system does not create the threads.
    pub fn resize(&mut self, threads: usize) -> io::Result<()> {
        let Some(alive) = &self.alive else { return Ok(()) };
        let (ready, waiting) = unbounded();
        if self.watcher.is_none() && threads > 0 {
            let (sender, watches) = unbounded();
            let alive = alive.clone();
            Builder::new().name("clock".to_owned()).spawn(move || {
                let _alive = alive;
                watches.iter().for_each(watch);
            })?;
            self.watcher = Some(sender);
        }
        let mut new = Vec::new();
        for id in self.len()..threads {
            let (sender, tasks) = unbounded();
            let (ready, alive) = (ready.clone(), alive.clone());
            let name = format!("search {}", id + 1);
            Builder::new().name(name).stack_size(STACK_SIZE).spawn(move || {
                let _alive = alive;
                let memory = ThreadMemory::new();
                drop(ready);
                work(id + 1, memory, &tasks);
            })?;
            new.push(sender);
        }
        drop(ready);
        if !new.is_empty() && !all_done(&waiting, START) {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "new threads did not start"));
        }
        self.workers.extend(new);
        self.workers.truncate(threads);
        Ok(())
    }

    /// Clears what the threads have learned; with `eval`, also what belongs to the evaluation. A
    /// thread that is late does it before its next search.
    pub fn clear(&self, eval: bool) {
        if self.workers.is_empty() {
            return;
        }
        let (done, waiting) = unbounded();
        for worker in &self.workers {
            // A thread ends only with the pool.
            let _ = worker.send(Task::Clear { eval, done: done.clone() });
        }
        drop(done);
        all_done(&waiting, END);
    }

    /// Ends the search when its time is up or at a signal, even if the first thread does not get a
    /// core.
    pub fn watch(&self, ending: &Arc<Ending>, clock: Option<&TimeManager>, signals: &Signals) {
        if let Some(watcher) = &self.watcher {
            let (ending, signals) = (Arc::clone(ending), signals.clone());
            let _ = watcher.send(Watch { ending, clock: clock.cloned(), signals });
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.workers.clear();
        self.alive = None;
        // Without threads there may be no clock either (WebAssembly).
        if self.watcher.take().is_some() {
            all_done(&self.ended, END);
        }
    }
}

/// Waits until all senders have been dropped. Returns whether that happened in time.
fn all_done(waiting: &Receiver<()>, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        match waiting.recv_deadline(deadline) {
            Ok(()) => {}
            Err(error) => return error.is_disconnected(),
        }
    }
}

/// What the pool's threads need to take part in one search.
pub struct Helpers<'a> {
    pub pool: &'a Pool,
    pub shared: &'a Arc<Shared>,
    pub histories: &'a [Arc<SharedHistories>],
    pub root: &'a Position,
    pub results: Sender<ResultOrPanic>,
    pub placement: &'a Placement,
}

impl Helpers<'_> {
    /// Starts them.
    pub fn start(self) {
        let root = Arc::new(self.root.clone());
        for (worker, id) in self.pool.workers.iter().zip(1..) {
            if self.shared.ending.ended() {
                return;
            }
            let _ = worker.send(Task::Search {
                shared: Arc::clone(self.shared),
                histories: Arc::clone(&self.histories[id / SHARING]),
                root: Arc::clone(&root),
                results: self.results.clone(),
                place: self.placement.of(id).cloned(),
            });
        }
    }
}

/// What a search thread does until the pool is dropped.
fn work(id: usize, mut memory: ThreadMemory, tasks: &Receiver<Task>) {
    let mut bound: Option<Arc<Node>> = None;
    for task in tasks {
        match task {
            Task::Search { shared, histories, root, results, place } => {
                if let Some(place) = place {
                    move_to(place, &mut bound, &mut memory);
                }
                let outcome = search(
                    &shared.ending,
                    || SearchThread::new(id, &shared, &histories, &mut memory, &root),
                    &mut Silent,
                );
                // Release the tables before sending: the receiver may replace them.
                drop((shared, histories, root));
                let _ = results.send(outcome);
            }
            Task::Clear { eval, done } => {
                memory.clear();
                if eval {
                    (memory.eval, memory.copy) = (None, None);
                }
                drop(done);
            }
        }
    }
}

/// Binds the thread to the node of its place, unless it is there, and takes the network of that node.
fn move_to(place: Place, bound: &mut Option<Arc<Node>>, memory: &mut ThreadMemory) {
    // What cannot be bound runs where it is.
    if bound.as_ref() != Some(&place.node) && place.node.bind().is_ok() {
        *bound = Some(place.node);
    }
    if !memory.copy.as_ref().is_some_and(|copy| Arc::ptr_eq(copy, &place.evaluation)) {
        (memory.eval, memory.copy) = (None, Some(place.evaluation));
    }
}

/// Watches one search until it has ended.
fn watch(Watch { ending, mut clock, signals }: Watch) {
    while !ending.ended() {
        let hit = signals.ponder_hit();
        let rest = clock.as_mut().and_then(|clock| clock.rest(&signals));
        let late = rest.is_some_and(|rest| rest.is_zero());
        if signals.stopped() || (late && ending.has_answer()) {
            ending.end();
            return;
        }
        // Late without an answer: the first thread ends the search when it has one.
        let time = if late { Duration::from_millis(1) } else { rest.unwrap_or(LONGEST_WATCH) };
        signals.wait(time.min(LONGEST_WATCH), || {
            ending.ended() || signals.stopped() || signals.ponder_hit() != hit
        });
    }
}
