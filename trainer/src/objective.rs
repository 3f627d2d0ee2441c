//! What a network is to learn, and how far it is from it.

use crate::net::OUTPUT_UNIT;
use crate::sample::Sample;
use monomi_eval::score::Bound;

/// The loss `|p - t| ^ exponent`, where `p = sigmoid(score of the network / scale)` and
/// `t = (1 - result_share) * sigmoid(score / scale) + result_share * result`, the result being
/// 1, 0.5 or 0. Positions from trees have no result, `t = sigmoid(score / scale)`; where the score is
/// a bound, a network that keeps to it has no loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// The game's share in the target, from 0 to 1.
    pub result_share: f32,
    /// The score, in internal units, that wins with probability 0.73.
    pub scale: f32,
    /// 2 for the squared error; more is milder to small errors.
    pub exponent: f32,
}

impl Default for Objective {
    fn default() -> Self {
        Self { result_share: 0.2, scale: 540.0, exponent: 2.3 }
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Objective {
    /// The expected result of a sample, the side to move's, from 0 to 1.
    pub fn target(&self, sample: &Sample) -> f32 {
        let expected = sigmoid(f32::from(sample.score) / self.scale);
        sample.result.map_or(expected, |result| {
            let result = f32::from(result + 1) / 2.0;
            (1.0 - self.result_share) * expected + self.result_share * result
        })
    }

    /// The loss of a network's output for a sample, and its derivative by the output.
    pub fn judge(&self, output: f32, sample: &Sample) -> (f32, f32) {
        let (loss, by_output) = self.loss(output, self.target(sample));
        let kept = match sample.bound {
            Bound::Exact => false,
            Bound::Lower => by_output > 0.0,
            Bound::Upper => by_output < 0.0,
        };
        if kept { (0.0, 0.0) } else { (loss, by_output) }
    }

    /// The loss of a network's output, and its derivative by the output.
    pub fn loss(&self, output: f32, target: f32) -> (f32, f32) {
        let steepness = OUTPUT_UNIT / self.scale;
        let p = sigmoid(output * steepness);
        let error = p - target;
        let slope = error.abs().powf(self.exponent - 1.0);
        let by_output = self.exponent * slope.copysign(error) * p * (1.0 - p) * steepness;
        (slope * error.abs(), by_output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    #[test]
    fn bounds_pull_one_way() {
        let objective = Objective::default();
        let of = |bound| Sample::of_tree(&Position::startpos(), 200, bound);
        let target = 200.0 / OUTPUT_UNIT;
        for output in [target - 0.3, target + 0.3] {
            let exact = objective.judge(output, &of(Bound::Exact));
            assert!(exact.0 > 0.0 && (exact.1 > 0.0) == (output > target));
            let (pulls, kept) = if output < target {
                (Bound::Lower, Bound::Upper)
            } else {
                (Bound::Upper, Bound::Lower)
            };
            assert_eq!(objective.judge(output, &of(pulls)), exact);
            assert_eq!(objective.judge(output, &of(kept)), (0.0, 0.0));
        }
        // The result of a game has its share; there is none in a tree.
        let won = Sample::new(&Position::startpos(), 0, 1);
        assert!(objective.target(&won) > 0.55);
        assert_eq!(objective.target(&Sample { result: None, ..won }), 0.5);
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        for exponent in [2.0, 2.3, 3.0] {
            let objective = Objective { exponent, ..Objective::default() };
            for (output, target) in [(0.3, 0.2), (-1.0, 0.9), (2.5, 0.95), (0.0, 0.51)] {
                let h = 1e-2;
                let at = |x| objective.loss(x, target).0;
                let expected = (at(output + h) - at(output - h)) / (2.0 * h);
                let slope = objective.loss(output, target).1;
                assert!((slope - expected).abs() < 2e-4, "{slope} {expected}");
            }
            assert_eq!(objective.loss(0.0, 0.5), (0.0, 0.0));
        }
    }
}
