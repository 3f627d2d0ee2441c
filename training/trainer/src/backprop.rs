//! Forward and backward through a network, for a slice of a batch on one thread.

use crate::inputs::{Expander, InputList};
use crate::kernels::{Left, close, multiply, pair, sum_rows, unpair};
use crate::net::{Layer, Net};
use crate::objective::Objective;
use crate::sample::Sample;
use crate::scales::{HALF_STEP, SKIP, SQUARE};
use crate::simd::Level;
use monomi_support::memory::Aligned;

/// Samples in a slice. Gradients are summed slice by slice, so the result does not depend on the
/// number of threads.
pub const SLICE: usize = 256;

/// Samples that go through the dense layers together: their activations fit the L1 cache.
const TILE: usize = 32;

/// What all slices have in common.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub net: &'a Net,
    /// Transposed weights of the first and the second affine layer of each stack.
    pub transposed: &'a [[Aligned<f32>; 2]],
    pub expander: &'a Expander,
    pub objective: Objective,
    pub level: Level,
    /// Weight of each sample in the loss: 1 / size of the batch.
    pub share: f32,
}

/// Samples that go through the layers of one stack together.
#[derive(Clone, Copy)]
struct Tile<'a> {
    /// The whole slice.
    samples: &'a [Sample],
    /// Numbers of the tile's samples in it.
    numbers: &'a [usize],
    /// Place of the tile's first sample in the slice's buffers.
    start: usize,
    stack: usize,
}

/// Buffers for one slice. Its samples are ordered by layer stack.
pub struct Slice {
    /// Active rows of both perspectives of each sample.
    pub inputs: Vec<[InputList; 2]>,
    /// `[sample][2 * l1]`: the first layer's outputs; after `backward`, the loss's derivatives with
    /// respect to its sums.
    pub first: Aligned<f32>,
    /// Gradient of the dense parameters.
    pub gradient: Aligned<f32>,
    /// Sum of the samples' losses.
    pub loss: f64,
    /// Outputs of the last forward pass, in the samples' order.
    pub outputs: Vec<f32>,
    /// SFNN, for one tile: products of the halves, and sums of the first hidden layer.
    products: Aligned<f32>,
    sums: Aligned<f32>,
    /// For one tile: the inputs of the second and the third affine layer.
    hidden: [Aligned<f32>; 2],
    /// For one tile: derivatives of the sums of both hidden layers.
    deltas: [Aligned<f32>; 2],
    /// For one tile: derivatives of the inputs of the first and the second affine layer.
    returned: [Aligned<f32>; 2],
}

impl Slice {
    pub fn new(net: &Net) -> Self {
        let layout = &net.layout;
        let [one, two, last] = &layout.stacks[0];
        let tile = |width| Aligned::zeroed(TILE * width);
        Self {
            inputs: Vec::with_capacity(SLICE),
            first: Aligned::zeroed(SLICE * 2 * layout.l1),
            gradient: Aligned::zeroed(layout.dense),
            loss: 0.0,
            outputs: Vec::with_capacity(SLICE),
            products: tile(if layout.paired { layout.l1 } else { 0 }),
            sums: tile(if layout.paired { one.outputs } else { 0 }),
            hidden: [two.inputs, last.inputs].map(tile),
            deltas: [one.outputs, two.outputs].map(tile),
            returned: [one.inputs, two.inputs].map(tile),
        }
    }

