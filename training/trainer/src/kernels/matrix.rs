//! Products of small dense matrices.

use crate::simd::{Simd, kernel};

/// The left factor: element `(i, p)` is `values[i * row + p * column]`. Swapped strides transpose.
#[derive(Clone, Copy)]
pub struct Left<'a> {
    pub values: &'a [f32],
    pub row: usize,
    pub column: usize,
}

kernel! {
    /// `c += a b`, with `a` of `rows x depth`, `b` of `depth x columns` and `c` of
    /// `rows x columns`, the latter two row by row without gaps. `columns` is a multiple of 16.
    pub fn multiply = multiply_by(
        a: Left<'_>, b: &[f32], c: &mut [f32], rows: usize, depth: usize, columns: usize)
}

/// Rows of a tile of the result; a tile is two vectors wide and kept in registers.
const TILE: usize = 4;

#[inline(always)]
fn multiply_by<S: Simd>(
    s: S,
    a: Left<'_>,
    b: &[f32],
    c: &mut [f32],
    rows: usize,
    depth: usize,
    columns: usize,
) {
    assert!(columns.is_multiple_of(S::LANES) && rows > 0 && depth > 0);
    assert!(b.len() >= depth * columns && c.len() >= rows * columns);
    assert!((rows - 1) * a.row + (depth - 1) * a.column < a.values.len());
    let mut j = 0;
    while j < columns {
        let pair = columns - j >= 2 * S::LANES;
        let mut i = 0;
        while i < rows {
            let place = (i, j);
            match (rows - i >= TILE, pair) {
                (true, true) => tile::<S, TILE, 2>(s, a, b, c, place, depth, columns),
                (true, false) => tile::<S, TILE, 1>(s, a, b, c, place, depth, columns),
                (false, true) => tile::<S, 1, 2>(s, a, b, c, place, depth, columns),
                (false, false) => tile::<S, 1, 1>(s, a, b, c, place, depth, columns),
            }
            i += if rows - i >= TILE { TILE } else { 1 };
        }
        j += if pair { 2 * S::LANES } else { S::LANES };
    }
}

#[inline(always)]
fn tile<S: Simd, const M: usize, const N: usize>(
    s: S,
    a: Left<'_>,
    b: &[f32],
    c: &mut [f32],
    (i, j): (usize, usize),
    depth: usize,
    columns: usize,
) {
    let mut sums = [[s.splat(0.0); N]; M];
    for (m, sums) in sums.iter_mut().enumerate() {
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = s.load(&c[(i + m) * columns + j + n * S::LANES..]);
        }
    }
    let start = i * a.row;
    for p in 0..depth {
        let right = &b[p * columns + j..][..N * S::LANES];
        let mut vectors = [s.splat(0.0); N];
        for (n, vector) in vectors.iter_mut().enumerate() {
            *vector = s.load(&right[n * S::LANES..]);
        }
        for (m, sums) in sums.iter_mut().enumerate() {
            let at = start + m * a.row + p * a.column;
            debug_assert!(at < a.values.len());
            // SAFETY: `multiply_by` has checked the last row's last element; `i + m < rows` and
            // `p < depth`, so this one comes no later.
            let factor = s.splat(unsafe { *a.values.get_unchecked(at) });
            for (sum, &vector) in sums.iter_mut().zip(&vectors) {
                *sum = s.mul_add(factor, vector, *sum);
            }
        }
    }
    for (m, sums) in sums.iter().enumerate() {
        for (n, &sum) in sums.iter().enumerate() {
            s.store(sum, &mut c[(i + m) * columns + j + n * S::LANES..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::signed;
    use crate::simd::Level;
    use monomi_movegen::Random;

    #[test]
    fn products_are_those_of_the_definition() {
        let mut random = Random::new(5);
        for (rows, depth, columns) in [(1, 1, 16), (3, 7, 32), (4, 32, 48), (9, 31, 16), (8, 5, 80)]
        {
            let mut values =
                |n: usize| -> Vec<f32> { (0..n).map(|_| signed(&mut random)).collect() };
            let (a, b) = (values(rows * depth), values(depth * columns));
            let start = values(rows * columns);
            for transposed in [false, true] {
                let (row, column) = if transposed { (1, rows) } else { (depth, 1) };
                let left = Left { values: &a, row, column };
                for level in Level::available() {
                    let mut c = start.clone();
                    multiply(level, left, &b, &mut c, rows, depth, columns);
                    for i in 0..rows {
                        for j in 0..columns {
                            let sum: f64 = (0..depth)
                                .map(|p| {
                                    f64::from(a[i * row + p * column])
                                        * f64::from(b[p * columns + j])
                                })
                                .sum();
                            let expected = f64::from(start[i * columns + j]) + sum;
                            let found = f64::from(c[i * columns + j]);
                            assert!((found - expected).abs() < 1e-5, "{}", level.name());
                        }
                    }
                }
            }
        }
    }
}
