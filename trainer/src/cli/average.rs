//! `monomi-trainer average`.

use crate::checkpoint::write_whole;
use crate::cli::read_net;
use crate::net::Net;
use anyhow::Context as _;
use monomi_eval::DEFAULT_FV_SCALE;
use std::num::NonZeroU16;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer average a.bin b.bin c.bin --out soup.bin
  monomi-trainer average nn.bin --fv-scale 20 --out for16.bin

Meant for networks that went on from the same one (--from) with other games or other options:
docs/training-trials.md has what was measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The networks (nn.bin).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The network to write, for FV_SCALE 16.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The FV_SCALE that the networks are used with.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FV_SCALE)]
    fv_scale: NonZeroU16,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let nets = args.files.iter().map(|path| read_net(path, args.fv_scale));
    let nets = nets.collect::<anyhow::Result<Vec<_>>>()?;
    let file = Net::average(&nets)?.quantised();
    write_whole(&args.out, |stream| file.write(stream))
        .with_context(|| format!("writing {}", args.out.display()))
}
