//! `monomi go`.

use crate::cli::{EvalArg, PositionArg};
use crate::search::{Info, Limits, Reporter, SearchOptions, Searcher, Signals};
use crate::usi::{bestmove_line, info_line};
use std::io::Write;
use std::ops::ControlFlow;
use std::time::Duration;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Stop after this iteration, in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Stop after so many nodes.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for so many milliseconds; 1000 when no limit is given.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
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
    let unlimited = args.depth.is_none() && args.nodes.is_none() && args.movetime.is_none();
    let movetime = args.movetime.or(unlimited.then_some(1000));
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        movetime: movetime.map(Duration::from_millis),
        ..Limits::new()
    };
    let options = SearchOptions { multi_pv: args.multipv.into(), ..SearchOptions::default() };
    let mut lines = Lines { out, written: Ok(()) };
    let result = searcher.go(&position, &limits, &options, &Signals::default(), &mut lines);
    lines.written?;
    writeln!(out, "{}", bestmove_line(&result))?;
    Ok(())
}
