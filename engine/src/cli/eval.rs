//! `monomi eval`.

use crate::cli::PositionArg;
use crate::usi;
use monomi_eval::Evaluation;
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let position = args.position.read()?;
    write!(out, "{}", usi::show_evaluation(&Evaluation::internal(), &position))?;
    Ok(())
}
