//! 64-bit ARM: NEON, which every such processor has.
#![allow(unsafe_op_in_unsafe_fn, reason = "every line relies on the contract of `Vector`")]

use super::vector::Vector;
use std::arch::aarch64::*;

/// 128 bits.
#[derive(Clone, Copy)]
pub(super) struct Neon(int8x16_t);

impl Neon {
    /// `clamp(a) * clamp(b) >> 7` of 16-bit lanes.
    #[inline(always)]
    unsafe fn product([a, b]: [Self; 2]) -> int16x8_t {
        let (zero, limit) = (vdupq_n_s16(0), vdupq_n_s16(127));
        let a = vminq_s16(vmaxq_s16(vreinterpretq_s16_s8(a.0), zero), limit);
        let b = vminq_s16(vmaxq_s16(vreinterpretq_s16_s8(b.0), zero), limit);
        vshrq_n_s16::<7>(vmulq_s16(a, b))
    }
}

// SAFETY: as documented there; loads and stores touch 16 bytes.
unsafe impl Vector for Neon {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(vdupq_n_s8(0))
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        Self(vld1q_s8(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        vst1q_s8(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(vreinterpretq_s8_s32(vdupq_n_s32(value)))
    }
    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        let sum = vaddq_s16(vreinterpretq_s16_s8(self.0), vreinterpretq_s16_s8(other.0));
        Self(vreinterpretq_s8_s16(sum))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        let sum = vsubq_s16(vreinterpretq_s16_s8(self.0), vreinterpretq_s16_s8(other.0));
        Self(vreinterpretq_s8_s16(sum))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        let sum = vaddq_s32(vreinterpretq_s32_s8(self.0), vreinterpretq_s32_s8(other.0));
        Self(vreinterpretq_s8_s32(sum))
    }
    #[inline(always)]
    unsafe fn clamped(low: Self, high: Self) -> Self {
        let low = vqmovn_s16(vreinterpretq_s16_s8(low.0));
        let both = vqmovn_high_s16(low, vreinterpretq_s16_s8(high.0));
        Self(vmaxq_s8(both, vdupq_n_s8(0)))
    }
    #[inline(always)]
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self {
        Self(vcombine_s8(vmovn_s16(Self::product(low)), vmovn_s16(Self::product(high))))
    }
    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // Inputs are below 128: signed products are right, and two of them fit in 16 bits.
        let low = vmull_s8(vget_low_s8(inputs.0), vget_low_s8(weights.0));
        let high = vmull_high_s8(inputs.0, weights.0);
        let pairs = vpaddq_s16(low, high);
        Self(vreinterpretq_s8_s32(vpadalq_s16(vreinterpretq_s32_s8(self.0), pairs)))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        let lanes = vreinterpretq_u32_s8(self.0);
        let bits: [u32; 4] = [1, 2, 4, 8];
        vaddvq_u32(vandq_u32(vtstq_u32(lanes, lanes), vld1q_u32(bits.as_ptr())))
    }
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        let mut sums = Self::zero();
        for (x, weight) in inputs.chunks_exact(16).zip(weights.chunks_exact(16)) {
            sums = sums.dot(Self::load(x.as_ptr()), Self::load(weight.as_ptr().cast()));
        }
        vaddvq_s32(vreinterpretq_s32_s8(sums.0))
    }
}
