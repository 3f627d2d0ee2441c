//! `monomi-trainer net`.

use super::data_arguments::{DataArgs, TargetArgs};
use super::report::Reporter;
use super::start::{Start, read_start};
use super::{NetworkArgs, check_rate, checkpoint_path, use_threads, write_network};
use crate::checkpoint::{self, Checkpoint};
use crate::net::Net;
use crate::objective::Objective;
use crate::sample::Samples;
use crate::simd::Level;
use crate::teacher::{Taught, label};
use crate::trainer::Trainer;
use crate::training_loop::{Plan, train};
use monomi_eval::DEFAULT_FV_SCALE;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer net games.mgr --out nn.bin
  monomi-trainer net run1.mgr run2.mgr --out nn.bin --features halfkp --epochs 20 --resume
  monomi-trainer net games.mgr --out better.bin --from nn.ckpt --rate 0.0003
  monomi-trainer net games.mgr --out small.bin --l1 128 --teacher nn.ckpt

An interrupted run loses the current epoch; --resume continues after the last complete one.
docs/training.md explains the whole procedure.";

/// Steps of warm-up when a network is trained further without the state of its optimiser.
const WARM_UP: u64 = 500;

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    /// The network to write (nn.bin), after each epoch. A checkpoint with floating-point weights and
    /// the optimiser's state is written next to it (nn.ckpt).
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Start from this network instead of random weights: a checkpoint (nn.ckpt; best) or a rounded
    /// network (nn.bin). Its architecture is used.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The FV_SCALE that the network of --from is used with. The network written is for 16.
    #[arg(long, value_name = "N", requires = "from", default_value_t = DEFAULT_FV_SCALE)]
    from_fv_scale: NonZeroU16,
    /// Train on the values of this network, a checkpoint or nn.bin for FV_SCALE 16, instead of the
    /// scores and results of the games (knowledge distillation).
    #[arg(long, value_name = "FILE")]
    teacher: Option<PathBuf>,
    /// Continue from the checkpoint next to the output, if there is one.
    #[arg(long, conflicts_with = "from")]
    resume: bool,
    /// Threads; 0 for all cores. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// The plan of a run as arguments.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    /// Passes over the data.
    #[arg(long, value_name = "N", default_value_t = Plan::default().epochs)]
    epochs: u64,
    /// Samples in a batch [default: 2,048 below 10 million positions, 4,096 below 40 million, then
    /// 8,192; smaller, but at least 256, where the run would have fewer than 2,000 steps].
    #[arg(long, value_name = "N")]
    batch: Option<usize>,
    /// Learning rate at the start.
    #[arg(long, value_name = "RATE", default_value_t = Plan::default().rate)]
    rate: f32,
    /// Learning rate at the end, as a share of the one at the start; half a cosine between.
    #[arg(long, value_name = "SHARE", default_value_t = Plan::default().final_share)]
    final_share: f32,
    /// Steps over which the learning rate rises to --rate [default: 500 with --from without an
    /// optimiser's state, else 0].
    #[arg(long, value_name = "STEPS")]
    warm_up: Option<u64>,
    /// Last part of the run that uses rounded weights in the forward pass; 0 for none.
    #[arg(long, value_name = "SHARE", default_value_t = Plan::default().rounded_part)]
    rounded_part: f64,
    /// Average weights over steps: this share of the average remains after one step; 0 for none.
    #[arg(long, value_name = "SHARE", default_value_t = 0.999)]
    ema: f64,
    /// Weight of the result in the target at the start; --result-share is the one at the end
    /// [default: the same].
    #[arg(long, value_name = "SHARE")]
    first_result_share: Option<f32>,
    /// Do not mirror positions left to right at random.
    #[arg(long)]
    no_mirror: bool,
    /// Seed of weights, order and mirroring.
    #[arg(long, value_name = "SEED", default_value_t = Plan::default().seed)]
    seed: u64,
}

