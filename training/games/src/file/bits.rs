//! Adaptive binary range coding: each bit is coded with a probability estimated from the earlier
//! bits of its context. Uses the range coder of the crate `constriction`.

use super::code::GameError;
use constriction::stream::model::{DecoderModel, EncoderModel, EntropyModel};
use constriction::stream::queue::{DefaultRangeDecoder, DefaultRangeEncoder};
use constriction::stream::{Decode as _, Encode as _};
use std::borrow::Borrow;
use std::num::NonZeroU32;

/// Precision of a probability in bits.
const PRECISION: usize = 16;
const ONE: u32 = 1 << PRECISION;
/// Number of bits after which the adaptation rate of a context stays constant.
const SLOWEST: u32 = 48;

/// The context of a bit: statistics of its values so far.
#[derive(Clone, Copy, Debug)]
pub struct Bit {
    /// The probability of `true`, in units of 1 / 65,536.
    one: u32,
    /// Bits seen, capped at [`SLOWEST`].
    seen: u32,
}

impl Bit {
    pub const NEW: Self = Self { one: ONE / 2, seen: 0 };

    /// Moves the probability towards a bit, quickly at first; later by 1 / 49.5 of the distance.
    fn learn(&mut self, bit: bool) {
        // Integer arithmetic gives the same result on every machine.
        let divisor = 2 * self.seen + 3;
        if bit {
            self.one += 2 * (ONE - self.one) / divisor;
        } else {
            self.one -= 2 * self.one / divisor;
        }
        self.one = self.one.clamp(64, ONE - 64);
        self.seen = (self.seen + 1).min(SLOWEST);
    }
}

impl EntropyModel<PRECISION> for Bit {
    type Symbol = bool;
    type Probability = u32;
}

impl Bit {
    /// Start and size of a bit's interval; `false` comes first.
    fn interval(self, bit: bool) -> (u32, NonZeroU32) {
        let zero = ONE - self.one;
        let (start, size) = if bit { (zero, self.one) } else { (0, zero) };
        (start, NonZeroU32::new(size).expect("a probability above 0"))
    }
}

impl EncoderModel<PRECISION> for Bit {
    fn left_cumulative_and_probability(
        &self,
        symbol: impl Borrow<bool>,
    ) -> Option<(u32, NonZeroU32)> {
        Some(self.interval(*symbol.borrow()))
    }
}

impl DecoderModel<PRECISION> for Bit {
    fn quantile_function(&self, quantile: u32) -> (bool, u32, NonZeroU32) {
        let bit = quantile >= ONE - self.one;
        let (start, size) = self.interval(bit);
        (bit, start, size)
    }
}

/// Codes bits. The same calls write or read them: a writer writes the argument and returns it; a
/// reader ignores the argument and returns what was written.
pub trait Coder {
    /// Codes a bit and updates its context.
    ///
    /// # Errors
    /// The code is damaged.
    fn bit(&mut self, context: &mut Bit, bit: bool) -> Result<bool, GameError>;

    /// Codes the lowest bits of a number, highest first, each with probability 1/2.
    ///
    /// # Errors
    /// The code is damaged.
    fn plain(&mut self, bits: u32, number: u32) -> Result<u32, GameError> {
        let mut read = 0;
        for at in (0..bits).rev() {
            read = read << 1 | u32::from(self.bit(&mut { Bit::NEW }, number >> at & 1 != 0)?);
        }
        Ok(read)
    }

    /// Codes a number below `1 << bits` with a context for each prefix; there must be `1 << bits`
    /// contexts.
    ///
    /// # Errors
    /// The code is damaged.
    fn tree(&mut self, contexts: &mut [Bit], bits: u32, number: u32) -> Result<u32, GameError> {
        let mut node = 1;
        for at in (0..bits).rev() {
            let bit = self.bit(&mut contexts[node], number >> at & 1 != 0)?;
            node = node << 1 | usize::from(bit);
        }
        Ok(node as u32 - (1 << bits))
    }

