//! `monomi go`.

use crate::cli::arguments::{EvalArg, LimitArgs, PositionArg};
use crate::search::{Info, Reporter, SearchOptions, Searcher, Signals};
use crate::usi::{bestmove_line, info_line};
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

/// When no limit is given.
const DEFAULT_MOVETIME: Duration = Duration::from_secs(1);

const AFTER_HELP: &str = "\
Without a limit the search takes a second.

Examples:
  monomi go
  monomi go --movetime 3000 --threads 2 startpos moves 7g7f 3c3d
  monomi go --nodes 100000 --multipv 3 --eval-file nn.bin '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    limits: LimitArgs,
    /// Number of best lines.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Number of threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Size of the table in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash: usize,
    #[command(flatten)]
    eval: EvalArg,
    #[command(flatten)]
    position: PositionArg,
}

/// Writes lines as they come; ends the search when nobody reads them.
struct Lines<'a, W> {
    out: &'a mut W,
    written: std::io::Result<()>,
}

impl<W: Write + Send> Reporter for Lines<'_, W> {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        self.written = writeln!(self.out, "{}", info_line(info));
        if self.written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

pub(super) fn run(args: &Args, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
    let position = args.position.read()?;
    let mut searcher = Searcher::new(args.hash.max(1), args.eval.load()?)?;
    searcher.set_threads(args.threads.into());
    let mut limits = args.limits.limits();
    if args.limits.is_empty() {
        limits.movetime = Some(DEFAULT_MOVETIME);
    }
    let options = SearchOptions { multi_pv: args.multipv.into(), ..SearchOptions::default() };
    let mut lines = Lines { out, written: Ok(()) };
    let result = searcher.go(&position, &limits, &options, &Signals::default(), &mut lines);
    lines.written?;
    writeln!(out, "{}", bestmove_line(&result))?;
    Ok(())
}
