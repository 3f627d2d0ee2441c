//! `monomi mate`.

use crate::commands::long_search::LongSearch;
use crate::commands::problems::{Place, each_problem, place};
use crate::commands::values::{at_least, parsed, within};
use crate::commands::{INTERRUPTED, PARTLY, on_interrupt};
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_analysis::usi as usi_moves;
use monomi_mate::{MateAnswer, MateLimits, MateProgress, MateResult, MateSolver};
use monomi_support::text::say;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Examples:
  monomi mate '4k4/9/4P4/9/9/9/9/9/9 b G 1'
  monomi mate --movetime 1000 problems.sfen
  grep -v '^#' problems.sfen | monomi mate --nodes 1000000 -
  monomi mate --at last game.kif

Exit codes: 0 done, solved or not; 1 failure; 2 invalid arguments or position; 3 done, except for
invalid lines of a file; 130 interrupted: what is known is printed.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Time limit for each problem in milliseconds, 0 for none.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = parsed::<u64>)]
    movetime: u64,
    /// Node limit for each problem.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,
    /// Search only for mates of at most this many plies.
    #[arg(long, value_name = "N", value_parser = within(1..=999u16))]
    plies: Option<u16>,
    /// Size of the hash table in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB",
          value_parser = at_least(1usize))]
    hash: usize,
    /// Number of threads, which search each problem together. With several, the mate that is found
    /// and the number of nodes differ from call to call.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = within(1..=1_024u16))]
    threads: u16,
    /// Solve the position after this many moves of each problem, or after the `last` one [default: 0].
    #[arg(long, value_name = "N|last", value_parser = place)]
    at: Option<Place>,
    /// SFENs, files with one SFEN per line, or files with a game or a diagram (KIF, KI2, BOD, CSA,
    /// JKF; `-` for standard input). The moves of a game and `moves ...` after an SFEN, a solution,
    /// are ignored; see --at.
    #[arg(value_name = "SFEN|FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    problems: Vec<String>,
}

/// Counts and times over all problems.
#[derive(Default)]
struct Summary {
    mates: Vec<(Duration, usize)>,
    without: usize,
    unknown: usize,
    nodes: u64,
    time: Duration,
}

impl Summary {
    fn add(&mut self, result: &MateResult) {
        self.nodes += result.nodes;
        self.time += result.time;
        match &result.answer {
            MateAnswer::Mate(line) => self.mates.push((result.time, line.len())),
            MateAnswer::NoMate => self.without += 1,
            MateAnswer::Unknown => self.unknown += 1,
        }
    }

    fn text(mut self, lang: Lang) -> String {
        let solved = self.mates.len();
        self.mates.sort();
        let of_mates = self.mates.get(solved / 2).map(|(median, _)| {
            let plies: usize = self.mates.iter().map(|mate| mate.1).sum();
            let (median, mean) = (median.as_secs_f64() * 1e3, plies as f64 / solved as f64);
            say!(
                lang,
                " (median {median:.3} ms, mean length {mean:.1})",
                "（時間の中央値 {median:.3} ミリ秒、平均 {mean:.1} 手）"
            )
        });
        let of_mates = of_mates.unwrap_or_default();
        let Self { without, unknown, nodes, .. } = self;
        let (all, seconds) = (solved + without + unknown, self.time.as_secs_f64());
        match lang {
            Lang::En => format!(
                "{}: {}{of_mates}, {without} without, {unknown} unknown; {} in {seconds:.3} s",
                count(all as u64, "problem", "problems"),
                count(solved as u64, "mate", "mates"),
                count(nodes, "node", "nodes"),
            ),
            Lang::Ja => format!(
                "{all} 問: 詰み {solved}{of_mates}、不詰 {without}、不明 {unknown}、{nodes} ノード、\
                 {seconds:.3} 秒"
            ),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let threads = usize::from(args.threads);
    let mut solver = MateSolver::with_threads(args.hash, threads);
    let stopped = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&stopped);
    on_interrupt(move || handler.store(true, Ordering::Relaxed))?;
    let stop = || stopped.load(Ordering::Relaxed);
    let shown = LongSearch::new(None, args.hash, 0, threads, lang);
    let report = |progress: &MateProgress| shown.mate(progress);
    let mut summary = Summary::default();
    let all_good = each_problem(&args.problems, args.at, lang, |problem| {
        if stop() {
            return Ok(());
        }
        let deadline =
            (args.movetime > 0).then(|| Instant::now() + Duration::from_millis(args.movetime));
        let limits = MateLimits::default()
            .with_deadline(deadline)
            .with_nodes(args.nodes)
            .with_plies(args.plies);
        let result = solver.solve_reporting(&problem.position, &limits, &stop, Some(&report));
        summary.add(&result);
        let ms = result.time.as_secs_f64() * 1e3;
        let answer = describe(&result, lang);
        let (nodes, name) = (result.nodes, problem.name);
        let english = count(nodes, "node", "nodes");
        shown.done(|| {
            say!(
                lang,
                out,
                "{answer} | {ms:.3} ms, {english} | {name}\n",
                "{answer} | {ms:.3} ミリ秒、{nodes} ノード | {name}\n"
            )
        })?;
        Ok(())
    })?;
    shown.finish();
    writeln!(out, "{}", summary.text(lang))?;
    Ok(match (stop(), all_good) {
        (true, _) => ExitCode::from(INTERRUPTED),
        (_, true) => ExitCode::SUCCESS,
        (_, false) => ExitCode::from(PARTLY),
    })
}

fn describe(result: &MateResult, lang: Lang) -> String {
    match &result.answer {
        MateAnswer::Mate(line) => {
            let (plies, line) = (line.len(), usi_moves(line));
            say!(lang, "mate in {plies}: {line}", "{plies} 手詰: {line}")
        }
        MateAnswer::NoMate => say!(lang, "no mate", "不詰"),
        MateAnswer::Unknown => say!(lang, "unknown", "不明"),
    }
}
