//! A written network evaluated with the engine's integer arithmetic, to measure what rounding
//! costs. Plain code: the engine's own kernels work on positions, not on samples.

use crate::inputs::Expander;
use crate::sample::Sample;
use crate::scales::{ACTIVATION, RAW_OUTPUT};
use monomi_eval::network::{NetworkFile, padded};
use rayon::prelude::*;

/// A network as stored in a file.
pub(crate) struct IntegerNet {
    file: NetworkFile,
    bias: Vec<i16>,
    /// `[input][neuron]`.
    weights: Vec<i16>,
    expander: Expander,
}

impl IntegerNet {
    pub(crate) fn new(mut file: NetworkFile) -> Self {
        let expander = Expander::without_shared(file.architecture.features);
        let (bias, weights) = file.transformer_mut();
        let (bias, weights) = (bias.to_vec(), weights.to_vec());
        Self { file, bias, weights, expander }
    }

    /// Outputs in units of [`OUTPUT_UNIT`](crate::scales::OUTPUT_UNIT).
    pub(crate) fn outputs(&self, samples: &[Sample]) -> Vec<f32> {
        let output = |sample| (f64::from(self.raw(sample)) / RAW_OUTPUT) as f32;
        samples.par_iter().map(output).collect()
    }

    /// The raw output, before the division by FV_SCALE.
    pub(crate) fn raw(&self, sample: &Sample) -> i32 {
        let l1 = self.bias.len();
        let mut activations = Vec::with_capacity(2 * l1);
        for list in self.expander.expand(sample) {
            let mut sums = self.bias.clone();
            for &input in list.as_slice() {
                let row = &self.weights[input as usize * l1..][..l1];
                sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
            }
            activations.extend(sums.into_iter().map(|sum| clamped(sum.into())));
        }
        let [hidden @ .., last] = &self.file.stacks[0];
        for layer in hidden {
            let sums = affine(&layer.weights, &layer.bias, &activations);
            activations = sums.into_iter().map(|sum| clamped(sum >> 6)).collect();
        }
        affine(&last.weights, &last.bias, &activations)[0]
    }
}

fn clamped(sum: i32) -> u8 {
    sum.clamp(0, ACTIVATION as i32) as u8
}

fn affine(weights: &[i8], bias: &[i32], inputs: &[u8]) -> Vec<i32> {
    let rows = weights.chunks_exact(padded(inputs.len()));
    let sum = |row: &[i8]| -> i32 {
        row.iter().zip(inputs).map(|(&w, &x)| i32::from(w) * i32::from(x)).sum()
    };
    rows.zip(bias).map(|(row, &bias)| bias + sum(row)).collect()
}
