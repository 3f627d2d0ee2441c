//! WebAssembly: 128 bits. A module has them or not, so this is decided when it is compiled.
#![allow(unsafe_op_in_unsafe_fn, reason = "every line relies on the contract of `Vector`")]

use super::vector::Vector;
use std::arch::wasm32::*;

/// 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Simd128(v128);

impl Simd128 {
    /// `clamp(a) * clamp(b) >> 7` of 16-bit lanes.
    #[inline(always)]
    unsafe fn product([a, b]: [Self; 2]) -> v128 {
        let (zero, limit) = (i16x8_splat(0), i16x8_splat(127));
        let a = i16x8_min(i16x8_max(a.0, zero), limit);
        let b = i16x8_min(i16x8_max(b.0, zero), limit);
        u16x8_shr(i16x8_mul(a, b), 7)
    }
}

// SAFETY: as documented there; loads and stores touch 16 bytes.
unsafe impl Vector for Simd128 {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(i32x4_splat(0))
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        Self(v128_load(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        v128_store(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(i32x4_splat(value))
    }
    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(i16x8_add(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(i16x8_sub(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn clamped(low: Self, high: Self) -> Self {
        Self(u8x16_min(u8x16_narrow_i16x8(low.0, high.0), u8x16_splat(127)))
    }
    #[inline(always)]
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self {
        Self(u8x16_narrow_i16x8(Self::product(low), Self::product(high)))
    }
    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // The even and the odd bytes as numbers of 16 bits: the products of both, added in pairs, are
        // the four of each lane.
        let even = i32x4_dot_i16x8(
            i16x8_shr(i16x8_shl(inputs.0, 8), 8),
            i16x8_shr(i16x8_shl(weights.0, 8), 8),
        );
        let odd = i32x4_dot_i16x8(i16x8_shr(inputs.0, 8), i16x8_shr(weights.0, 8));
        Self(i32x4_add(i32x4_add(self.0, even), odd))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        u32::from(i32x4_bitmask(i32x4_ne(self.0, i32x4_splat(0))))
    }
    #[inline(always)]
    unsafe fn activated<const R: usize>(sums: [Self; R], to: *mut u8) {
        for (i, sum) in sums.into_iter().enumerate() {
            // Narrowing clamps from below, and from above to more than 127.
            let lanes = i32x4_shr(sum.0, 6);
            let lanes = i16x8_narrow_i32x4(lanes, lanes);
            let bytes = u8x16_min(u8x16_narrow_i16x8(lanes, lanes), u8x16_splat(127));
            to.add(4 * i).cast::<i32>().write_unaligned(i32x4_extract_lane::<0>(bytes));
        }
    }
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        let mut sums = Self::zero();
        for (x, weight) in inputs.chunks_exact(16).zip(weights.chunks_exact(16)) {
            sums = sums.dot(Self::load(x.as_ptr()), Self::load(weight.as_ptr().cast()));
        }
        let lanes = sums.0;
        i32x4_extract_lane::<0>(lanes)
            .wrapping_add(i32x4_extract_lane::<1>(lanes))
            .wrapping_add(i32x4_extract_lane::<2>(lanes))
            .wrapping_add(i32x4_extract_lane::<3>(lanes))
    }
}
