//! Winning probabilities of scores, and the views of both sides.

use monomi_eval::DEFAULT_WIN_SCALE;
use monomi_search::Score;
use shogi_core::Color;
use std::num::NonZeroU16;

/// Largest score in centipawns made of a winning probability: the game is decided.
const DECIDED: f64 = 9_999.0;

/// Scale between scores and winning probabilities, in centipawns: the score that wins 73 % of the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinScale(NonZeroU16);

impl Default for WinScale {
    fn default() -> Self {
        Self::new(DEFAULT_WIN_SCALE)
    }
}

impl WinScale {
    /// A scale in centipawns.
    pub fn new(centipawns: NonZeroU16) -> Self {
        Self(centipawns)
    }

    /// The scale itself.
    pub(crate) fn centipawns(self) -> f64 {
        f64::from(self.0.get())
    }

    /// The winning probability of the side to which the score belongs, 0 to 1.
    pub(crate) fn chance(self, score: Score) -> f64 {
        score.winning_probability(self.0)
    }

    /// The score in centipawns that has this winning probability, at most ±9999.
    pub(crate) fn score(self, chance: f64) -> Score {
        let cp = self.centipawns() * (chance / (1.0 - chance)).ln();
        Score::Cp(cp.clamp(-DECIDED, DECIDED).round() as i32)
    }
}

/// Black's winning probability from that of the side to move.
pub fn of_black(chance: f64, to_move: Color) -> f64 {
    if to_move == Color::Black { chance } else { 1.0 - chance }
}

/// The score from Black's point of view.
pub fn black_view(score: Score, to_move: Color) -> Score {
    match (score, to_move) {
        (score, Color::Black) => score,
        (Score::Cp(cp), Color::White) => Score::Cp(-cp),
        (Score::Mate(plies), Color::White) => Score::Mate(-plies),
    }
}

/// A winning probability or an accuracy as shown in data, with four decimals; the last bits of `exp`
/// are not the same in browsers.
pub fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

/// Centipawns or plies to mate; one of the two is set.
pub fn parts(score: Score) -> (Option<i32>, Option<i32>) {
    match score {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(plies) => (None, Some(plies)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities() {
        for scale in [1, 340, 600, 65_535].map(|scale| NonZeroU16::new(scale).unwrap()) {
            let cp = i32::from(scale.get());
            let scale = WinScale::new(scale);
            assert!((scale.chance(Score::Cp(0)) - 0.5).abs() < 1e-12);
            // The usual example: the scale itself is 73 %.
            assert!((scale.chance(Score::Cp(cp)) - 0.731).abs() < 1e-3);
            for cp in [1, 100, 2000, 30_000] {
                let both = scale.chance(Score::Cp(cp)) + scale.chance(Score::Cp(-cp));
                assert!((both - 1.0).abs() < 1e-12);
            }
            assert_eq!([5, -5, 0].map(|plies| scale.chance(Score::Mate(plies))), [1.0, 0.0, 0.0]);
            assert_eq!((scale.score(1.0), scale.score(0.0)), (Score::Cp(9_999), Score::Cp(-9_999)));
        }
        let scale = WinScale::default();
        for cp in [-5000, -600, -1, 0, 1, 86, 3000] {
            assert_eq!(scale.score(scale.chance(Score::Cp(cp))), Score::Cp(cp));
        }
    }

    #[test]
    fn views() {
        assert_eq!(black_view(Score::Cp(30), Color::White), Score::Cp(-30));
        assert_eq!(black_view(Score::Mate(-3), Color::White), Score::Mate(3));
        assert_eq!(black_view(Score::Mate(3), Color::Black), Score::Mate(3));
    }
}
