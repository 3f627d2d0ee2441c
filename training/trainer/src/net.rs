//! A network's parameters in floating point.

use crate::inputs::Shared;
use crate::kernels::BLOCK;
use crate::sample::Sample;
use crate::scales::{HALF_STEP, LIMITS};
use monomi_eval::network::{
    Architecture, Family, FeatureSet, KingPart, NetworkFile, Routing, padded,
};
use monomi_movegen::Random;
use monomi_support::memory::Aligned;
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
    /// The layers after the first, of each stack.
    pub(crate) stacks: Vec<[Layer; 3]>,
    /// SFNN: the halves of an accumulator are multiplied, and the first hidden layer is squared.
    pub(crate) paired: bool,
    /// Neurons of the first hidden layer, without skip connection and padding.
    pub(crate) l2: usize,
    /// The first hidden layer's output that is added to the network's.
    pub(crate) skip: Option<usize>,
    /// Number of dense parameters, a multiple of 32.
    pub(crate) dense: usize,
}

impl Layout {
    pub(crate) fn new(architecture: Architecture) -> Self {
        let first_bias = 0..architecture.l1;
        let mut end = first_bias.end;
        let sizes = architecture.affine_sizes();
        let layers = |_| {
            [0, 1, 2].map(|i| {
                let (inputs, outputs) = sizes[i];
                // The first layer's neurons need no padding.
                let inputs = if i == 0 { inputs } else { padded(inputs) };
                let outputs = padded(outputs);
                let weights = end..end + inputs * outputs;
                let bias = weights.end..weights.end + outputs;
                end = bias.end;
                Layer { weights, bias, inputs, outputs }
            })
        };
        let stacks: Vec<_> = (0..architecture.stacks()).map(layers).collect();
        let shared = Shared::new(architecture.features);
        Self {
            rows: shared.first + shared.count,
            shared,
            l1: architecture.l1,
            first_bias,
            stacks,
            paired: !architecture.is_plain(),
            l2: architecture.l2,
            skip: architecture.has_skip().then_some(architecture.l2),
            dense: end,
        }
    }

    /// The layer stack of a sample.
    pub(crate) fn stack(&self, sample: &Sample) -> usize {
        if self.stacks.len() == 1 {
            return 0;
        }
        let [ours, theirs] = [sample.side, sample.side.flip()].map(|side| sample.king_slot(side));
        KingPart::K3.stack(ours, theirs)
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

/// The weights of one output of a layer; none for `None`.
fn column(layer: &Layer, output: Option<usize>) -> std::iter::StepBy<Range<usize>> {
    let all = layer.weights.clone();
    let own = output.map_or(all.end..all.end, |output| all.start + output..all.end);
    own.step_by(layer.outputs)
}

/// Whether the networks of an architecture can be trained.
pub(crate) fn is_trainable(architecture: Architecture) -> bool {
    let family = match architecture.family {
        Family::Plain => true,
        Family::Sfnn { stacks, psqt, .. } => !psqt && matches!(stacks, 1 | 9),
    };
    family && architecture.features != FeatureSet::KA2 && architecture.check().is_ok()
}

/// Whether the network of a file can be trained: nine stacks must be those of k3k3.
pub(crate) fn is_trainable_file(file: &NetworkFile) -> bool {
    let nine = Routing::by_kings(KingPart::K3);
    is_trainable(file.architecture) && (file.architecture.stacks() == 1 || file.routing == nine)
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
    /// Bias of the first layer of SFNN networks, whose halves are multiplied.
    pub const PAIRED_BIAS: f32 = 0.3;
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
        net.clear_unused();
        let bias = if net.layout.paired { start::PAIRED_BIAS } else { start::BIAS };
        net.dense[net.layout.first_bias.clone()].fill(bias);
        let [first, others @ ..] = &net.layout.stacks[..] else { return net };
        for (layer, (inputs, outputs)) in first.iter().zip(architecture.affine_sizes()) {
            let scale = start::GAIN / (inputs as f32).sqrt();
            let weights = &mut net.dense[layer.weights.clone()];
            for row in weights.chunks_exact_mut(layer.outputs).take(inputs) {
                row[..outputs].iter_mut().for_each(|weight| *weight = scale * signed(&mut random));
            }
            let bias = &mut net.dense[layer.bias.clone()][..outputs];
            bias.iter_mut().for_each(|bias| *bias = scale * signed(&mut random));
        }
        // All stacks start alike.
        for (layer, other) in others.iter().flat_map(|other| first.iter().zip(other)) {
            net.dense.copy_within(layer.weights.clone(), other.weights.start);
            net.dense.copy_within(layer.bias.clone(), other.bias.start);
        }
        net
    }

    /// Sets the rows that no position with all pieces uses to zero.
    fn clear_unused(&mut self) {
        for row in self.layout.shared.unused() {
            for neuron in 0..self.layout.l1 {
                let at = self.layout.row_index(row, neuron);
                self.rows[at] = 0.0;
            }
        }
    }

    /// Multiplies the output by `factor`: 16 / 20 turns a network for FV_SCALE 20 into one for 16.
    ///
    /// # Errors
    /// The output weights (or those of the skip connection) would not fit the engine's integers; the
    /// network is left unchanged.
    pub(crate) fn scale_output(&mut self, factor: f32) -> Result<(), FactorError> {
        let Layout { stacks, skip, .. } = &self.layout;
        let limits = [LIMITS.layers[0], LIMITS.layers[2]];
        let mut most = f32::INFINITY;
        for [first, _, output] in stacks {
            let parts = [column(first, *skip), output.weights.clone().step_by(1)];
            for (part, limit) in parts.into_iter().zip(limits) {
                let largest = part.map(|i| self.dense[i].abs()).fold(0.0, f32::max);
                most = most.min(limit / largest);
            }
        }
        if factor > most {
            return Err(FactorError { factor, most });
        }
        for [first, _, output] in stacks {
            for i in output.weights.clone().chain(output.bias.clone()) {
                self.dense[i] *= factor;
            }
            for i in column(first, *skip) {
                self.dense[i] *= factor;
            }
            if let Some(skip) = skip {
                let bias = &mut self.dense[first.bias.start + skip];
                *bias = factor * (*bias + HALF_STEP) - HALF_STEP;
            }
        }
        Ok(())
    }

    /// How alike the first layers are: the correlation of their weights, after the mean of all neurons is taken away.
    /// Near 1 for networks that were trained from the same start, near 0 for those from different random weights,
    /// whose neurons do not correspond.
    pub(crate) fn likeness(&self, other: &Self) -> f64 {
        let (inputs, l1) = (self.architecture.features.inputs(), self.layout.l1);
        let deviations = |net: &Self, row: usize| {
            let at = |neuron| f64::from(net.rows[net.layout.row_index(row, neuron)]);
            let mean = (0..l1).map(at).sum::<f64>() / l1 as f64;
            (0..l1).map(|neuron| at(neuron) - mean).collect::<Vec<f64>>()
        };
        let mut sums = [0.0; 3];
        // Four thousand rows are enough.
        for row in (0..inputs).step_by(inputs.div_ceil(4_096)) {
            for (a, b) in deviations(self, row).into_iter().zip(deviations(other, row)) {
                sums[0] += a * b;
                sums[1] += a * a;
                sums[2] += b * b;
            }
        }
        if sums[1] * sums[2] > 0.0 { sums[0] / (sums[1] * sums[2]).sqrt() } else { 1.0 }
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
    /// The weights of two networks do not correspond.
    #[error("cannot average networks with different architectures: {0}, {1}")]
    Architectures(Architecture, Architecture),
}
