//! The training loop: epochs of batches, the learning rate's schedule, held-out loss.

use crate::objective::{Fit, Objective};
use crate::sample::{Mirror, Sample, Samples, SourceError};
use monomi_movegen::Random;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Passes over the data.
    pub epochs: u64,
    /// Samples in a batch.
    pub batch: usize,
    /// The learning rate at the start.
    pub rate: f32,
    /// The learning rate at the end, as a share of the one at the start.
    pub final_share: f32,
    /// Steps over which the learning rate rises from 0 to `rate`, counted by the optimiser: an
    /// optimiser that has made more steps already is not warmed up again.
    pub warm_up: u64,
    /// Weight of the games' results at the start; the objective has the one at the end.
    pub first_result_share: f32,
    /// The last part of the run, from 0 to 1, that uses rounded parameters in the forward pass.
    pub rounded_part: f64,
    /// Whether samples are mirrored left to right at random.
    pub mirror: bool,
    /// The same seed gives the same network from the same data.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            epochs: 4,
            batch: 8192,
            rate: 1e-3,
            final_share: 0.02,
            warm_up: 0,
            first_result_share: Objective::default().result_share,
            rounded_part: 0.1,
            mirror: true,
            seed: 1,
        }
    }
}

impl Plan {
    /// The plan with batches of `batch` samples, or of all `samples` if these are fewer.
    pub fn with_batch(self, batch: usize, samples: u64) -> Self {
        let most = usize::try_from(samples).unwrap_or(usize::MAX).max(1);
        Self { batch: batch.min(most), ..self }
    }

    /// The batch size for a run of `epochs` passes over `samples` samples. Small sets need small
    /// batches to get enough steps: 2,048 gave a lower held-out loss than 8,192 on 2.1 million
    /// positions. A run of fewer than 2,000 steps gets still smaller ones, down to 256, because
    /// the weights need steps to adapt to rounding (trials/notes/training.md, rounding).
    pub fn batch_for(samples: u64, epochs: u64) -> usize {
        const STEPS: u64 = 2000;
        const SMALLEST: usize = 256;
        let mut batch = match samples {
            0..10_000_000 => 2048,
            10_000_000..40_000_000 => 4096,
            _ => 8192,
        };
        while batch > SMALLEST && samples.saturating_mul(epochs) / (batch as u64) < STEPS {
            batch /= 2;
        }
        batch
    }

    /// The learning rate after a part of the whole run, from 0 to 1: half a cosine.
    pub fn rate_at(&self, done: f64) -> f32 {
        let fall = (1.0 + (std::f64::consts::PI * done.clamp(0.0, 1.0)).cos()) / 2.0;
        let (start, end) = (f64::from(self.rate), f64::from(self.rate * self.final_share));
        (end + (start - end) * fall) as f32
    }

    /// The numbers of a step after a part of the whole run, from 0 to 1. A batch of fewer than
    /// `self.batch` samples, the last of an epoch, gets a smaller step in proportion.
    fn step(&self, done: f64, samples: usize, steps: u64, final_result_share: f32) -> Step {
        let warm =
            if steps < self.warm_up { (steps + 1) as f32 / self.warm_up as f32 } else { 1.0 };
        let full = samples as f32 / self.batch as f32;
        let growth = final_result_share - self.first_result_share;
        Step {
            rate: self.rate_at(done) * warm * full,
            result_share: self.first_result_share + growth * done.clamp(0.0, 1.0) as f32,
            rounded: self.rounded_part > 0.0 && done >= 1.0 - self.rounded_part,
        }
    }
}

/// The numbers of one step.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The learning rate.
    pub rate: f32,
    /// Weight of the games' results in the target.
    pub result_share: f32,
    /// Whether the forward pass uses rounded parameters.
    pub rounded: bool,
}

/// State of a run after a batch.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// The current epoch, from 0.
    pub epoch: u64,
    /// The part of the epoch that is done, from 0 to 1.
    pub done: f64,
    /// Samples of this epoch so far.
    pub samples: u64,
    /// Mean loss of this epoch so far.
    pub loss: f64,
    /// The learning rate.
    pub rate: f32,
    /// Time since the epoch began.
    pub elapsed: Duration,
}

impl TrainingProgress {
    /// Samples per second in this epoch.
    pub fn speed(&self) -> f64 {
        self.samples as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

/// Loss on held-out samples.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut {
    /// Mean loss of the floating-point parameters.
    pub loss: f64,
    /// The same after fitting scale and offset of the output.
    pub fit: Fit,
    /// Mean loss of the file that would be written, evaluated as the engine does; `None` if the
    /// learner has no such file.
    pub written: Option<f64>,
}

/// The end of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct EpochReport {
    /// Progress after the last batch.
    pub progress: TrainingProgress,
    /// Loss on samples that are not trained on; `None` if there are none.
    pub held_out: Option<HeldOut>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Samples could not be read.
    #[error("reading training data: {0}")]
    Source(SourceError),
    /// There is nothing to train on.
    #[error("the training data contain no position to train on")]
    Empty,
    /// The loss is infinite or not a number.
    #[error("the loss has become {0}: choose a lower learning rate")]
    Diverged(f64),
}

