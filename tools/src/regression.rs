//! Least squares for factorial tests: which part of the result is due to which factor.

use crate::statistics::{Z95, elo_of_score, normal_cdf};
use serde::Serialize;

/// The estimated effect of a factor: the engine that has it against the same engine without.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Effect {
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The probability that the factor helps.
    pub los: f64,
}

/// Sums of products of the observations: enough to solve at any time.
#[derive(Clone, Debug)]
pub struct Regression {
    factors: usize,
    pairs: u64,
    /// Sums of `x_i * x_j`, by rows.
    xx: Vec<f64>,
    /// Sums of `x_i * y`.
    xy: Vec<f64>,
    /// Sum of `y * y`.
    yy: f64,
}

impl Regression {
    /// No observations yet.
    pub fn new(factors: usize) -> Self {
        Self {
            factors,
            pairs: 0,
            xx: vec![0.0; factors * factors],
            xy: vec![0.0; factors],
            yy: 0.0,
        }
    }

    /// Adds a pair: whether engine A had each factor (else engine B had it), and A's points of 2.
    pub fn add(&mut self, has: &[bool], points: f64) {
        let x: Vec<f64> = has.iter().map(|&has| if has { 1.0 } else { -1.0 }).collect();
        let y = points / 2.0 - 0.5;
        for (i, a) in x.iter().enumerate() {
            for (j, b) in x.iter().enumerate() {
                self.xx[i * self.factors + j] += a * b;
            }
            self.xy[i] += a * y;
        }
        self.yy += y * y;
        self.pairs += 1;
    }

    /// The number of observations.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// Degrees of freedom: observations beyond those that determine the coefficients.
    fn freedom(&self) -> Option<u64> {
        self.pairs.checked_sub(self.factors as u64).filter(|&freedom| freedom > 0)
    }

    /// The coefficients and their standard errors, in score (a factor alone scores 0.5 plus its
    /// coefficient); `None` while the observations do not determine them.
    pub fn coefficients(&self) -> Option<Vec<(f64, f64)>> {
        let n = self.factors;
        let freedom = self.freedom()?;
        let inverse = inverse(&self.xx, n)?;
        let coefficients: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| inverse[i * n + j] * self.xy[j]).sum()).collect();
        let explained: f64 = coefficients.iter().zip(&self.xy).map(|(b, xy)| b * xy).sum();
        // Half a won and half a lost pair more, so that ten pairs won do not look certain.
        let variance = ((self.yy - explained).max(0.0) + 0.25) / (freedom + 1) as f64;
        let error = |i: usize| (variance * inverse[i * n + i]).max(0.0).sqrt();
        Some(coefficients.iter().enumerate().map(|(i, &b)| (b, error(i))).collect())
    }

    /// Where between its two values to set each factor: -1 for the old value, 1 for the new one.
    ///
    /// Each coefficient is shrunk towards zero by the part that chance probably explains (empirical Bayes:
    /// the coefficients' true variance is their variance less the mean squared error). A factor whose
    /// shrunk coefficient is twice the true standard deviation, or more, gets one of its values;
    /// smaller ones stay in between, proportionally. All zero if chance explains everything.
    pub fn steps(&self) -> Option<Vec<f64>> {
        let coefficients = self.coefficients()?;
        let excess: f64 = coefficients.iter().map(|(b, error)| b * b - error * error).sum();
        let variance = (excess / coefficients.len() as f64).max(0.0);
        let step = |(b, error): (f64, f64)| {
            let shrunk = b * variance / (variance + error * error);
            (shrunk / (2.0 * variance.sqrt())).clamp(-1.0, 1.0)
        };
        Some(coefficients.into_iter().map(|c| if variance > 0.0 { step(c) } else { 0.0 }).collect())
    }

    /// The effects in Elo.
    pub fn effects(&self) -> Option<Vec<Effect>> {
        let elo = |shift: f64| elo_of_score((0.5 + shift).clamp(1e-3, 1.0 - 1e-3));
        let freedom = self.freedom()? as f64;
        let width = student_quantile(freedom);
        let effect = |(b, error): (f64, f64)| Effect {
            elo: elo(b),
            low: elo(b - width * error),
            high: elo(b + width * error),
            los: if error > 0.0 { normal_cdf(normal_deviate(b / error, freedom)) } else { 0.5 },
        };
        Some(self.coefficients()?.into_iter().map(effect).collect())
    }
}