    /// Codes a number below 65,536: its length in bits, then the bits below the highest one, the
    /// first of them with a context.
    ///
    /// # Errors
    /// The code is damaged.
    fn number(&mut self, contexts: &mut Number, number: u32) -> Result<u32, GameError> {
        let length = u32::BITS - number.leading_zeros();
        let length = self.tree(&mut contexts.length, 5, length)?;
        if length <= 1 {
            return Ok(length);
        }
        if length > 17 {
            return Err(GameError::Coded);
        }
        let below = length - 1;
        let known = below.min(2);
        let contexts = &mut contexts.first[length as usize];
        let first = self.tree(contexts, known, number >> (below - known) & ((1 << known) - 1))?;
        let rest = self.plain(below - known, number)?;
        Ok(1 << below | first << (below - known) | rest)
    }
}

/// Contexts for a number of up to 17 bits.
#[derive(Clone, Debug)]
pub struct Number {
    length: [Bit; 32],
    first: [[Bit; 4]; 18],
}

impl Number {
    pub const NEW: Self = Self { length: [Bit::NEW; 32], first: [[Bit::NEW; 4]; 18] };
}

/// Writes coded bits.
#[derive(Default)]
pub struct BitWriter(DefaultRangeEncoder);

impl BitWriter {
    /// Approximate number of bytes written so far.
    pub fn len(&self) -> usize {
        4 * self.0.num_words()
    }

    /// The coded bytes.
    pub fn finish(self) -> Vec<u8> {
        let Ok(words) = self.0.into_compressed();
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }
}

impl Coder for BitWriter {
    fn bit(&mut self, context: &mut Bit, bit: bool) -> Result<bool, GameError> {
        self.0.encode_symbol(bit, *context).map_err(|_| GameError::Coded)?;
        context.learn(bit);
        Ok(bit)
    }
}

/// Reads coded bits.
pub struct BitReader(DefaultRangeDecoder);

impl BitReader {
    pub fn new(bytes: &[u8]) -> Result<Self, GameError> {
        let (words, []) = bytes.as_chunks() else { return Err(GameError::Coded) };
        let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
        let Ok(decoder) = DefaultRangeDecoder::from_compressed(words);
        Ok(Self(decoder))
    }
}

impl Coder for BitReader {
    fn bit(&mut self, context: &mut Bit, _: bool) -> Result<bool, GameError> {
        let bit = self.0.decode_symbol(*context).map_err(|_| GameError::Coded)?;
        context.learn(bit);
        Ok(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Random;

    /// Codes numbers in three ways and returns them.
    fn code(coder: &mut impl Coder, numbers: &[u32]) -> Vec<[u32; 3]> {
        let (mut contexts, mut tree) = (Number::NEW, [Bit::NEW; 8]);
        let each = |&number: &u32| {
            [
                coder.number(&mut contexts, number).unwrap(),
                coder.tree(&mut tree, 3, number & 7).unwrap(),
                coder.plain(9, number & 511).unwrap(),
            ]
        };
        numbers.iter().map(each).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let mut random = Random::new(1);
        let numbers: Vec<u32> =
            (0..3_000).map(|_| (random.next_u64() >> (48 + random.below(16))) as u32).collect();
        let mut writer = BitWriter::default();
        let written = code(&mut writer, &numbers);
        let bytes = writer.finish();
        let read = code(&mut BitReader::new(&bytes).unwrap(), &vec![0; numbers.len()]);
        assert_eq!(read, written);
        assert!(read.iter().map(|three| three[0]).eq(numbers));
    }

    #[test]
    fn rare_bits_cost_little() {
        let mut writer = BitWriter::default();
        let mut context = Bit::NEW;
        for i in 0..8_000 {
            writer.bit(&mut context, i % 100 == 99).unwrap();
        }
        // The entropy is 8,000 x 0.081 bits = 81 bytes; adapting the probabilities costs some more.
        let bytes = writer.finish().len();
        assert!((81..120).contains(&bytes), "{bytes}");
    }
}
