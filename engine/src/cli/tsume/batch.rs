//! Many problems on several threads, with progress and Ctrl-C.

use crate::cli::problems::{Place, Problem, each_problem, place};
use crate::cli::tsume::notation::{Notation, notation};
use crate::cli::values::{at_least, parsed, within};
use crate::cli::{INTERRUPTED, PARTLY, on_interrupt};
use crate::failure::Failure;
use crate::lang::Lang;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use monomi_batch::jobs::{self, Cancel, Order, Source};
use monomi_tsume::{TsumeLimits, TsumeRules, TsumeSolver};
use std::io::IsTerminal as _;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stack of a thread: the search of a long mate is deep.
const STACK: usize = 256 << 20;

/// What all commands of `tsume` that read problems share.
#[derive(Debug, clap::Args)]
pub struct Common {
    /// Time limit for each problem in milliseconds, 0 for none.
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = parsed::<u64>)]
    movetime: u64,
    /// Node limit for each problem.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,
    /// Size of all hash tables together in MiB.
    #[arg(long, default_value_t = 512, value_name = "MIB", value_parser = at_least(1usize))]
    hash: usize,
    /// Number of problems that are solved at the same time [default: number of cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1_024u16))]
    threads: Option<u16>,
    /// Solve the position after this many moves of each problem, or after the `last` one [default: 0].
    #[arg(long, value_name = "N|last", value_parser = place)]
    at: Option<Place>,
    /// Count useless interpositions (muda-ai) as replies.
    #[arg(long)]
    keep_useless: bool,
    /// How moves are written: japanese, western or usi [default: by the language].
    #[arg(long, value_name = "NOTATION", value_parser = notation)]
    notation: Option<Notation>,
    /// Print one JSON object for each problem.
    #[arg(long)]
    pub json: bool,
    /// SFENs, files with one SFEN per line, or files with a game or a diagram (KIF, KI2, BOD, CSA,
    /// JKF; `-` for standard input).
    #[arg(value_name = "SFEN|FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    problems: Vec<String>,
}

/// What a worker gets for one problem.
pub struct Task<'a> {
    pub solver: &'a mut TsumeSolver,
    pub limits: TsumeLimits,
    pub stop: &'a dyn Fn() -> bool,
}

impl Common {
    pub fn notation(&self, lang: Lang) -> Notation {
        self.notation.unwrap_or(Notation::of(lang))
    }

    fn limits(&self) -> TsumeLimits {
        let deadline =
            (self.movetime > 0).then(|| Instant::now() + Duration::from_millis(self.movetime));
        TsumeLimits { deadline, nodes: self.nodes, plies: None }
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
        let (cancel, stopped) = (Arc::new(Cancel::new()), Arc::new(AtomicBool::new(false)));
        let handler = (Arc::clone(&cancel), Arc::clone(&stopped));
        on_interrupt(move || {
            handler.1.store(true, Ordering::Relaxed);
            handler.0.cancel();
        })?;
        let stop = || stopped.load(Ordering::Relaxed);
        let solvers = solvers(self.threads, self.hash, problems.len(), self.keep_useless);
        let bar = bar(problems.len());
        let mut failed = None;
        let options =
            jobs::Options { window: solvers.len() * 4, order: Order::AsGiven, stack_size: STACK };
        jobs::run(
            solvers,
            Source::Iterator(&mut (0..problems.len())),
            &options,
            &cancel,
            |solver, index: usize, emit| {
                let task = Task { solver, limits: self.limits(), stop: &stop };
                emit((index, work(task, &problems[index])));
                ControlFlow::Continue(())
            },
            |(index, result)| {
                let done = bar.suspend(|| deliver(index, &problems[index], result));
                bar.inc(1);
                match done {
                    Ok(good) => all_good &= good,
                    Err(failure) => {
                        failed = Some(failure);
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        )?;
        bar.finish_and_clear();
        match failed {
            Some(failure) => Err(failure),
            None if stop() => Ok(ExitCode::from(INTERRUPTED)),
            None => Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) }),
        }
    }
}

/// A solver for each thread, which share the memory; no more than there are jobs.
fn solvers(threads: Option<u16>, hash: usize, jobs: usize, keep_useless: bool) -> Vec<TsumeSolver> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.map_or(cores, usize::from).min(jobs.max(1));
    let rules = TsumeRules { keep_useless };
    (0..threads).map(|_| TsumeSolver::new((hash / threads).max(1), rules)).collect()
}

/// A bar on a terminal if there are several problems.
fn bar(problems: usize) -> ProgressBar {
    let shown = problems > 1 && std::io::stderr().is_terminal();
    let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(problems as u64), target);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:20} {pos}/{len}  {elapsed_precise}  {eta}")
    {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
