//! `monomi-trainer loss`.

use super::data_arguments::{DataArgs, TargetArgs};
use super::report::losses;
use super::start::{Start, read_start};
use super::use_threads;
use crate::training_loop::measure;
use monomi_eval::DEFAULT_FV_SCALE;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer loss games.mgr --net nn.ckpt --net eval/nets/monomi.bin

Measures networks on the same positions as `monomi-trainer net` holds out. For a checkpoint, both
the loss of its floating-point weights and that of the written file are shown. Only matches tell
which of two networks plays better.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    target: TargetArgs,
    /// A network: a checkpoint (.ckpt) or nn.bin. May be repeated.
    #[arg(long = "net", value_name = "FILE", required = true)]
    nets: Vec<PathBuf>,
    /// Threads; 0 for all cores. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    use_threads(args.threads)?;
    let objective = args.target.objective()?;
    let (_, held_out) = args.data.open(1, objective.scale, out)?;
    anyhow::ensure!(!held_out.is_empty(), "no held-out positions: use a larger --held-out");
    for path in &args.nets {
        let Start { mut trainer, .. } = read_start(path, DEFAULT_FV_SCALE, objective)?;
        if let Some(held_out) = measure(&mut trainer, &held_out) {
            writeln!(out, "{}: {}", path.display(), losses(&held_out))?;
        }
    }
    Ok(())
}
