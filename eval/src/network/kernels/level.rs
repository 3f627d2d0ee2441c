//! Which vector instructions a machine has.

/// Vector instructions of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SimdLevel {
    /// AVX-512 with byte dot products.
    Avx512Vnni,
    /// AVX-512 (F, BW, DQ, VL).
    Avx512,
    /// AVX2 with byte dot products.
    AvxVnni,
    /// AVX2.
    Avx2,
    /// SSE4.1.
    Sse41,
    /// NEON.
    Neon,
    /// WebAssembly's vectors of 128 bits.
    Simd128,
    /// Plain code.
    Scalar,
}

impl SimdLevel {
    const ALL: [SimdLevel; 8] = [
        SimdLevel::Avx512Vnni,
        SimdLevel::Avx512,
        SimdLevel::AvxVnni,
        SimdLevel::Avx2,
        SimdLevel::Sse41,
        SimdLevel::Neon,
        SimdLevel::Simd128,
        SimdLevel::Scalar,
    ];

    /// All levels that this machine has, the best first, `Scalar` last.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// The best level of this machine.
    pub fn best() -> Self {
        Self::available().next().unwrap_or(SimdLevel::Scalar)
    }

    /// Whether this machine has the level.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn is_available(self) -> bool {
        let sse41 = is_x86_feature_detected!("sse4.1") && is_x86_feature_detected!("ssse3");
        let avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        match self {
            SimdLevel::Avx512Vnni => avx512 && is_x86_feature_detected!("avx512vnni"),
            SimdLevel::Avx512 => avx512,
            SimdLevel::AvxVnni => avx2 && is_x86_feature_detected!("avxvnni"),
            SimdLevel::Avx2 => avx2,
            SimdLevel::Sse41 => sse41,
            SimdLevel::Neon | SimdLevel::Simd128 => false,
            SimdLevel::Scalar => true,
        }
    }

    /// Whether this machine has the level.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn is_available(self) -> bool {
        let neon = cfg!(all(target_arch = "aarch64", target_endian = "little"));
        let simd128 = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));
        match self {
            SimdLevel::Neon => neon,
            SimdLevel::Simd128 => simd128,
            SimdLevel::Scalar => true,
            _ => false,
        }
    }

    /// The name for display.
    pub fn name(self) -> &'static str {
        match self {
            SimdLevel::Avx512Vnni => "AVX-512 VNNI",
            SimdLevel::Avx512 => "AVX-512",
            SimdLevel::AvxVnni => "AVX2 VNNI",
            SimdLevel::Avx2 => "AVX2",
            SimdLevel::Sse41 => "SSE4.1",
            SimdLevel::Neon => "NEON",
            SimdLevel::Simd128 => "SIMD128",
            SimdLevel::Scalar => "scalar",
        }
    }
}
