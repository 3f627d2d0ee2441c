//! Time, random numbers, cores and character encodings. On `wasm32-unknown-unknown`, whose standard library has
//! neither time nor random numbers, the program that loads the module provides them as imports of the
//! module `monomi`: `now()` returns milliseconds on a clock that never goes back, `random()` a number in
//! 0..1. Browsers also have the tables of the encodings, which would make the module larger:
//! `decode(encoding, from, length, to)` writes UTF-8 to a buffer and returns its length. `pause()` is called
//! during long work: the program may suspend the module there, and returns 1 if the work should end.

pub mod cores;
pub mod numa;

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use native::{Instant, decode, pause, random};
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use web::{Instant, decode, pause, random};

/// A Japanese encoding, as the Encoding Standard defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Japanese {
    /// Shift_JIS, code page 932.
    ShiftJis = 0,
    /// EUC-JP.
    EucJp = 1,
    /// ISO-2022-JP.
    Iso2022Jp = 2,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod native {
    use super::Japanese;
    use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS};
    use std::hash::{BuildHasher, RandomState};
    pub use std::time::Instant;

    /// Decodes a text. U+FFFD replaces what is invalid.
    pub fn decode(encoding: Japanese, bytes: &[u8]) -> String {
        let table = match encoding {
            Japanese::ShiftJis => SHIFT_JIS,
            Japanese::EucJp => EUC_JP,
            Japanese::Iso2022Jp => ISO_2022_JP,
        };
        table.decode_without_bom_handling(bytes).0.into_owned()
    }

    /// Yields to the page that hosts the module; returns true if the search must stop. Natively there is no
    /// page, so it does nothing and returns false.
    #[inline]
    pub fn pause() -> bool {
        false
    }

    /// 64 random bits.
    pub fn random() -> u64 {
        // The standard library's hasher has a random seed.
        RandomState::new().hash_one(0)
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod web {
    use super::Japanese;
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "monomi")]
    unsafe extern "C" {
        safe fn now() -> f64;
        #[link_name = "pause"]
        safe fn host_pause() -> u32;
        #[link_name = "random"]
        safe fn random_share() -> f64;
        #[link_name = "decode"]
        fn decode_into(encoding: u32, from: *const u8, length: usize, to: *mut u8) -> usize;
    }

    /// Decodes a text. U+FFFD replaces what is invalid.
    pub fn decode(encoding: Japanese, bytes: &[u8]) -> String {
        // In these encodings a byte gives at most one character, which has three bytes in UTF-8.
        let mut text = vec![0; 3 * bytes.len()];
        let from = bytes.as_ptr();
        // SAFETY: the host reads the bytes and writes at most three times as many.
        let length = unsafe { decode_into(encoding as u32, from, bytes.len(), text.as_mut_ptr()) };
        text.truncate(length);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Yields to the page that hosts the module; returns true if the search must stop.
    pub fn pause() -> bool {
        host_pause() != 0
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
