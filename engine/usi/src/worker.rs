//! Runs the jobs of a [`Dialogue`](crate::dialogue::Dialogue): owns the searcher, the mate solver and the book.

use crate::book_file::{self, Loaded};
use crate::job::{Event, Job, Search, Setting};
use crate::notice::{Notice, UsiError};
use crate::options::BookSource;
use crate::random;
use crate::skill::Skill;
use crate::tool::Tool;
use monomi_book::Book;
use monomi_eval::Evaluation;
use monomi_eval::source::EvalSource;
use monomi_mate::tsume::{TsumeAnswer, TsumeRules, TsumeSolver};
use monomi_mate::{MateAnswer, MateLimits, MateResult, MateSolver};
use monomi_movegen::Position;
use monomi_movegen::divide;
use monomi_search::{Info, Reporter, Searcher, Signals, ThreadsError};
use monomi_support::host::Instant;
use monomi_support::memory::NotEnoughMemory;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Threads per core from which the user is warned.
const MANY_THREADS: usize = 4;
/// Size of the table before the first [`Job::Resize`]; small, so that the program starts quickly.
const FIRST_HASH_MIB: usize = 1;

/// Receives the events of a job. Returns `Break` if no more of them are needed.
pub type Tell<'a> = &'a mut (dyn FnMut(Event) -> ControlFlow<()> + Send);

/// Waits until a time, or until the signals stop the search.
pub type Pause = fn(Instant, &Signals);

/// Everything that jobs need.
pub struct Worker {
    searcher: Searcher,
    /// Kept between mate searches, with its size in mebibytes; dropped when a game is played.
    mate: Option<(usize, MateSolver)>,
    hash_mib: usize,
    threads: usize,
    numa: bool,
    eval: EvalSource,
    book: Option<(BookSource, Vec<Book>)>,
    pause: Pause,
}