/// The normal deviate with about the same probability as `t` in Student's distribution (Abramowitz
/// and Stegun, 26.7.8). With few pairs the error itself is uncertain, and the normal distribution
/// would call too many factors significant.
fn normal_deviate(t: f64, freedom: f64) -> f64 {
    t * (1.0 - 0.25 / freedom) / (1.0 + t * t / (2.0 * freedom)).sqrt()
}

/// The inverse of [`normal_deviate`] at [`Z95`]; infinite below three degrees of freedom.
fn student_quantile(freedom: f64) -> f64 {
    let square = (1.0 - 0.25 / freedom).powi(2) - Z95 * Z95 / (2.0 * freedom);
    if square > 0.0 { Z95 / square.sqrt() } else { f64::INFINITY }
}

/// The inverse of a symmetric matrix by Gauss and Jordan with pivoting; `None` if it has none.
fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let identity = (0..n).map(|j| if i == j { 1.0 } else { 0.0 });
            matrix[i * n..(i + 1) * n].iter().copied().chain(identity).collect()
        })
        .collect();
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if rows[pivot][column].abs() < 1e-9 {
            return None;
        }
        rows.swap(column, pivot);
        let divisor = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if index != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(value, p)| *value -= factor * p);
            }
        }
    }
    Some(rows.iter().flat_map(|row| row[n..].iter().copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::score_of_elo;

    fn random_factors(random: &mut fastrand::Rng, n: usize) -> Vec<bool> {
        (0..n).map(|_| random.bool()).collect()
    }

    /// Adds a pair of games without draws, played at random with the factors' effects in Elo.
    fn add_simulated(regression: &mut Regression, random: &mut fastrand::Rng, effects: &[f64]) {
        let has = random_factors(random, effects.len());
        let elo: f64 = has.iter().zip(effects).map(|(&has, e)| if has { *e } else { -e }).sum();
        let score = score_of_elo(elo);
        let points = (0..2).map(|_| f64::from(random.f64() < score)).sum();
        regression.add(&has, points);
    }

    #[test]
    fn an_exact_relation_is_found_and_a_few_pairs_are_never_certain() {
        let mut regression = Regression::new(3);
        let mut random = fastrand::Rng::with_seed(1);
        let effects = [0.1, -0.05, 0.02];
        for _ in 0..40 {
            let has = random_factors(&mut random, 3);
            let sum: f64 = has.iter().zip(effects).map(|(&has, b)| if has { b } else { -b }).sum();
            regression.add(&has, 2.0 * (0.5 + sum));
        }
        for ((found, error), expected) in regression.coefficients().unwrap().iter().zip(effects) {
            assert!((found - expected).abs() < 1e-12, "{found}");
            assert!(*error > 0.0 && *error < 0.02, "{error}");
        }
    }

    #[test]
    fn residuals_are_orthogonal_to_every_factor() {
        let mut random = fastrand::Rng::with_seed(2);
        let n = 6;
        let mut regression = Regression::new(n);
        let data: Vec<(Vec<bool>, f64)> = (0..100)
            .map(|_| (random_factors(&mut random, n), f64::from(random.u8(0..5)) / 2.0))
            .collect();
        data.iter().for_each(|(has, points)| regression.add(has, *points));
        let found = regression.coefficients().unwrap();
        let sign = |has: bool| if has { 1.0 } else { -1.0 };
        let residual = |has: &[bool], points: f64| {
            let fit: f64 = has.iter().zip(&found).map(|(&has, (b, _))| sign(has) * b).sum();
            points / 2.0 - 0.5 - fit
        };
        let mut squares = 0.0;
        for factor in 0..n {
            let sum: f64 =
                data.iter().map(|(has, points)| sign(has[factor]) * residual(has, *points)).sum();
            assert!(sum.abs() < 1e-9, "{sum}");
        }
        for (has, points) in &data {
            squares += residual(has, *points).powi(2);
        }
        // In a random design the errors are close to those of an orthogonal one.
        let orthogonal = ((squares + 0.25) / (101.0 - n as f64) / 100.0).sqrt();
        for (_, error) in found {
            assert!((0.9..1.2).contains(&(error / orthogonal)), "{error} {orthogonal}");
        }
    }

    #[test]
    fn quantiles_are_those_of_students_distribution() {
        // From tables.
        for (freedom, quantile) in [(5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (1e9, 1.960)] {
            let found = student_quantile(freedom);
            assert!((found / quantile - 1.0).abs() < 0.06, "{found} instead of {quantile}");
            assert!((normal_deviate(found, freedom) - Z95).abs() < 1e-9);
        }
        assert!(student_quantile(1.0).is_infinite());
    }

    #[test]
    fn intervals_of_simulated_tests_hold_the_true_effects() {
        simulate(400, 200, 0.93..=0.97, 4.0);
    }

    #[test]
    fn intervals_hold_the_true_effects_after_few_pairs() {
        simulate(16, 2_000, 0.94..=0.985, 15.0);
    }

    /// Simulates tests of so many pairs; checks the share of intervals that hold the true effect and
    /// the mean error of the estimates.
    fn simulate(pairs: u32, tests: u32, shares: std::ops::RangeInclusive<f64>, error: f64) {
        let effects = [40.0, 0.0, -25.0, 10.0, 0.0, 0.0, 15.0, -5.0];
        let mut random = fastrand::Rng::with_seed(3);
        let (mut held, mut sums) = (0, [0.0; 8]);
        for _ in 0..tests {
            let mut regression = Regression::new(effects.len());
            (0..pairs).for_each(|_| add_simulated(&mut regression, &mut random, &effects));
            // The assignments of a few pairs might not determine the effects.
            let Some(found) = regression.effects() else { continue };
            for (i, effect) in found.into_iter().enumerate() {
                held += u32::from(effect.low <= effects[i] && effects[i] <= effect.high);
                sums[i] += effect.elo / f64::from(tests);
            }
        }
        let share = f64::from(held) / f64::from(tests) / effects.len() as f64;
        assert!(shares.contains(&share), "{share} of the intervals hold the effect");
        for (mean, effect) in sums.iter().zip(effects) {
            assert!((mean - effect).abs() < error, "{mean} instead of {effect}");
        }
    }

    #[test]
    fn steps_go_towards_the_better_value_and_vanish_with_chance() {
        let (pairs, n) = (4_000, 30);
        let mut random = fastrand::Rng::with_seed(4);
        let mut test = |effect: f64| {
            let effects: Vec<f64> = (0..n).map(|i| f64::from(i % 3 - 1) * effect).collect();
            let mut regression = Regression::new(n as usize);
            (0..pairs).for_each(|_| add_simulated(&mut regression, &mut random, &effects));
            (effects, regression.steps().unwrap())
        };
        let (effects, steps) = test(20.0);
        for (effect, step) in effects.iter().zip(&steps) {
            assert!((-1.0..=1.0).contains(step));
            if *effect != 0.0 {
                assert!(step * effect.signum() > 0.2, "{effect}: {step}");
            } else {
                assert!(step.abs() < 0.4, "{step}");
            }
        }
        // Without effects the steps are much smaller on average.
        let mean = |steps: &[f64]| steps.iter().map(|step| step.abs()).sum::<f64>() / f64::from(n);
        let (_, by_chance) = test(0.0);
        assert!(mean(&by_chance) < 0.75 * mean(&steps), "{} {}", mean(&by_chance), mean(&steps));
    }

    #[test]
    fn undetermined_effects_are_not_reported() {
        let mut regression = Regression::new(2);
        assert!(regression.effects().is_none());
        for points in [0.0, 2.0, 1.0] {
            regression.add(&[true, true], points);
        }
        assert!(regression.effects().is_none(), "the factors were never apart");
        regression.add(&[true, false], 1.0);
        assert!(regression.effects().is_some());
    }
}
