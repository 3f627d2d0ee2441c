//! Random numbers for the protocol and the book. The search does not use any.

use monomi_support::host::random;

/// A random number from 0 to `end` - 1; 0 for an `end` of 0.
pub fn below(end: u64) -> u64 {
    // Taking the upper half of the product is uniform to within end / 2^64.
    ((u128::from(random()) * u128::from(end)) >> 64) as u64
}

/// A random number in 0..1.
pub fn share() -> f64 {
    below(1 << 53) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_numbers_come() {
        let mut seen = [0; 3];
        for _ in 0..300 {
            seen[super::below(3) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| times > 30), "{seen:?}");
        assert_eq!((super::below(0), super::below(1)), (0, 0));
    }
}
