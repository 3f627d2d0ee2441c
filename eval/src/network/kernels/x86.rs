//! x86-64: registers of 128, 256 and 512 bits.
#![allow(unsafe_op_in_unsafe_fn, reason = "every line relies on the contract of `Vector`")]

use super::vector::Vector;
use std::arch::x86_64::*;

/// Multiplies bytes by the pairs-of-pairs instructions that every level has.
pub(super) const PLAIN: u8 = 0;
/// AVX512-VNNI's dot product instruction.
pub(super) const VNNI: u8 = 1;
/// The same in the encoding of processors without AVX-512.
pub(super) const AVX_VNNI: u8 = 2;

/// 128 bits: SSE4.1.
#[derive(Clone, Copy)]
pub(super) struct Xmm(__m128i);

impl Xmm {
    /// `clamp(a) * clamp(b) >> 7` of 16-bit lanes.
    #[inline(always)]
    unsafe fn product([a, b]: [Self; 2]) -> __m128i {
        let limit = _mm_set1_epi16(127);
        let zero = _mm_setzero_si128();
        let a = _mm_min_epi16(_mm_max_epi16(a.0, zero), limit);
        let b = _mm_min_epi16(_mm_max_epi16(b.0, zero), limit);
        // The upper half of the product shifted left by 9.
        _mm_mulhi_epu16(_mm_slli_epi16::<9>(a), b)
    }
}

