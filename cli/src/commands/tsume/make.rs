//! `monomi tsume make`.

use crate::commands::INTERRUPTED;
use crate::commands::complain;
use crate::commands::tsume::batch::{Interrupt, Workers, bar, options};
use crate::commands::tsume::found::{Form, Found};
use crate::commands::values::{at_least, parsed, within};
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_mate::tsume::{TsumeRules, TsumeSolver, Wanted};
use monomi_movegen::Random;
use monomi_support::batch::jobs::{self, Source};
use monomi_support::text::{AnyMessage, messages, say};
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

const AFTER_HELP: &str = "\
Examples:
  monomi tsume make --plies 5
  monomi tsume make --plies 7 --count 100 --seed 1 > problems.sfen
  monomi tsume make --plies 3 --kif problems --json

Takes moves back from short mates of random pieces. Each problem is sound and has no flaw, and every
piece is needed. Without --json a line is an SFEN, followed by `moves` and the solution. The same
seed makes the same problems with any number of threads. Problems are printed as they are found.

Exit codes: 0 done; 1 failure; 2 invalid arguments; 130 interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct MakeArgs {
    /// Length of the problems in plies, an odd number.
    #[arg(long, value_name = "N", value_parser = odd)]
    plies: u16,
    /// Number of problems.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least(1u64))]
    count: u64,
    /// Seed of the random numbers [default: a new one].
    #[arg(long, value_name = "SEED", value_parser = parsed::<u64>)]
    seed: Option<u64>,
    /// Node limit for each other move; what it leaves undecided is dropped.
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = at_least(100u64))]
    nodes: u64,
    /// Allow flaws such as equally long defences.
    #[arg(long)]
    flaws: bool,
    #[command(flatten)]
    workers: Workers,
    #[command(flatten)]
    form: Form,
}

messages! {
    /// A length that no mate has.
    struct NotOdd => "expected an odd number", "奇数を指定してください";
}

fn odd(text: &str) -> Result<u16, AnyMessage> {
    let plies = within(1..=99u16)(text)?;
    if plies % 2 == 1 { Ok(plies) } else { Err(AnyMessage::new(NotOdd)) }
}

pub fn run(args: &MakeArgs, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    // 32 bits are short enough to type.
    let seed = args.seed.unwrap_or_else(|| monomi_support::host::random() >> 32);
    let wanted = Wanted { plies: args.plies, nodes: args.nodes, flaws: args.flaws };
    let interrupt = Interrupt::catch()?;
    let enough = AtomicBool::new(false);
    let stop = || interrupt.is_stopped() || enough.load(Ordering::Relaxed);
    let solvers = args.workers.solvers(usize::MAX, TsumeRules::default());
    // An attempt may take a hundred times as long as others.
    let options = options(solvers.len() * 256);
    let mut found = Found::new(&args.form, lang)?;
    let bar = bar(args.count as usize, lang);
    let (mut attempts, mut failed) = (0u64, None);
    jobs::run(
        solvers,
        Source::Iterator(&mut (0u64..)),
        &options,
        &interrupt.cancel,
        |solver: &mut TsumeSolver, attempt, emit| {
            let mut random = Random::stream(seed, attempt);
            let made = solver.make(&wanted, &mut |end| random.below(end), &stop);
            if stop() {
                return ControlFlow::Break(());
            }
            emit(made);
            ControlFlow::Continue(())
        },
        |made| {
            attempts += 1;
            let Some(problem) = made else { return ControlFlow::Continue(()) };
            failed = bar.suspend(|| found.write(problem, None, out)).err();
            bar.set_position(found.count() as u64);
            if failed.is_some() || found.count() as u64 >= args.count {
                enough.store(true, Ordering::Relaxed);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        },
    )?;
    bar.finish_and_clear();
    if let Some(failure) = failed {
        return Err(failure);
    }
    let seconds = start.elapsed().as_secs_f64();
    let made = found.count();
    let a_hour = made as f64 * 3_600.0 / seconds.max(1e-3);
    let problems = count(made as u64, "problem", "problems");
    let tries = count(attempts, "attempt", "attempts");
    complain(say!(
        lang,
        "{problems} in {seconds:.1} s ({a_hour:.0} per hour), {tries}; seed {seed}",
        "{made} 問、{seconds:.1} 秒（毎時 {a_hour:.0} 問）、試行 {attempts} 回、シード {seed}"
    ));
    Ok(if interrupt.is_stopped() { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}
