//! `monomi eval`.

use crate::commands::{EvalArg, PositionArg};
use crate::failure::Failure;
use crate::lang::Lang;
use std::io::Write;

const AFTER_HELP: &str = "\
Examples:
  monomi eval startpos moves 7g7f 3c3d
  monomi eval --eval-file nn.bin --fv-scale 24 '4k4/9/4P4/9/9/9/9/9/4K4 b G 1'";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    eval: EvalArg,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let position = args.position.read()?;
    let evaluation = args.eval.load(lang)?;
    write!(out, "{}", monomi_usi::show_evaluation(&evaluation, &position, lang))?;
    Ok(())
}
