//! `monomi-trainer average`.

use super::start::{Start, read_start, rescale};
use super::{checkpoint_path, write_network};
use crate::net::Net;
use crate::objective::Objective;
use crate::trainer::Trainer;
use anyhow::Context as _;
use monomi_eval::DEFAULT_FV_SCALE;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer average a.ckpt b.ckpt c.ckpt --out mean.bin
  monomi-trainer average nn.bin --fv-scale 20 --out for16.bin

For networks that were trained from the same one (--from) with other games or options.
trials/training.tsv has measurements.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The networks: checkpoints (.ckpt, floating point) or rounded networks (nn.bin).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The network to write, for FV_SCALE 16, with a checkpoint (.ckpt) next to it.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The FV_SCALE that the networks are used with.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FV_SCALE)]
    fv_scale: NonZeroU16,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let beside = checkpoint_path(&args.out)?;
    let mut nets = Vec::new();
    for path in &args.files {
        let Start { trainer, kind } = read_start(path, DEFAULT_FV_SCALE, Objective::default())?;
        if args.files.len() > 1 && kind.is_rounded() {
            writeln!(
                out,
                "warning: {} is rounded; its average loses most of what small changes have \
                 taught. Average the checkpoints (.ckpt) instead, if they exist.",
                path.display()
            )?;
        }
        nets.push(trainer.net());
    }
    let mut mean = Net::average(&nets)?;
    rescale(&mut mean, args.fv_scale).with_context(|| match &args.files[..] {
        [path] => path.display().to_string(),
        _ => "the average".to_owned(),
    })?;
    write_network(&args.out, &beside, &Trainer::new(mean, Objective::default()), 0)
}
