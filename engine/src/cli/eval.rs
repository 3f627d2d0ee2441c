//! `monomi eval`.

use crate::cli::{EvalArg, PositionArg};
use crate::usi;
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    eval: EvalArg,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let position = args.position.read()?;
    let evaluation = args.eval.load()?;
    write!(out, "{}", usi::show_evaluation(&evaluation, &position))?;
    Ok(())
}