impl Args {
    /// The network whose values are the labels, if one is.
    fn teacher(&self, objective: Objective) -> anyhow::Result<Option<Trainer>> {
        let Some(path) = &self.teacher else { return Ok(None) };
        let Start { trainer, stated, .. } = read_start(path, DEFAULT_FV_SCALE, objective)?;
        if let Some(scale) = stated.filter(|&scale| scale != DEFAULT_FV_SCALE) {
            anyhow::bail!(
                "{}: this network is for FV_SCALE {scale}; rescale it with `monomi-trainer average`",
                path.display()
            );
        }
        Ok(Some(trainer))
    }
}

impl PlanArgs {
    /// The plan; batch size and warm-up are set when data and start are known.
    fn plan(&self, objective: Objective) -> anyhow::Result<Plan> {
        anyhow::ensure!(self.batch != Some(0), "--batch must be at least 1");
        check_rate(self.rate)?;
        let first_result_share = self.first_result_share.unwrap_or(objective.result_share);
        for (name, share) in [
            ("--final-share", f64::from(self.final_share)),
            ("--rounded-part", self.rounded_part),
            ("--first-result-share", first_result_share.into()),
        ] {
            anyhow::ensure!((0.0..=1.0).contains(&share), "{name} must be from 0 to 1");
        }
        anyhow::ensure!((0.0..1.0).contains(&self.ema), "--ema must be from 0 to below 1");
        Ok(Plan {
            epochs: self.epochs,
            rate: self.rate,
            final_share: self.final_share,
            first_result_share,
            rounded_part: self.rounded_part,
            mirror: !self.no_mirror,
            seed: self.seed,
            ..Plan::default()
        })
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    use_threads(args.threads)?;
    let objective = args.target.objective()?;
    let mut plan = args.plan.plan(objective)?;
    let beside = checkpoint_path(&args.out)?;
    let teacher = args.teacher(objective)?;
    let mut start = None;
    if args.resume && beside.exists() {
        start = Some(checkpoint::load(&beside, objective)?);
    }
    let mut warm_up = 0;
    let Checkpoint { trainer, epochs } = match (start, &args.from) {
        (Some(checkpoint), _) => checkpoint,
        (None, Some(path)) => {
            let Start { trainer, kind, .. } = read_start(path, args.from_fv_scale, objective)?;
            writeln!(out, "starting from {}: {kind}", path.display())?;
            let better = checkpoint_path(path).ok().filter(|better| better.exists());
            if let (true, Some(better)) = (kind.is_rounded(), better) {
                writeln!(out, "note: {} has its floating-point weights", better.display())?;
            }
            if kind.needs_warm_up() {
                warm_up = WARM_UP;
            }
            Checkpoint { trainer, epochs: 0 }
        }
        (None, None) => {
            let net = Net::random(args.network.architecture()?, plan.seed);
            Checkpoint { trainer: Trainer::new(net, objective), epochs: 0 }
        }
    };
    let mut trainer = trainer.averaging(args.plan.ema);
    let (samples, mut held_out) = args.data.open(plan.seed, objective.scale, out)?;
    let total = samples.total();
    plan = plan.with_batch(args.plan.batch.unwrap_or(Plan::batch_for(total, plan.epochs)), total);
    plan.warm_up = args.plan.warm_up.unwrap_or(warm_up);
    writeln!(
        out,
        "{}, {}, {} threads, batches of {}{}",
        trainer.net().architecture,
        Level::best().name(),
        rayon::current_num_threads(),
        plan.batch,
        if epochs > 0 { format!(", {epochs} epochs done") } else { String::new() },
    )?;
    let mut watcher = Reporter::new(out, |trainer: &mut Trainer, epochs| {
        write_network(&args.out, &beside, trainer, epochs, None)
    });
    let mut samples: Box<dyn Samples> = match teacher {
        Some(mut teacher) => {
            label(&mut teacher, &mut held_out);
            Box::new(Taught::new(samples, teacher))
        }
        None => Box::new(samples),
    };
    train(&mut trainer, &mut *samples, &held_out, &plan, epochs, &mut watcher)?;
    watcher.result()
}
