//! Forward and backward through a network, for a slice of a batch on one thread.

use crate::inputs::{Expander, InputList};
use crate::kernels::{Left, close, multiply, sum_rows};
use crate::net::{Layer, Net};
use crate::objective::Objective;
use crate::sample::Sample;
use crate::simd::Level;
use monomi_memory::Aligned;

/// Samples in a slice. Gradients are summed slice by slice, so the result does not depend on the
/// number of threads.
pub(crate) const SLICE: usize = 256;

/// Samples that go through the dense layers together: their activations fit the L1 cache.
const TILE: usize = 32;

/// What all slices have in common.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) net: &'a Net,
    /// Transposed weights of the first and the second affine layer.
    pub(crate) transposed: &'a [Aligned<f32>; 2],
    pub(crate) expander: &'a Expander,
    pub(crate) objective: Objective,
    pub(crate) level: Level,
    /// Weight of each sample in the loss: 1 / size of the batch.
    pub(crate) share: f32,
}

/// Buffers for one slice.
pub(crate) struct Slice {
    /// Active rows of both perspectives of each sample.
    pub(crate) inputs: Vec<[InputList; 2]>,
    /// `[sample][2 * l1]`: the first layer's outputs; after `backward`, the loss's derivatives with
    /// respect to its sums.
    pub(crate) first: Aligned<f32>,
    /// Gradient of the dense parameters.
    pub(crate) gradient: Aligned<f32>,
    /// Sum of the samples' losses.
    pub(crate) loss: f64,
    /// Outputs of the last forward pass.
    pub(crate) outputs: Vec<f32>,
    hidden: [Aligned<f32>; 2],
    deltas: [Aligned<f32>; 2],
    returned: Aligned<f32>,
}

impl Slice {
    pub(crate) fn new(net: &Net) -> Self {
        let layout = &net.layout;
        let widths = [layout.layers[0].outputs, layout.layers[1].outputs];
        Self {
            inputs: Vec::with_capacity(SLICE),
            first: Aligned::zeroed(SLICE * 2 * layout.l1),
            gradient: Aligned::zeroed(layout.dense),
            loss: 0.0,
            outputs: Vec::with_capacity(SLICE),
            hidden: widths.map(|width| Aligned::zeroed(TILE * width)),
            deltas: widths.map(|width| Aligned::zeroed(TILE * width)),
            returned: Aligned::zeroed(TILE * 2 * layout.l1),
        }
    }

    /// Computes outputs and loss of the samples; with `training`, gradients as well.
    pub(crate) fn run(&mut self, task: Task<'_>, samples: &[Sample], training: bool) {
        self.loss = 0.0;
        self.inputs.clear();
        self.outputs.clear();
        if training {
            self.gradient.fill(0.0);
        }
        for tile in samples.chunks(TILE) {
            let start = self.inputs.len();
            self.forward(task, tile, start);
            let outputs = self.outputs.len() - tile.len();
            let mut slopes = [0.0; TILE];
            for ((sample, &output), slope) in
                tile.iter().zip(&self.outputs[outputs..]).zip(&mut slopes)
            {
                let (loss, by_output) = task.objective.judge(output, sample);
                self.loss += f64::from(loss);
                *slope = by_output * task.share;
            }
            if training {
                self.backward(task, start, &slopes[..tile.len()]);
            }
        }
    }

    fn forward(&mut self, task: Task<'_>, tile: &[Sample], start: usize) {
        let Task { net, level, .. } = task;
        let layout = &net.layout;
        let width = 2 * layout.l1;
        let bias = &net.dense[layout.first_bias.clone()];
        let first = &mut self.first[start * width..][..tile.len() * width];
        for (sample, both) in tile.iter().zip(first.chunks_exact_mut(width)) {
            let lists = task.expander.expand(sample);
            for (list, half) in lists.iter().zip(both.chunks_exact_mut(layout.l1)) {
                sum_rows(level, &net.rows, layout.rows, bias, list.as_slice(), half);
            }
            self.inputs.push(lists);
        }
        let [one, two, last] = &layout.layers;
        let [hidden1, hidden2] = &mut self.hidden;
        affine(level, net, one, first, hidden1, tile.len());
        affine(level, net, two, hidden1, hidden2, tile.len());
        let weights = column(net, last);
        let bias = net.dense[last.bias.start];
        for activations in hidden2.chunks_exact(last.inputs).take(tile.len()) {
            let sum: f32 = activations.iter().zip(weights.clone()).map(|(x, w)| x * w).sum();
            self.outputs.push(bias + sum);
        }
    }

