//! `monomi perft`.

use crate::commands::PositionArg;
use crate::commands::values::parsed;
use crate::failure::Failure;
use monomi_movegen::divide;
use std::io::Write;
use std::time::Instant;

const AFTER_HELP: &str = "\
All legal moves count, useless non-promotions included.

Examples:
  monomi perft 5
  monomi perft 3 startpos moves 7g7f
  monomi perft 4 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Length of the sequences in plies.
    #[arg(value_parser = parsed::<u32>)]
    depth: u32,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> Result<(), Failure> {
    let position = args.position.read()?;
    let start = Instant::now();
    let mut written = Ok(());
    let total = divide(&position, args.depth, &|| false, |mv, nodes| {
        if written.is_ok() {
            written = writeln!(out, "{mv}: {nodes}");
        }
    });
    written?;
    let nodes = total.unwrap_or_default();
    write!(out, "{}", monomi_usi::perft_summary(nodes, start.elapsed()))?;
    Ok(())
}
