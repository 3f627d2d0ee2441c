//! Statistics of game records, to check them before training.

use super::game::{EndReason, Game};
use shogi_core::Color;

/// Width of a score class in internal units.
const CLASS: i32 = 400;
/// Number of classes on each side of the middle one; scores beyond them are not counted.
const CLASSES: usize = 6;
/// Range of scores used to fit the curve: smaller ones say little about the result, larger ones are
/// adjudicated.
const FIT: std::ops::Range<i32> = 100..1_500;
/// Scales to try, in units of `SCALE_STEP`.
const SCALES: std::ops::RangeInclusive<u32> = 5..=100;
const SCALE_STEP: f64 = 20.0;

/// The positions whose scores for Black are in one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Middle of the class in internal units.
    pub score: i32,
    /// Number of positions.
    pub positions: u64,
    /// Twice the points that Black scored in their games.
    half_points: u64,
}

impl Class {
    /// Black's share of the points.
    pub fn share(&self) -> f64 {
        self.half_points as f64 / (2 * self.positions.max(1)) as f64
    }
}

/// Counts over all games added.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// Number of games.
    pub games: u64,
    /// Number of positions with a score.
    pub positions: u64,
    /// Number of positions where the side to move is not in check and the move played is not a
    /// capture.
    pub quiet: u64,
    /// Number of positions from search trees.
    pub tree: u64,
    /// Number of games drawn, won by Black, and won by White.
    pub results: [u64; 3],
    /// Number of games by [`EndReason`].
    pub reasons: [u64; EndReason::ALL.len()],
    classes: [Class; 2 * CLASSES + 1],
    /// Positions used to fit the curve, by score for Black (from `-FIT.end`) and by half points.
    fit: Vec<[u64; 3]>,
}

impl Default for Statistics {
    fn default() -> Self {
        let class = |index: usize| Class {
            score: (index as i32 - CLASSES as i32) * CLASS,
            ..Class::default()
        };
        Self {
            games: 0,
            positions: 0,
            quiet: 0,
            tree: 0,
            results: [0; 3],
            reasons: [0; EndReason::ALL.len()],
            classes: std::array::from_fn(class),
            fit: vec![[0; 3]; 2 * FIT.end as usize],
        }
    }
}

impl Statistics {
    /// Adds a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.tree += game.tree.len() as u64;
        self.results[game.outcome.winner.map_or(0, |winner| winner as usize)] += 1;
        self.reasons[game.outcome.reason as usize] += 1;
        let half_points = (1 + game.outcome.for_side(Color::Black)) as u64;
        game.walk(|sample| {
            let position = sample.position;
            self.quiet += u64::from(!position.in_check() && !position.is_capture(sample.mv));
            let black = position.side_to_move() == Color::Black;
            let score = if black { i32::from(sample.score) } else { -i32::from(sample.score) };
            let class = (score + CLASS / 2).div_euclid(CLASS) + CLASSES as i32;
            if let Some(class) = usize::try_from(class).ok().and_then(|i| self.classes.get_mut(i)) {
                class.positions += 1;
                class.half_points += half_points;
            }
            if FIT.contains(&score.abs()) {
                self.fit[(score + FIT.end) as usize][half_points as usize] += 1;
            }
        });
    }

    /// Black's results by score for Black.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The scale, in internal units, for which `1 / (1 + exp(-score / scale))` fits the results
    /// best; `None` without positions to fit.
    pub fn scale(&self) -> Option<f64> {
        let any = self.fit.iter().flatten().any(|&positions| positions > 0);
        let scales = SCALES.map(|scale| f64::from(scale) * SCALE_STEP);
        let best =
            scales.map(|scale| (self.error(scale), scale)).min_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|_| any).map(|(_, scale)| scale)
    }

    /// Sum of squared differences between the curve and the results.
    fn error(&self, scale: f64) -> f64 {
        let of_score = |(score, counts): (i32, &[u64; 3])| -> f64 {
            let expected = sigmoid(f64::from(score) / scale);
            let points = [0.0, 0.5, 1.0].into_iter().zip(counts);
            points.map(|(points, &count)| count as f64 * (expected - points).powi(2)).sum()
        };
        (-FIT.end..).zip(&self.fit).map(of_score).sum()
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::random_games::games;
    use monomi_movegen::Random;

    #[test]
    fn the_scale_behind_the_results_is_found() {
        for scale in [300.0, 600.0, 1_200.0] {
            let mut random = Random::new(9);
            let mut statistics = Statistics::default();
            for mut game in (0..10).flat_map(|_| games(300)) {
                // One score per game, with a random result whose probability matches the score.
                let score = random.below(3_000) as i32 - 1_500;
                let lot = random.below(1_000_000) as f64 / 1e6;
                let wins = lot < sigmoid(f64::from(score) / scale);
                let winner = Some(if wins { Color::Black } else { Color::White });
                game.outcome = Outcome { winner, reason: EndReason::Adjudicated };
                let black = game.start().side_to_move() == Color::Black;
                for (at, kept) in game.scores.iter_mut().enumerate() {
                    let for_mover = (at % 2 == 0) == black;
                    *kept = if for_mover { score as i16 } else { -score as i16 };
                }
                statistics.add(&game);
            }
            let found = statistics.scale().unwrap();
            assert!((found / scale).ln().abs() < 0.3, "{found} for {scale}");
            assert_eq!(statistics.games, 3_000);
            let shares: Vec<f64> = statistics.classes()[2..11].iter().map(Class::share).collect();
            assert!(shares[0] < 0.45 && shares[6] > 0.55, "{shares:?}");
        }
        assert_eq!(Statistics::default().scale(), None);
    }
}
