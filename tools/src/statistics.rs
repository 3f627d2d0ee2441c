//! Elo, its error, and the sequential test, from the results of pairs of games.
//!
//! A pair is one opening played with both colours. Its games are not independent (an opening may
//! favour a side), so errors come from the five possible results of a pair, not from games.

use serde::Serialize;

/// The number of pairs by result: both games lost, 0.5 points, 1, 1.5, both won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial(pub [u64; 5]);

/// A score (0 to 1) as a difference in Elo; infinite at the ends.
pub(crate) fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// The expected score (0 to 1) at a difference in Elo.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The distribution function of the standard normal distribution. Abramowitz and Stegun, Handbook
/// of Mathematical Functions, 7.1.26; the absolute error is below 1.5e-7.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let polynomial = series.iter().fold(0.0, |sum, c| (sum + c) * t);
    let upper = 0.5 * polynomial * (-z * z).exp();
    if x >= 0.0 { 1.0 - upper } else { upper }
}

/// 97.5 % of the normal distribution lie below it.
pub(crate) const Z95: f64 = 1.959_964;

impl Pentanomial {
    /// Adds a pair of which the engine scored `points` of 2.
    pub fn add(&mut self, points: f64) {
        self.0[((points * 2.0).round() as usize).min(4)] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    fn moments(counts: [f64; 5]) -> (f64, f64) {
        let total: f64 = counts.iter().sum();
        let mean = counts.iter().zip(SCORES).map(|(n, s)| n * s).sum::<f64>() / total;
        let square = |s: f64| (s - mean) * (s - mean);
        let variance = counts.iter().zip(SCORES).map(|(n, s)| n * square(s)).sum::<f64>() / total;
        (mean, variance)
    }

    fn counts(&self) -> [f64; 5] {
        self.0.map(|n| n as f64)
    }

    /// The share of the points, 0 to 1; one half without pairs.
    pub fn score(&self) -> f64 {
        if self.pairs() == 0 { 0.5 } else { Self::moments(self.counts()).0 }
    }

    /// The mean and its standard error after half a lost and half a won pair have been added, so
    /// that a match won by 10 to 0 does not look certain.
    fn regularized(&self) -> (f64, f64) {
        let mut counts = self.counts();
        counts[0] += 0.5;
        counts[4] += 0.5;
        let (mean, variance) = Self::moments(counts);
        (mean, (variance / (self.pairs() + 1) as f64).sqrt())
    }

    /// Elo with the ends of its 95 % interval.
    pub fn elo(&self) -> [f64; 3] {
        let (mean, error) = self.regularized();
        let end = |z: f64| elo_of_score((mean + z * error).clamp(1e-3, 1.0 - 1e-3));
        [elo_of_score(self.score()), end(-Z95), end(Z95)]
    }

    /// Normalized Elo: the difference in units of a game's standard deviation, independent of the
    /// share of draws; `None` where the results do not vary.
    pub(crate) fn normalized_elo(&self) -> Option<f64> {
        if self.pairs() == 0 {
            return None;
        }
        let (mean, variance) = Self::moments(self.counts());
        (variance > 0.0)
            .then(|| (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10)
    }

    /// Likelihood of superiority: the probability that the engine is the stronger one.
    pub(crate) fn los(&self) -> f64 {
        let (mean, error) = self.regularized();
        normal_cdf((mean - 0.5) / error)
    }

    /// The logarithm of how much likelier these results are if the engine is stronger by `elo1`
    /// than if by `elo0` (generalized sequential probability ratio test: of all distributions with
    /// that expected score, the likeliest).
    ///
    /// Source: Michel Van den Bergh, "The Generalized Sequential Probability Ratio Test"
    /// (<https://hardy.uhasselt.be/Fishtest/GSPRT_approximation.pdf>).
    pub(crate) fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        // A result that did not occur is still possible.
        let counts = self.counts().map(|n| if n == 0.0 { 1e-3 } else { n });
        let fit = |elo: f64| likeliest_distribution(counts, score_of_elo(elo));
        let (p0, p1) = (fit(elo0), fit(elo1));
        (0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum()
    }

    /// As [`Pentanomial::log_likelihood_ratio`] for differences in normalized Elo: of all distributions with
    /// that ratio of mean and standard deviation, the likeliest.
    ///
    /// Source: Michel Van den Bergh, "Normalized Elo" (<https://cantate.be/Fishtest/normalized_elo.pdf>).
    pub(crate) fn normalized_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let counts = self.counts().map(|n| if n == 0.0 { 1e-3 } else { n });
        // The mean of a pair varies less than that of a game, by the square root of two.
        let effect = |elo: f64| elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
        let fit = |elo: f64| likeliest_with_effect(counts, effect(elo));
        let (p0, p1) = (fit(elo0), fit(elo1));
        (0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum()
    }
}

/// A pair's scores as shares of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The distribution with this mean (above 0 and below 1) under which the counts (all positive) are
/// likeliest.
fn likeliest_distribution(counts: [f64; 5], mean: f64) -> [f64; 5] {
    likeliest_with_offsets(counts, SCORES.map(|s| s - mean))
}

/// The distribution whose mean is above one half by `effect` standard deviations, under which the counts
/// are likeliest. That condition is not linear in the probabilities, so its tangent at the last solution
/// takes its place until nothing changes.
fn likeliest_with_effect(counts: [f64; 5], effect: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..100 {
        let (mean, variance) = Pentanomial::moments(found);
        let deviation = variance.sqrt();
        // The derivative of `mean - 1/2 - effect * deviation` by each probability, up to a constant that
        // makes the condition itself: the sum of the products is 0.
        let offsets = SCORES.map(|s| {
            let distance = (s - mean) / deviation;
            s - 0.5 - effect * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = likeliest_with_offsets(counts, offsets);
        let change = found.iter().zip(next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-12 {
            break;
        }
    }
    found
}

/// The distribution under which the counts are likeliest among those for which the offsets, of both signs,
/// have the mean 0: `p / (1 + x offset)` for the `x` that gives this mean.
fn likeliest_with_offsets(counts: [f64; 5], offset: [f64; 5]) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let slope = |x: f64| -> f64 {
        counts.iter().zip(offset).map(|(n, d)| n / total * d / (1.0 + x * d)).sum()
    };
    // The slope falls from +infinity to -infinity between these poles.
    let end = |best: fn(f64, f64) -> f64| -1.0 / offset.into_iter().fold(0.0, best);
    let (mut low, mut high) = (end(f64::max), end(f64::min));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    std::array::from_fn(|i| counts[i] / total / (1.0 + x * offset[i]))
}

/// A sequential test of "stronger by `elo1`" against "stronger by `elo0`".
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The null hypothesis.
    pub elo0: f64,
    /// The alternative.
    pub elo1: f64,
    /// Both are normalized Elo, not logistic.
    pub normalized: bool,
    /// Share of wrong acceptances if the difference is `elo0`.
    pub alpha: f64,
    /// Share of wrong rejections if the difference is `elo1`.
    pub beta: f64,
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Neither is likely enough yet.
    Undecided,
    /// `elo0` is accepted: the change failed.
    AcceptH0,
    /// `elo1` is accepted: the change passed.
    AcceptH1,
}

impl Sprt {
    /// The log likelihood ratios at which the test accepts `elo0` and `elo1`.
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log likelihood ratio and the decision.
    pub fn decide(&self, pairs: &Pentanomial) -> (f64, Decision) {
        let ratio = match self.normalized {
            true => pairs.normalized_ratio(self.elo0, self.elo1),
            false => pairs.log_likelihood_ratio(self.elo0, self.elo1),
        };
        let (lower, upper) = self.bounds();
        // A handful of pairs without spread would look decisive.
        let decision = if pairs.pairs() < 16 {
            Decision::Undecided
        } else if ratio <= lower {
            Decision::AcceptH0
        } else if ratio >= upper {
            Decision::AcceptH1
        } else {
            Decision::Undecided
        };
        (ratio, decision)
    }
}

#[cfg(test)]
mod tests;
