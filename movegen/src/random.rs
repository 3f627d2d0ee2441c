//! Random numbers that are the same on every machine and in every version.

/// SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>): small, and good enough for choosing moves
/// and shuffling.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of many independent streams of a seed.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut mixed = Self(seed);
        let start = mixed.next_u64();
        let mut mixed = Self(start ^ stream);
        Self(mixed.next_u64())
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A random number below `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next_u64() % end as u64) as usize
    }

    /// A random item; `None` if the slice is empty.
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }
}
