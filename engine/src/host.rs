//! Time and random numbers. On `wasm32-unknown-unknown`, whose standard library has neither, the
//! program that loads the module provides them as imports of the module `monomi`:
//! `now()` returns milliseconds on a clock that never goes back, `random()` a number in 0..1.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use native::{Instant, random};
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use web::{Instant, random};

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod native {
    use std::hash::{BuildHasher, RandomState};
    pub use std::time::Instant;

    /// 64 random bits.
    pub fn random() -> u64 {
        // The standard library's hasher has a random seed.
        RandomState::new().hash_one(0)
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod web {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "monomi")]
    unsafe extern "C" {
        safe fn now() -> f64;
        #[link_name = "random"]
        safe fn random_share() -> f64;
    }

    /// 64 random bits, as far as the numbers of JavaScript have them.
    pub fn random() -> u64 {
        let high = (random_share() * 4_294_967_296.0) as u64;
        let low = (random_share() * 4_294_967_296.0) as u64;
        high << 32 | low
    }

    /// As [`std::time::Instant`].
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present time.
        pub fn now() -> Self {
            let seconds = now() / 1000.0;
            Self(Duration::try_from_secs_f64(seconds).unwrap_or_default())
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().saturating_duration_since(*self)
        }

        /// The time from `earlier` to this, zero if it is later.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The time from `earlier` to this; `None` if it is later.
        pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
            self.0.checked_sub(earlier.0)
        }

        /// `None` if the sum is too large.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0.saturating_add(time))
        }
    }
}
