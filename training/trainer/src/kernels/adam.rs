//! Adam (<https://arxiv.org/abs/1412.6980>).

use crate::simd::{Simd, kernel};

/// The constants of one step.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// Decay of the average of the gradient (beta 1).
    pub first: f32,
    /// Decay of the average of its square (beta 2).
    pub second: f32,
    /// The learning rate with bias correction.
    pub rate: f32,
    /// Keeps the divisor away from zero; bias corrected as well.
    pub epsilon: f32,
    /// Parameters are clamped to `-limit..=limit`.
    pub limit: f32,
}

/// The usual constants.
const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;
const EPSILON: f32 = 1e-8;

impl Moments {
    /// The constants of a step, counted from 1.
    pub fn at(step: u64, rate: f32, limit: f32) -> Self {
        let step = i32::try_from(step).unwrap_or(i32::MAX);
        let [first, second] = [FIRST, SECOND].map(|keep| 1.0 - f64::from(keep).powi(step));
        let root = second.sqrt();
        Self {
            first: FIRST,
            second: SECOND,
            rate: (f64::from(rate) * root / first) as f32,
            epsilon: (f64::from(EPSILON) * root) as f32,
            limit,
        }
    }
}

kernel! {
    /// One step: updates the parameters and sets the gradient to zero. All slices have the same
    /// length, a multiple of 16.
    pub fn adam = adam_by(
        values: &mut [f32], gradient: &mut [f32], first: &mut [f32], second: &mut [f32],
        moments: Moments)
}

#[inline(always)]
fn adam_by<S: Simd>(
    s: S,
    values: &mut [f32],
    gradient: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    moments: Moments,
) {
    assert!(values.len().is_multiple_of(S::LANES));
    assert!([gradient.len(), first.len(), second.len()] == [values.len(); 3]);
    let [keep1, keep2] = [moments.first, moments.second].map(|keep| s.splat(keep));
    let [take1, take2] = [moments.first, moments.second].map(|keep| s.splat(1.0 - keep));
    let (rate, epsilon) = (s.splat(moments.rate), s.splat(moments.epsilon));
    let (low, high) = (s.splat(-moments.limit), s.splat(moments.limit));
    let lanes = S::LANES;
    let chunks = values.chunks_exact_mut(lanes).zip(gradient.chunks_exact_mut(lanes));
    let averages = first.chunks_exact_mut(lanes).zip(second.chunks_exact_mut(lanes));
    for ((value, gradient), (first, second)) in chunks.zip(averages) {
        let g = s.load(gradient);
        let m = s.mul_add(keep1, s.load(first), s.mul(take1, g));
        let v = s.mul_add(keep2, s.load(second), s.mul(take2, s.mul(g, g)));
        let step = s.div(s.mul(rate, m), s.add(s.sqrt(v), epsilon));
        let moved = s.sub(s.load(value), step);
        s.store(s.min(s.max(moved, low), high), value);
        s.store(m, first);
        s.store(v, second);
        s.store(s.splat(0.0), gradient);
    }
}
