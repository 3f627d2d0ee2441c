//! Trains a network: the gradient of a batch, then a step of Adam.

use crate::backprop::{SLICE, Slice, Task};
use crate::inputs::Expander;
use crate::integer::IntegerNet;
use crate::kernels::{BLOCK, Moments, adam, scatter_rows};
use crate::net::{Layer, Net};
use crate::objective::Objective;
use crate::sample::Sample;
use crate::scales::LIMITS;
use crate::simd::Level;
use crate::training_loop::{Learner, Step};
use monomi_support::memory::Aligned;
use rayon::prelude::*;

/// Steps between updates of the averaged parameters.
const AVERAGE_EVERY: u64 = 16;

/// A network in training, with the state of its optimiser.
pub struct Trainer {
    /// The parameters that steps change, in floating point.
    pub(crate) net: Net,
    /// Adam's running averages of the gradient and of its square.
    pub(crate) moments: [Parameters; 2],
    /// Steps made.
    pub(crate) steps: u64,
    /// Exponential moving average of the parameters: the network that is measured and written.
    /// `None` if averaging is off or rounded parameters are in use.
    pub(crate) average: Option<Parameters>,
    /// The parameters rounded as in the file. While they are there, the forward pass uses them and
    /// their gradient moves `net` (straight-through estimator: Bengio, Leonard and Courville,
    /// <https://arxiv.org/abs/1308.3432>).
    pub(crate) rounded: Option<Net>,
    /// Share of the average that remains after one step; 0 turns averaging off.
    average_decay: f64,
    objective: Objective,
    level: Level,
    expander: Expander,
    row_gradient: Aligned<f32>,
    dense_gradient: Aligned<f32>,
    transposed: Vec<[Aligned<f32>; 2]>,
    slices: Vec<Slice>,
    touched: Touched,
}

/// One number for each parameter of a network.
#[derive(Clone)]
pub(crate) struct Parameters {
    pub(crate) rows: Aligned<f32>,
    pub(crate) dense: Aligned<f32>,
}

impl Parameters {
    pub(crate) fn zeroed(net: &Net) -> Self {
        Self { rows: Aligned::zeroed(net.rows.len()), dense: Aligned::zeroed(net.dense.len()) }
    }

    /// Moves towards the parameters of a network: `keep` of the difference remains.
    fn approach(&mut self, net: &Net, keep: f32) {
        let each = |(to, from): (&mut f32, &f32)| *to += (1.0 - keep) * (from - *to);
        let chunk = BLOCK * 1024;
        let rows = self.rows.par_chunks_mut(chunk).zip(net.rows.par_chunks(chunk));
        rows.for_each(|(to, from)| to.iter_mut().zip(from).for_each(each));
        self.dense.iter_mut().zip(net.dense.iter()).for_each(each);
    }

    fn swap(&mut self, net: &mut Net) {
        std::mem::swap(&mut self.rows, &mut net.rows);
        std::mem::swap(&mut self.dense, &mut net.dense);
    }
}

impl Trainer {
    /// Starts from a network, with the best instructions of this machine.
    pub fn new(net: Net, objective: Objective) -> Self {
        Self::with_level(net, objective, Level::best())
    }

    /// Starts from a network, with certain instructions.
    pub(crate) fn with_level(net: Net, objective: Objective, level: Level) -> Self {
        let transposed = |[one, two, _]: &[Layer; 3]| {
            [one, two].map(|layer| Aligned::zeroed(layer.weights.len()))
        };
        let transposed = net.layout.stacks.iter().map(transposed).collect();
        Self {
            moments: [Parameters::zeroed(&net), Parameters::zeroed(&net)],
            steps: 0,
            average: None,
            rounded: None,
            average_decay: 0.0,
            objective,
            level,
            expander: Expander::new(net.architecture.features),
            row_gradient: Aligned::zeroed(net.rows.len()),
            dense_gradient: Aligned::zeroed(net.dense.len()),
            transposed,
            slices: Vec::new(),
            touched: Touched::new(&net),
            net,
        }
    }

    /// Measures and writes an exponential moving average of the parameters from now on. `decay` is
    /// the share of it that remains after one step, 0 for no averaging. It ends when rounded
    /// parameters come into use; the average is what they start from.
    #[must_use]
    pub(crate) fn averaging(mut self, decay: f64) -> Self {
        self.average_decay = decay;
        if decay == 0.0 {
            self.average = None;
        } else if self.average.is_none() && self.rounded.is_none() {
            let Net { rows, dense, .. } = self.net.clone();
            self.average = Some(Parameters { rows, dense });
        }
        self
    }

