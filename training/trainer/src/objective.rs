//! The loss that training minimises.

use crate::sample::Sample;
use crate::scales::OUTPUT_UNIT;
use monomi_eval::score::Bound;
use rayon::prelude::*;

/// The loss `|p - t| ^ exponent`, where `p = sigmoid(score of the network / scale)` and
/// `t = (1 - result_share) * sigmoid(score / scale) + result_share * result`, the result being
/// 1, 0.5 or 0. Positions without a result have `t = sigmoid(score / scale)`. Where the score is a
/// bound, an output that satisfies it has no loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// Weight of the game's result in the target, from 0 to 1.
    pub result_share: f32,
    /// The score, in internal units, that wins with probability 0.73.
    pub scale: f32,
    /// 2 for the squared error; larger values weigh small errors less.
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

/// Samples that one thread works on at a time.
const CHUNK: usize = 4096;
/// Newton steps of [`Objective::fit`].
const FIT_STEPS: usize = 12;

/// The affine map of a network's outputs that fits samples best, `scale * output + offset`, and
/// the loss that remains. Part of what a short run gains is only this map, so compare networks by
/// the loss that remains.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// Factor of the outputs.
    pub scale: f64,
    /// Added to the outputs, in units of [`OUTPUT_UNIT`].
    pub offset: f64,
    /// Mean loss with both applied.
    pub loss: f64,
}

impl Objective {
    /// The expected result for the side to move, from 0 to 1.
    pub fn target(&self, sample: &Sample) -> f32 {
        let expected = sigmoid(f32::from(sample.score) / self.scale);
        sample.result.map_or(expected, |result| {
            let result = f32::from(result + 1) / 2.0;
            (1.0 - self.result_share) * expected + self.result_share * result
        })
    }

    /// The loss of an output for a sample, and its derivative with respect to the output.
    pub fn judge(&self, output: f32, sample: &Sample) -> (f32, f32) {
        let (loss, by_output) = self.loss(output, self.target(sample));
        let satisfied = match sample.bound {
            Bound::Exact => false,
            Bound::Lower => by_output > 0.0,
            Bound::Upper => by_output < 0.0,
        };
        if satisfied { (0.0, 0.0) } else { (loss, by_output) }
    }

    /// The loss of an output for a target, and its derivative with respect to the output.
    pub fn loss(&self, output: f32, target: f32) -> (f32, f32) {
        let steepness = OUTPUT_UNIT / self.scale;
        let p = sigmoid(output * steepness);
        let error = p - target;
        let slope = error.abs().powf(self.exponent - 1.0);
        let by_output = self.exponent * slope.copysign(error) * p * (1.0 - p) * steepness;
        (slope * error.abs(), by_output)
    }

    /// The mean loss of outputs for samples; 0 without samples.
    pub fn mean_loss(&self, outputs: &[f32], samples: &[Sample]) -> f64 {
        self.mean(outputs, samples, 1.0, 0.0)[0]
    }

    /// Fits scale and offset of the outputs to the samples.
    pub fn fit(&self, outputs: &[f32], samples: &[Sample]) -> Fit {
        let (mut scale, mut offset) = (1.0, 0.0);
        let mut best = self.mean(outputs, samples, scale, offset);
        for _ in 0..FIT_STEPS {
            let [loss, by_scale, by_offset] = best;
            // The second derivatives by differences of the first.
            let h = 1e-2;
            let more_scale = self.mean(outputs, samples, scale + h, offset);
            let more_offset = self.mean(outputs, samples, scale, offset + h);
            let [a, b, c] = [
                (more_scale[1] - by_scale) / h,
                (more_scale[2] - by_offset) / h,
                (more_offset[2] - by_offset) / h,
            ];
            let determinant = a * c - b * b;
            let newton = [
                (c * by_scale - b * by_offset) / determinant,
                (a * by_offset - b * by_scale) / determinant,
            ];
            // Where the loss is not convex, the gradient alone gives the direction.
            let convex = determinant > 0.0 && a > 0.0 && newton.iter().all(|x| x.is_finite());
            let mut step = if convex { newton } else { [by_scale, by_offset] };
            let improved = (0..8).find_map(|_| {
                let (scale, offset) = (scale - step[0], offset - step[1]);
                let next = self.mean(outputs, samples, scale, offset);
                step = step.map(|x| x / 2.0);
                (next[0] < loss).then_some((scale, offset, next))
            });
            let Some(improved) = improved else { break };
            (scale, offset, best) = improved;
            if loss - best[0] < 1e-9 * loss {
                break;
            }
        }
        Fit { scale, offset, loss: best[0] }
    }

