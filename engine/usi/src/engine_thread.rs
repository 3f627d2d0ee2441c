//! The thread that owns the searcher and runs everything that takes time.

use crate::options::BookSource;
use crate::skill::Skill;
use crate::{book_file, chance};
use crossbeam_channel::{Receiver, Sender, unbounded};
use monomi_book::{Book, BookOptions};
use monomi_eval::Evaluation;
use monomi_host::Instant;
use monomi_mate::{MateLimits, MateResult, MateSolver};
use monomi_movegen::{PackedMove, Position};
use monomi_search::divide::divide;
use monomi_search::eval_source::{EvalSource, Loading};
use monomi_search::{Info, Limits, Reporter, SearchOptions, SearchResult, Searcher, Signals};
use monomi_text::{Lang, Message as _};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// A request of the session. Jobs run in the order in which they are sent.
pub enum Job {
    /// Search.
    Go {
        /// Repeated in all events of this search.
        id: u64,
        /// The position, with the game's moves as its history.
        root: Box<Position>,
        /// Limits of the search.
        limits: Box<Limits>,
        /// Options of the search.
        options: Box<SearchOptions>,
        /// How to use the book, `None` to ignore it.
        book: Option<BookOptions>,
        /// Reduced playing strength.
        skill: Option<Skill>,
        /// Stops this search and no other.
        signals: Signals,
    },
    /// Count legal move sequences.
    Perft {
        /// Repeated in all events of this count.
        id: u64,
        /// The position.
        root: Box<Position>,
        /// Length of the sequences in plies.
        depth: u32,
        /// Stops this count.
        signals: Signals,
    },
    /// Search for a mate.
    Mate {
        /// Repeated in the answer.
        id: u64,
        /// The position; its side to move attacks.
        root: Box<Position>,
        /// When to give up.
        deadline: Option<Instant>,
        /// Size of the solver's table in mebibytes.
        hash_mib: usize,
        /// Stops this search.
        signals: Signals,
    },
    /// A new game begins.
    NewGame,
    /// Clear the table and the histories.
    Forget,
    /// Change the table's size, in mebibytes.
    Resize(usize),
    /// Change the number of search threads.
    SetThreads(usize),
    /// Change the evaluation.
    LoadEval(EvalSource),
    /// Change the book; `None` for none.
    LoadBook(Option<BookSource>),
    /// Send [`Event::Ready`] when all earlier jobs are done.
    Ready,
}

/// A message to the session.
pub enum Event {
    /// An info line of search `id`.
    Info(u64, Info),
    /// Search `id` has ended.
    Done(u64, SearchResult),
    /// Search `id` has panicked.
    Failed(u64, String),
    /// Count `id`: nodes below a root move.
    PerftShare(u64, PackedMove, u64),
    /// Count `id` has ended; `None` if it was stopped.
    PerftDone(u64, Option<u64>, Duration),
    /// Mate search `id` has ended.
    Mate(u64, MateResult),
    /// A setting could not be changed: its present value, and the reason.
    Refused(Setting, String),
    /// A message for the user.
    Note(String),
    /// The evaluation has been changed.
    Evaluation(Arc<Evaluation>),
    /// All jobs before `Job::Ready` are done.
    Ready,
}

/// A setting that may fail to change, with the value in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The table's size in mebibytes.
    Hash(usize),
    /// The number of search threads.
    Threads(usize),
    /// The evaluation.
    Eval(EvalSource),
    /// The book.
    Book(Option<BookSource>),
}

/// Threads per core from which the user is warned.
const MANY_THREADS: usize = 4;
/// Deep searches need more stack than the default of a thread.
const STACK_BYTES: usize = 64 << 20;
/// Size of the table before the first `Resize`; small, so that the program starts quickly.
const FIRST_HASH_MIB: usize = 1;

/// The session's handle to the thread.
pub struct EngineThread {
    jobs: Option<Sender<Job>>,
    events: Receiver<Event>,
    thread: Option<JoinHandle<()>>,
    signals: Signals,
}

