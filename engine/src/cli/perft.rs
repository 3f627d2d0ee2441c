//! `monomi perft`.

use crate::cli::PositionArg;
use crate::{perft, usi};
use std::io::Write;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Length of the lines in plies.
    depth: u32,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let position = args.position.read()?;
    let start = Instant::now();
    let mut written = Ok(());
    let total = perft::divide(&position, args.depth, &|| false, |mv, nodes| {
        if written.is_ok() {
            written = writeln!(out, "{mv}: {nodes}");
        }
    });
    written?;
    let nodes = total.unwrap_or_default();
    write!(out, "{}", usi::perft_summary(nodes, start.elapsed()))?;
    Ok(())
}
