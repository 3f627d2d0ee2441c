//! The algorithms, written once over a vector register.
//!
//! Everything here is inlined into a function that enables a level's instructions; that function
//! is what a network calls. (Without inlining the result is the same, but slow.)
//!
//! **First layer.** Most of the clamped inputs are zero (69 % with suisho-petite). Four neighbouring
//! inputs make a chunk, weights are stored by chunk, and only chunks that are not all zero (77 %
//! there) are multiplied. This pays where a product takes several instructions; with 512-bit dot
//! products, multiplying everything is as fast. With AVX2, plain networks with small weights are
//! multiplied as a whole, too: adding the products of two chunks in 16 bits saves one instruction
//! in three.
#![allow(unsafe_op_in_unsafe_fn, reason = "every line relies on the contract of `Vector`")]

use super::Rows;
use crate::network::architecture::MAX_INPUTS;
use crate::network::layers::{Layers, MAX_WIDTH};
use monomi_support::memory::LINE;
use std::mem::MaybeUninit;

/// Up to `MAX_WIDTH` 32-bit lanes, aligned for every kind of vector.
#[repr(C, align(64))]
pub(super) struct Lanes([i32; MAX_WIDTH]);

/// A vector register.
///
/// # Safety
/// The functions may be called where the level's instructions are enabled (or exist, if not
/// inlined). Pointers are valid for `BYTES` bytes and aligned to `BYTES`, if nothing else is said.
/// An implementation reads and writes no other memory.
pub(super) unsafe trait Vector: Copy {
    /// Size in bytes.
    const BYTES: usize;
    /// Whether multiplying zeros is cheaper than finding them.
    const DENSE: bool = false;

    unsafe fn zero() -> Self;
    unsafe fn load(from: *const u8) -> Self;
    unsafe fn store(self, to: *mut u8);
    /// 32-bit lanes of one value.
    unsafe fn splat32(value: i32) -> Self;
    /// Sum of 16-bit lanes, wrapping.
    unsafe fn add16(self, other: Self) -> Self;
    /// Difference of 16-bit lanes, wrapping.
    unsafe fn sub16(self, other: Self) -> Self;
    /// Sum of 32-bit lanes.
    unsafe fn add32(self, other: Self) -> Self;
    /// The 16-bit lanes of both in order, clamped to `0..=127`, as bytes.
    unsafe fn clamped(low: Self, high: Self) -> Self;
    /// For 16-bit lanes, `clamp(a) * clamp(b) >> 7` with the clamp to `0..=127`, of the low and then
    /// the high pair in order, as bytes.
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self;
    /// Adds to each 32-bit lane the dot product of four inputs (`0..=127`) and four signed weights.
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self;
    /// Whether [`Vector::dot_two`] takes fewer instructions than two [`Vector::dot`].
    const MERGES: bool = false;
    /// [`Vector::dot`] for two sets of inputs and weights. In each 32-bit lane the first two of the four
    /// products of both sets must together fit in 16 bits, and so must the last two.
    #[inline(always)]
    unsafe fn dot_two(self, inputs: [Self; 2], weights: [Self; 2]) -> Self {
        self.dot(inputs[0], weights[0]).dot(inputs[1], weights[1])
    }
    /// Bit `i` tells whether the 32-bit lane `i` is not zero.
    unsafe fn nonzero32(self) -> u32;

    /// Writes the numbers of the 32-bit lanes that are not zero, counted from `first`, and says
    /// how many. `to` takes as many as there are lanes and 8 at least.
    #[inline(always)]
    unsafe fn list_nonzero32(self, first: u16, to: *mut u16) -> usize {
        const { assert!(Self::BYTES <= 32) };
        let mask = self.nonzero32();
        let offsets = &SET_BITS[mask as usize & 255];
        for (i, offset) in offsets.iter().enumerate() {
            to.add(i).write(first + u16::from(*offset));
        }
        mask.count_ones() as usize
    }

    /// The 32-bit lanes of the vectors, one vector after the other; zeros after the last.
    #[inline(always)]
    unsafe fn lanes<const R: usize>(vectors: &[Self; R]) -> Lanes {
        let mut lanes = Lanes([0; MAX_WIDTH]);
        for (i, vector) in vectors.iter().enumerate() {
            vector.store(lanes.0.as_mut_ptr().cast::<u8>().add(i * Self::BYTES));
        }
        lanes
    }

