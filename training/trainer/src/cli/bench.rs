//! `monomi-trainer bench`.

use super::{NetworkArgs, use_threads};
use crate::net::{Net, signed};
use crate::objective::Objective;
use crate::sample::Sample;
use crate::simd::Level;
use crate::trainer::Trainer;
use crate::training_loop::{Learner, Step};
use monomi_movegen::Position;
use monomi_movegen::Random;
use std::io::Write;
use std::time::Instant;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer bench
  monomi-trainer bench --features halfkp --threads 1";

const STEP: Step = Step { rate: 1e-3, result_share: 0.2, rounded: false };

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    network: NetworkArgs,
    /// Samples in a batch.
    #[arg(long, value_name = "N", default_value_t = 8192)]
    batch: usize,
    /// Batches to measure with each level of vector instructions.
    #[arg(long, value_name = "N", default_value_t = 40)]
    batches: usize,
    /// Threads; 0 for all cores.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    use_threads(args.threads)?;
    let architecture = args.network.architecture()?;
    let samples = made_up(args.batch * 4);
    writeln!(out, "{architecture}, {} threads", rayon::current_num_threads())?;
    for level in Level::available() {
        let net = Net::random(architecture, 1);
        let mut trainer = Trainer::with_level(net, Objective::default(), level);
        let mut batches = samples.chunks(args.batch).cycle();
        // The first steps page the memory in.
        for batch in batches.by_ref().take(2) {
            trainer.step(batch, STEP);
        }
        let start = Instant::now();
        for batch in batches.take(args.batches) {
            trainer.step(batch, STEP);
        }
        let speed = (args.batch * args.batches) as f64 / start.elapsed().as_secs_f64();
        writeln!(out, "{}: {speed:.0} samples per second", level.name())?;
    }
    Ok(())
}

/// Positions of random games: more varied than real ones, so slower rather than faster.
fn made_up(count: usize) -> Vec<Sample> {
    let mut random = Random::new(1);
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let mut position = Position::startpos();
        for _ in 0..150 {
            let moves = position.legal_moves();
            if moves.is_empty() || samples.len() == count {
                break;
            }
            position.do_move(moves[random.next_u64() as usize % moves.len()]);
            let score = (1000.0 * signed(&mut random)) as i16;
            samples.push(Sample::new(&position, score, (random.next_u64() % 3) as i8 - 1));
        }
    }
    samples
}
