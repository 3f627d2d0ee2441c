//! Values and scores.
//!
//! Inside the search a [`Value`] is a plain integer for the side to move: evaluations in internal
//! units, mates near [`MATE`] by distance from the root. Towards users it becomes a [`Score`].

use std::num::NonZeroU16;

/// A value for the side to move, in `-INFINITE..=INFINITE`.
pub type Value = i32;

/// Greater than every value.
pub const INFINITE: Value = 32_001;
/// The value of having mated; a mate in `n` plies is worth `MATE - n`.
pub const MATE: Value = 32_000;
/// The longest line of the search, in plies.
pub const MAX_PLY: usize = 246;
/// Values from here on are mates found by the search.
pub const MATE_IN_MAX_PLY: Value = MATE - MAX_PLY as Value;
/// Evaluations lie in `-MAX_EVAL..=MAX_EVAL`; values beyond are [decisive](is_decisive).
pub const MAX_EVAL: Value = 27_000;
/// The value of a superior repetition at the root: practically won, but not a mate. In the tree it
/// is smaller by the distance from the root, at most [`MAX_PLY`], so it stays above [`MAX_EVAL`].
pub const SUPERIOR: Value = 28_000;

/// Winning by mate in `ply` plies from the root.
#[inline]
pub fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Being mated `ply` plies from the root.
#[inline]
pub fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// Whether a value is a mate or a win or loss by repetition rather than an estimate.
#[inline(always)]
pub fn is_decisive(value: Value) -> bool {
    value.abs() > MAX_EVAL
}

/// Whether a value is a proven win.
#[inline(always)]
pub fn is_win(value: Value) -> bool {
    value > MAX_EVAL
}

/// Whether a value is a proven loss.
#[inline(always)]
pub fn is_loss(value: Value) -> bool {
    value < -MAX_EVAL
}

/// A score as users see it, from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many plies: positive when the side to move mates, `Mate(-n)` when it is mated.
    /// Zero means that it is mated already.
    Mate(i32),
}

/// `cp 35` or `mate -4`, as USI writes it.
///
/// ```
/// use monomi_eval::score::Score;
/// assert_eq!([Score::Cp(35), Score::Mate(-4)].map(|score| score.to_string()), ["cp 35", "mate -4"]);
/// ```
impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "cp {cp}"),
            Self::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

impl Score {
    /// Internal units in a pawn: YaneuraOu's scale.
    pub const PAWN_VALUE: i32 = 90;

    /// The score of a value of the search.
    pub fn from_value(value: Value) -> Self {
        if value >= MATE_IN_MAX_PLY {
            Score::Mate(MATE - value)
        } else if value <= -MATE_IN_MAX_PLY {
            Score::Mate(-(MATE + value))
        } else {
            Score::Cp(value * 100 / Self::PAWN_VALUE)
        }
    }

    /// The search's value: the exact inverse of [`Score::from_value`].
    pub fn to_value(self) -> Value {
        match self {
            // A unit is more than a centipawn, so no two values have the same score.
            Score::Cp(cp) => {
                let value = (cp.abs() * Self::PAWN_VALUE + 99) / 100;
                value * cp.signum()
            }
            Score::Mate(plies) if plies > 0 => MATE - plies,
            Score::Mate(plies) => -MATE - plies,
        }
    }

    /// The winning probability of the side to which the score belongs, from 0 to 1: a mate is
    /// certain, `Cp(scale)` wins 73 % of the games. The scale, in centipawns, is the network's.
    pub fn winning_probability(self, scale: NonZeroU16) -> f64 {
        match self {
            Score::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / f64::from(scale.get())).exp()),
            Score::Mate(plies) => f64::from(u8::from(plies > 0)),
        }
    }
}

/// The scale of the winning probability that GUIs assume, for evaluations that state no other.
pub const DEFAULT_WIN_SCALE: NonZeroU16 = NonZeroU16::new(600).unwrap();

/// Whether a score is exact or only a bound: what failed high or low in the aspiration window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Bound {
    /// Exact.
    Exact,
    /// At least the score (failed high).
    Lower,
    /// At most the score (failed low).
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturated_evaluations_are_not_decisive_and_repetition_wins_are() {
        assert!(!is_decisive(MAX_EVAL) && !is_decisive(-MAX_EVAL));
        assert!(!is_win(MAX_EVAL) && !is_loss(-MAX_EVAL));
        // The smallest win that the search finds: a superior repetition at the end of a line.
        let superior = SUPERIOR - MAX_PLY as Value;
        assert!(is_decisive(superior) && is_win(superior) && is_loss(-superior));
        const { assert!(SUPERIOR < MATE_IN_MAX_PLY) };
    }

    #[test]
    fn scores_convert_back_to_values() {
        // MATE itself is not a score: there is no mate before the first ply.
        for value in -MATE..MATE {
            assert_eq!(Score::from_value(value).to_value(), value);
        }
    }
}