    /// Lanes of 32 bits shifted right by 6 and clamped to `0..=127`, as bytes. `to` takes one for
    /// each lane.
    #[inline(always)]
    unsafe fn activated<const R: usize>(sums: [Self; R], to: *mut u8) {
        for (i, &sum) in Self::lanes(&sums).0[..R * Self::BYTES / 4].iter().enumerate() {
            to.add(i).write((sum >> 6).clamp(0, 127) as u8);
        }
    }

    /// The square of each 32-bit lane, shifted right by 19 and limited to 127, as bytes. `to` takes
    /// one for each lane.
    #[inline(always)]
    unsafe fn squared<const R: usize>(sums: [Self; R], to: *mut u8) {
        for (i, &sum) in Self::lanes(&sums).0[..R * Self::BYTES / 4].iter().enumerate() {
            // Beyond 16 bits the result is 127 anyway.
            let sum = sum.clamp(i16::MIN.into(), i16::MAX.into());
            to.add(i).write(((sum * sum) >> 19).min(127) as u8);
        }
    }

    /// Dot product of inputs (`0..=127`) and signed weights, a multiple of 32 of each.
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        inputs.iter().zip(weights).map(|(&x, &weight)| i32::from(x) * i32::from(weight)).sum()
    }
}

/// The positions of the bits that are set in a byte.
static SET_BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// See `Kernels::update`.
#[inline(always)]
pub(super) unsafe fn update<V: Vector>(
    rows: Rows<'_>,
    parent: &[i16],
    child: &mut [i16],
    pairs: &[(u32, u32)],
) {
    match *pairs {
        [a] => update_by::<V, 1>(rows, parent, child, [a]),
        [a, b] => update_by::<V, 2>(rows, parent, child, [a, b]),
        _ => {
            child.copy_from_slice(parent);
            for &(gone, come) in pairs {
                apply::<V>(rows, child, &[gone], &[come]);
            }
        }
    }
}

#[inline(always)]
unsafe fn update_by<V: Vector, const N: usize>(
    rows: Rows<'_>,
    parent: &[i16],
    child: &mut [i16],
    pairs: [(u32, u32); N],
) {
    let pairs = pairs.map(|(gone, come)| (rows.start(gone), rows.start(come)));
    let (parent, child) = (parent.as_ptr().cast::<u8>(), child.as_mut_ptr().cast::<u8>());
    let bytes = 2 * rows.width;
    let mut line = 0;
    // A cache line at a time: the width is a multiple of it.
    while line < bytes {
        for i in 0..LINE / V::BYTES {
            let at = line + i * V::BYTES;
            let mut sum = V::load(parent.add(at));
            for (gone, come) in pairs {
                sum = sum.sub16(V::load(gone.add(at))).add16(V::load(come.add(at)));
            }
            sum.store(child.add(at));
        }
        line += LINE;
    }
}

/// See `Kernels::apply`.
#[inline(always)]
pub(super) unsafe fn apply<V: Vector>(
    rows: Rows<'_>,
    accumulator: &mut [i16],
    gone: &[u32],
    come: &[u32],
) {
    let accumulator = accumulator.as_mut_ptr().cast::<u8>();
    let bytes = 2 * rows.width;
    // As many sums at a time as there are registers for.
    let mut at = 0;
    while at + 8 * V::BYTES <= bytes {
        apply_to::<V, 8>(rows, accumulator, at, gone, come);
        at += 8 * V::BYTES;
    }
    while at < bytes {
        apply_to::<V, 1>(rows, accumulator, at, gone, come);
        at += V::BYTES;
    }
}

#[inline(always)]
unsafe fn apply_to<V: Vector, const N: usize>(
    rows: Rows<'_>,
    accumulator: *mut u8,
    at: usize,
    gone: &[u32],
    come: &[u32],
) {
    let mut sums = [V::zero(); N];
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum = V::load(accumulator.add(at + i * V::BYTES));
    }
    for &row in gone {
        let row = rows.start(row).add(at);
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = sum.sub16(V::load(row.add(i * V::BYTES)));
        }
    }
    for &row in come {
        let row = rows.start(row).add(at);
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = sum.add16(V::load(row.add(i * V::BYTES)));
        }
    }
    for (i, sum) in sums.into_iter().enumerate() {
        sum.store(accumulator.add(at + i * V::BYTES));
    }
}

#[repr(C, align(64))]
struct Buffer<T, const N: usize>([MaybeUninit<T>; N]);

