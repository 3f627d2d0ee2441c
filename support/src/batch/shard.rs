//! A part of a numbered sequence, for work that is divided among machines.

use crate::text::{error_message, messages};
use std::fmt;
use std::str::FromStr;

/// Part `index` of `of`: the numbers `index` - 1, `index` - 1 + `of`, and so on. Read from `I/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of this part, 1 to `of`.
    pub index: u64,
    /// Number of parts, at least 1.
    pub of: u64,
}

impl Shard {
    /// The whole sequence.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Whether this part has a number, counted from 0.
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.index - 1
    }
}

messages! {
    /// A text is not a [`Shard`].
    #[derive(Debug)]
    pub struct ShardError =>
        "expected I/N with I from 1 to N, like 3/8",
        "3/8 のように I/N（I は 1 から N）の形で指定してください";
}
error_message!(ShardError);

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self { index, of }),
            _ => Err(ShardError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_a_partition() {
        let shards = ["1/3", "2/3", "3/3"].map(|text| text.parse::<Shard>().unwrap());
        for number in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(number)).count(), 1);
            assert!(Shard::WHOLE.has(number));
        }
        for wrong in ["0/3", "4/3", "1/0", "1", "a/b", "-1/3", "1/3/5", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
