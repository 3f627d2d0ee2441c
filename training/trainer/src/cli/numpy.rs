//! `monomi-trainer export` and `import`: checkpoints as `.npz`.

use super::{checkpoint_path, write_network};
use crate::checkpoint::{self, Checkpoint, npz};
use crate::net::{Net, is_trainable_file};
use crate::objective::Objective;
use crate::trainer::Trainer;
use anyhow::Context as _;
use monomi_eval::network::NetworkFile;
use std::io::Write;
use std::path::PathBuf;

const EXPORT_HELP: &str = "\
Examples:
  monomi-trainer export nn.ckpt --out nn.npz
  python3 -c 'import numpy; a = numpy.load(\"nn.npz\"); print({k: a[k].shape for k in a})'

docs/training.md describes the arrays.";

const IMPORT_HELP: &str = "\
Examples:
  monomi-trainer import nn.npz --out nn.bin

Writes the network, and its checkpoint (nn.ckpt) with which `monomi-trainer net --from` goes on.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXPORT_HELP)]
pub(super) struct ExportArgs {
    /// A checkpoint (nn.ckpt), or a rounded network (nn.bin).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file to write (nn.npz).
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = IMPORT_HELP)]
pub(super) struct ImportArgs {
    /// Arrays as `monomi-trainer export` writes them (nn.npz).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The network to write (nn.bin), with a checkpoint (.ckpt) next to it.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let path = &args.file;
    let name = || path.display().to_string();
    let objective = Objective::default();
    let checkpoint = if checkpoint::is_checkpoint(path).with_context(name)? {
        checkpoint::load(path, objective)?
    } else {
        let file = NetworkFile::open(path).with_context(name)?;
        anyhow::ensure!(
            is_trainable_file(&file),
            "{}: {} cannot be trained, so it has no checkpoint",
            path.display(),
            file.architecture
        );
        Checkpoint { trainer: Trainer::new(Net::from_file(file), objective), epochs: 0 }
    };
    npz::export(&args.out, &checkpoint).with_context(|| format!("writing {}", args.out.display()))
}

pub(super) fn import(args: &ImportArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let beside = checkpoint_path(&args.out)?;
    let Checkpoint { trainer, epochs } = npz::import(&args.file, Objective::default())?;
    writeln!(out, "{}", trainer.net().architecture)?;
    write_network(&args.out, &beside, &trainer, epochs, None)
}
