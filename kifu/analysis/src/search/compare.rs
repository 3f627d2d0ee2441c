//! Compares the played move with the best move before the played one is called bad.

use crate::chance::WinScale;
use monomi_movegen::PackedMove;
use monomi_search::{Bound, Info, Reporter, Score};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Largest reduction of a difference, in winning probability.
const NOISE: f64 = 0.025;
/// Largest reduction of a difference, as a share of it.
const NOISE_SHARE: f64 = 0.2;
/// Completed iterations over which the comparison is averaged.
const ITERATIONS: usize = 2;

/// The best move and the played move compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Winning probability of the mover after the best move, 0 to 1.
    pub best: f64,
    /// Winning probability of the mover after the played move, 0 to 1: what the opponent leaves it in
    /// the account of the rest of the game.
    pub played: f64,
    /// Nodes searched to compare the two.
    pub nodes: u64,
}

impl Comparison {
    /// The best move was played.
    pub fn of_best_move(kept: f64) -> Self {
        Self { best: kept, played: kept, nodes: 0 }
    }

    /// Another move begins a mate that the mate solver has proven, which needs no comparison.
    pub fn of_missed_mate(kept: f64) -> Self {
        Self { best: 1.0, played: kept, nodes: 0 }
    }

    /// The winning probability of the side to move in the account of the game. It is not below that of
    /// the played move, which can be chosen.
    pub fn chance(&self) -> f64 {
        self.best.max(self.played)
    }
}

/// A difference of winning probabilities reduced to correct for selection bias: moves are compared
/// because a search found a difference, and such a difference is more often too large than too small.
/// If one of the two is decided, it is exact.
pub fn reduced(best: f64, played: f64) -> f64 {
    let difference = best - played;
    let decided = [best, played].iter().any(|&win| win == 0.0 || win == 1.0);
    let excess = (difference * NOISE_SHARE).clamp(-NOISE, NOISE);
    if decided { difference } else { difference - excess }
}

/// Collects the scores of root moves by iteration.
#[derive(Default)]
pub struct ScoresByMove {
    scores: Vec<(u32, PackedMove, Score)>,
}

impl Reporter for ScoresByMove {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.bound == Bound::Exact
            && let Some(&mv) = info.pv.first()
        {
            self.scores.push((info.depth, mv, info.score));
        }
        ControlFlow::Continue(())
    }
}

impl ScoresByMove {
    /// The mean winning probabilities of these moves over the last iterations, up to `depth`, that
    /// have scores for all of them.
    pub fn means<const N: usize>(
        &self,
        moves: [PackedMove; N],
        depth: u32,
        scale: WinScale,
    ) -> Option<[f64; N]> {
        let (mut sums, mut count) = ([0.0; N], 0);
        for iteration in (1..=depth).rev() {
            let of = |mv| {
                let last = self.scores.iter().rfind(|s| s.0 == iteration && s.1 == mv);
                last.map_or(f64::NAN, |s| scale.chance(s.2))
            };
            let scores = moves.map(of);
            if scores.iter().any(|score| score.is_nan()) {
                continue;
            }
            for (sum, score) in sums.iter_mut().zip(scores) {
                *sum += score;
            }
            count += 1;
            // Averaging a mate with a score from before it was found would hide it.
            let decided = scores.iter().any(|&score| score == 0.0 || score == 1.0);
            if count == ITERATIONS || decided && count == 1 {
                break;
            }
        }
        (count > 0).then(|| sums.map(|sum| sum / count as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_reduced_by_noise() {
        let loss = |best, played| (reduced(best, played) * 10_000.0_f64).round() / 10_000.0;
        assert_eq!(loss(0.56, 0.50), 0.048);
        assert_eq!(loss(0.80, 0.50), 0.275);
        assert_eq!(loss(0.50, 0.56), -0.048);
        assert_eq!(loss(0.50, 0.0), 0.5);
        assert_eq!(loss(1.0, 0.9), 0.1);
    }

    #[test]
    fn means_are_of_the_last_complete_iterations() {
        let [a, b]: [PackedMove; 2] = ["7g7f", "2g2f"].map(|mv| mv.parse().unwrap());
        let mut scores = ScoresByMove::default();
        let mut add = |depth, mv, score, bound| {
            let mut info = Info::new(score, vec![mv]);
            (info.depth, info.multipv_count, info.bound) = (depth, 2, bound);
            let _ = scores.info(&info);
        };
        for (depth, of_a, of_b) in [(1, 900, 900), (2, 600, 0), (3, 0, 600)] {
            add(depth, a, Score::Cp(of_a), Bound::Exact);
            add(depth, b, Score::Cp(of_b), Bound::Exact);
        }
        // Bounds, incomplete iterations and iterations beyond the depth do not count.
        add(3, a, Score::Cp(5000), Bound::Upper);
        add(4, a, Score::Cp(5000), Bound::Exact);
        let scale = WinScale::default();
        let mean = (scale.chance(Score::Cp(600)) + 0.5) / 2.0;
        assert_eq!(scores.means([a, b], 4, scale), Some([mean; 2]));
        assert_eq!(scores.means([a, b], 1, scale), Some([scale.chance(Score::Cp(900)); 2]));
        assert_eq!(scores.means([a, b], 0, scale), None);
        // A mate in the last iteration is not averaged.
        let mut add = |mv, score| scores.scores.push((5, mv, score));
        add(a, Score::Mate(3));
        add(b, Score::Cp(0));
        assert_eq!(scores.means([a, b], 5, scale), Some([1.0, 0.5]));
    }
}