    /// Computes outputs and loss of the samples; with `training`, gradients as well.
    pub fn run(&mut self, task: Task<'_>, samples: &[Sample], training: bool) {
        self.loss = 0.0;
        self.inputs.clear();
        self.outputs.clear();
        self.outputs.resize(samples.len(), 0.0);
        if training {
            self.gradient.fill(0.0);
        }
        let stacks: Vec<usize> =
            samples.iter().map(|sample| task.net.layout.stack(sample)).collect();
        let mut numbers: Vec<usize> = (0..samples.len()).collect();
        numbers.sort_by_key(|&number| stacks[number]);
        let same_stack = |&a: &usize, &b: &usize| stacks[a] == stacks[b];
        for numbers in numbers.chunk_by(same_stack).flat_map(|run| run.chunks(TILE)) {
            let (start, stack) = (self.inputs.len(), stacks[numbers[0]]);
            let tile = Tile { samples, numbers, start, stack };
            self.forward(task, tile);
            let mut slopes = [0.0; TILE];
            for (&number, slope) in numbers.iter().zip(&mut slopes) {
                let (loss, by_output) =
                    task.objective.judge(self.outputs[number], &samples[number]);
                self.loss += f64::from(loss);
                *slope = by_output * task.share;
            }
            if training {
                self.backward(task, tile, &slopes[..numbers.len()]);
            }
        }
    }

    fn forward(&mut self, task: Task<'_>, tile: Tile<'_>) {
        let Task { net, level, .. } = task;
        let layout = &net.layout;
        let (count, width) = (tile.numbers.len(), 2 * layout.l1);
        let bias = &net.dense[layout.first_bias.clone()];
        let first = &mut self.first[tile.start * width..][..count * width];
        for (&number, both) in tile.numbers.iter().zip(first.chunks_exact_mut(width)) {
            let lists = task.expander.expand(&tile.samples[number]);
            for (list, half) in lists.iter().zip(both.chunks_exact_mut(layout.l1)) {
                sum_rows(level, &net.rows, layout.rows, bias, list.as_slice(), half);
            }
            self.inputs.push(lists);
        }
        let [one, two, last] = &layout.stacks[tile.stack];
        let [hidden1, hidden2] = &mut self.hidden;
        if layout.paired {
            let products = self.products.chunks_exact_mut(layout.l1);
            for (both, products) in first.chunks_exact(width).zip(products) {
                pair(level, both, products);
            }
            affine(level, net, one, &self.products, &mut self.sums, count);
            let sums = self.sums.chunks_exact(one.outputs);
            for (sums, hidden) in sums.zip(hidden1.chunks_exact_mut(two.inputs)).take(count) {
                let (squares, rest) = hidden.split_at_mut(layout.l2);
                for ((&sum, square), own) in sums.iter().zip(squares).zip(rest) {
                    *square = squared(sum);
                    *own = sum.clamp(0.0, 1.0);
                }
            }
        } else {
            affine(level, net, one, first, hidden1, count);
            clamp(&mut hidden1[..count * one.outputs]);
        }
        affine(level, net, two, hidden1, hidden2, count);
        clamp(&mut hidden2[..count * two.outputs]);
        let weights = column(net, last);
        let bias = net.dense[last.bias.start];
        for (i, &number) in tile.numbers.iter().enumerate() {
            let activations = &hidden2[i * last.inputs..][..last.inputs];
            let sum: f32 = activations.iter().zip(weights.clone()).map(|(x, w)| x * w).sum();
            let skipped = layout
                .skip
                .map_or(0.0, |skip| SKIP * (self.sums[i * one.outputs + skip] + HALF_STEP));
            self.outputs[number] = bias + sum + skipped;
        }
    }

