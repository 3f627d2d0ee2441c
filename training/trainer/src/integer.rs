//! A written network evaluated with the engine's integer arithmetic, to measure what rounding
//! costs. Plain code: the engine's own kernels work on positions, not on samples.

use crate::inputs::{Expander, InputList};
use crate::net::Layout;
use crate::sample::Sample;
use crate::scales::{ACTIVATION, RAW_OUTPUT};
use monomi_eval::network::{Affine, NetworkFile, padded};
use rayon::prelude::*;

/// A network as stored in a file.
pub struct IntegerNet {
    file: NetworkFile,
    bias: Vec<i16>,
    /// `[input][neuron]`.
    weights: Vec<i16>,
    expander: Expander,
    layout: Layout,
}

impl IntegerNet {
    pub fn new(mut file: NetworkFile) -> Self {
        let expander = Expander::without_shared(file.architecture.features);
        let (bias, weights) = file.transformer_mut();
        let (bias, weights) = (bias.to_vec(), weights.to_vec());
        let layout = Layout::new(file.architecture);
        Self { file, bias, weights, expander, layout }
    }

    /// Outputs in units of [`OUTPUT_UNIT`](crate::scales::OUTPUT_UNIT).
    pub fn outputs(&self, samples: &[Sample]) -> Vec<f32> {
        let output = |sample| (f64::from(self.raw(sample)) / RAW_OUTPUT) as f32;
        samples.par_iter().map(output).collect()
    }

    /// The raw output, before the division by FV_SCALE.
    pub fn raw(&self, sample: &Sample) -> i32 {
        let accumulators = self.expander.expand(sample).map(|list| self.accumulator(&list));
        let [first, second, last] = &self.file.stacks[self.layout.stack(sample)];
        let (hidden, skipped) = if self.layout.paired {
            let products: Vec<u8> = accumulators
                .iter()
                .flat_map(|accumulator| {
                    let (left, right) = accumulator.split_at(accumulator.len() / 2);
                    left.iter().zip(right)
                })
                .map(|(&a, &b)| ((u16::from(a) * u16::from(b)) >> 7) as u8)
                .collect();
            let sums = affine(first, &products);
            let neurons = &sums[..self.layout.l2];
            let squares = neurons.iter().map(|&y| ((i64::from(y) * i64::from(y)) >> 19).min(127));
            let hidden: Vec<u8> =
                squares.map(|y| y as u8).chain(neurons.iter().map(|y| clamped(y >> 6))).collect();
            (hidden, self.layout.skip.map_or(0, |skip| sums[skip]))
        } else {
            let sums = affine(first, &accumulators.concat());
            (sums.iter().map(|sum| clamped(sum >> 6)).collect(), 0)
        };
        let hidden: Vec<u8> = affine(second, &hidden).iter().map(|sum| clamped(sum >> 6)).collect();
        affine(last, &hidden)[0] + skipped
    }

    /// One perspective's first layer, clamped.
    fn accumulator(&self, list: &InputList) -> Vec<u8> {
        let mut sums = self.bias.clone();
        for &input in list.as_slice() {
            let row = &self.weights[input as usize * sums.len()..][..sums.len()];
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        sums.into_iter().map(|sum| clamped(sum.into())).collect()
    }
}

fn clamped(sum: i32) -> u8 {
    sum.clamp(0, ACTIVATION as i32) as u8
}

fn affine(layer: &Affine, inputs: &[u8]) -> Vec<i32> {
    let rows = layer.weights.chunks_exact(padded(inputs.len()));
    let sum = |row: &[i8]| -> i32 {
        row.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum()
    };
    rows.zip(&layer.bias).map(|(row, &bias)| bias + sum(row)).collect()
}
