//! A training run: epochs of batches, the learning rate's course, held-out loss.

use crate::sample::{Mirror, Sample, Samples, SourceError};
use monomi_records::Random;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Passes over the data.
    pub epochs: u64,
    /// Samples of a batch.
    pub batch: usize,
    /// The learning rate at the start.
    pub rate: f32,
    /// The learning rate at the end, as a share of the one at the start.
    pub final_share: f32,
    /// Whether samples are mirrored left to right at random.
    pub mirror: bool,
    /// The same seed gives the same network from the same data.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { epochs: 8, batch: 8192, rate: 1e-3, final_share: 0.02, mirror: true, seed: 1 }
    }
}

impl Plan {
    /// The learning rate when a part of the whole run, from 0 to 1, is done: half a cosine.
    pub fn rate_at(&self, done: f64) -> f32 {
        let fall = (1.0 + (std::f64::consts::PI * done.clamp(0.0, 1.0)).cos()) / 2.0;
        let (start, end) = (f64::from(self.rate), f64::from(self.rate * self.final_share));
        (end + (start - end) * fall) as f32
    }
}

/// Where a run stands, behind each batch.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The current epoch, from 0.
    pub epoch: u64,
    /// Which part of it is done.
    pub done: f64,
    /// Samples learnt from in this epoch.
    pub samples: u64,
    /// Mean loss of this epoch so far.
    pub loss: f64,
    /// The learning rate.
    pub rate: f32,
    /// Time since the epoch began.
    pub elapsed: Duration,
}

impl Progress {
    /// Samples a second in this epoch.
    pub fn speed(&self) -> f64 {
        self.samples as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// An epoch's end.
#[derive(Clone, Copy, Debug)]
pub struct EpochReport {
    /// As behind the last batch.
    pub progress: Progress,
    /// Mean loss of samples that are not learnt from; `None` if there are none.
    pub held_out: Option<f64>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Samples could not be had.
    #[error("reading training data: {0}")]
    Source(SourceError),
    /// There is nothing to learn from.
    #[error("the training data hold no position that may be learnt from")]
    Empty,
    /// The loss is no number any more.
    #[error("the loss has become {0}: choose a lower learning rate")]
    Diverged(f64),
}

/// Something that learns from samples.
pub trait Learner: Sized {
    /// The mean loss of samples.
    fn loss(&mut self, samples: &[Sample]) -> f64;
    /// One step by the gradient of a batch's mean loss, which is returned.
    fn step(&mut self, batch: &[Sample], rate: f32) -> f64;
}

/// Hears of a run and may end it.
pub trait Watcher<L> {
    /// Behind each batch.
    fn batch(&mut self, progress: &Progress) -> ControlFlow<()>;
    /// Behind each epoch; `epochs` are done.
    fn epoch(&mut self, learner: &L, epochs: u64, report: &EpochReport) -> ControlFlow<()>;
}

/// Runs the epochs from `first` on. Returns early, without an error, when the watcher says so.
///
/// # Errors
/// See [`RunError`].
pub fn train<L: Learner>(
    learner: &mut L,
    samples: &mut dyn Samples,
    held_out: &[Sample],
    plan: &Plan,
    first: u64,
    watcher: &mut impl Watcher<L>,
) -> Result<(), RunError> {
    let mirror = Mirror::new();
    for epoch in first..plan.epochs {
        samples.start(epoch).map_err(RunError::Source)?;
        let start = Instant::now();
        let mut progress = Progress {
            epoch,
            done: 0.0,
            samples: 0,
            loss: 0.0,
            rate: plan.rate_at(epoch as f64 / plan.epochs as f64),
            elapsed: Duration::ZERO,
        };
        // A thread reads ahead while the others calculate.
        let stopped = std::thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::bounded(4);
            let (mirror, samples) = (&mirror, &mut *samples);
            scope.spawn(move || read_batches(samples, plan, epoch, mirror, &sender));
            let mut sum = 0.0;
            for batch in receiver {
                let (batch, done): (Vec<Sample>, f64) = batch.map_err(RunError::Source)?;
                progress.rate = plan.rate_at((epoch as f64 + progress.done) / plan.epochs as f64);
                let loss = learner.step(&batch, progress.rate);
                if !loss.is_finite() {
                    return Err(RunError::Diverged(loss));
                }
                sum += loss * batch.len() as f64;
                progress.samples += batch.len() as u64;
                progress.loss = sum / progress.samples as f64;
                progress.done = done;
                progress.elapsed = start.elapsed();
                if watcher.batch(&progress).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if stopped.is_break() {
            return Ok(());
        }
        if progress.samples == 0 {
            return Err(RunError::Empty);
        }
        let report = EpochReport { progress, held_out: mean_loss(learner, held_out, plan.batch) };
        if watcher.epoch(learner, epoch + 1, &report).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

fn mean_loss(learner: &mut impl Learner, samples: &[Sample], batch: usize) -> Option<f64> {
    if samples.is_empty() {
        return None;
    }
    let sum: f64 = samples.chunks(batch).map(|part| learner.loss(part) * part.len() as f64).sum();
    Some(sum / samples.len() as f64)
}

type Batches = crossbeam_channel::Sender<Result<(Vec<Sample>, f64), SourceError>>;

/// Sends a pass in batches, each with the part of the pass that is done behind it.
fn read_batches(
    samples: &mut dyn Samples,
    plan: &Plan,
    epoch: u64,
    mirror: &Mirror,
    sender: &Batches,
) {
    let mut random = Random::stream(!plan.seed, epoch);
    loop {
        let mut batch = Vec::with_capacity(plan.batch);
        while batch.len() < plan.batch {
            match samples.next() {
                Ok(Some(mut sample)) => {
                    if plan.mirror && random.next_u64() >> 63 == 1 {
                        mirror.apply(&mut sample);
                    }
                    batch.push(sample);
                }
                Ok(None) => break,
                Err(error) => {
                    // If nobody listens any more, nobody needs to know.
                    let _ = sender.send(Err(error));
                    return;
                }
            }
        }
        let last = batch.len() < plan.batch;
        if !batch.is_empty() && sender.send(Ok((batch, samples.done()))).is_err() || last {
            return;
        }
    }
}