/// Something that is trained on samples.
pub trait Learner: Sized {
    /// The objective of the end of the run, which held-out losses use.
    fn objective(&self) -> Objective;
    /// Outputs of the parameters as they would be used now, in units of
    /// [`OUTPUT_UNIT`](crate::scales::OUTPUT_UNIT).
    fn outputs(&mut self, samples: &[Sample]) -> Vec<f32>;
    /// Outputs of the file that would be written now, if that can be evaluated.
    fn written_outputs(&mut self, samples: &[Sample]) -> Option<Vec<f32>>;
    /// Steps made so far, in earlier runs as well.
    fn steps(&self) -> u64;
    /// One step along the gradient of the batch's mean loss, which is returned.
    fn step(&mut self, batch: &[Sample], step: Step) -> f64;
}

/// Called during a run; can end it.
pub trait Watcher<L> {
    /// After each batch.
    fn batch(&mut self, progress: &TrainingProgress) -> ControlFlow<()>;
    /// After each epoch; `epochs` are done.
    fn epoch(&mut self, learner: &mut L, epochs: u64, report: &EpochReport) -> ControlFlow<()>;
}

/// Runs the epochs from `first` on. Returns early, without an error, when the watcher breaks.
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
    let final_result_share = learner.objective().result_share;
    for epoch in first..plan.epochs {
        samples.start(epoch).map_err(RunError::Source)?;
        let start = Instant::now();
        let mut progress = TrainingProgress {
            epoch,
            done: 0.0,
            samples: 0,
            loss: 0.0,
            rate: plan.rate_at(epoch as f64 / plan.epochs as f64),
            elapsed: Duration::ZERO,
        };
        // One thread reads ahead while the others compute.
        let stopped = std::thread::scope(|scope| {
            let (sender, receiver) = crossbeam_channel::bounded(4);
            let (mirror, samples) = (&mirror, &mut *samples);
            scope.spawn(move || read_batches(samples, plan, epoch, mirror, &sender));
            let mut sum = 0.0;
            for batch in receiver {
                let (batch, done): (Vec<Sample>, f64) = batch.map_err(RunError::Source)?;
                let of_run = (epoch as f64 + progress.done) / plan.epochs as f64;
                let step = plan.step(of_run, batch.len(), learner.steps(), final_result_share);
                progress.rate = plan.rate_at(of_run);
                let loss = learner.step(&batch, step);
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
        let report = EpochReport { progress, held_out: measure(learner, held_out) };
        if watcher.epoch(learner, epoch + 1, &report).is_break() {
            return Ok(());
        }
    }
    Ok(())
}

/// The losses of a learner on held-out samples; `None` if there are none.
pub fn measure(learner: &mut impl Learner, samples: &[Sample]) -> Option<HeldOut> {
    if samples.is_empty() {
        return None;
    }
    let objective = learner.objective();
    let outputs = learner.outputs(samples);
    let written = learner.written_outputs(samples);
    Some(HeldOut {
        loss: objective.mean_loss(&outputs, samples),
        fit: objective.fit(&outputs, samples),
        written: written.map(|outputs| objective.mean_loss(&outputs, samples)),
    })
}

type Batches = crossbeam_channel::Sender<Result<(Vec<Sample>, f64), SourceError>>;

/// Sends a pass in batches, each with the part of the pass that is done after it.
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
                    // If the receiver is gone, the error is not needed.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_runs_get_small_batches() {
        assert_eq!(Plan::batch_for(1_000_000, 8), 2048);
        assert_eq!(Plan::batch_for(20_000_000, 1), 4096);
        assert_eq!(Plan::batch_for(100_000_000, 1), 8192);
        // The largest power of two that leaves 2,000 steps.
        assert_eq!(Plan::batch_for(1_100_000, 1), 512);
        assert_eq!(Plan::batch_for(2_000 * 1024, 1), 1024);
        assert_eq!(Plan::batch_for(2_000 * 1024 - 1, 1), 512);
        assert_eq!(Plan::batch_for(1000, 2), 256);
        assert_eq!(Plan::batch_for(0, 0), 256);
    }

    #[test]
    fn steps_follow_the_plan() {
        let plan = Plan {
            rate: 1e-3,
            final_share: 0.01,
            warm_up: 100,
            first_result_share: 0.1,
            rounded_part: 0.1,
            batch: 1000,
            ..Plan::default()
        };
        let step = |done, samples, steps| plan.step(done, samples, steps, 0.5);
        let near = |a: f32, b: f32| (a - b).abs() < 1e-3 * b;
        // Warm-up counts the optimiser's steps, whatever part of the run is done.
        assert!(near(step(0.0, 1000, 0).rate, 1e-5));
        assert!(near(step(0.0, 1000, 49).rate, 5e-4));
        assert!(near(step(0.0, 1000, 100).rate, 1e-3));
        assert!(near(step(1.0, 1000, 100).rate, 1e-5));
        // A quarter of a batch makes a quarter of a step.
        assert!(near(step(0.0, 250, 100).rate, 2.5e-4));
        assert!(near(step(0.0, 1000, 0).result_share, 0.1));
        assert!(near(step(0.5, 1000, 0).result_share, 0.3));
        assert!(near(step(1.0, 1000, 0).result_share, 0.5));
        assert!(!step(0.89, 1000, 0).rounded && step(0.9, 1000, 0).rounded);
        let never = Plan { rounded_part: 0.0, ..plan };
        assert!(!never.step(1.0, 1000, 0, 0.5).rounded);
    }
}
