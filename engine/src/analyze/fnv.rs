//! FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>): a checksum that is the same on all versions
//! and machines, for telling changed input from what it was.

/// The checksum of nothing.
pub const EMPTY: u64 = 0xCBF2_9CE4_8422_2325;

/// The checksum of what `hash` stands for with more bytes behind it.
pub fn fnv<'a>(hash: u64, bytes: impl IntoIterator<Item = &'a u8>) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    bytes.into_iter().fold(hash, step)
}
