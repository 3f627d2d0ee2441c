//! Statistics of both sides.

use crate::judge::JudgedPosition;
use crate::judge::phase::Phase;
use crate::judge::verdict::{Class, Verdict};
use shogi_core::Color;

/// Decline of the accuracy with the mean loss.
const DECLINE: f64 = 10.0;
/// Winning probabilities above this, or below the opposite, are those of a decided game.
const DECIDED: f64 = 0.95;
/// In a decided game only moves count that lose at least this much.
const COUNTED: f64 = 0.05;

/// Statistics of the moves of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Number of moves judged.
    pub moves: usize,
    /// Number of moves that were the engine's choice.
    pub best: usize,
    /// Accuracy, 0 to 100; `None` if no move counted for it.
    pub accuracy: Option<f64>,
    /// The same in the phases of the game.
    pub phases: [Option<f64>; Phase::ALL.len()],
    /// Mean loss of winning probability, 0 to 1.
    pub loss: f64,
    /// Number of moves that lose 5 % to 10 %, which are no mistakes.
    pub hints: usize,
    /// Number of dubious moves, mistakes and blunders.
    pub bad: [usize; 3],
    /// Number of missed mates.
    pub missed_mates: usize,
}

/// The accuracy of moves: 100 where nothing is lost, and 100 / e for a mean loss of 10 %.
#[derive(Clone, Copy, Debug, Default)]
struct Accuracy {
    moves: usize,
    loss: f64,
}

impl Accuracy {
    /// Adds a move. In a decided game, where nearly every move is as good as any other, only those count
    /// that lose something.
    fn add(&mut self, verdict: &Verdict) {
        let open = (1.0 - DECIDED..=DECIDED).contains(&verdict.best);
        if open || verdict.loss >= COUNTED {
            self.moves += 1;
            self.loss += verdict.loss;
        }
    }

    fn value(self) -> Option<f64> {
        let mean = self.loss / self.moves as f64;
        (self.moves > 0).then(|| 100.0 * (-DECLINE * mean).exp())
    }
}

/// Statistics of Black and White.
pub fn sides(positions: &[JudgedPosition<'_>]) -> [Side; 2] {
    [Color::Black, Color::White].map(|color| {
        let mut side = Side::default();
        let own = positions.iter().filter(|judged| judged.position.side_to_move() == color);
        let (mut all, mut phases) = (Accuracy::default(), [Accuracy::default(); Phase::ALL.len()]);
        for (verdict, phase) in own.filter_map(|judged| Some((judged.verdict?, judged.phase))) {
            all.add(&verdict);
            phases[phase as usize].add(&verdict);
            side.moves += 1;
            side.best += usize::from(matches!(verdict.class, Class::Best | Class::Only));
            side.loss += verdict.loss;
            side.missed_mates += usize::from(verdict.missed_mate.is_some());
            side.hints += usize::from(verdict.class.is_hint());
            let bad = [Class::Dubious, Class::Mistake, Class::Blunder];
            if let Some(at) = bad.iter().position(|&class| class == verdict.class) {
                side.bad[at] += 1;
            }
        }
        let count = side.moves.max(1) as f64;
        side.accuracy = all.value();
        side.phases = phases.map(Accuracy::value);
        side.loss /= count;
        side
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accuracy(moves: &[(f64, f64)]) -> Option<f64> {
        let mut accuracy = Accuracy::default();
        for &(best, loss) in moves {
            let class = Class::Good;
            let kept = best - loss;
            accuracy.add(&Verdict { loss, best, kept, class, missed_mate: None });
        }
        accuracy.value()
    }

    #[test]
    fn accuracy_falls_with_the_mean_loss() {
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[(0.5, 0.0), (0.6, 0.0)]), Some(100.0));
        let of_loss = |loss| accuracy(&[(0.5, loss), (0.5, 0.0)]).unwrap();
        assert!((of_loss(0.2) - 100.0 / std::f64::consts::E).abs() < 1e-9);
        assert!(of_loss(0.02) > of_loss(0.04) && of_loss(0.04) > of_loss(0.4));
    }

    /// Mating slowly is no merit, and playing on in a lost game neither.
    #[test]
    fn moves_of_a_decided_game_count_if_they_lose() {
        let open = [(0.5, 0.0), (0.6, 0.1)];
        let decided = [(0.99, 0.01), (1.0, 0.0), (0.02, 0.02)];
        assert_eq!(accuracy(&[&open[..], &decided[..]].concat()), accuracy(&open));
        assert_eq!(accuracy(&decided), None);
        assert!(accuracy(&[&open[..], &[(0.99, 0.4)]].concat()) < accuracy(&open));
    }
}
