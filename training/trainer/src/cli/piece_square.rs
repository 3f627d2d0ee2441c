//! `monomi-trainer piece-square`.

use super::data_arguments::{DataArgs, TargetArgs};
use super::report::Reporter;
use super::{check_rate, use_threads, write_output};
use crate::piece_square::PieceSquareLearner;
use crate::training_loop::{Plan, train};
use anyhow::Context as _;
use monomi_eval::piece_square::Numbers;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer piece-square games.mgr --out piece_square.txt
  monomi-trainer piece-square games.mgr --out better.txt --from piece_square.txt --epochs 10";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    /// The tables to write after each epoch, in the format of eval/data/piece_square.txt.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Start from these tables instead of the built-in ones.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
    /// Passes over the data.
    #[arg(long, value_name = "N", default_value_t = 5)]
    epochs: u64,
    /// Learning rate at the start, in internal units; it falls to a fiftieth.
    #[arg(long, value_name = "RATE", default_value_t = 2.0)]
    rate: f32,
    /// Seed of order and mirroring.
    #[arg(long, value_name = "SEED", default_value_t = Plan::default().seed)]
    seed: u64,
    /// Threads; 0 for all cores. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const HEADER: &str = "\
Piece-square values, material included, in internal units (90 to an unmoved pawn), Black's view.

Read as a plain sequence of numbers; '#' starts a comment. First all boards: kinds in shogi_core's
order, opening board, then endgame board, ranks a to i, files 9 to 1 as a diagram is read.
Then the hands: pawn to rook, for each kind the value of its first piece, its second, ...
in the opening, then the same for the endgame.

Fitted to self-play by monomi-trainer piece-square.";

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    use_threads(args.threads)?;
    check_rate(args.rate)?;
    let numbers = match &args.from {
        None => Numbers::internal(),
        Some(path) => {
            let name = || path.display().to_string();
            let text = std::fs::read_to_string(path).with_context(name)?;
            Numbers::parse(&text).with_context(name)?
        }
    };
    let objective = args.target.objective()?;
    let mut learner = PieceSquareLearner::new(numbers, objective);
    let (mut samples, held_out) = args.data.open(args.seed, objective.scale, out)?;
    let plan = Plan {
        epochs: args.epochs,
        rate: args.rate,
        first_result_share: objective.result_share,
        seed: args.seed,
        ..Plan::default()
    };
    let plan = plan.with_batch(plan.batch, samples.total());
    let mut watcher = Reporter::new(out, |learner: &mut PieceSquareLearner, _| {
        let text = learner.numbers().text(HEADER);
        write_output(&args.out, |file| file.write_all(text.as_bytes()))
    });
    train(&mut learner, &mut samples, &held_out, &plan, 0, &mut watcher)?;
    watcher.result()
}
