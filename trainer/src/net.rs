//! A network's parameters in floating point.

use crate::inputs::Shared;
use crate::kernels::BLOCK;
use crate::scales::LIMITS;
use monomi_eval::network::{Architecture, padded};
use monomi_memory::Aligned;
use monomi_records::Random;
use std::ops::Range;

/// Where an affine layer is stored among the dense parameters. Outputs are padded to a multiple of
/// 32; the padding is zero and stays zero.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// `[input][output]`.
    pub(crate) weights: Range<usize>,
    pub(crate) bias: Range<usize>,
    /// Number of inputs, padded if they are another layer's outputs.
    pub(crate) inputs: usize,
    /// Number of outputs, padded.
    pub(crate) outputs: usize,
}

/// Where a network's parameters are stored.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Rows of the first layer, including the rows that inputs share.
    pub(crate) rows: usize,
    /// The rows that inputs share.
    pub(crate) shared: Shared,
    /// Neurons of one perspective.
    pub(crate) l1: usize,
    /// The first layer's bias, among the dense parameters.
    pub(crate) first_bias: Range<usize>,
    /// The layers after the first.
    pub(crate) layers: [Layer; 3],
    /// Number of dense parameters, a multiple of 32.
    pub(crate) dense: usize,
}

impl Layout {
    pub(crate) fn new(architecture: Architecture) -> Self {
        let first_bias = 0..architecture.l1;
        let mut end = first_bias.end;
        let mut inputs = 2 * architecture.l1;
        let layers = architecture.affine_sizes().map(|(_, outputs)| {
            let outputs = padded(outputs);
            let weights = end..end + inputs * outputs;
            let bias = weights.end..weights.end + outputs;
            end = bias.end;
            let layer = Layer { weights, bias, inputs, outputs };
            inputs = outputs;
            layer
        });
        let shared = Shared::new(architecture.features);
        Self {
            rows: shared.first + shared.count,
            shared,
            l1: architecture.l1,
            first_bias,
            layers,
            dense: end,
        }
    }

    /// Index of a weight of the first layer.
    pub(crate) fn row_index(&self, row: usize, neuron: usize) -> usize {
        (neuron / BLOCK * self.rows + row) * BLOCK + neuron % BLOCK
    }

    /// The largest absolute weight of the first layer, so that no sum overflows the engine's
    /// integers.
    pub(crate) fn first_limit(&self) -> f32 {
        if self.shared.count == 0 { LIMITS.first } else { LIMITS.first / 2.0 }
    }
}

/// A random number between -1 and 1.
pub(crate) fn signed(random: &mut Random) -> f32 {
    (random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// A network's parameters.
#[derive(Clone)]
pub struct Net {
    /// Features and sizes.
    pub architecture: Architecture,
    pub(crate) layout: Layout,
    /// The first layer's weights, `[block][row][BLOCK]`.
    pub(crate) rows: Aligned<f32>,
    /// All other parameters, as described by [`Layout`].
    pub(crate) dense: Aligned<f32>,
}

/// Ranges of the initial parameters, found by trial: with small sums in the first layer and about
/// half of its neurons inactive, the loss falls several times faster at first than from the middle
/// of the clamp's range.
mod start {
    /// Largest absolute weight of the first layer.
    pub const ROWS: f32 = 0.016;
    /// Bias of the first layer.
    pub const BIAS: f32 = 0.05;
    /// Largest absolute value of the other weights, times the square root of the layer's inputs.
    pub const GAIN: f32 = 1.7;
}

impl Net {
    /// A network of zeros.
    pub(crate) fn zeroed(architecture: Architecture) -> Self {
        let layout = Layout::new(architecture);
        let rows = Aligned::zeroed(layout.rows * layout.l1);
        let dense = Aligned::zeroed(layout.dense);
        Self { architecture, layout, rows, dense }
    }

    /// A network of small random weights to start from.
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut net = Self::zeroed(architecture);
        for row in 0..architecture.features.inputs() {
            for neuron in 0..architecture.l1 {
                let at = net.layout.row_index(row, neuron);
                net.rows[at] = start::ROWS * signed(&mut random);
            }
        }
        net.dense[net.layout.first_bias.clone()].fill(start::BIAS);
        for (layer, (inputs, outputs)) in net.layout.layers.iter().zip(architecture.affine_sizes())
        {
            let scale = start::GAIN / (inputs as f32).sqrt();
            let weights = &mut net.dense[layer.weights.clone()];
            for row in weights.chunks_exact_mut(layer.outputs).take(inputs) {
                row[..outputs].iter_mut().for_each(|weight| *weight = scale * signed(&mut random));
            }
            let bias = &mut net.dense[layer.bias.clone()][..outputs];
            bias.iter_mut().for_each(|bias| *bias = scale * signed(&mut random));
        }
        net
    }

    /// Multiplies the output by `factor`: 16 / 20 turns a network for FV_SCALE 20 into one for 16.
    ///
    /// # Errors
    /// The output weights would not fit the engine's integers; the network is left unchanged.
    pub fn scale_output(&mut self, factor: f32) -> Result<(), FactorError> {
        let output = &self.layout.layers[2];
        let largest =
            self.dense[output.weights.clone()].iter().fold(0.0, |max: f32, w| max.max(w.abs()));
        if largest * factor > LIMITS.layers[2] {
            return Err(FactorError { factor, most: LIMITS.layers[2] / largest });
        }
        for range in [output.weights.clone(), output.bias.clone()] {
            self.dense[range].iter_mut().for_each(|parameter| *parameter *= factor);
        }
        Ok(())
    }

    /// The mean of networks, weight by weight. Useful for networks that were trained from the same
    /// starting point: Wortsman et al., "Model soups" (ICML 2022).
    ///
    /// # Errors
    /// There are no networks, or their architectures differ.
    pub fn average(nets: &[Self]) -> Result<Self, AverageError> {
        let first = nets.first().ok_or(AverageError::None)?;
        let mut mean = Self::zeroed(first.architecture);
        for net in nets {
            if net.architecture != first.architecture {
                return Err(AverageError::Architectures(first.architecture, net.architecture));
            }
            let share = 1.0 / nets.len() as f32;
            let add = |sum: &mut [f32], of: &[f32]| {
                sum.iter_mut().zip(of).for_each(|(sum, of)| *sum += share * of);
            };
            add(&mut mean.rows, &net.rows);
            add(&mut mean.dense, &net.dense);
        }
        Ok(mean)
    }
}

/// The output weights cannot be multiplied by this factor.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("cannot multiply the output weights by {factor}: at most {most} fits the integers")]
pub struct FactorError {
    /// The factor asked for.
    pub factor: f32,
    /// The largest factor that fits.
    pub most: f32,
}

/// Why networks cannot be averaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AverageError {
    /// The list is empty.
    #[error("no networks to average")]
    None,
    /// Their weights do not correspond.
    #[error("cannot average networks with different architectures: {0}, {1}")]
    Architectures(Architecture, Architecture),
}
