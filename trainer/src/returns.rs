//! Scores that have heard of what came later.

use monomi_records::Game;

/// How far a position's score listens to the rest of its game: Sutton, "Learning to predict by the
/// methods of temporal differences" (1988), its lambda, over expected results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookAhead {
    /// Lambda, from 0 (the position's own score) to 1 (the game's result).
    pub share: f64,
    /// The score, in internal units, that wins with probability 0.73.
    pub scale: f64,
}

/// No expected result comes closer to 0 or 1, so that scores stay finite.
const CERTAIN: f64 = 0.001;

impl Default for LookAhead {
    fn default() -> Self {
        Self { share: 0.0, scale: 540.0 }
    }
}

impl LookAhead {
    /// The scores of a game's positions, each for the side to move, in internal units.
    pub(crate) fn scores(self, game: &Game) -> Vec<i16> {
        let mut scores = game.scores.clone();
        if self.share == 0.0 {
            return scores;
        }
        let first = game.start().side_to_move();
        let behind = if scores.len().is_multiple_of(2) { first } else { first.flip() };
        // What is expected of the next position, for the side to move there.
        let mut later = f64::from(game.outcome.for_side(behind) + 1) / 2.0;
        for score in scores.iter_mut().rev() {
            let own = 1.0 / (1.0 + (-f64::from(*score) / self.scale).exp());
            let expected = own + self.share * (1.0 - later - own);
            later = expected;
            let expected = expected.clamp(CERTAIN, 1.0 - CERTAIN);
            *score = (self.scale * (expected / (1.0 - expected)).ln()).round() as i16;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;
    use monomi_records::{Outcome, Reason};
    use shogi_core::Color;

    fn game(scores: &[i16], winner: Option<Color>) -> Game {
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d"].map(|mv| mv.parse().unwrap());
        Game {
            base: Position::startpos(),
            opening: Vec::new(),
            moves: moves[..scores.len()].to_vec(),
            scores: scores.to_vec(),
            outcome: Outcome { winner, reason: Reason::Adjudicated },
            tree: Vec::new(),
        }
    }

    fn heard(share: f64, scores: &[i16], winner: Option<Color>) -> Vec<i16> {
        LookAhead { share, scale: 600.0 }.scores(&game(scores, winner))
    }

    #[test]
    fn nothing_is_heard_without_a_share() {
        let scores = [30, -3_000, 32_000, -7];
        assert_eq!(heard(0.0, &scores, Some(Color::Black)), scores);
    }

    #[test]
    fn the_result_alone_counts_with_all_of_it() {
        let white = heard(1.0, &[900, 100, 0], Some(Color::White));
        assert!(white[0] < -2_000 && white[1] > 2_000 && white[2] < -2_000, "{white:?}");
        assert_eq!(heard(1.0, &[900, 100, 0, -50], None), [0; 4]);
    }

    #[test]
    fn scores_lean_to_what_follows_each_side_in_turn() {
        // 600 wins with probability 0.731; the drawn end counts half.
        let [first, second] = heard(0.5, &[0, -600], None)[..] else { panic!() };
        let low = 1.0 / (1.0 + 1f64.exp());
        let expected = |p: f64| (600.0 * (p / (1.0 - p)).ln()).round() as i16;
        let later = (low + 0.5) / 2.0;
        assert_eq!(second, expected(later));
        assert_eq!(first, expected((0.5 + 1.0 - later) / 2.0));
        assert!(first > 0 && second < 0 && second > -600);
    }
}
