//! Many problems on several threads, with progress and Ctrl-C.

use crate::commands::long_search::LongSearch;
use crate::commands::problems::{Place, Problem, each_problem, place};
use crate::commands::values::{at_least, notation, parsed, within};
use crate::commands::{INTERRUPTED, PARTLY, on_interrupt, progress};
use crate::failure::Failure;
use crate::lang::Lang;
use indicatif::ProgressBar;
use monomi_analysis::Notation;
use monomi_mate::MateLimits;
use monomi_mate::tsume::{STACK, TsumeProgress, TsumeRules, TsumeSolver};
use monomi_support::batch::jobs::{self, Cancel, Order, Source};
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Memory and threads.
#[derive(Debug, clap::Args)]
pub struct Workers {
    /// Size of all hash tables together in MiB.
    #[arg(long, default_value_t = 512, value_name = "MIB", value_parser = at_least(1usize))]
    hash: usize,
    /// Number of threads; each solves a problem. If there are fewer problems, several search each of
    /// them together [default: number of cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1_024u16))]
    threads: Option<u16>,
}

impl Workers {
    /// Solvers that share the memory, no more than there are jobs, with all threads between them.
    pub fn solvers(&self, jobs: usize, rules: TsumeRules) -> Vec<TsumeSolver> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, usize::from);
        let solvers = threads.min(jobs.max(1));
        let threads_of = |index: usize| (threads + solvers - 1 - index) / solvers;
        let mebibytes = (self.hash / solvers).max(1);
        (0..solvers)
            .map(|index| TsumeSolver::with_threads(mebibytes, threads_of(index), rules))
            .collect()
    }
}

/// What Ctrl-C stops.
pub struct Interrupt {
    pub cancel: Arc<Cancel>,
    stopped: Arc<AtomicBool>,
}

impl Interrupt {
    /// Reacts to Ctrl-C from now on: no more jobs are started, and those in progress end.
    pub fn catch() -> Result<Self, Failure> {
        let (cancel, stopped) = (Arc::new(Cancel::new()), Arc::new(AtomicBool::new(false)));
        let handler = (Arc::clone(&cancel), Arc::clone(&stopped));
        on_interrupt(move || {
            handler.1.store(true, Ordering::Relaxed);
            handler.0.cancel();
        })?;
        Ok(Self { cancel, stopped })
    }

    /// Whether there was a Ctrl-C.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// What all commands of `tsume` that read problems share.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Time limit for each problem in milliseconds, 0 for none.
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = parsed::<u64>)]
    movetime: u64,
    /// Node limit for each problem.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,
    #[command(flatten)]
    workers: Workers,
    /// Solve the position after this many moves of each problem, or after the `last` one [default: 0].
    #[arg(long, value_name = "N|last", value_parser = place)]
    at: Option<Place>,
    /// Count useless interpositions (muda-ai) as replies.
    #[arg(long)]
    keep_useless: bool,
    /// How moves are written [default: by the language].
    #[arg(long, value_name = "NOTATION", value_parser = notation())]
    notation: Option<Notation>,
    /// SFENs, files with one SFEN per line, or files with a game or a diagram (KIF, KI2, BOD, CSA,
    /// JKF; `-` for standard input).
    #[arg(value_name = "SFEN|FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    problems: Vec<String>,
}

/// What a worker gets for one problem.
pub struct Task<'a> {
    pub solver: &'a mut TsumeSolver,
    pub limits: MateLimits,
    pub stop: &'a dyn Fn() -> bool,
    /// Shows the progress.
    pub report: &'a dyn Fn(&TsumeProgress),
}

impl Common {
    pub fn notation(&self, lang: Lang) -> Notation {
        self.notation.unwrap_or(Notation::of(lang))
    }

    fn limits(&self) -> MateLimits {
        let deadline =
            (self.movetime > 0).then(|| Instant::now() + Duration::from_millis(self.movetime));
        MateLimits::default().with_deadline(deadline).with_nodes(self.nodes)
    }

    /// Works on every problem and delivers the results in their order. `deliver` returns whether the
    /// problem counts as good for the exit code.
    pub fn run<R: Send>(
        &self,
        lang: Lang,
        work: impl Fn(Task<'_>, &Problem) -> R + Sync,
        mut deliver: impl FnMut(usize, &Problem, R) -> Result<bool, Failure>,
    ) -> Result<ExitCode, Failure> {
        let mut problems = Vec::new();
        let mut all_good = each_problem(&self.problems, self.at, lang, |problem| {
            problems.push(problem);
            Ok(())
        })?;
        let interrupt = Interrupt::catch()?;
        let stop = || interrupt.is_stopped();
        let rules = TsumeRules::default().with_useless(self.keep_useless);
        let solvers = self.workers.solvers(problems.len(), rules);
        let threads = solvers.iter().map(TsumeSolver::threads).sum::<usize>();
        let (tables, stacks) = (self.workers.hash, threads * (STACK >> 20));
        let shown = LongSearch::new(Some(problems.len()), tables, stacks, threads, lang);
        let report = |progress: &TsumeProgress| shown.tsume(progress);
        let mut failed = None;
        let options = options(solvers.len() * 4);
        jobs::run(
            solvers,
            Source::Iterator(&mut (0..problems.len())),
            &options,
            &interrupt.cancel,
            |solver, index: usize, emit| {
                let limits = self.limits();
                let task = Task { solver, limits, stop: &stop, report: &report };
                emit((index, work(task, &problems[index])));
                ControlFlow::Continue(())
            },
            |(index, result)| {
                match shown.done(|| deliver(index, &problems[index], result)) {
                    Ok(good) => all_good &= good,
                    Err(failure) => {
                        failed = Some(failure);
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        )?;
        shown.finish();
        match failed {
            Some(failure) => Err(failure),
            None if stop() => Ok(ExitCode::from(INTERRUPTED)),
            None => Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) }),
        }
    }
}

/// Results in the order of the jobs, of which so many may be waiting.
pub fn options(window: usize) -> jobs::Options {
    jobs::Options { window, order: Order::AsGiven, stack_size: STACK }
}

/// A bar on a terminal if there are several problems.
pub fn bar(problems: usize, lang: Lang) -> ProgressBar {
    let template = "{bar:20} {pos}/{len}  {elapsed_precise}{left}";
    let bar = progress::bar(problems <= 1, Some(problems as u64), template, lang);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
