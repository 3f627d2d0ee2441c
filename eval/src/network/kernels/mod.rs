//! The arithmetic, for each level of vector instructions.
//!
//! The level is chosen when a network is loaded, and the network keeps the functions of that level:
//! one indirect call for an update or a forward pass. All levels give the same integers.

mod level;
mod scalar;
#[cfg(target_arch = "aarch64")]
#[path = "neon.rs"]
mod simd;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "wasm.rs"]
mod simd;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod simd;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector;

pub use level::SimdLevel;

use super::layers::Layers;
use monomi_support::memory::{Aligned, LINE};

/// The rows of the transformer's weights, one for each input.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    weights: &'a [i16],
    width: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    pub fn new(weights: &'a Aligned<i16>, width: usize) -> Self {
        Self { weights, width }
    }

    #[inline(always)]
    fn row(self, input: u32) -> &'a [i16] {
        &self.weights[input as usize * self.width..][..self.width]
    }

    /// Where a row starts.
    ///
    /// # Safety
    /// The row exists.
    #[inline(always)]
    unsafe fn start(self, input: u32) -> *const u8 {
        debug_assert!(self.holds(input));
        // SAFETY: the row lies within the weights.
        unsafe { self.weights.as_ptr().add(input as usize * self.width).cast() }
    }

    #[inline(always)]
    fn holds(self, input: u32) -> bool {
        (input as usize + 1) * self.width <= self.weights.len()
    }
}

