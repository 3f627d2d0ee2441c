//! The command line.

mod average;
mod bench;
mod data_arguments;
mod loss;
mod net;
mod piece_square;
mod report;
mod start;

use clap::{Parser, Subcommand};
use monomi_eval::network::{Architecture, FeatureSet, SizeError};
use std::io::Write;
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
    /// Neurons of the first layer for each side, a multiple of 32.
    #[arg(long, value_name = "N", default_value_t = 256)]
    l1: usize,
    /// Neurons of the second layer, a multiple of 8.
    #[arg(long, value_name = "N", default_value_t = 32)]
    l2: usize,
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
}

impl NetworkArgs {
    fn architecture(&self) -> Result<Architecture, SizeError> {
        let features = match self.features {
            Features::Kp => FeatureSet::KP,
            Features::Halfkp => FeatureSet::HalfKP,
        };
        let architecture = Architecture::plain(features, self.l1, self.l2, self.l3);
        architecture.check().map(|()| architecture)
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
        Command::Loss(args) => loss::run(args, &mut out),
        Command::PieceSquare(args) => piece_square::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If this cannot be written either, the exit code still tells.
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
