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
  monomi-trainer average a.ckpt --fv-scale 13 --write-fv-scale 13 --out for13.bin

For networks that were trained from the same one (--from) with other games or options.
trials/training.tsv has measurements.";

/// Networks whose first layers correlate less do not come from the same start.
const UNLIKE: f64 = 0.2;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The networks: checkpoints (.ckpt, floating point) or rounded networks (nn.bin).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The network to write, with a checkpoint (.ckpt) next to it.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The FV_SCALE that the networks are used with [default: what the files state, else 16].
    #[arg(long, value_name = "N")]
    fv_scale: Option<NonZeroU16>,
    /// The FV_SCALE of the network to write, which states it. The output weights must be rescaled to it.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FV_SCALE)]
    write_fv_scale: NonZeroU16,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let beside = checkpoint_path(&args.out)?;
    let mut nets = Vec::new();
    let mut fv_scale = args.fv_scale;
    for path in &args.files {
        let start = read_start(path, DEFAULT_FV_SCALE, Objective::default())?;
        let Start { trainer, kind, stated } = start;
        if let (None, Some(other)) = (args.fv_scale, stated) {
            let known = *fv_scale.get_or_insert(other);
            anyhow::ensure!(
                known == other,
                "{} states FV_SCALE {other}, another file {known}; say by --fv-scale which is meant",
                path.display()
            );
        }
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
    for (path, net) in args.files.iter().zip(&nets).skip(1) {
        let likeness = nets[0].likeness(net);
        if likeness < UNLIKE {
            writeln!(
                out,
                "warning: {} and {} are not alike (correlation of the first layers {likeness:.2}): they \
                 seem to come from different random weights (--seed), and their average is no useful \
                 network. Train both from one start (--from).",
                args.files[0].display(),
                path.display()
            )?;
        }
    }
    rescale(&mut mean, fv_scale.unwrap_or(DEFAULT_FV_SCALE), args.write_fv_scale).with_context(
        || match &args.files[..] {
            [path] => path.display().to_string(),
            _ => "the average".to_owned(),
        },
    )?;
    let stated = (args.write_fv_scale != DEFAULT_FV_SCALE).then_some(args.write_fv_scale);
    write_network(&args.out, &beside, &Trainer::new(mean, Objective::default()), 0, stated)
}