    fn backward(&mut self, task: Task<'_>, start: usize, slopes: &[f32]) {
        let Task { net, level, transposed, .. } = task;
        let layout = &net.layout;
        let count = slopes.len();
        let [one, two, last] = &layout.layers;
        let [hidden1, hidden2] = &self.hidden;
        let [delta1, delta2] = &mut self.deltas;
        let gradient = &mut *self.gradient;

        let tile = hidden2.chunks_exact(last.inputs).zip(delta2.chunks_exact_mut(last.inputs));
        for (&slope, (activations, deltas)) in slopes.iter().zip(tile) {
            gradient[last.bias.start] += slope;
            let weights = column(net, last);
            for (i, ((&x, delta), w)) in activations.iter().zip(deltas).zip(weights).enumerate() {
                gradient[last.weights.start + i * last.outputs] += slope * x;
                *delta = if open(x) { slope * w } else { 0.0 };
            }
        }
        layer_gradient(level, gradient, two, hidden1, delta2, count);
        delta1.fill(0.0);
        back(level, two, &transposed[1], delta2, delta1, count);
        for (delta, &x) in delta1.iter_mut().zip(hidden1.iter()) {
            *delta = if open(x) { *delta } else { 0.0 };
        }

        let width = 2 * layout.l1;
        let first = &mut self.first[start * width..][..count * width];
        layer_gradient(level, gradient, one, first, delta1, count);
        let returned = &mut self.returned[..count * width];
        returned.fill(0.0);
        back(level, one, &transposed[0], delta1, returned, count);
        let bias = &mut gradient[layout.first_bias.clone()];
        close(level, returned, first, bias);
    }
}

/// Whether the clamp that produced this activation has a non-zero derivative.
fn open(activation: f32) -> bool {
    activation > 0.0 && activation < 1.0
}

/// The weights of a layer's first output.
fn column<'a>(net: &'a Net, layer: &Layer) -> impl Iterator<Item = f32> + Clone + use<'a> {
    net.dense[layer.weights.clone()].iter().copied().step_by(layer.outputs)
}

/// A layer's clamped outputs, for `count` rows of inputs.
fn affine(level: Level, net: &Net, layer: &Layer, from: &[f32], to: &mut [f32], count: usize) {
    let to = &mut to[..count * layer.outputs];
    for row in to.chunks_exact_mut(layer.outputs) {
        row.copy_from_slice(&net.dense[layer.bias.clone()]);
    }
    let left = Left { values: from, row: layer.inputs, column: 1 };
    let weights = &net.dense[layer.weights.clone()];
    multiply(level, left, weights, to, count, layer.inputs, layer.outputs);
    to.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));
}

/// Adds the gradient of a layer's parameters, given its inputs and the derivatives of its outputs.
fn layer_gradient(
    level: Level,
    gradient: &mut [f32],
    layer: &Layer,
    inputs: &[f32],
    deltas: &[f32],
    count: usize,
) {
    let left = Left { values: inputs, row: 1, column: layer.inputs };
    let weights = &mut gradient[layer.weights.clone()];
    multiply(level, left, deltas, weights, layer.inputs, count, layer.outputs);
    let bias = &mut gradient[layer.bias.clone()];
    for row in deltas.chunks_exact(layer.outputs).take(count) {
        bias.iter_mut().zip(row).for_each(|(sum, delta)| *sum += delta);
    }
}

/// Adds the derivatives of a layer's inputs, given those of its outputs.
fn back(
    level: Level,
    layer: &Layer,
    transposed: &[f32],
    deltas: &[f32],
    to: &mut [f32],
    count: usize,
) {
    let left = Left { values: deltas, row: layer.outputs, column: 1 };
    multiply(level, left, transposed, to, count, layer.outputs, layer.inputs);
}
