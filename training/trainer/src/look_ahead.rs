//! Scores that take the rest of the game into account, as in TD(lambda).

use monomi_games::Game;

/// Mixes a position's score with the scores of the following positions and the result: Sutton,
/// "Learning to predict by the methods of temporal differences" (1988), on expected results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LookAhead {
    /// Lambda, from 0 (the position's own score) to 1 (the game's result).
    pub share: f64,
    /// The score, in internal units, that wins with probability 0.73.
    pub scale: f64,
}

/// Expected results are kept this far from 0 and 1, so that scores stay finite.
const MARGIN: f64 = 0.001;

impl Default for LookAhead {
    fn default() -> Self {
        Self { share: 0.0, scale: 540.0 }
    }
}

impl LookAhead {
    /// The scores of a game's positions, each for the side to move, in internal units.
    pub fn scores(self, game: &Game) -> Vec<i16> {
        let mut scores = game.scores.clone();
        if self.share == 0.0 {
            return scores;
        }
        let first = game.start().side_to_move();
        let last = if scores.len().is_multiple_of(2) { first } else { first.flip() };
        // The expected result of the next position, for the side to move there.
        let mut later = f64::from(game.outcome.for_side(last) + 1) / 2.0;
        for score in scores.iter_mut().rev() {
            let own = 1.0 / (1.0 + (-f64::from(*score) / self.scale).exp());
            let expected = own + self.share * (1.0 - later - own);
            later = expected;
            let expected = expected.clamp(MARGIN, 1.0 - MARGIN);
            *score = (self.scale * (expected / (1.0 - expected)).ln()).round() as i16;
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_games::{EndReason, Outcome};
    use monomi_movegen::Position;
    use shogi_core::Color;

    fn game(scores: &[i16], winner: Option<Color>) -> Game {
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d"].map(|mv| mv.parse().unwrap());
        Game {
            base: Position::startpos(),
            opening: Vec::new(),
            moves: moves[..scores.len()].to_vec(),
            scores: scores.to_vec(),
            leaves: Vec::new(),
            outcome: Outcome { winner, reason: EndReason::Adjudicated },
            tree: Vec::new(),
        }
    }

    fn mixed(share: f64, scores: &[i16], winner: Option<Color>) -> Vec<i16> {
        LookAhead { share, scale: 600.0 }.scores(&game(scores, winner))
    }

    #[test]
    fn a_share_of_0_keeps_the_scores() {
        let scores = [30, -3_000, 32_000, -7];
        assert_eq!(mixed(0.0, &scores, Some(Color::Black)), scores);
    }

    #[test]
    fn a_share_of_1_keeps_only_the_result() {
        let white = mixed(1.0, &[900, 100, 0], Some(Color::White));
        assert!(white[0] < -2_000 && white[1] > 2_000 && white[2] < -2_000, "{white:?}");
        assert_eq!(mixed(1.0, &[900, 100, 0, -50], None), [0; 4]);
    }

    #[test]
    fn later_scores_count_with_alternating_signs() {
        // A score of 600 wins with probability 0.731; a draw counts half.
        let [first, second] = mixed(0.5, &[0, -600], None)[..] else { panic!() };
        let low = 1.0 / (1.0 + 1f64.exp());
        let expected = |p: f64| (600.0 * (p / (1.0 - p)).ln()).round() as i16;
        let later = (low + 0.5) / 2.0;
        assert_eq!(second, expected(later));
        assert_eq!(first, expected((0.5 + 1.0 - later) / 2.0));
        assert!(first > 0 && second < 0 && second > -600);
    }
}
