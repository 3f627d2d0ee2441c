//! Vectors of floats with the instructions that the machine has.
//!
//! An algorithm is written once over `Simd`, a token whose existence proves that the machine
//! has the level's instructions, and is compiled for each level by `kernel!`.

#![allow(clippy::inline_always, reason = "without inlining, every operation would be a call")]

/// A set of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level(pub(crate) Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Level {
    /// Plain code.
    pub(crate) const PORTABLE: Level = Level(Kind::Portable);

    /// All levels of this machine, best first.
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(target_arch = "x86_64")]
        let wide = [
            (Kind::Avx512, is_x86_feature_detected!("avx512f")),
            (Kind::Avx2, is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let wide: [(Kind, bool); 0] = [];
        wide.into_iter()
            .filter_map(|(kind, there)| there.then_some(Level(kind)))
            .chain([Self::PORTABLE])
    }

    /// The best level of this machine.
    pub fn best() -> Self {
        Self::available().next().unwrap_or(Self::PORTABLE)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "AVX2",
            Kind::Portable => "plain code",
        }
    }
}

/// Operations on vectors of [`LANES`](Simd::LANES) floats, at most 16.
pub(crate) trait Simd: Copy {
    type V: Copy;
    const LANES: usize;

    fn splat(self, value: f32) -> Self::V;
    /// Loads the first floats of a slice, which must be long enough.
    fn load(self, from: &[f32]) -> Self::V;
    /// Stores to the start of a slice, which must be long enough.
    fn store(self, value: Self::V, to: &mut [f32]);
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    fn div(self, a: Self::V, b: Self::V) -> Self::V;
    fn sqrt(self, a: Self::V) -> Self::V;
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    fn max(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a * b + c`, rounded once or twice.
    fn mul_add(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
}

/// Plain code with four lanes, which compilers turn into SSE or NEON.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Portable {
    #[inline(always)]
    fn zip(a: [f32; 4], b: [f32; 4], f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
        [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
    }
}

impl Simd for Portable {
    type V = [f32; 4];
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(self, value: f32) -> [f32; 4] {
        [value; 4]
    }
    #[inline(always)]
    fn load(self, from: &[f32]) -> [f32; 4] {
        [from[0], from[1], from[2], from[3]]
    }
    #[inline(always)]
    fn store(self, value: [f32; 4], to: &mut [f32]) {
        to[..4].copy_from_slice(&value);
    }
    #[inline(always)]
    fn add(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn sqrt(self, a: [f32; 4]) -> [f32; 4] {
        a.map(f32::sqrt)
    }
    #[inline(always)]
    fn min(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
        Self::zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn mul_add(self, a: [f32; 4], b: [f32; 4], c: [f32; 4]) -> [f32; 4] {
        [a[0] * b[0] + c[0], a[1] * b[1] + c[1], a[2] * b[2] + c[2], a[3] * b[3] + c[3]]
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    use super::Simd;
    use std::arch::x86_64::*;

    /// Defines a token and its operations.
    macro_rules! token {
        ($(#[$doc:meta])* $name:ident, $vector:ty, $lanes:literal, $set1:ident, $load:ident,
         $store:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $min:ident,
         $max:ident, $fma:ident) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(crate) struct $name(());

            impl $name {
                /// # Safety
                /// The machine has the level's instructions.
                #[inline(always)]
                pub(crate) unsafe fn new() -> Self {
                    Self(())
                }
            }

            token!(@impl $name, $vector, $lanes, $load, $store, $set1,
                   [add: $add, sub: $sub, mul: $mul, div: $div, min: $min, max: $max],
                   $sqrt, $fma);
        };
        (@impl $name:ident, $vector:ty, $lanes:literal, $load:ident, $store:ident, $set1:ident,
         [$($op:ident: $of:ident),*], $sqrt:ident, $fma:ident) => {
            impl Simd for $name {
                type V = $vector;
                const LANES: usize = $lanes;

                #[inline(always)]
                fn splat(self, value: f32) -> $vector {
                    // SAFETY: the token proves the instructions.
                    unsafe { $set1(value) }
                }
                #[inline(always)]
                fn load(self, from: &[f32]) -> $vector {
                    // SAFETY: the token proves the instructions, the slicing the length.
                    unsafe { $load(from[..$lanes].as_ptr()) }
                }
                #[inline(always)]
                fn store(self, value: $vector, to: &mut [f32]) {
                    // SAFETY: the token proves the instructions, the slicing the length.
                    unsafe { $store(to[..$lanes].as_mut_ptr(), value) }
                }
                $(#[inline(always)]
                fn $op(self, a: $vector, b: $vector) -> $vector {
                    // SAFETY: the token proves the instructions.
                    unsafe { $of(a, b) }
                })*
                #[inline(always)]
                fn sqrt(self, a: $vector) -> $vector {
                    // SAFETY: the token proves the instructions.
                    unsafe { $sqrt(a) }
                }
                #[inline(always)]
                fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                    // SAFETY: the token proves the instructions.
                    unsafe { $fma(a, b, c) }
                }
            }
        };
    }

    token!(
        /// AVX-512F.
        Avx512, __m512, 16, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps,
        _mm512_sub_ps, _mm512_mul_ps, _mm512_div_ps, _mm512_sqrt_ps, _mm512_min_ps,
        _mm512_max_ps, _mm512_fmadd_ps
    );
    token!(
        /// AVX2 and FMA.
        Avx2, __m256, 8, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps,
        _mm256_sub_ps, _mm256_mul_ps, _mm256_div_ps, _mm256_sqrt_ps, _mm256_min_ps,
        _mm256_max_ps, _mm256_fmadd_ps
    );
}

/// Compiles an algorithm, a function over a `Simd` token, for every level. The result is a function
/// whose first argument is the level.
macro_rules! kernel {
    ($(#[$doc:meta])* $vis:vis fn $name:ident = $body:ident($($arg:ident: $ty:ty),* $(,)?)) => {
        $(#[$doc])*
        $vis fn $name(level: $crate::simd::Level, $($arg: $ty),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f")]
            fn avx512($($arg: $ty),*) {
                // SAFETY: this function is only called where the machine has them.
                $body(unsafe { $crate::simd::x86::Avx512::new() }, $($arg),*);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($arg: $ty),*) {
                // SAFETY: this function is only called where the machine has them.
                $body(unsafe { $crate::simd::x86::Avx2::new() }, $($arg),*);
            }
            match level.0 {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: a `Level` is only given out where the machine has it.
                $crate::simd::Kind::Avx512 => unsafe { avx512($($arg),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: a `Level` is only given out where the machine has it.
                $crate::simd::Kind::Avx2 => unsafe { avx2($($arg),*) },
                $crate::simd::Kind::Portable => $body($crate::simd::Portable, $($arg),*),
            }
        }
    };
}
pub(crate) use kernel;