// SAFETY: as documented there; loads and stores touch 16 bytes.
unsafe impl Vector for Xmm {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(_mm_setzero_si128())
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        Self(_mm_load_si128(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        _mm_store_si128(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(_mm_set1_epi32(value))
    }
    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(_mm_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(_mm_sub_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(_mm_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn clamped(low: Self, high: Self) -> Self {
        // Saturation gives -128..=127.
        Self(_mm_max_epi8(_mm_packs_epi16(low.0, high.0), _mm_setzero_si128()))
    }
    #[inline(always)]
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self {
        let packed = _mm_packus_epi16(Self::product(low), Self::product(high));
        Self(packed)
    }
    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        // Two products of 127 and -128 fit in 16 bits: nothing saturates.
        let pairs = _mm_maddubs_epi16(inputs.0, weights.0);
        Self(_mm_add_epi32(self.0, _mm_madd_epi16(pairs, _mm_set1_epi16(1))))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        let zero = _mm_cmpeq_epi32(self.0, _mm_setzero_si128());
        !_mm_movemask_ps(_mm_castsi128_ps(zero)) as u32 & 15
    }
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        let mut sums = Self::zero();
        for (x, weight) in inputs.chunks_exact(16).zip(weights.chunks_exact(16)) {
            sums = sums.dot(Self::load(x.as_ptr()), Self::load(weight.as_ptr().cast()));
        }
        sum32(sums.0)
    }
}

/// 256 bits: AVX2, with or without a dot product instruction.
#[derive(Clone, Copy)]
pub(super) struct Ymm<const DOT: u8>(__m256i);

impl<const DOT: u8> Ymm<DOT> {
    /// `clamp(a) * clamp(b) >> 7` of 16-bit lanes.
    #[inline(always)]
    unsafe fn product([a, b]: [Self; 2]) -> __m256i {
        let limit = _mm256_set1_epi16(127);
        let zero = _mm256_setzero_si256();
        let a = _mm256_min_epi16(_mm256_max_epi16(a.0, zero), limit);
        let b = _mm256_min_epi16(_mm256_max_epi16(b.0, zero), limit);
        // The upper half of the product shifted left by 9.
        _mm256_mulhi_epu16(_mm256_slli_epi16::<9>(a), b)
    }
}

// SAFETY: as documented there; loads and stores touch 32 bytes.
unsafe impl<const DOT: u8> Vector for Ymm<DOT> {
    const BYTES: usize = 32;
    const MERGES: bool = DOT == PLAIN;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(_mm256_setzero_si256())
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        Self(_mm256_load_si256(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        _mm256_store_si256(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(_mm256_set1_epi32(value))
    }
    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(_mm256_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(_mm256_sub_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(_mm256_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn clamped(low: Self, high: Self) -> Self {
        let packed = _mm256_max_epi8(_mm256_packs_epi16(low.0, high.0), _mm256_setzero_si256());
        // Packing works in halves of 128 bits: put the quarters in order.
        Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }
    #[inline(always)]
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self {
        let packed = _mm256_packus_epi16(Self::product(low), Self::product(high));
        // As in `clamped`.
        Self(_mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
    }
    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        match DOT {
            VNNI => Self(_mm256_dpbusd_epi32(self.0, inputs.0, weights.0)),
            AVX_VNNI => Self(_mm256_dpbusd_avx_epi32(self.0, inputs.0, weights.0)),
            _ => {
                let pairs = _mm256_maddubs_epi16(inputs.0, weights.0);
                let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
                Self(_mm256_add_epi32(self.0, fours))
            }
        }
    }
    #[inline(always)]
    unsafe fn dot_two(self, inputs: [Self; 2], weights: [Self; 2]) -> Self {
        if DOT != PLAIN {
            return self.dot(inputs[0], weights[0]).dot(inputs[1], weights[1]);
        }
        let first = _mm256_maddubs_epi16(inputs[0].0, weights[0].0);
        let second = _mm256_maddubs_epi16(inputs[1].0, weights[1].0);
        let pairs = _mm256_add_epi16(first, second);
        Self(_mm256_add_epi32(self.0, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        let zero = _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256());
        !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32 & 255
    }
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        let mut sums = Self::zero();
        for (x, weight) in inputs.chunks_exact(32).zip(weights.chunks_exact(32)) {
            sums = sums.dot(Self::load(x.as_ptr()), Self::load(weight.as_ptr().cast()));
        }
        sum32(_mm_add_epi32(_mm256_castsi256_si128(sums.0), _mm256_extracti128_si256::<1>(sums.0)))
    }
}

/// 512 bits: AVX-512, with or without a dot product instruction.
#[derive(Clone, Copy)]
pub(super) struct Zmm<const DOT: u8>(__m512i);

impl<const DOT: u8> Zmm<DOT> {
    /// `clamp(a) * clamp(b) >> 7` of 16-bit lanes.
    #[inline(always)]
    unsafe fn product([a, b]: [Self; 2]) -> __m512i {
        let limit = _mm512_set1_epi16(127);
        let zero = _mm512_setzero_si512();
        let a = _mm512_min_epi16(_mm512_max_epi16(a.0, zero), limit);
        let b = _mm512_min_epi16(_mm512_max_epi16(b.0, zero), limit);
        // The upper half of the product shifted left by 9.
        _mm512_mulhi_epu16(_mm512_slli_epi16::<9>(a), b)
    }
}

// SAFETY: as documented there; loads and stores touch 64 bytes.
unsafe impl<const DOT: u8> Vector for Zmm<DOT> {
    const BYTES: usize = 64;
    const DENSE: bool = DOT == VNNI;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Self(_mm512_setzero_si512())
    }
    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        Self(_mm512_load_si512(from.cast()))
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        _mm512_store_si512(to.cast(), self.0);
    }
    #[inline(always)]
    unsafe fn splat32(value: i32) -> Self {
        Self(_mm512_set1_epi32(value))
    }
    #[inline(always)]
    unsafe fn add16(self, other: Self) -> Self {
        Self(_mm512_add_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn sub16(self, other: Self) -> Self {
        Self(_mm512_sub_epi16(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn add32(self, other: Self) -> Self {
        Self(_mm512_add_epi32(self.0, other.0))
    }
    #[inline(always)]
    unsafe fn clamped(low: Self, high: Self) -> Self {
        let packed = _mm512_max_epi8(_mm512_packs_epi16(low.0, high.0), _mm512_setzero_si512());
        // Packing works in quarters of 128 bits: put the eighths in order.
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        Self(_mm512_permutexvar_epi64(order, packed))
    }
    #[inline(always)]
    unsafe fn products(low: [Self; 2], high: [Self; 2]) -> Self {
        let packed = _mm512_packus_epi16(Self::product(low), Self::product(high));
        // As in `clamped`.
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        Self(_mm512_permutexvar_epi64(order, packed))
    }
    #[inline(always)]
    unsafe fn dot(self, inputs: Self, weights: Self) -> Self {
        if DOT == VNNI {
            return Self(_mm512_dpbusd_epi32(self.0, inputs.0, weights.0));
        }
        let pairs = _mm512_maddubs_epi16(inputs.0, weights.0);
        Self(_mm512_add_epi32(self.0, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1))))
    }
    #[inline(always)]
    unsafe fn nonzero32(self) -> u32 {
        _mm512_test_epi32_mask(self.0, self.0).into()
    }
    #[inline(always)]
    unsafe fn list_nonzero32(self, first: u16, to: *mut u16) -> usize {
        let mask = _mm512_test_epi32_mask(self.0, self.0);
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32(first.into()));
        let listed = _mm512_cvtepi32_epi16(_mm512_maskz_compress_epi32(mask, numbers));
        _mm256_storeu_si256(to.cast(), listed);
        mask.count_ones() as usize
    }
    #[inline(always)]
    unsafe fn activated<const R: usize>(sums: [Self; R], to: *mut u8) {
        for (i, sum) in sums.into_iter().enumerate() {
            let shifted = _mm512_max_epi32(_mm512_srai_epi32::<6>(sum.0), _mm512_setzero_si512());
            // Narrowing saturates at 127.
            _mm_storeu_si128(to.add(16 * i).cast(), _mm512_cvtsepi32_epi8(shifted));
        }
    }
    #[inline(always)]
    unsafe fn dot_all(inputs: &[u8], weights: &[i8]) -> i32 {
        if DOT == VNNI {
            Ymm::<VNNI>::dot_all(inputs, weights)
        } else {
            Ymm::<PLAIN>::dot_all(inputs, weights)
        }
    }
}

/// Sum of four 32-bit lanes.
#[inline(always)]
unsafe fn sum32(lanes: __m128i) -> i32 {
    let pairs = _mm_add_epi32(lanes, _mm_shuffle_epi32::<0b01_00_11_10>(lanes));
    _mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32::<0b10_11_00_01>(pairs)))
}
