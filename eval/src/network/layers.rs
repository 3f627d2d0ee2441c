//! The affine layers in the order in which the kernels read them.

use super::affine::Affine;
use super::architecture::{Architecture, padded};
use monomi_support::memory::Aligned;

/// Largest padded L2 and L3.
pub const MAX_WIDTH: usize = 128;

/// The affine layers after the accumulators, of one stack.
///
/// Four inputs of one byte make a chunk, the unit of the dot product instructions. Weights are
/// kept by chunk, then by output, so that a chunk of zeros is skipped with all its weights.
/// Widths are padded with zeros; an output that is padding stays zero.
#[derive(Clone)]
pub struct Layers {
    /// Width of one accumulator.
    pub l1: usize,
    /// Products of the halves, and squares: SFNN.
    pub paired: bool,
    /// Padded outputs of the first layer: 8, 16, 32, 64 or 128.
    pub l2: usize,
    /// Padded L3: 32, 64 or 128.
    pub l3: usize,
    /// The first layer's output that is added to the last layer's.
    pub skip: Option<usize>,
    /// One for each output.
    pub bias1: Aligned<i32>,
    /// Whether sums of four products of the first layer fit in 16 bits, whatever the inputs: those of
    /// the first or last two inputs of a chunk and of the same two of the next chunk.
    pub sums_fit: bool,
    /// `[inputs / 4][l2][4]`.
    pub weights1: Aligned<i8>,
    /// One for each output.
    pub bias2: Aligned<i32>,
    /// `[inputs / 4][l3][4]`; inputs are L2, or for SFNN the squares and then L2 again.
    pub weights2: Aligned<i8>,
    /// The only output's.
    pub bias3: i32,
    /// By input.
    pub weights3: Aligned<i8>,
}

impl Layers {
    pub fn new(architecture: Architecture, [first, second, third]: &[Affine; 3]) -> Self {
        let Architecture { l1, l2, l3, .. } = architecture;
        let paired = !architecture.is_plain();
        let outputs = architecture.first_outputs();
        let wide2 = outputs.next_power_of_two().max(8);
        let wide3 = l3.next_power_of_two().max(32);
        assert!(wide2 <= MAX_WIDTH && wide3 <= MAX_WIDTH, "sizes are checked when reading");
        let joined = architecture.joined();
        let hidden = if paired { 2 * wide2 } else { wide2 };
        // Where an input of the second layer is: after the padded squares for the second half.
        let place = |input: usize| if input < l2 { input } else { wide2 + input - l2 };
        Self {
            l1,
            paired,
            l2: wide2,
            l3: wide3,
            skip: architecture.has_skip().then_some(l2),
            bias1: widened(&first.bias, wide2),
            sums_fit: sums_fit(first, joined),
            weights1: chunked(first, joined, (joined, wide2), |input| input),
            bias2: widened(&second.bias, wide3),
            weights2: chunked(second, if paired { 2 * l2 } else { l2 }, (hidden, wide3), place),
            bias3: third.bias[0],
            weights3: widened(&third.weights[..l3], wide3),
        }
    }
}

/// See [`Layers::sums_fit`]; `inputs` is a multiple of 32, and each is `0..=127`.
fn sums_fit(layer: &Affine, inputs: usize) -> bool {
    let fits = |weights: [i8; 4]| {
        let weights = weights.map(i32::from);
        let (most, least) =
            weights.iter().fold((0, 0), |(most, least), &w| (most + w.max(0), least + w.min(0)));
        127 * most <= i16::MAX.into() && 127 * least >= i16::MIN.into()
    };
    let both = |&[a, b, c, d, e, f, g, h]: &[i8; 8]| fits([a, b, e, f]) && fits([c, d, g, h]);
    let rows = layer.weights.chunks_exact(padded(inputs));
    rows.into_iter().all(|row| row[..inputs].as_chunks().0.iter().all(both))
}

fn widened<T: Copy + Default + bytemuck::Zeroable>(values: &[T], width: usize) -> Aligned<T> {
    let padding = std::iter::repeat(T::default());
    values.iter().copied().chain(padding).take(width).collect()
}

/// From `[out][in padded to 32]` to `[in / 4][out][4]`, each input moved to its `place`.
fn chunked(
    layer: &Affine,
    inputs: usize,
    (wide_in, wide_out): (usize, usize),
    place: impl Fn(usize) -> usize,
) -> Aligned<i8> {
    let mut weights = Aligned::zeroed(wide_in * wide_out);
    let stride = padded(inputs);
    for (output, row) in layer.weights.chunks_exact(stride).enumerate() {
        for (input, &weight) in row[..inputs].iter().enumerate() {
            let input = place(input);
            weights[(input / 4 * wide_out + output) * 4 + input % 4] = weight;
        }
    }
    weights
}
