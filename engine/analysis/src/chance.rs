//! Winning probabilities of scores, and the views of both sides.

use monomi_search::Score;
use shogi_core::Color;

/// Scale of the winning probability in centipawns. 600 is the usual value and ShogiHome's default.
const SLOPE: f64 = 600.0;

/// Largest score in centipawns made of a winning probability: that of a mate of unknown length.
const DECIDED: f64 = 30_000.0;

/// The winning probability of the side to which the score belongs, 0 to 1.
pub(crate) fn win_probability(score: Score) -> f64 {
    match score {
        Score::Cp(cp) => 1.0 / (1.0 + (-f64::from(cp) / SLOPE).exp()),
        Score::Mate(plies) => f64::from(u8::from(plies > 0)),
    }
}

/// The score in centipawns that has this winning probability.
pub(crate) fn score_of(chance: f64) -> Score {
    let cp = SLOPE * (chance / (1.0 - chance)).ln();
    Score::Cp(cp.clamp(-DECIDED, DECIDED).round() as i32)
}

/// The score from Black's point of view.
pub(crate) fn black_view(score: Score, to_move: Color) -> Score {
    match (score, to_move) {
        (score, Color::Black) => score,
        (Score::Cp(cp), Color::White) => Score::Cp(-cp),
        (Score::Mate(plies), Color::White) => Score::Mate(-plies),
    }
}

/// Black's winning probability.
pub(crate) fn black_chance(score: Score, to_move: Color) -> f64 {
    let chance = win_probability(score);
    if to_move == Color::Black { chance } else { 1.0 - chance }
}

/// A winning probability as shown in data, with four decimals.
pub(crate) fn rounded(probability: f64) -> f64 {
    (probability * 10_000.0).round() / 10_000.0
}

/// Centipawns or plies to mate; one of the two is set.
pub(crate) fn parts(score: Score) -> (Option<i32>, Option<i32>) {
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
        assert!((win_probability(Score::Cp(0)) - 0.5).abs() < 1e-12);
        for cp in [1, 100, 2000, 30_000] {
            let both = win_probability(Score::Cp(cp)) + win_probability(Score::Cp(-cp));
            assert!((both - 1.0).abs() < 1e-12);
        }
        // The usual example: 600 is 73 %.
        assert!((win_probability(Score::Cp(600)) - 0.731).abs() < 1e-3);
        assert_eq!(win_probability(Score::Mate(5)), 1.0);
        assert_eq!(win_probability(Score::Mate(-5)), 0.0);
        assert_eq!(win_probability(Score::Mate(0)), 0.0);
        for cp in [-5000, -600, -1, 0, 1, 86, 3000] {
            assert_eq!(score_of(win_probability(Score::Cp(cp))), Score::Cp(cp));
        }
        assert_eq!((score_of(1.0), score_of(0.0)), (Score::Cp(30_000), Score::Cp(-30_000)));
    }

    #[test]
    fn views() {
        assert_eq!(black_view(Score::Cp(30), Color::White), Score::Cp(-30));
        assert_eq!(black_view(Score::Mate(-3), Color::White), Score::Mate(3));
        assert_eq!(black_view(Score::Mate(3), Color::Black), Score::Mate(3));
    }
}
