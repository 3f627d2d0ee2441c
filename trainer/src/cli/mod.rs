//! The command line.

mod average;
mod bar;
mod bench;
mod data;
mod net;
mod piece_square;

use crate::net::Net;
use anyhow::{Context as _, anyhow};
use bar::Bar;
use clap::{Parser, Subcommand};
use monomi_eval::DEFAULT_FV_SCALE;
use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, SizeError};
use std::io::Write;
use std::num::NonZeroU16;
use std::path::Path;
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
    /// Averages networks of one shape, weight by weight.
    Average(average::Args),
    /// Fits piece-square tables to game records.
    PieceSquare(piece_square::Args),
    /// Measures how many samples a second a network learns from, on made-up positions.
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
        let architecture = Architecture { features, l1: self.l1, l2: self.l2, l3: self.l3 };
        architecture.check().map(|()| architecture)
    }
}

/// A network file, with the scores that it gives at that FV_SCALE.
fn read_net(path: &Path, fv_scale: NonZeroU16) -> anyhow::Result<Net> {
    let name = || path.display().to_string();
    let mut net = Net::from_file(NetworkFile::open(path).with_context(name)?);
    let [usual, its] = [DEFAULT_FV_SCALE, fv_scale].map(|scale| f32::from(scale.get()));
    let scaled = net.scale_output(usual / its).map_err(|error| {
        let least = (usual / error.most).ceil();
        anyhow!("its output weights fit FV_SCALE {least} and above, not {fv_scale}")
    });
    scaled.with_context(name)?;
    Ok(net)
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
        Command::Average(args) => average::run(args),
        Command::PieceSquare(args) => piece_square::run(args, &mut out),
        Command::Bench(args) => bench::run(args, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If not even this can be written, the exit code has to do.
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
