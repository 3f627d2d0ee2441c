//! Plain code: runs everywhere, and the tests compare the other levels with it.

use super::Rows;
use crate::network::layers::{Layers, MAX_WIDTH};

/// `child = parent`, each pair's first row subtracted and its second added.
pub(super) fn update(rows: Rows<'_>, parent: &[i16], child: &mut [i16], pairs: &[(u32, u32)]) {
    child.copy_from_slice(parent);
    for &(gone, come) in pairs {
        apply(rows, child, &[gone], &[come]);
    }
}

/// Rows subtracted from an accumulator and added to it.
pub(super) fn apply(rows: Rows<'_>, accumulator: &mut [i16], gone: &[u32], come: &[u32]) {
    for &row in gone {
        for (sum, weight) in accumulator.iter_mut().zip(rows.row(row)) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
    for &row in come {
        for (sum, weight) in accumulator.iter_mut().zip(rows.row(row)) {
            *sum = sum.wrapping_add(*weight);
        }
    }
}

/// The layers after the accumulators.
pub(super) fn forward(layers: &Layers, us: &[i16], them: &[i16]) -> i32 {
    let clamped = |x: &i16| i32::from(*x.clamp(&0, &127));
    let mut first = [0; MAX_WIDTH];
    let first = &mut first[..layers.l2];
    let mut second = [0; MAX_WIDTH];
    let second = &mut second[..layers.l3];
    let mut skipped = 0;
    if layers.paired {
        let products = [us, them].into_iter().flat_map(|accumulator| {
            let (left, right) = accumulator.split_at(layers.l1 / 2);
            left.iter().zip(right).map(|(x, y)| (clamped(x) * clamped(y)) >> 7)
        });
        affine(products, &layers.weights1, &layers.bias1, first);
        let squares = first.iter().map(|&x| squared(x));
        let inputs = squares.chain(first.iter().map(|&x| activated(x)));
        affine(inputs, &layers.weights2, &layers.bias2, second);
        skipped = layers.skip.map_or(0, |output| first[output]);
    } else {
        let inputs = us.iter().chain(them).map(clamped);
        affine(inputs, &layers.weights1, &layers.bias1, first);
        let inputs = first.iter().map(|&x| activated(x));
        affine(inputs, &layers.weights2, &layers.bias2, second);
    }
    let last = second.iter().zip(layers.weights3.iter());
    let start = layers.bias3.wrapping_add(skipped);
    last.fold(start, |sum, (&x, &weight)| sum.wrapping_add(activated(x) * i32::from(weight)))
}

fn activated(x: i32) -> i32 {
    (x >> 6).clamp(0, 127)
}

/// The square shifted right by 19, at most 127.
fn squared(x: i32) -> i32 {
    // Beyond 16 bits the result is 127 anyway.
    let x = x.clamp(i16::MIN.into(), i16::MAX.into());
    ((x * x) >> 19).min(127)
}

fn affine(inputs: impl Iterator<Item = i32>, weights: &[i8], bias: &[i32], out: &mut [i32]) {
    out.copy_from_slice(bias);
    let width = out.len();
    for (i, x) in inputs.enumerate().filter(|&(_, x)| x != 0) {
        // By chunks of four inputs, then by output.
        let chunk = &weights[i / 4 * width * 4..][..width * 4];
        for (sum, weights) in out.iter_mut().zip(chunk.as_chunks::<4>().0) {
            *sum = sum.wrapping_add(x * i32::from(weights[i % 4]));
        }
    }
}
