//! `monomi-trainer net`.

use crate::checkpoint::{self, Checkpoint, write_whole};
use crate::cli::data::{DataArgs, TargetArgs};
use crate::cli::{Bar, NetworkArgs, read_net, use_threads};
use crate::net::Net;
use crate::run::{EpochReport, Plan, Progress, Watcher, train};
use crate::simd::Level;
use crate::trainer::Trainer;
use anyhow::Context as _;
use monomi_eval::DEFAULT_FV_SCALE;
use std::io::Write;
use std::num::NonZeroU16;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  monomi-trainer net games.mgr --out nn.bin
  monomi-trainer net run1.mgr run2.mgr --out nn.bin --features halfkp --epochs 20 --resume
  monomi-trainer net games.mgr --out better.bin --from nn.bin

A run that was ended loses the epoch begun; --resume goes on behind the last one that was done.
docs/training.md leads through it.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    data: DataArgs,
    /// The network to write (nn.bin); behind each epoch it is written anew, and beside it a
    /// checkpoint, FILE.checkpoint.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    target: TargetArgs,
    #[command(flatten)]
    plan: PlanArgs,
    /// Start from this network (nn.bin) instead of random weights; its shape counts.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The FV_SCALE that --from's network is used with. What is written is for 16.
    #[arg(long, value_name = "N", requires = "from", default_value_t = DEFAULT_FV_SCALE)]
    from_fv_scale: NonZeroU16,
    /// Go on where the checkpoint beside the output stands, if there is one.
    #[arg(long, conflicts_with = "from")]
    resume: bool,
    /// Threads; 0 for all cores. The result does not depend on it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// The course of a run as arguments.
#[derive(Debug, clap::Args)]
pub(super) struct PlanArgs {
    /// Passes over the data.
    #[arg(long, value_name = "N", default_value_t = Plan::default().epochs)]
    epochs: u64,
    /// Samples of a batch.
    #[arg(long, value_name = "N", default_value_t = Plan::default().batch)]
    batch: usize,
    /// Learning rate at the start.
    #[arg(long, value_name = "RATE", default_value_t = Plan::default().rate)]
    rate: f32,
    /// Learning rate at the end, as a share of the one at the start; between them half a cosine.
    #[arg(long, value_name = "SHARE", default_value_t = Plan::default().final_share)]
    final_share: f32,
    /// Do not mirror positions left to right at random (mirroring is worth a great deal).
    #[arg(long)]
    no_mirror: bool,
    /// Seed of weights, order and mirroring.
    #[arg(long, value_name = "SEED", default_value_t = Plan::default().seed)]
    seed: u64,
}

impl PlanArgs {
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        anyhow::ensure!(self.batch > 0, "--batch must be at least 1");
        anyhow::ensure!(self.rate > 0.0 && self.rate.is_finite(), "--rate must be above 0");
        anyhow::ensure!(
            (0.0..=1.0).contains(&self.final_share),
            "--final-share must be from 0 to 1"
        );
        Ok(Plan {
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            final_share: self.final_share,
            mirror: !self.no_mirror,
            seed: self.seed,
        })
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    use_threads(args.threads)?;
    let plan = args.plan.plan()?;
    let objective = args.target.objective()?;
    let beside = checkpoint_path(&args.out);
    let mut start = None;
    if args.resume && beside.exists() {
        start = Some(checkpoint::load(&beside, objective)?);
    }
    let Checkpoint { mut trainer, epochs } = match start {
        Some(checkpoint) => checkpoint,
        None => {
            let net = match &args.from {
                Some(path) => read_net(path, args.from_fv_scale)?,
                None => Net::random(args.network.architecture()?, plan.seed),
            };
            Checkpoint { trainer: Trainer::new(net, objective), epochs: 0 }
        }
    };
    let (mut samples, held_out) = args.data.open(plan.seed, objective.scale, out)?;
    writeln!(
        out,
        "{}, {}, {} threads{}",
        trainer.net().architecture,
        Level::best().name(),
        rayon::current_num_threads(),
        if epochs > 0 { format!(", {epochs} epochs done") } else { String::new() },
    )?;
    let mut watcher = Reporter { path: &args.out, out, bar: Bar::new(), failed: None };
    train(&mut trainer, &mut samples, &held_out, &plan, epochs, &mut watcher)?;
    watcher.failed.map_or(Ok(()), Err)
}

fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".checkpoint");
    out.with_file_name(name)
}

/// Shows progress and saves.
struct Reporter<'a, W> {
    path: &'a Path,
    out: &'a mut W,
    bar: Bar,
    failed: Option<anyhow::Error>,
}

impl<W: Write> Reporter<'_, W> {
    fn save(&mut self, trainer: &Trainer, epochs: u64, report: &EpochReport) -> anyhow::Result<()> {
        self.bar.line(self.out, epochs, report)?;
        let beside = checkpoint_path(self.path);
        checkpoint::save(&beside, trainer, epochs)
            .with_context(|| format!("writing {}", beside.display()))?;
        let file = trainer.net().quantised();
        write_whole(self.path, |stream| file.write(stream))
            .with_context(|| format!("writing {}", self.path.display()))
    }
}

impl<W: Write> Watcher<Trainer> for Reporter<'_, W> {
    fn batch(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.bar.show(progress);
        ControlFlow::Continue(())
    }

    fn epoch(&mut self, trainer: &Trainer, epochs: u64, report: &EpochReport) -> ControlFlow<()> {
        match self.save(trainer, epochs, report) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