impl Worker {
    /// A worker with a small table and one thread. `pause` is called where a search at reduced strength
    /// would answer too quickly.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(evaluation: Arc<Evaluation>, pause: Pause) -> Result<Self, NotEnoughMemory> {
        Ok(Self {
            searcher: Searcher::new(FIRST_HASH_MIB, evaluation)?,
            mate: None,
            hash_mib: FIRST_HASH_MIB,
            threads: 1,
            numa: true,
            eval: EvalSource::default(),
            book: None,
            pause,
        })
    }

    /// Changes the evaluation.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.searcher.set_evaluation(evaluation);
    }

    /// Runs a job; `Break` if its events are not needed any more.
    pub fn work(&mut self, job: Job, signals: &Signals, tell: Tell<'_>) -> ControlFlow<()> {
        match job {
            Job::Go(search) => {
                self.mate = None;
                if self.play_from_book(&search, tell)? {
                    return ControlFlow::Continue(());
                }
                self.search(*search, signals, tell)
            }
            Job::Mate { id, root, deadline, hash_mib, tsume: None } => {
                let limits = MateLimits::default().with_deadline(deadline);
                self.mate(id, &root, limits, hash_mib, signals, tell)
            }
            Job::Mate { id, root, deadline, hash_mib, tsume: Some(lines) } => {
                self.mate = None;
                let limits = MateLimits::default().with_deadline(deadline);
                tsume(id, &Tsume { root: &root, limits, hash_mib, lines }, signals, tell)
            }
            Job::Perft { id, root, depth } => perft(id, &root, depth, signals, tell),
            Job::Tool { id, tool } => self.use_tool(id, &tool, signals, tell),
            Job::NewGame => {
                self.searcher.new_game();
                ControlFlow::Continue(())
            }
            Job::Forget => {
                self.mate = None;
                self.searcher.forget();
                self.searcher.touch_memory();
                ControlFlow::Continue(())
            }
            Job::Resize(mib) => match self.searcher.resize_hash(mib) {
                Ok(()) => {
                    self.hash_mib = mib;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    let in_force = Setting::Hash(self.hash_mib);
                    tell(Event::Refused(in_force, UsiError::Hash { mib, error }))
                }
            },
            Job::SetThreads(threads) => self.set_threads(threads, tell),
            Job::UseNuma(numa) => {
                self.numa = numa;
                self.searcher.use_numa(numa);
                ControlFlow::Continue(())
            }
            Job::LoadEval(source) => self.load_eval(source, tell),
            Job::LoadBook(source) => self.load_book(source, tell),
            Job::Ready => tell(Event::Ready),
        }
    }

    fn use_tool(
        &mut self,
        id: u64,
        tool: &Tool,
        signals: &Signals,
        tell: Tell<'_>,
    ) -> ControlFlow<()> {
        let evaluation = self.searcher.evaluation();
        let done = tool
            .run((evaluation, &self.eval), signals, &mut |line| tell(Event::ToolLine(id, line)));
        tell(Event::ToolDone(id, done))
    }

    fn set_threads(&mut self, threads: usize, tell: Tell<'_>) -> ControlFlow<()> {
        if let Err(error) = self.searcher.set_threads(threads) {
            let in_force = Setting::Threads(self.threads);
            return tell(Event::Refused(in_force, UsiError::Threads { threads, error }));
        }
        self.threads = threads;
        if threads > 1 {
            tell(Event::Notice(Notice::Threads(threads)))?;
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        if threads > MANY_THREADS * cores {
            let most = MANY_THREADS;
            return tell(Event::Notice(Notice::ManyThreads { threads, cores, most }));
        }
        ControlFlow::Continue(())
    }

    fn load_eval(&mut self, source: EvalSource, tell: Tell<'_>) -> ControlFlow<()> {
        let mut progress = |line| {
            // Whether the session has ended is checked at the next event.
            let _ = tell(Event::Notice(Notice::Loading(line)));
        };
        match source.load(&mut progress) {
            Ok(evaluation) => {
                self.set_evaluation(Arc::clone(&evaluation));
                self.eval = source;
                tell(Event::Evaluation(evaluation))
            }
            Err(error) => {
                let in_force = Setting::Eval(self.eval.clone());
                tell(Event::Refused(in_force, UsiError::Eval(error)))
            }
        }
    }

    fn load_book(&mut self, source: Option<BookSource>, tell: Tell<'_>) -> ControlFlow<()> {
        let Some(source) = source else {
            self.book = None;
            return ControlFlow::Continue(());
        };
        let Loaded { books, messages, errors } = book_file::load(&source);
        let mut errors = errors.into_iter().map(UsiError::Book);
        if books.is_empty()
            && let Some(error) = errors.next()
        {
            errors.try_for_each(|error| tell(Event::Error(error)))?;
            let in_force = Setting::Book(self.book.as_ref().map(|(source, _)| source.clone()));
            return tell(Event::Refused(in_force, error));
        }
        // Where one of several books is missing, the others are still of use.
        errors.try_for_each(|error| tell(Event::Error(error)))?;
        self.book = Some((source, books));
        messages.into_iter().try_for_each(tell)
    }

    /// Answers a search from the book. Returns whether it did.
    fn play_from_book(&self, search: &Search, tell: Tell<'_>) -> ControlFlow<(), bool> {
        let (Some(options), Some((_, book))) = (&search.book, &self.book) else {
            return ControlFlow::Continue(false);
        };
        let probe = book_file::ask(book, &search.root, options, &search.limits.searchmoves);
        for fault in probe.faults {
            tell(Event::Error(UsiError::BookProbe(fault)))?;
        }
        for note in probe.notes {
            tell(Event::Notice(Notice::BookMove(note)))?;
        }
        let Some((infos, result)) = probe.hit.as_ref().and_then(book_file::answer) else {
            return ControlFlow::Continue(false);
        };
        infos.into_iter().try_for_each(|info| tell(Event::Info(search.id, info)))?;
        tell(Event::Done(search.id, result))?;
        ControlFlow::Continue(true)
    }

    fn search(&mut self, search: Search, signals: &Signals, tell: Tell<'_>) -> ControlFlow<()> {
        let Search { id, root, mut limits, mut options, skill, .. } = search;
        let shown = options.multi_pv;
        if let Some(skill) = skill {
            skill.narrow(&mut limits, &mut options);
        }
        let mut lines = InfoTeller { id, tell, shown, keep: skill.is_some(), kept: Vec::new() };
        // A panic in the search must not end the game or the session.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.searcher.go_here(&root, &limits, &options, signals, &mut lines)
        }));
        let InfoTeller { tell, kept, .. } = lines;
        match outcome {
            Ok(mut result) => {
                if let Some(skill) = skill {
                    if let Some(played) = skill.choose(&kept, random::share(), &mut result) {
                        // Report once more so that the final info line matches bestmove.
                        let mut played = played.clone();
                        (played.multipv, played.multipv_count) = (1, 1);
                        tell(Event::Info(id, played))?;
                    }
                    let side = root.side_to_move();
                    let time = Skill::thinking_time(&limits, side, random::share());
                    (self.pause)(limits.start + time, signals);
                }
                tell(Event::Done(id, result))
            }
            Err(panic) => {
                tell(Event::Failed(id, panic_message(panic.as_ref())))?;
                self.rebuild(tell)
            }
        }
    }

    /// Creates a new searcher after a panic: the state of the old one is unknown.
    fn rebuild(&mut self, tell: Tell<'_>) -> ControlFlow<()> {
        let evaluation = Arc::clone(self.searcher.evaluation());
        let (setting, error) = match Searcher::new(self.hash_mib, evaluation) {
            Ok(searcher) => {
                self.searcher = searcher;
                self.searcher.use_numa(self.numa);
                let Err(error) = self.searcher.set_threads(self.threads) else {
                    return ControlFlow::Continue(());
                };
                self.threads = 1;
                (Setting::Threads(1), error)
            }
            Err(error) => (Setting::Hash(self.hash_mib), ThreadsError::Memory(error)),
        };
        tell(Event::Refused(setting, UsiError::Restart(error)))
    }

    fn mate(
        &mut self,
        id: u64,
        root: &Position,
        limits: MateLimits,
        hash_mib: usize,
        signals: &Signals,
        tell: Tell<'_>,
    ) -> ControlFlow<()> {
        // Keep the solver only if it returned normally.
        let kept = self.mate.take().filter(|(size, _)| *size == hash_mib);
        let outcome = catch_unwind(AssertUnwindSafe(move || {
            let mut solver = kept.map_or_else(|| MateSolver::new(hash_mib), |(_, solver)| solver);
            let result =
                solver.solve(root, &limits, &|| signals.stopped() || monomi_support::host::pause());
            (solver, result)
        }));
        match outcome {
            Ok((solver, result)) => {
                self.mate = Some((hash_mib, solver));
                tell(Event::Mate(id, result))
            }
            Err(panic) => tell(Event::Failed(id, panic_message(panic.as_ref()))),
        }
    }
}

