//! The first layer: few of its inputs are active, so its product is a sum of rows.
//!
//! Weights and gradients are stored in blocks of [`BLOCK`] neurons, `[block][row][BLOCK]`: one
//! thread works on a block of the whole layer, which stays in its cache.

use crate::scales::PRODUCT;
use crate::simd::{Simd, kernel};

/// Neurons in a block.
pub const BLOCK: usize = 32;

/// Vectors in a block at the narrowest level.
const MOST: usize = BLOCK / 4;

kernel! {
    /// Bias and rows of the active inputs, summed and clamped to `0..=1`, for all neurons of `out`.
    /// `rows` is the number of rows of the layer.
    pub fn sum_rows = sum_rows_by(
        weights: &[f32], rows: usize, bias: &[f32], inputs: &[u32], out: &mut [f32])
}

#[inline(always)]
fn sum_rows_by<S: Simd>(
    s: S,
    weights: &[f32],
    rows: usize,
    bias: &[f32],
    inputs: &[u32],
    out: &mut [f32],
) {
    let vectors = BLOCK / S::LANES;
    let blocks = weights.chunks_exact(rows * BLOCK);
    for ((block, bias), out) in
        blocks.zip(bias.chunks_exact(BLOCK)).zip(out.chunks_exact_mut(BLOCK))
    {
        let mut sums = [s.splat(0.0); MOST];
        for (i, sum) in sums[..vectors].iter_mut().enumerate() {
            *sum = s.load(&bias[i * S::LANES..]);
        }
        for &input in inputs {
            let row = &block[input as usize * BLOCK..][..BLOCK];
            for (i, sum) in sums[..vectors].iter_mut().enumerate() {
                *sum = s.add(*sum, s.load(&row[i * S::LANES..]));
            }
        }
        for (i, &sum) in sums[..vectors].iter().enumerate() {
            let clamped = s.min(s.max(sum, s.splat(0.0)), s.splat(1.0));
            s.store(clamped, &mut out[i * S::LANES..]);
        }
    }
}

kernel! {
    /// Adds the derivatives of one block's sums to its gradient, in the row of each active input.
    pub fn scatter_rows = scatter_rows_by(
        gradient: &mut [f32], inputs: &[u32], delta: &[f32])
}

#[inline(always)]
fn scatter_rows_by<S: Simd>(s: S, gradient: &mut [f32], inputs: &[u32], delta: &[f32]) {
    let vectors = BLOCK / S::LANES;
    let mut deltas = [s.splat(0.0); MOST];
    for (i, vector) in deltas[..vectors].iter_mut().enumerate() {
        *vector = s.load(&delta[i * S::LANES..]);
    }
    for &input in inputs {
        let row = &mut gradient[input as usize * BLOCK..][..BLOCK];
        for (i, &delta) in deltas[..vectors].iter().enumerate() {
            let place = &mut row[i * S::LANES..];
            let sum = s.add(s.load(place), delta);
            s.store(sum, place);
        }
    }
}

kernel! {
    /// The clamp in the backward pass: replaces the activations by the derivatives of the sums
    /// before the clamp, 0 where it is saturated, and adds these to the gradient of the bias, which
    /// both perspectives share.
    pub fn close = close_by(
        returned: &[f32], activations: &mut [f32], bias: &mut [f32])
}

#[inline(always)]
fn close_by<S: Simd>(_: S, returned: &[f32], activations: &mut [f32], bias: &mut [f32]) {
    let halves = activations.chunks_exact_mut(bias.len()).zip(returned.chunks_exact(bias.len()));
    for (half, returned) in halves {
        for ((x, &delta), sum) in half.iter_mut().zip(returned).zip(bias.iter_mut()) {
            let open = *x > 0.0 && *x < 1.0;
            *x = if open { delta } else { 0.0 };
            *sum += *x;
        }
    }
}

kernel! {
    /// The inputs of an SFNN network's affine layers: for both accumulators one after the other, the
    /// products of their halves. `both` holds the clamped accumulators.
    pub fn pair = pair_by(both: &[f32], products: &mut [f32])
}

#[inline(always)]
fn pair_by<S: Simd>(_: S, both: &[f32], products: &mut [f32]) {
    let half = products.len() / 2;
    for (accumulator, products) in both.chunks_exact(2 * half).zip(products.chunks_exact_mut(half))
    {
        let (left, right) = accumulator.split_at(half);
        for ((product, a), b) in products.iter_mut().zip(left).zip(right) {
            *product = PRODUCT * a * b;
        }
    }
}

kernel! {
    /// `pair` and the clamp in the backward pass, given the derivatives of the products: replaces
    /// the accumulators by the derivatives of the sums before the clamp and adds these to the
    /// gradient of the bias.
    pub fn unpair = unpair_by(returned: &[f32], both: &mut [f32], bias: &mut [f32])
}

#[inline(always)]
fn unpair_by<S: Simd>(_: S, returned: &[f32], both: &mut [f32], bias: &mut [f32]) {
    let width = bias.len();
    let half = width / 2;
    let (left_bias, right_bias) = bias.split_at_mut(half);
    for (accumulator, returned) in both.chunks_exact_mut(width).zip(returned.chunks_exact(half)) {
        let (left, right) = accumulator.split_at_mut(half);
        let biases = left_bias.iter_mut().zip(right_bias.iter_mut());
        for (((a, b), &delta), sums) in left.iter_mut().zip(right).zip(returned).zip(biases) {
            let delta = PRODUCT * delta;
            let by_a = if *a > 0.0 && *a < 1.0 { delta * *b } else { 0.0 };
            let by_b = if *b > 0.0 && *b < 1.0 { delta * *a } else { 0.0 };
            (*a, *b) = (by_a, by_b);
            *sums.0 += by_a;
            *sums.1 += by_b;
        }
    }
}
