//! One step of training after another: gradient of a batch, then Adam.

use crate::inputs::Expander;
use crate::kernels::{BLOCK, Moments, adam, scatter_rows};
use crate::net::Net;
use crate::objective::Objective;
use crate::pass::{SLICE, Slice, Task};
use crate::quantise::LIMITS;
use crate::run::Learner;
use crate::sample::Sample;
use crate::simd::Level;
use monomi_eval::network::FeatureSet;
use monomi_memory::Aligned;
use rayon::prelude::*;

/// A network that learns.
pub struct Trainer {
    pub(crate) net: Net,
    /// Running averages of the gradient and of its square, laid out as the parameters.
    pub(crate) averages: [Averages; 2],
    /// Steps made.
    pub(crate) steps: u64,
    objective: Objective,
    level: Level,
    expander: Expander,
    row_gradient: Aligned<f32>,
    dense_gradient: Aligned<f32>,
    transposed: [Aligned<f32>; 2],
    slices: Vec<Slice>,
    touched: Touched,
}

/// A number for each parameter.
pub(crate) struct Averages {
    pub(crate) rows: Aligned<f32>,
    pub(crate) dense: Aligned<f32>,
}

impl Averages {
    fn zeroed(net: &Net) -> Self {
        Self { rows: Aligned::zeroed(net.rows.len()), dense: Aligned::zeroed(net.dense.len()) }
    }
}

impl Trainer {
    /// Starts from a network, on the best instructions of this machine.
    pub fn new(net: Net, objective: Objective) -> Self {
        Self::with_level(net, objective, Level::best())
    }

    /// Starts from a network, on certain instructions.
    pub fn with_level(net: Net, objective: Objective, level: Level) -> Self {
        let [one, two, _] = &net.layout.layers;
        let transposed = [one, two].map(|layer| Aligned::zeroed(layer.weights.len()));
        Self {
            averages: [Averages::zeroed(&net), Averages::zeroed(&net)],
            steps: 0,
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

    /// The network as it is now.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The network's outputs for samples, in units of [`OUTPUT_UNIT`](crate::net::OUTPUT_UNIT).
    pub fn outputs(&mut self, samples: &[Sample]) -> Vec<f32> {
        self.run(samples, false);
        let slices = self.slices.iter().take(samples.len().div_ceil(SLICE));
        slices.flat_map(|slice| &slice.outputs).copied().collect()
    }

    fn run(&mut self, samples: &[Sample], learning: bool) -> f64 {
        let count = samples.len().div_ceil(SLICE);
        while self.slices.len() < count {
            self.slices.push(Slice::new(&self.net));
        }
        let task = Task {
            net: &self.net,
            transposed: &self.transposed,
            expander: &self.expander,
            objective: self.objective,
            level: self.level,
            share: 1.0 / samples.len() as f32,
        };
        let slices = &mut self.slices[..count];
        slices
            .par_iter_mut()
            .zip(samples.par_chunks(SLICE))
            .for_each(|(slice, samples)| slice.run(task, samples, learning));
        slices.iter().map(|slice| slice.loss).sum::<f64>() / samples.len() as f64
    }

    /// Adds the gradient of a batch's mean loss, which is returned, to gradients that are zero.
    pub(crate) fn gradient(&mut self, batch: &[Sample]) -> f64 {
        for (layer, transposed) in self.net.layout.layers.iter().zip(&mut self.transposed) {
            let weights = &self.net.dense[layer.weights.clone()];
            for (input, row) in weights.chunks_exact(layer.outputs).enumerate() {
                for (output, &weight) in row.iter().enumerate() {
                    transposed[output * layer.inputs + input] = weight;
                }
            }
        }
        let loss = self.run(batch, true);
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

    /// A step of Adam; the gradients are zero behind it.
    fn update(&mut self, rate: f32) {
        let moments = |limit| Moments::at(self.steps, rate, limit);
        let level = self.level;
        let layout = &self.net.layout;
        let [first, second] = &mut self.averages;
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
        for (layer, limit) in layout.layers.iter().zip(LIMITS.layers) {
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
    fn loss(&mut self, samples: &[Sample]) -> f64 {
        if samples.is_empty() {
            return 0.0;
        }
        self.run(samples, false)
    }

    fn step(&mut self, batch: &[Sample], rate: f32) -> f64 {
        if batch.is_empty() {
            return 0.0;
        }
        let loss = self.gradient(batch);
        self.steps += 1;
        self.update(rate);
        loss
    }
}

/// The rows that a batch has touched, where there are so many that the others are left alone:
/// their averages stand still until they are touched again.
enum Touched {
    All,
    Some { rows: Vec<u32>, seen: Vec<bool> },
}

impl Touched {
    fn new(net: &Net) -> Self {
        match net.architecture.features {
            FeatureSet::KP => Touched::All,
            FeatureSet::HalfKP => {
                Touched::Some { rows: Vec::new(), seen: vec![false; net.layout.rows] }
            }
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