impl<T: Copy, const N: usize> Buffer<T, N> {
    #[inline(always)]
    fn new() -> Self {
        Self([MaybeUninit::uninit(); N])
    }

    #[inline(always)]
    fn start(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

/// See `Kernels::forward`. `R`: registers for the 32-bit sums of the first layer. `PAIRED`: as in
/// `Layers`.
#[inline(always)]
pub(super) unsafe fn forward<V: Vector, const R: usize, const PAIRED: bool>(
    layers: &Layers,
    us: &[i16],
    them: &[i16],
) -> i32 {
    debug_assert!(layers.l2 * 4 == R * V::BYTES && layers.paired == PAIRED);
    // Inputs of the first layer, and the numbers of its chunks that are not zero, with room for
    // a whole register after the last.
    let mut inputs = Buffer::<u8, MAX_INPUTS>::new();
    let mut chunks = Buffer::<u16, { MAX_INPUTS / 4 + 32 }>::new();
    let (inputs, chunks) = (inputs.start(), chunks.start());
    // Inputs from one accumulator.
    let half = if PAIRED { layers.l1 / 2 } else { layers.l1 };
    debug_assert!(half.is_multiple_of(V::BYTES));
    const { assert!(!V::MERGES || (V::BYTES / 2).is_multiple_of(MERGED_CHUNKS)) };
    // Of paired networks' inputs, most chunks are zeros.
    let merged = V::MERGES && !PAIRED && layers.sums_fit;
    let mut count = 0;
    for (start, accumulator) in [(0, us), (half, them)] {
        let accumulator = accumulator.as_ptr().cast::<u8>();
        for at in (0..half).step_by(V::BYTES) {
            let low = V::load(accumulator.add(2 * at));
            let high = V::load(accumulator.add(2 * at + V::BYTES));
            let bytes = if PAIRED {
                let other = accumulator.add(2 * half + 2 * at);
                V::products([low, V::load(other)], [high, V::load(other.add(V::BYTES))])
            } else {
                V::clamped(low, high)
            };
            bytes.store(inputs.add(start + at));
            if !V::DENSE && !merged {
                count += bytes.list_nonzero32(((start + at) / 4) as u16, chunks.add(count));
            }
        }
    }
    let chunks = std::slice::from_raw_parts(chunks, count);
    let count = half / 2;
    // As many sets of sums as there are registers for: a product need not wait for the one before.
    let sums = match R {
        _ if V::DENSE => dense::<V, R, 4>(layers, inputs, count),
        _ if merged => merged_dense::<V, R>(layers, inputs, count),
        1 | 2 => sparse::<V, R, 4>(layers, inputs, chunks),
        3 | 4 => sparse::<V, R, 2>(layers, inputs, chunks),
        _ => sparse::<V, R, 1>(layers, inputs, chunks),
    };
    let mut hidden = Buffer::<u8, { 2 * MAX_WIDTH }>::new();
    let hidden = hidden.start();
    let mut skipped = 0;
    if PAIRED {
        V::squared(sums, hidden);
        V::activated(sums, hidden.add(layers.l2));
        if let Some(output) = layers.skip {
            let mut lanes = Buffer::<i32, MAX_WIDTH>::new();
            let lanes = lanes.start();
            for (i, sum) in sums.into_iter().enumerate() {
                sum.store(lanes.cast::<u8>().add(i * V::BYTES));
            }
            skipped = lanes.add(output).read();
        }
    } else {
        V::activated(sums, hidden);
    }
    let hidden_chunks = if PAIRED { layers.l2 / 2 } else { layers.l2 / 4 };
    let mut last = Buffer::<u8, MAX_WIDTH>::new();
    let last = last.start();
    for output in (0..layers.l3).step_by(V::BYTES / 2) {
        let sums = second::<V>(layers, hidden, hidden_chunks, output);
        V::activated(sums, last.add(output));
    }
    let last = std::slice::from_raw_parts(last, layers.l3);
    layers.bias3.wrapping_add(skipped).wrapping_add(V::dot_all(last, &layers.weights3))
}

/// The first layer's sums, over all chunks.
#[inline(always)]
unsafe fn dense<V: Vector, const R: usize, const SETS: usize>(
    layers: &Layers,
    inputs: *const u8,
    count: usize,
) -> [V; R] {
    let weights = layers.weights1.as_ptr().cast::<u8>();
    let mut sums = [[V::zero(); R]; SETS];
    load_all(&mut sums[0], layers.bias1.as_ptr().cast());
    for group in (0..count).step_by(SETS) {
        for (i, set) in sums.iter_mut().enumerate() {
            let chunk = group + i;
            multiply(set, inputs.add(4 * chunk), weights.add(chunk * R * V::BYTES));
        }
    }
    total(sums)
}

/// Chunks in one step of [`merged_dense`].
const MERGED_CHUNKS: usize = 8;

/// The same, two chunks at a time. Their number is a multiple of [`MERGED_CHUNKS`], and `sums_fit` of the
/// layers is true.
#[inline(always)]
unsafe fn merged_dense<V: Vector, const R: usize>(
    layers: &Layers,
    inputs: *const u8,
    count: usize,
) -> [V; R] {
    let weights = layers.weights1.as_ptr().cast::<u8>();
    let mut sums = [V::zero(); R];
    load_all(&mut sums, layers.bias1.as_ptr().cast());
    for group in (0..count).step_by(MERGED_CHUNKS) {
        for pair in 0..MERGED_CHUNKS / 2 {
            let chunks = [group + 2 * pair, group + 2 * pair + 1];
            let inputs = chunks.map(|chunk| V::splat32(inputs.add(4 * chunk).cast::<i32>().read()));
            let weights = chunks.map(|chunk| weights.add(chunk * R * V::BYTES));
            for (r, sum) in sums.iter_mut().enumerate() {
                *sum = sum.dot_two(inputs, weights.map(|start| V::load(start.add(r * V::BYTES))));
            }
        }
    }
    sums
}

/// The first layer's sums, over the chunks that are named.
#[inline(always)]
unsafe fn sparse<V: Vector, const R: usize, const SETS: usize>(
    layers: &Layers,
    inputs: *const u8,
    chunks: &[u16],
) -> [V; R] {
    let weights = layers.weights1.as_ptr().cast::<u8>();
    let mut sums = [[V::zero(); R]; SETS];
    load_all(&mut sums[0], layers.bias1.as_ptr().cast());
    let (groups, rest) = chunks.as_chunks::<SETS>();
    for group in groups {
        for (set, &chunk) in sums.iter_mut().zip(group) {
            let chunk = usize::from(chunk);
            multiply(set, inputs.add(4 * chunk), weights.add(chunk * R * V::BYTES));
        }
    }
    for (set, &chunk) in sums.iter_mut().zip(rest) {
        let chunk = usize::from(chunk);
        multiply(set, inputs.add(4 * chunk), weights.add(chunk * R * V::BYTES));
    }
    total(sums)
}

/// Two registers of the second layer's sums, from an output on, over all chunks.
#[inline(always)]
unsafe fn second<V: Vector>(
    layers: &Layers,
    inputs: *const u8,
    chunks: usize,
    output: usize,
) -> [V; 2] {
    let weights = layers.weights2.as_ptr().cast::<u8>().add(4 * output);
    let mut sums = [[V::zero(); 2]; 2];
    load_all(&mut sums[0], layers.bias2[output..].as_ptr().cast());
    for chunk in 0..chunks {
        let weights = weights.add(chunk * 4 * layers.l3);
        multiply(&mut sums[chunk % 2], inputs.add(4 * chunk), weights);
    }
    total(sums)
}

#[inline(always)]
unsafe fn load_all<V: Vector, const R: usize>(registers: &mut [V; R], from: *const u8) {
    for (r, register) in registers.iter_mut().enumerate() {
        *register = V::load(from.add(r * V::BYTES));
    }
}

/// Adds the products of the chunk at `input` with the weights from `weights` on.
#[inline(always)]
unsafe fn multiply<V: Vector, const R: usize>(
    sums: &mut [V; R],
    input: *const u8,
    weights: *const u8,
) {
    let input = V::splat32(input.cast::<i32>().read());
    for (r, sum) in sums.iter_mut().enumerate() {
        *sum = sum.dot(input, V::load(weights.add(r * V::BYTES)));
    }
}

#[inline(always)]
unsafe fn total<V: Vector, const R: usize, const SETS: usize>(sums: [[V; R]; SETS]) -> [V; R] {
    let mut total = sums[0];
    for set in &sums[1..] {
        for (sum, other) in total.iter_mut().zip(set) {
            *sum = sum.add32(*other);
        }
    }
    total
}
