//! A network's parameters in floating point.
//!
//! Activations run from 0 to 1, where the engine's integers run from 0 to 127; an output of 1 is
//! a score of [`OUTPUT_UNIT`]. What the integers can hold limits the parameters while they learn.

use crate::inputs::Shared;
use crate::kernels::BLOCK;
use crate::quantise::LIMITS;
use monomi_eval::network::{Architecture, padded};
use monomi_memory::Aligned;
use monomi_records::Random;
use std::ops::Range;

/// The score of an output of 1, in internal units.
pub const OUTPUT_UNIT: f32 = 600.0;

/// An affine layer's place among the dense parameters. Outputs are padded to a multiple of 32;
/// the padding is zero and stays so.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    /// `[input][output]`.
    pub(crate) weights: Range<usize>,
    pub(crate) bias: Range<usize>,
    /// Inputs, padded if they are another layer's outputs.
    pub(crate) inputs: usize,
    /// Padded.
    pub(crate) outputs: usize,
}

/// Where a network's parameters stand.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Rows of the first layer, those that inputs share included.
    pub(crate) rows: usize,
    /// Rows that inputs share.
    pub(crate) shared: Shared,
    /// Neurons of one view.
    pub(crate) l1: usize,
    /// The first layer's bias, among the dense parameters.
    pub(crate) first_bias: Range<usize>,
    /// The layers behind the first.
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

    /// Where a weight of the first layer stands.
    pub(crate) fn row_index(&self, row: usize, neuron: usize) -> usize {
        (neuron / BLOCK * self.rows + row) * BLOCK + neuron % BLOCK
    }

    /// What a weight of the first layer may be at most, so that no sum overflows the engine's
    /// integers.
    pub(crate) fn first_limit(&self) -> f32 {
        if self.shared.count == 0 { LIMITS.first } else { LIMITS.first / 2.0 }
    }
}

/// A number between -1 and 1.
pub(crate) fn signed(random: &mut Random) -> f32 {
    (random.next_u64() >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// A network's parameters.
pub struct Net {
    /// Features and sizes.
    pub architecture: Architecture,
    pub(crate) layout: Layout,
    /// The first layer's weights, `[block][row][BLOCK]`.
    pub(crate) rows: Aligned<f32>,
    /// All others, as [`Layout`] says.
    pub(crate) dense: Aligned<f32>,
}

/// Where the parameters start, found by trial: with the first layer's sums small and about half of
/// its neurons closed, the loss falls several times faster in the beginning than from the middle
/// of the clamp's range.
mod start {
    /// The first layer's weights, either way.
    pub const ROWS: f32 = 0.016;
    /// The first layer's bias.
    pub const BIAS: f32 = 0.05;
    /// The other weights times the root of their number of inputs, either way.
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

    /// A network to start from: small random weights.
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

    /// Multiplies what comes out by `factor`, exactly: a network made for FV_SCALE 20 becomes one
    /// for 16 by 16 / 20.
    ///
    /// # Errors
    /// The output weights would leave the engine's integers; the network is as it was.
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

    /// The mean of networks, weight by weight. Where they went on from one network, it lies lower in
    /// the valley that they ended on the sides of: Wortsman and others, "Model soups" (ICML 2022).
    ///
    /// # Errors
    /// There is none, or their shapes differ.
    pub fn average(nets: &[Self]) -> Result<Self, AverageError> {
        let first = nets.first().ok_or(AverageError::None)?;
        let mut mean = Self::zeroed(first.architecture);
        for net in nets {
            if net.architecture != first.architecture {
                return Err(AverageError::Shapes(first.architecture, net.architecture));
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

/// Output weights cannot be multiplied by so much.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the output weights have no room for {factor} times their size: {most} at most")]
pub struct FactorError {
    /// By how much.
    pub factor: f32,
    /// The largest factor there may be.
    pub most: f32,
}

/// Why there is no average.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AverageError {
    /// Of nothing.
    #[error("there is no network to average")]
    None,
    /// Weights that do not correspond.
    #[error("networks of {0} and {1} have no average")]
    Shapes(Architecture, Architecture),
}
