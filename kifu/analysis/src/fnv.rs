//! FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>): a checksum that does not depend on the
//! version or the machine, used to detect changed input.

/// Checksum of the empty input.
pub const EMPTY: u64 = 0xCBF2_9CE4_8422_2325;

/// Extends a checksum by more bytes.
pub fn fnv<'a>(hash: u64, bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.into_iter().fold(hash, step)
}