    /// The mean loss of `scale * output + offset`, and its derivatives with respect to both.
    fn mean(&self, outputs: &[f32], samples: &[Sample], scale: f64, offset: f64) -> [f64; 3] {
        let chunk = |(outputs, samples): (&[f32], &[Sample])| {
            let mut sums = [0.0; 3];
            for (&output, sample) in outputs.iter().zip(samples) {
                let mapped = scale * f64::from(output) + offset;
                let (loss, slope) = self.judge(mapped as f32, sample);
                sums[0] += f64::from(loss);
                sums[1] += f64::from(slope) * f64::from(output);
                sums[2] += f64::from(slope);
            }
            sums
        };
        // Summed chunk by chunk, so that the result does not depend on the number of threads.
        let parts: Vec<[f64; 3]> =
            outputs.par_chunks(CHUNK).zip(samples.par_chunks(CHUNK)).map(chunk).collect();
        let mut sums = [0.0; 3];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        sums.map(|sum| sum / samples.len().max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    #[test]
    fn a_bound_that_is_satisfied_has_no_loss() {
        let objective = Objective::default();
        let of = |bound| Sample::of_tree(&Position::startpos(), 200, bound);
        let target = 200.0 / OUTPUT_UNIT;
        for output in [target - 0.3, target + 0.3] {
            let exact = objective.judge(output, &of(Bound::Exact));
            assert!(exact.0 > 0.0 && (exact.1 > 0.0) == (output > target));
            let (violated, satisfied) = if output < target {
                (Bound::Lower, Bound::Upper)
            } else {
                (Bound::Upper, Bound::Lower)
            };
            assert_eq!(objective.judge(output, &of(violated)), exact);
            assert_eq!(objective.judge(output, &of(satisfied)), (0.0, 0.0));
        }
        // The result of a game counts; positions from trees have none.
        let won = Sample::new(&Position::startpos(), 0, 1);
        assert!(objective.target(&won) > 0.55);
        assert_eq!(objective.target(&Sample { result: None, ..won }), 0.5);
    }

    #[test]
    fn derivatives_match_differences_of_the_loss() {
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

    #[test]
    fn a_distorted_output_is_fitted_back() {
        let objective = Objective { result_share: 0.0, ..Objective::default() };
        let samples: Vec<Sample> =
            (-40..=40).map(|i| Sample::new(&Position::startpos(), i * 30, 0)).collect();
        // Outputs that would be right after 0.8 x - 0.1.
        let distorted: Vec<f32> = samples
            .iter()
            .map(|sample| (f32::from(sample.score) / OUTPUT_UNIT + 0.1) / 0.8)
            .collect();
        let before = objective.mean_loss(&distorted, &samples);
        let fit = objective.fit(&distorted, &samples);
        assert!((fit.scale - 0.8).abs() < 0.02 && (fit.offset + 0.1).abs() < 0.02, "{fit:?}");
        assert!(fit.loss < before / 1_000.0, "{before} {fit:?}");
        assert_eq!(objective.fit(&[], &[]).loss, 0.0);
    }

    #[test]
    fn a_fit_is_the_best_of_a_grid() {
        // Noisy outputs, results included: an exhaustive search finds nothing better.
        let objective = Objective::default();
        let mut random = monomi_movegen::Random::new(3);
        let samples: Vec<Sample> = (0..300)
            .map(|i| {
                let score = (1500.0 * crate::net::signed(&mut random)) as i16;
                Sample::new(&Position::startpos(), score, (i % 3) as i8 - 1)
            })
            .collect();
        let outputs: Vec<f32> = samples
            .iter()
            .map(|s| f32::from(s.score) / 900.0 + 0.3 + 0.5 * crate::net::signed(&mut random))
            .collect();
        let fit = objective.fit(&outputs, &samples);
        let mut best = f64::MAX;
        for scale in 0..=60 {
            for offset in -30..=30 {
                let (scale, offset) = (f64::from(scale) / 40.0, f64::from(offset) / 40.0);
                best = best.min(objective.mean(&outputs, &samples, scale, offset)[0]);
            }
        }
        assert!(fit.loss <= best && fit.loss > 0.98 * best, "{fit:?} {best}");
    }
}
