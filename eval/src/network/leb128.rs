//! Blocks of signed LEB128 numbers: `COMPRESSED_LEB128`, u32 length in bytes, the numbers.
//!
//! A number takes one to three bytes of seven bits each, lowest first; bit 7 says that another
//! byte follows, and bit 6 of the last is the sign.

use monomi_support::text::{error_message, messages};

/// What every block starts with.
pub const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// Bytes that are worth a thread.
const SHARE: usize = 1 << 20;

messages! {
    /// Why a block was not decoded.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[non_exhaustive]
    pub enum Leb128Error {
        /// A number has more than three bytes.
        TooLong =>
            "a compressed number has more than three bytes",
            "圧縮された数値が三バイトを超えています";
        /// The last number does not end.
        Unfinished =>
            "the last compressed number does not end", "最後の圧縮された数値が途中で終わっています";
    }
}
error_message!(Leb128Error);

/// Number of numbers in a block.
pub fn count(bytes: &[u8]) -> usize {
    let ends = |bytes: &[u8]| bytes.iter().map(|&byte| byte >> 7 ^ 1).sum::<u8>();
    // A byte counts 255 numbers without overflow.
    bytes.chunks(255).map(|chunk| usize::from(ends(chunk))).sum()
}

/// Decodes a block of `numbers.len()` numbers, on several threads if it is large.
///
/// # Panics
/// If the block has another number of numbers than [`count`] says.
pub fn decode(bytes: &[u8], numbers: &mut [i16]) -> Result<(), Leb128Error> {
    if bytes.last().is_some_and(|last| last & 0x80 != 0) {
        return Err(Leb128Error::Unfinished);
    }
    if bytes.len() / 2 < SHARE {
        return decode_share(bytes, numbers);
    }
    // rayon's global pool panics if the system cannot start its threads; building one returns an error.
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| decode_shares(bytes, numbers)),
        Err(_) => decode_share(bytes, numbers),
    }
}

/// Halves a block until the parts are not worth a thread.
fn decode_shares(bytes: &[u8], numbers: &mut [i16]) -> Result<(), Leb128Error> {
    let half = bytes.len() / 2;
    if half < SHARE {
        return decode_share(bytes, numbers);
    }
    // The end of the number that the half lies in: one has at most three bytes.
    let ends = |end: &usize| bytes[end - 1] & 0x80 == 0;
    let middle = (half..half + 3).find(ends).ok_or(Leb128Error::TooLong)?;
    let (left, right) = bytes.split_at(middle);
    let (first, second) = numbers.split_at_mut(count(left));
    let (left, right) = rayon::join(|| decode_shares(left, first), || decode_shares(right, second));
    left.and(right)
}

fn decode_share(bytes: &[u8], numbers: &mut [i16]) -> Result<(), Leb128Error> {
    const MORE: u64 = 0x8080_8080_8080_8080;
    let (mut at, mut done) = (0, 0);
    // Eight bytes at a time; most numbers have one.
    while at + 8 <= bytes.len() && done + 8 <= numbers.len() {
        let word: [u8; 8] = bytes[at..at + 8].try_into().expect("eight bytes");
        let more = u64::from_le_bytes(word) & MORE;
        for (number, byte) in numbers[done..done + 8].iter_mut().zip(word) {
            *number = i16::from((byte << 1) as i8 >> 1);
        }
        if more == 0 {
            at += 8;
            done += 8;
            continue;
        }
        // The numbers before the first longer one are right.
        let short = more.trailing_zeros() as usize / 8;
        at += short;
        done += short;
        numbers[done] = one(bytes, &mut at)?;
        done += 1;
    }
    for number in &mut numbers[done..] {
        *number = one(bytes, &mut at)?;
    }
    assert_eq!(at, bytes.len(), "as many numbers as `count` says");
    Ok(())
}

#[inline(always)]
fn one(bytes: &[u8], at: &mut usize) -> Result<i16, Leb128Error> {
    let mut value = 0_u32;
    for shift in [0, 7, 14] {
        let &byte = bytes.get(*at).ok_or(Leb128Error::Unfinished)?;
        *at += 1;
        value |= u32::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            let unused = 25 - shift;
            // Three bytes hold 21 bits; the upper ones are cut off.
            return Ok(((value << unused) as i32 >> unused) as i16);
        }
    }
    Err(Leb128Error::TooLong)
}

/// Appends a block.
pub fn encode(numbers: &[i16], to: &mut Vec<u8>) {
    to.extend(MAGIC);
    let length_at = to.len();
    to.extend([0; 4]);
    for &number in numbers {
        let mut rest = number;
        loop {
            let byte = (rest & 0x7F) as u8;
            rest >>= 7;
            let sign = if byte & 0x40 == 0 { 0 } else { -1 };
            if rest == sign {
                to.push(byte);
                break;
            }
            to.push(byte | 0x80);
        }
    }
    let length = (to.len() - length_at - 4) as u32;
    to[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_decoded_as_encoded() {
        // In orders that put long numbers at all distances.
        for step in [1, 257, 4_099, 30_011] {
            let numbers: Vec<i16> = (0..65536_u32).map(|i| (i * step) as u16 as i16).collect();
            let mut bytes = Vec::new();
            encode(&numbers, &mut bytes);
            let body = &bytes[21..];
            assert_eq!(count(body), numbers.len());
            let mut decoded = vec![0; numbers.len()];
            decode(body, &mut decoded).unwrap();
            assert!(decoded == numbers, "step {step}");
        }
    }

    #[test]
    fn large_blocks_are_shared_between_threads() {
        let numbers: Vec<i16> =
            (0..3_000_000_u32).map(|i| (i.wrapping_mul(40_503) >> 7) as i16).collect();
        let mut bytes = Vec::new();
        encode(&numbers, &mut bytes);
        let mut decoded = vec![0; numbers.len()];
        assert_eq!(count(&bytes[21..]), numbers.len());
        decode(&bytes[21..], &mut decoded).unwrap();
        assert!(decoded == numbers);
    }

    #[test]
    fn bad_numbers_are_refused() {
        let decoded = |bytes: &[u8]| decode(bytes, &mut vec![0; count(bytes)]);
        assert_eq!(decoded(&[0x80, 0x80, 0x80, 0]), Err(Leb128Error::TooLong));
        assert_eq!(decoded(&[1, 0x80]), Err(Leb128Error::Unfinished));
        // Where a large block is halved, too.
        let mut endless = vec![0x80; 2 * SHARE + 1];
        endless[2 * SHARE] = 0;
        assert_eq!(decoded(&endless), Err(Leb128Error::TooLong));
        assert_eq!(decoded(&[]), Ok(()));
        // Three bytes hold 21 bits: the upper five are cut off.
        let mut number = [0];
        decode(&[0xFF, 0xFF, 0x0F], &mut number).unwrap();
        assert_eq!(number, [-1]);
    }
}