    /// Continues in a new run: from the network that was written, with the state of the optimiser.
    #[must_use]
    pub(crate) fn restarted(mut self) -> Self {
        self.rounded = None;
        self.adopt_average();
        self
    }

    /// The network as it would be written now, in floating point.
    pub fn net(&self) -> Net {
        let mut net = self.net.clone();
        if let Some(average) = &self.average {
            let Parameters { rows, dense } = average.clone();
            (net.rows, net.dense) = (rows, dense);
        }
        net
    }

    fn adopt_average(&mut self) {
        if let Some(mut average) = self.average.take() {
            average.swap(&mut self.net);
        }
    }

    /// Uses rounded parameters in the forward pass from now on.
    pub(crate) fn start_rounding(&mut self) {
        self.adopt_average();
        let mut rounded = Net::zeroed(self.net.architecture);
        self.net.round_into(&mut rounded);
        self.rounded = Some(rounded);
    }

    /// Outputs of the floating-point parameters as they are, without averaging.
    fn plain_outputs(&mut self, samples: &[Sample]) -> Vec<f32> {
        let rounded = self.rounded.take();
        let mut outputs = Vec::with_capacity(samples.len());
        for part in samples.chunks(64 * SLICE) {
            self.run(part, None);
            let slices = self.slices.iter().take(part.len().div_ceil(SLICE));
            outputs.extend(slices.flat_map(|slice| &slice.outputs));
        }
        self.rounded = rounded;
        outputs
    }

    /// Forward through all samples, and backward if there is an objective to train for; returns
    /// the mean loss.
    fn run(&mut self, samples: &[Sample], training: Option<Objective>) -> f64 {
        let count = samples.len().div_ceil(SLICE);
        while self.slices.len() < count {
            self.slices.push(Slice::new(&self.net));
        }
        let task = Task {
            net: self.rounded.as_ref().unwrap_or(&self.net),
            transposed: &self.transposed,
            expander: &self.expander,
            objective: training.unwrap_or(self.objective),
            level: self.level,
            share: 1.0 / samples.len() as f32,
        };
        let slices = &mut self.slices[..count];
        slices
            .par_iter_mut()
            .zip(samples.par_chunks(SLICE))
            .for_each(|(slice, samples)| slice.run(task, samples, training.is_some()));
        slices.iter().map(|slice| slice.loss).sum::<f64>() / samples.len() as f64
    }

    /// Computes the gradient of a batch's mean loss, which is returned. The gradients must be zero
    /// before.
    pub(crate) fn gradient(&mut self, batch: &[Sample], objective: Objective) -> f64 {
        let net = self.rounded.as_ref().unwrap_or(&self.net);
        let layers = net.layout.stacks.iter().zip(&mut self.transposed);
        for (layer, transposed) in layers.flat_map(|(stack, both)| stack.iter().zip(both)) {
            let weights = &net.dense[layer.weights.clone()];
            for (input, row) in weights.chunks_exact(layer.outputs).enumerate() {
                for (output, &weight) in row.iter().enumerate() {
                    transposed[output * layer.inputs + input] = weight;
                }
            }
        }
        let loss = self.run(batch, Some(objective));
        let slices = &self.slices[..batch.len().div_ceil(SLICE)];
        for slice in slices {
            let sums = self.dense_gradient.iter_mut().zip(slice.gradient.iter());
            sums.for_each(|(sum, part)| *sum += part);
        }
        let (level, l1) = (self.level, self.net.layout.l1);
        let block_length = self.net.layout.rows * BLOCK;
        self.row_gradient.par_chunks_mut(block_length).enumerate().for_each(|(block, gradient)| {
            for slice in slices {
                for (lists, deltas) in slice.inputs.iter().zip(slice.first.chunks_exact(2 * l1)) {
                    for (list, half) in lists.iter().zip(deltas.chunks_exact(l1)) {
                        let delta = &half[block * BLOCK..][..BLOCK];
                        scatter_rows(level, gradient, list.as_slice(), delta);
                    }
                }
            }
        });
        self.touched.collect(slices);
        loss
    }

