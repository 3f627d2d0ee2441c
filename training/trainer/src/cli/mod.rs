//! The command line.

mod average;
mod bench;
mod data_arguments;
mod loss;
mod net;
mod numpy;
mod piece_square;
mod report;
mod start;

use crate::checkpoint;
use crate::trainer::Trainer;
use anyhow::Context as _;
use clap::{Parser, Subcommand};
use monomi_eval::network::{Architecture, FeatureSet};
use monomi_support::batch::files;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Trains Monomi's evaluations on the processor: networks and piece-square tables.
#[derive(Debug, Parser)]
#[command(name = "monomi-trainer", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Trains a network on game records.
    Net(net::Args),
    /// Averages networks of the same architecture, weight by weight.
    Average(average::Args),
    /// Writes a checkpoint as arrays of numpy (.npz), for PyTorch and others.
    Export(numpy::ExportArgs),
    /// Makes a network and its checkpoint of arrays of numpy (.npz).
    Import(numpy::ImportArgs),
    /// Fits piece-square tables to game records.
    PieceSquare(piece_square::Args),
    /// Measures losses of networks on held-out positions.
    Loss(loss::Args),
    /// Measures the speed of training in samples per second, on made-up positions.
    Bench(bench::Args),
}

/// A network's features and sizes as arguments.
#[derive(Debug, clap::Args)]
struct NetworkArgs {
    /// The inputs.
    #[arg(long, value_enum, default_value_t = Features::Kp)]
    features: Features,
    /// Train an SFNN network: products of the first layer's halves, squares, a skip connection, and
    /// nine layer stacks chosen by the kings (k3k3).
    #[arg(long)]
    sfnn: bool,
    /// Neurons of the first layer for each side, a multiple of 32 (SFNN: of 64).
    #[arg(long, value_name = "N", default_value_t = 256)]
    l1: usize,
    /// Neurons of the second layer: a multiple of 8, for SFNN one less than that [default: 32, SFNN:
    /// 15].
    #[arg(long, value_name = "N")]
    l2: Option<usize>,
    /// Neurons of the third layer, a multiple of 8.
    #[arg(long, value_name = "N", default_value_t = 32)]
    l3: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Features {
    /// K+P: 1,710 inputs.
    Kp,
    /// HalfKP: 125,388 inputs.
    Halfkp,
    /// HalfKP_vm: 69,660 inputs.
    Halfkpvm,
    /// HalfKA1: 138,510 inputs.
    Halfka1,
    /// HalfKA2: 131,949 inputs.
    Halfka2,
    /// HalfKA_hm1: 76,950 inputs.
    Halfkahm1,
    /// HalfKA_hm2: 73,305 inputs.
    Halfkahm2,
}

impl NetworkArgs {
    fn architecture(&self) -> anyhow::Result<Architecture> {
        let features = match self.features {
            Features::Kp => FeatureSet::KP,
            Features::Halfkp => FeatureSet::HalfKP,
            Features::Halfkpvm => FeatureSet::HalfKPVm,
            Features::Halfka1 => FeatureSet::HalfKA1,
            Features::Halfka2 => FeatureSet::HalfKA2,
            Features::Halfkahm1 => FeatureSet::HalfKAHm1,
            Features::Halfkahm2 => FeatureSet::HalfKAHm2,
        };
        let Self { l1, l2, l3, .. } = *self;
        let architecture = if self.sfnn {
            let l2 = l2.unwrap_or(15);
            anyhow::ensure!(l2 % 8 == 7, "--l2 must be 7, 15, 23, ... for SFNN networks");
            Architecture::sfnn(features, l1, l2, l3, 9)
        } else {
            Architecture::plain(features, l1, l2.unwrap_or(32), l3)
        };
        architecture.check()?;
        Ok(architecture)
    }
}

/// The checkpoint of a network: the same name with the extension `.ckpt`.
fn checkpoint_path(net: &Path) -> anyhow::Result<PathBuf> {
    let path = net.with_extension("ckpt");
    anyhow::ensure!(
        path != net,
        "{}: --out names the network; its checkpoint gets the extension .ckpt",
        net.display()
    );
    Ok(path)
}

/// The learning rate at the start must be above 0.
fn check_rate(rate: f32) -> anyhow::Result<()> {
    anyhow::ensure!(rate > 0.0 && rate.is_finite(), "--rate must be above 0");
    Ok(())
}

/// Writes a file completely or not at all.
fn write_output(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    files::replace(path, write).with_context(|| format!("writing {}", path.display()))
}

/// Writes a network, and the checkpoint beside it. `stated`: the FV_SCALE to state instead of the usual one.
fn write_network(
    path: &Path,
    beside: &Path,
    trainer: &Trainer,
    epochs: u64,
    stated: Option<NonZeroU16>,
) -> anyhow::Result<()> {
    checkpoint::save(beside, trainer, epochs)
        .with_context(|| format!("writing {}", beside.display()))?;
    let mut file = trainer.net().quantised();
    file.info.stated_fv_scale = stated.or(file.info.stated_fv_scale);
    write_output(path, |stream| file.write(stream))
}

/// Sets the number of threads; 0 for all cores.
fn use_threads(threads: usize) -> anyhow::Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    Ok(())
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = std::io::stdout();
    let done = match &cli.command {
        Command::Net(args) => net::run(args, &mut out),
        Command::Average(args) => average::run(args, &mut out),
        Command::Export(args) => numpy::export(args),
        Command::Import(args) => numpy::import(args, &mut out),
        Command::Loss(args) => loss::run(args, &mut out),
        Command::PieceSquare(args) => piece_square::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this cannot be written either, the exit code reports the failure.
            let _ = writeln!(std::io::stderr(), "monomi-trainer: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
