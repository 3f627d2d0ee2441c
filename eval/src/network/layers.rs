//! The affine layers as the kernels like them.

use super::architecture::{Architecture, padded};
use super::file::Affine;
use monomi_memory::Aligned;

/// Largest padded L2 and L3.
pub(crate) const MAX_WIDTH: usize = 64;

/// The affine layers behind the accumulators.
///
/// Four inputs of one byte make a chunk, the unit of the dot product instructions. Weights are
/// kept by chunk, then by output, so that a chunk that is zero is skipped with all its weights.
/// Widths are padded with zeros; an output that is padding stays zero.
#[derive(Clone)]
pub(crate) struct Layers {
    /// Width of one accumulator.
    pub(crate) l1: usize,
    /// Padded L2: 8, 16, 32 or 64.
    pub(crate) l2: usize,
    /// Padded L3: 32 or 64.
    pub(crate) l3: usize,
    /// By output.
    pub(crate) bias1: Aligned<i32>,
    /// `[2 * l1 / 4][l2][4]`.
    pub(crate) weights1: Aligned<i8>,
    /// By output.
    pub(crate) bias2: Aligned<i32>,
    /// `[l2 / 4][l3][4]`.
    pub(crate) weights2: Aligned<i8>,
    /// The only output's.
    pub(crate) bias3: i32,
    /// By input.
    pub(crate) weights3: Aligned<i8>,
}

impl Layers {
    pub(crate) fn new(architecture: Architecture, [first, second, third]: &[Affine; 3]) -> Self {
        let Architecture { l1, l2, l3, .. } = architecture;
        let wide2 = l2.next_power_of_two().max(8);
        let wide3 = l3.next_power_of_two().max(32);
        assert!(wide2 <= MAX_WIDTH && wide3 <= MAX_WIDTH, "sizes are checked when reading");
        Self {
            l1,
            l2: wide2,
            l3: wide3,
            bias1: widened(&first.bias, wide2),
            weights1: chunked(first, 2 * l1, (2 * l1, wide2)),
            bias2: widened(&second.bias, wide3),
            weights2: chunked(second, l2, (wide2, wide3)),
            bias3: third.bias[0],
            weights3: widened(&third.weights[..l3], wide3),
        }
    }
}

fn widened<T: Copy + Default + bytemuck::Zeroable>(values: &[T], width: usize) -> Aligned<T> {
    let padding = std::iter::repeat(T::default());
    values.iter().copied().chain(padding).take(width).collect()
}

/// From `[out][in padded to 32]` to `[in / 4][out][4]`.
fn chunked(layer: &Affine, inputs: usize, (wide_in, wide_out): (usize, usize)) -> Aligned<i8> {
    let mut weights = Aligned::zeroed(wide_in * wide_out);
    let stride = padded(inputs);
    for (output, row) in layer.weights.chunks_exact(stride).enumerate() {
        for (input, &weight) in row[..inputs].iter().enumerate() {
            weights[(input / 4 * wide_out + output) * 4 + input % 4] = weight;
        }
    }
    weights
}
