//! The plain form: what every machine can do, and what the other paths are held to.

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

/// The layers behind the accumulators.
pub(super) fn forward(layers: &Layers, us: &[i16], them: &[i16]) -> i32 {
    let inputs = us.iter().chain(them).map(|&x| i32::from(x.clamp(0, 127)));
    let mut first = [0; MAX_WIDTH];
    affine(inputs, &layers.weights1, &layers.bias1, &mut first[..layers.l2]);
    let mut second = [0; MAX_WIDTH];
    let inputs = first[..layers.l2].iter().map(|&x| activated(x));
    affine(inputs, &layers.weights2, &layers.bias2, &mut second[..layers.l3]);
    let last = second.iter().zip(layers.weights3.iter());
    last.fold(layers.bias3, |sum, (&x, &weight)| sum.wrapping_add(activated(x) * i32::from(weight)))
}

fn activated(x: i32) -> i32 {
    (x >> 6).clamp(0, 127)
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