/// A mate search by the rules of tsume.
struct Tsume<'a> {
    root: &'a Position,
    limits: MateLimits,
    hash_mib: usize,
    /// The number of first moves to report.
    lines: usize,
}

fn tsume(id: u64, job: &Tsume<'_>, signals: &Signals, tell: Tell<'_>) -> ControlFlow<()> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let stop = || signals.stopped();
        let mut solver = TsumeSolver::new(job.hash_mib, TsumeRules::default());
        let result = solver.solve(job.root, &job.limits, &stop);
        let others = match &result.answer {
            TsumeAnswer::Mate(solution) => {
                let count = job.lines.saturating_sub(1);
                solver.other_first_moves(job.root, solution, count, &job.limits, &stop)
            }
            TsumeAnswer::NoMate | TsumeAnswer::Unknown => Vec::new(),
        };
        (result, others)
    }));
    let (result, others) = match outcome {
        Ok(found) => found,
        Err(panic) => return tell(Event::Failed(id, panic_message(panic.as_ref()))),
    };
    let (nodes, time) = (result.nodes, result.time);
    let report = |answer| MateResult::new(answer, nodes, time);
    for (other, number) in others.into_iter().zip(2..) {
        tell(Event::OtherMate(id, number, report(MateAnswer::Mate(other.line))))?;
    }
    let answer = match result.answer {
        TsumeAnswer::Mate(solution) => MateAnswer::Mate(solution.line),
        TsumeAnswer::NoMate => MateAnswer::NoMate,
        TsumeAnswer::Unknown => MateAnswer::Unknown,
    };
    tell(Event::Mate(id, report(answer)))
}

fn perft(
    id: u64,
    root: &Position,
    depth: u32,
    signals: &Signals,
    tell: Tell<'_>,
) -> ControlFlow<()> {
    let total =
        divide(root, depth, &|| signals.stopped() || monomi_support::host::pause(), |mv, nodes| {
            // Whether the session has ended is checked below.
            let _ = tell(Event::PerftShare(id, mv, nodes));
        });
    tell(Event::PerftDone(id, total))
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// Passes info lines on.
struct InfoTeller<'a> {
    id: u64,
    tell: Tell<'a>,
    /// Number of lines of an iteration to pass on.
    shown: usize,
    /// Whether to keep the lines of the last iteration in `kept`.
    keep: bool,
    kept: Vec<Info>,
}

impl Reporter for InfoTeller<'_> {
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
        (self.tell)(Event::Info(self.id, info))
    }
}