    /// A step of Adam. Sets the gradients to zero.
    fn update(&mut self, rate: f32) {
        let moments = |limit| Moments::at(self.steps, rate, limit);
        let level = self.level;
        let layout = &self.net.layout;
        let [first, second] = &mut self.moments;
        let mut dense = |range: std::ops::Range<usize>, limit| {
            adam(
                level,
                &mut self.net.dense[range.clone()],
                &mut self.dense_gradient[range.clone()],
                &mut first.dense[range.clone()],
                &mut second.dense[range],
                moments(limit),
            );
        };
        dense(layout.first_bias.clone(), LIMITS.first);
        let layers = layout.stacks.iter().flat_map(|stack| stack.iter().zip(LIMITS.layers));
        for (layer, limit) in layers {
            dense(layer.weights.clone(), limit);
            dense(layer.bias.clone(), f32::MAX);
        }
        let block = layout.rows * BLOCK;
        let touched = &self.touched;
        let moments = moments(layout.first_limit());
        let blocks = self.net.rows.par_chunks_mut(block);
        let gradients = self.row_gradient.par_chunks_mut(block);
        let averages = first.rows.par_chunks_mut(block).zip(second.rows.par_chunks_mut(block));
        blocks.zip(gradients).zip(averages).for_each(|((values, gradient), (first, second))| {
            let Some(rows) = touched.rows() else {
                adam(level, values, gradient, first, second, moments);
                return;
            };
            for &row in rows {
                let row = row as usize * BLOCK..(row as usize + 1) * BLOCK;
                let values = &mut values[row.clone()];
                let gradient = &mut gradient[row.clone()];
                adam(level, values, gradient, &mut first[row.clone()], &mut second[row], moments);
            }
        });
    }
}

impl Learner for Trainer {
    fn objective(&self) -> Objective {
        self.objective
    }

    fn outputs(&mut self, samples: &[Sample]) -> Vec<f32> {
        let Some(mut average) = self.average.take() else { return self.plain_outputs(samples) };
        average.swap(&mut self.net);
        let outputs = self.plain_outputs(samples);
        average.swap(&mut self.net);
        self.average = Some(average);
        outputs
    }

    fn written_outputs(&mut self, samples: &[Sample]) -> Option<Vec<f32>> {
        Some(IntegerNet::new(self.net().quantised()).outputs(samples))
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn step(&mut self, batch: &[Sample], step: Step) -> f64 {
        if batch.is_empty() {
            return 0.0;
        }
        if step.rounded && self.rounded.is_none() {
            self.start_rounding();
        }
        let objective = Objective { result_share: step.result_share, ..self.objective };
        let loss = self.gradient(batch, objective);
        self.steps += 1;
        self.update(step.rate);
        if let Some(rounded) = &mut self.rounded {
            self.net.round_into(rounded);
        }
        if let Some(average) = &mut self.average
            && self.steps.is_multiple_of(AVERAGE_EVERY)
        {
            // The first updates weigh more, so that the random start is soon forgotten.
            let updates = (self.steps / AVERAGE_EVERY) as f64;
            let keep = self.average_decay.powi(AVERAGE_EVERY as i32).min(updates / (updates + 9.0));
            average.approach(&self.net, keep as f32);
        }
        loss
    }
}

/// The rows that a batch uses. Where there are very many rows, a step leaves the others alone; their
/// moments do not decay until they are used again.
enum Touched {
    All,
    Some { rows: Vec<u32>, seen: Vec<bool> },
}

impl Touched {
    fn new(net: &Net) -> Self {
        match net.layout.shared.count {
            0 => Touched::All,
            _ => Touched::Some { rows: Vec::new(), seen: vec![false; net.layout.rows] },
        }
    }

    fn collect(&mut self, slices: &[Slice]) {
        let Touched::Some { rows, seen } = self else { return };
        for row in rows.drain(..) {
            seen[row as usize] = false;
        }
        let lists = slices.iter().flat_map(|slice| slice.inputs.iter().flatten());
        for &row in lists.flat_map(|list| list.as_slice()) {
            if !std::mem::replace(&mut seen[row as usize], true) {
                rows.push(row);
            }
        }
    }

    fn rows(&self) -> Option<&[u32]> {
        match self {
            Touched::All => None,
            Touched::Some { rows, .. } => Some(rows),
        }
    }
}

#[cfg(test)]
mod tests;