impl EngineThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// Not enough memory, or the thread cannot be started.
    pub fn start(evaluation: Arc<Evaluation>) -> anyhow::Result<Self> {
        let (job_sender, jobs) = unbounded();
        let (event_sender, events) = unbounded();
        let searcher = Searcher::new(FIRST_HASH_MIB, evaluation)?;
        let state = State {
            searcher,
            mate: None,
            hash_mib: FIRST_HASH_MIB,
            threads: 1,
            eval: EvalSource::Internal,
            book: None,
            events: event_sender,
        };
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || state.run(&jobs))?;
        let (jobs, thread, signals) = (Some(job_sender), Some(thread), Signals::default());
        Ok(Self { jobs, events, thread, signals })
    }

    /// Sends a job. If the thread has died, the job is dropped; [`EngineThread::events`] is closed then.
    pub fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            let _ = jobs.send(job);
        }
    }

    /// The events; closed when the thread has died.
    pub fn events(&self) -> &Receiver<Event> {
        &self.events
    }

    /// The signals of the job last sent.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Signals for a new job. Those of the job before stay as they are: a search that does not end in
    /// time keeps its stop.
    pub fn new_signals(&mut self) -> Signals {
        self.signals = Signals::default();
        self.signals.clone()
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

/// The state of the thread.
struct State {
    searcher: Searcher,
    /// Kept between mate searches, with its size in mebibytes; dropped when a game is played.
    mate: Option<(usize, MateSolver)>,
    hash_mib: usize,
    threads: usize,
    eval: EvalSource,
    book: Option<(BookSource, Book)>,
    events: Sender<Event>,
}

impl State {
    fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            if self.work(job).is_break() {
                return;
            }
        }
    }

    /// Runs a job; `Break` if the session has ended.
    fn work(&mut self, job: Job) -> ControlFlow<()> {
        match job {
            Job::Go { id, root, limits, options, book, skill, signals } => {
                self.mate = None;
                if let Some(book) = book
                    && self.play_from_book(id, &root, &limits, &book)?
                {
                    return ControlFlow::Continue(());
                }
                self.search(id, &root, *limits, *options, skill, &signals)
            }
            Job::Mate { id, root, deadline, hash_mib, signals } => {
                self.mate(id, &root, deadline, hash_mib, signals)
            }
            Job::Perft { id, root, depth, signals } => self.perft(id, &root, depth, &signals),
            Job::NewGame => {
                self.searcher.new_game();
                ControlFlow::Continue(())
            }
            Job::Forget => {
                self.mate = None;
                self.searcher.forget();
                ControlFlow::Continue(())
            }
            Job::Resize(mib) => match self.searcher.resize_hash(mib) {
                Ok(()) => {
                    self.hash_mib = mib;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    let reason = format!("USI_Hash {mib}: {error:#}");
                    self.tell(Event::Refused(Setting::Hash(self.hash_mib), reason))
                }
            },
            Job::SetThreads(threads) => {
                if let Err(error) = self.searcher.set_threads(threads) {
                    let reason = format!("Threads {threads}: {error}");
                    return self.tell(Event::Refused(Setting::Threads(self.threads), reason));
                }
                self.threads = threads;
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                if threads > MANY_THREADS * cores {
                    let note = format!(
                        "Threads {threads} is more than {MANY_THREADS} times the number of cores \
                         ({cores}); more threads than cores do not search faster"
                    );
                    return self.tell(Event::Note(note));
                }
                ControlFlow::Continue(())
            }
            Job::LoadEval(source) => self.load_eval(source),
            Job::LoadBook(source) => self.load_book(source),
            Job::Ready => self.tell(Event::Ready),
        }
    }

    fn tell(&self, event: Event) -> ControlFlow<()> {
        match self.events.send(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn load_eval(&mut self, source: EvalSource) -> ControlFlow<()> {
        let mut tell = |loading: Loading| {
            // If the session has ended, the next event tells.
            let _ = self.tell(Event::Note(loading.in_lang(Lang::En).to_string()));
        };
        match source.load(&mut tell) {
            Ok(evaluation) => {
                self.searcher.set_evaluation(Arc::clone(&evaluation));
                self.eval = source;
                self.tell(Event::Evaluation(evaluation))
            }
            Err(error) => {
                let in_force = Setting::Eval(self.eval.clone());
                self.tell(Event::Refused(in_force, format!("EvalFile {error}")))
            }
        }
    }

    fn load_book(&mut self, source: Option<BookSource>) -> ControlFlow<()> {
        let Some(source) = source else {
            self.book = None;
            return ControlFlow::Continue(());
        };
        match book_file::load(&source) {
            Ok((book, notes)) => {
                self.book = Some((source, book));
                notes.into_iter().try_for_each(|note| self.tell(Event::Note(note)))
            }
            Err(error) => {
                let in_force = Setting::Book(self.book.as_ref().map(|(source, _)| source.clone()));
                self.tell(Event::Refused(in_force, error.to_string()))
            }
        }
    }

    /// Answers a search from the book. Returns whether it did.
    fn play_from_book(
        &self,
        id: u64,
        root: &Position,
        limits: &Limits,
        options: &BookOptions,
    ) -> ControlFlow<(), bool> {
        let Some((_, book)) = &self.book else { return ControlFlow::Continue(false) };
        let probe = book_file::ask(book, root, options, &limits.searchmoves);
        let faults = probe.faults.into_iter().map(|fault| format!("Error! {fault}"));
        for note in faults.chain(probe.notes) {
            self.tell(Event::Note(note))?;
        }
        let Some((infos, result)) = probe.hit.as_ref().and_then(book_file::answer) else {
            return ControlFlow::Continue(false);
        };
        infos.into_iter().try_for_each(|info| self.tell(Event::Info(id, info)))?;
        self.tell(Event::Done(id, result))?;
        ControlFlow::Continue(true)
    }

    fn search(
        &mut self,
        id: u64,
        root: &Position,
        mut limits: Limits,
        mut options: SearchOptions,
        skill: Option<Skill>,
        signals: &Signals,
    ) -> ControlFlow<()> {
        let shown = options.multi_pv;
        if let Some(skill) = skill {
            skill.narrow(&mut limits, &mut options);
        }
        let events = self.events.clone();
        let mut lines = InfoSender { id, events, shown, keep: skill.is_some(), kept: Vec::new() };
        // A panic in the search must not end the game or the session.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.searcher.go_here(root, &limits, &options, signals, &mut lines)
        }));
        match outcome {
            Ok(mut result) => {
                let choose =
                    |skill: Skill| skill.choose(&lines.kept, chance::share(), &mut result).cloned();
                if let Some(mut played) = skill.and_then(choose) {
                    // Report once more so that the final info line matches bestmove.
                    (played.multipv, played.multipv_count) = (1, 1);
                    self.tell(Event::Info(id, played))?;
                }
                if skill.is_some() {
                    let side = root.side_to_move();
                    let time = Skill::thinking_time(&limits, &options, side, chance::share());
                    wait(limits.start + time, signals);
                }
                self.tell(Event::Done(id, result))
            }
            Err(panic) => {
                let reason = panic_message(panic.as_ref());
                self.tell(Event::Failed(id, reason))?;
                self.rebuild()
            }
        }
    }

    /// Creates a new searcher after a panic: the state of the old one is unknown.
    fn rebuild(&mut self) -> ControlFlow<()> {
        let evaluation = Arc::clone(self.searcher.evaluation());
        match Searcher::new(self.hash_mib, evaluation) {
            Ok(searcher) => {
                self.searcher = searcher;
                if let Err(error) = self.searcher.set_threads(self.threads) {
                    self.threads = 1;
                    let reason = format!("restarting the search: {error}");
                    return self.tell(Event::Refused(Setting::Threads(1), reason));
                }
                ControlFlow::Continue(())
            }
            Err(error) => {
                let reason = format!("restarting the search: {error:#}");
                self.tell(Event::Refused(Setting::Hash(self.hash_mib), reason))
            }
        }
    }

    fn mate(
        &mut self,
        id: u64,
        root: &Position,
        deadline: Option<Instant>,
        hash_mib: usize,
        signals: Signals,
    ) -> ControlFlow<()> {
        // Keep the solver only if it returned normally.
        let kept = self.mate.take().filter(|(size, _)| *size == hash_mib);
        let outcome = catch_unwind(AssertUnwindSafe(move || {
            let mut solver = kept.map_or_else(|| MateSolver::new(hash_mib), |(_, solver)| solver);
            let limits = MateLimits { deadline, ..MateLimits::default() };
            let result = solver.solve(root, &limits, &|| signals.stopped());
            (solver, result)
        }));
        match outcome {
            Ok((solver, result)) => {
                self.mate = Some((hash_mib, solver));
                self.tell(Event::Mate(id, result))
            }
            Err(panic) => self.tell(Event::Failed(id, panic_message(panic.as_ref()))),
        }
    }

    fn perft(&self, id: u64, root: &Position, depth: u32, signals: &Signals) -> ControlFlow<()> {
        let start = Instant::now();
        let total = divide(root, depth, &|| signals.stopped(), |mv, nodes| {
            // Whether the session has ended is checked below.
            let _ = self.tell(Event::PerftShare(id, mv, nodes));
        });
        self.tell(Event::PerftDone(id, total, start.elapsed()))
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

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// Sends info lines to the session.
struct InfoSender {
    id: u64,
    events: Sender<Event>,
    /// Number of lines of an iteration to send.
    shown: usize,
    /// Whether to keep the lines of the last iteration in `kept`.
    keep: bool,
    kept: Vec<Info>,
}

impl Reporter for InfoSender {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if self.keep {
            if info.multipv == 1 {
                self.kept.clear();
            }
            self.kept.push(info.clone());
        }
        if info.multipv > self.shown {
            return ControlFlow::Continue(());
        }
        let mut info = info.clone();
        info.multipv_count = info.multipv_count.min(self.shown);
        match self.events.send(Event::Info(self.id, info)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}