type Update = unsafe fn(Rows<'_>, parent: &[i16], child: &mut [i16], pairs: &[(u32, u32)]);
type Apply = unsafe fn(Rows<'_>, accumulator: &mut [i16], gone: &[u32], come: &[u32]);
type Forward = unsafe fn(&Layers, us: &[i16], them: &[i16]) -> i32;

/// The functions of a level.
///
/// Callers must run on a machine that has the level, and pass accumulators of the rows' or layers'
/// width (a multiple of 32) that start at a cache line, and rows that exist.
#[derive(Clone, Copy)]
pub struct Kernels {
    update: Update,
    apply: Apply,
    forward: Forward,
}

impl Kernels {
    /// The functions of a level, which must be available.
    pub fn new(level: SimdLevel, layers: &Layers) -> Self {
        assert!(level.is_available(), "this machine has no {}", level.name());
        match level {
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512Vnni => avx512_vnni::kernels(layers),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => avx512::kernels(layers),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::AvxVnni => avx_vnni::kernels(layers),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => avx2::kernels(layers),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Sse41 => sse41::kernels(layers),
            #[cfg(target_arch = "aarch64")]
            SimdLevel::Neon => neon_level::kernels(layers),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            SimdLevel::Simd128 => simd128::kernels(layers),
            _ => Self { update: scalar::update, apply: scalar::apply, forward: scalar::forward },
        }
    }

    /// `child = parent`, each pair's first row subtracted and its second added.
    ///
    /// # Safety
    /// `parent` and `child` have the rows' width, which is a multiple of 32, and start at a cache line;
    /// all rows exist. (Each of the search's nodes updates two accumulators: release builds do not
    /// check.)
    #[inline(always)]
    pub unsafe fn update(
        &self,
        rows: Rows<'_>,
        parent: &[i16],
        child: &mut [i16],
        pairs: &[(u32, u32)],
    ) {
        if cfg!(debug_assertions) {
            check_accumulator(parent, rows.width);
            check_accumulator(child, rows.width);
            assert!(pairs.iter().all(|&(gone, come)| rows.holds(gone) && rows.holds(come)));
        }
        // SAFETY: the level was available when `self` was made; the rest is the caller's.
        unsafe { (self.update)(rows, parent, child, pairs) }
    }

    /// Rows subtracted from an accumulator and added to it.
    pub fn apply(&self, rows: Rows<'_>, accumulator: &mut [i16], gone: &[u32], come: &[u32]) {
        check_accumulator(accumulator, rows.width);
        assert!(gone.iter().chain(come).all(|&row| rows.holds(row)));
        // SAFETY: the level was available when `self` was made; the rest has just been checked.
        unsafe { (self.apply)(rows, accumulator, gone, come) }
    }

    /// The layers after the accumulators: the raw value.
    #[inline(always)]
    pub fn forward(&self, layers: &Layers, us: &[i16], them: &[i16]) -> i32 {
        check_accumulator(us, layers.l1);
        check_accumulator(them, layers.l1);
        // SAFETY: as in `apply`.
        unsafe { (self.forward)(layers, us, them) }
    }
}

#[inline(always)]
fn check_accumulator(accumulator: &[i16], width: usize) {
    assert!(accumulator.len() == width && width.is_multiple_of(32));
    assert!(accumulator.as_ptr().addr().is_multiple_of(LINE));
}

/// The functions of a level: the algorithms of `vector` for a register, or for a narrower one where
/// L2 is 8 or L1 no multiple of the register's bytes, inlined where the level's instructions are
/// enabled.
macro_rules! kernels {
    ($(#[$attribute:meta])* $name:ident, $features:literal, $vector:ty, $narrow:ty) => {
        $(#[$attribute])*
        mod $name {
            use super::simd::*;
            use super::vector::{self, Vector};
            use super::{Kernels, Rows};
            use crate::network::layers::Layers;

            pub(super) fn kernels(layers: &Layers) -> Kernels {
                let forward =
                    if layers.paired { choose::<true>(layers) } else { choose::<false>(layers) };
                Kernels { update, apply, forward }
            }

            fn choose<const PAIRED: bool>(layers: &Layers) -> super::Forward {
                // Inputs from one accumulator: a multiple of 32.
                let half = if PAIRED { layers.l1 / 2 } else { layers.l1 };
                let odd = half % <$vector>::BYTES != 0;
                match (layers.l2, odd) {
                    (8, _) => forward::<$narrow, { 32 / <$narrow>::BYTES }, PAIRED>,
                    (16, true) => forward::<$narrow, { 64 / <$narrow>::BYTES }, PAIRED>,
                    (32, true) => forward::<$narrow, { 128 / <$narrow>::BYTES }, PAIRED>,
                    (64, true) => forward::<$narrow, { 256 / <$narrow>::BYTES }, PAIRED>,
                    (_, true) => forward::<$narrow, { 512 / <$narrow>::BYTES }, PAIRED>,
                    (16, false) => forward::<$vector, { 64 / <$vector>::BYTES }, PAIRED>,
                    (32, false) => forward::<$vector, { 128 / <$vector>::BYTES }, PAIRED>,
                    (64, false) => forward::<$vector, { 256 / <$vector>::BYTES }, PAIRED>,
                    (_, false) => forward::<$vector, { 512 / <$vector>::BYTES }, PAIRED>,
                }
            }

            #[target_feature(enable = $features)]
            unsafe fn update(rows: Rows<'_>, from: &[i16], to: &mut [i16], pairs: &[(u32, u32)]) {
                // SAFETY: the caller's, who keeps the contract of `Kernels`.
                unsafe { vector::update::<$vector>(rows, from, to, pairs) }
            }

            #[target_feature(enable = $features)]
            unsafe fn apply(rows: Rows<'_>, sums: &mut [i16], gone: &[u32], come: &[u32]) {
                // SAFETY: as above.
                unsafe { vector::apply::<$vector>(rows, sums, gone, come) }
            }

            #[target_feature(enable = $features)]
            unsafe fn forward<V: Vector, const R: usize, const PAIRED: bool>(
                layers: &Layers,
                us: &[i16],
                them: &[i16],
            ) -> i32 {
                // SAFETY: as above; `kernels` has chosen `R` to fit the layers.
                unsafe { vector::forward::<V, R, PAIRED>(layers, us, them) }
            }
        }
    };
}

kernels!(
    #[cfg(target_arch = "x86_64")]
    avx512_vnni,
    "avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi1,bmi2,popcnt",
    Zmm<VNNI>,
    Ymm<VNNI>
);
kernels!(
    #[cfg(target_arch = "x86_64")]
    avx512,
    "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt",
    Zmm<PLAIN>,
    Ymm<PLAIN>
);
kernels!(
    #[cfg(target_arch = "x86_64")]
    avx_vnni,
    "avxvnni,avx2,bmi1,bmi2,popcnt",
    Ymm<AVX_VNNI>,
    Ymm<AVX_VNNI>
);
kernels!(
    #[cfg(target_arch = "x86_64")]
    avx2,
    "avx2,bmi1,bmi2,popcnt",
    Ymm<PLAIN>,
    Ymm<PLAIN>
);
kernels!(
    #[cfg(target_arch = "x86_64")]
    sse41,
    "sse4.1,ssse3",
    Xmm,
    Xmm
);
kernels!(
    #[cfg(target_arch = "aarch64")]
    neon_level,
    "neon",
    Neon,
    Neon
);
kernels!(
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128,
    "simd128",
    Simd128,
    Simd128
);