    fn backward(&mut self, task: Task<'_>, tile: Tile<'_>, slopes: &[f32]) {
        let Task { net, level, .. } = task;
        let layout = &net.layout;
        let transposed = &task.transposed[tile.stack];
        let (count, width) = (slopes.len(), 2 * layout.l1);
        let [one, two, last] = &layout.stacks[tile.stack];
        let [hidden1, hidden2] = &self.hidden;
        let [delta1, delta2] = &mut self.deltas;
        let [returned1, returned2] = &mut self.returned;
        let gradient = &mut *self.gradient;

        let rows = hidden2.chunks_exact(last.inputs).zip(delta2.chunks_exact_mut(last.inputs));
        for (&slope, (activations, deltas)) in slopes.iter().zip(rows) {
            gradient[last.bias.start] += slope;
            let weights = column(net, last);
            for (i, ((&x, delta), w)) in activations.iter().zip(deltas).zip(weights).enumerate() {
                gradient[last.weights.start + i * last.outputs] += slope * x;
                *delta = if open(x) { slope * w } else { 0.0 };
            }
        }
        layer_gradient(level, gradient, two, hidden1, delta2, count);
        back(level, two, &transposed[1], delta2, returned2, count);
        if layout.paired {
            let sums = self.sums.chunks_exact(one.outputs);
            let returned = returned2.chunks_exact(two.inputs);
            let rows = sums.zip(returned).zip(delta1.chunks_exact_mut(one.outputs));
            for (&slope, ((sums, returned), deltas)) in slopes.iter().zip(rows) {
                let (squares, rest) = returned.split_at(layout.l2);
                deltas.fill(0.0);
                for (((&sum, by_square), own), delta) in
                    sums.iter().zip(squares).zip(rest).zip(&mut *deltas)
                {
                    *delta = by_square * square_slope(sum) + if open(sum) { *own } else { 0.0 };
                }
                if let Some(skip) = layout.skip {
                    deltas[skip] = SKIP * slope;
                }
            }
        } else {
            for ((delta, &by), &x) in delta1.iter_mut().zip(&**returned2).zip(&**hidden1) {
                *delta = if open(x) { by } else { 0.0 };
            }
        }

        let first = &mut self.first[tile.start * width..][..count * width];
        let inputs = if layout.paired { &*self.products } else { &*first };
        layer_gradient(level, gradient, one, inputs, delta1, count);
        back(level, one, &transposed[0], delta1, returned1, count);
        let returned = &returned1[..count * one.inputs];
        let bias = &mut gradient[layout.first_bias.clone()];
        if layout.paired {
            unpair(level, returned, first, bias);
        } else {
            close(level, returned, first, bias);
        }
    }
}

/// The engine's square of a sum, which includes half a unit of rounding.
fn squared(sum: f32) -> f32 {
    let sum = sum + HALF_STEP;
    (SQUARE * sum * sum).min(1.0)
}

/// The derivative of [`squared`].
fn square_slope(sum: f32) -> f32 {
    if squared(sum) < 1.0 { 2.0 * SQUARE * (sum + HALF_STEP) } else { 0.0 }
}

fn clamp(sums: &mut [f32]) {
    sums.iter_mut().for_each(|x| *x = x.clamp(0.0, 1.0));
}

/// Whether the clamp that produced this activation has a non-zero derivative.
fn open(activation: f32) -> bool {
    activation > 0.0 && activation < 1.0
}

/// The weights of a layer's first output.
fn column<'a>(net: &'a Net, layer: &Layer) -> impl Iterator<Item = f32> + Clone + use<'a> {
    net.dense[layer.weights.clone()].iter().copied().step_by(layer.outputs)
}

/// A layer's sums, for `count` rows of inputs.
fn affine(level: Level, net: &Net, layer: &Layer, from: &[f32], to: &mut [f32], count: usize) {
    let to = &mut to[..count * layer.outputs];
    for row in to.chunks_exact_mut(layer.outputs) {
        row.copy_from_slice(&net.dense[layer.bias.clone()]);
    }
    let left = Left { values: from, row: layer.inputs, column: 1 };
    let weights = &net.dense[layer.weights.clone()];
    multiply(level, left, weights, to, count, layer.inputs, layer.outputs);
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

/// The derivatives of a layer's inputs, given those of its sums.
fn back(
    level: Level,
    layer: &Layer,
    transposed: &[f32],
    deltas: &[f32],
    to: &mut [f32],
    count: usize,
) {
    let to = &mut to[..count * layer.inputs];
    to.fill(0.0);
    let left = Left { values: deltas, row: layer.outputs, column: 1 };
    multiply(level, left, transposed, to, count, layer.outputs, layer.inputs);
}
