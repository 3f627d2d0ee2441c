//! Shares of confirmed and of found moves, estimated from the sample.

use std::collections::BTreeMap;
use std::fmt;

/// Loss from which a move is bad.
const BAD: f64 = 0.05;
/// Times that games are resampled for an interval.
const RESAMPLED: usize = 1000;

/// A move of the sample with the verdict of the analysis and the reference.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    pub game: &'a str,
    /// Moves before this one.
    pub ply: usize,
    /// Number of moves of the frame for which this move stands.
    pub weight: f64,
    /// The move's loss by the analysis.
    pub loss: f64,
    /// Whether the analysis calls it bad.
    pub accused: bool,
    /// The move's loss by the reference.
    pub truth: f64,
}

impl Judged<'_> {
    /// Whether the reference calls it bad.
    pub fn is_bad(&self) -> bool {
        self.truth >= BAD
    }

    /// The reference loses at least two thirds of what the analysis says.
    fn is_confirmed(&self) -> bool {
        self.truth >= self.loss * 2.0 / 3.0
    }

    /// The reference differs by at most a third.
    fn is_exact(&self) -> bool {
        (self.truth - self.loss).abs() <= self.loss / 3.0
    }
}

/// A share with its 95 % interval; not a number if nothing was counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    value: f64,
    interval: (f64, f64),
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.value.is_nan() {
            return f.write_str("-");
        }
        let percent = |share: f64| share * 100.0;
        let (low, high) = self.interval;
        write!(f, "{:.0} % ({:.0}-{:.0})", percent(self.value), percent(low), percent(high))
    }
}

/// The figures of a group of games.
pub struct Estimate {
    /// Number of accused moves in all games.
    pub accused: f64,
    /// Share of them that the reference confirms.
    pub confirmed: Share,
    /// Share of them whose loss is about that of the reference.
    pub exactly: Share,
    /// Share of the bad moves that are accused.
    pub found: Share,
}

impl Estimate {
    /// From the moves of the sample that belong to the group.
    pub fn of(judged: &[&Judged<'_>]) -> Self {
        // Starting at 0, because the sum of nothing is -0.
        let weights = judged.iter().filter(|judged| judged.accused).map(|judged| judged.weight);
        let accused = weights.fold(0.0, |sum, weight| sum + weight);
        Self {
            accused,
            confirmed: share(judged, |judged| judged.accused, |judged| judged.is_confirmed()),
            exactly: share(judged, |judged| judged.accused, |judged| judged.is_exact()),
            found: share(judged, |judged| judged.is_bad(), |judged| judged.accused),
        }
    }
}

/// The weighted share of the moves with a property among those of a class.
fn share(
    judged: &[&Judged<'_>],
    of: impl Fn(&Judged<'_>) -> bool,
    counted: impl Fn(&Judged<'_>) -> bool,
) -> Share {
    let mut games: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for judged in judged {
        let (sum, all) = games.entry(judged.game).or_default();
        if of(judged) {
            *all += judged.weight;
            *sum += if counted(judged) { judged.weight } else { 0.0 };
        }
    }
    let games: Vec<(f64, f64)> = games.into_values().collect();
    let ratio = |games: &mut dyn Iterator<Item = (f64, f64)>| {
        let (sum, all) = games.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        sum / all
    };
    let value = ratio(&mut games.iter().copied());
    let mut random = fastrand::Rng::with_seed(1);
    let mut resampled: Vec<f64> = Vec::new();
    for _ in 0..RESAMPLED {
        let mut drawn = (0..games.len()).map(|_| games[random.usize(..games.len())]);
        resampled.push(ratio(&mut drawn));
    }
    resampled.retain(|share| !share.is_nan());
    resampled.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (share * resampled.len() as f64) as usize;
        resampled.get(index.min(resampled.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    };
    Share { value, interval: (at(0.025), at(0.975)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(game: &str, weight: f64, loss: f64, truth: f64) -> Judged<'_> {
        Judged { game, ply: 0, weight, loss, accused: loss >= BAD, truth }
    }

    #[test]
    fn shares_are_weighted() {
        let moves = [
            judged("a", 1.0, 0.06, 0.06),
            judged("a", 1.0, 0.12, 0.09),
            judged("b", 1.0, 0.12, 0.20),
            judged("b", 2.0, 0.12, 0.07),
            // Not accused: one of them is bad and stands for five.
            judged("a", 5.0, 0.01, 0.06),
            judged("b", 5.0, 0.01, 0.0),
        ];
        let estimate = Estimate::of(&moves.iter().collect::<Vec<_>>());
        assert_eq!(estimate.accused, 5.0);
        assert_eq!(estimate.confirmed.value, 3.0 / 5.0);
        assert_eq!(estimate.exactly.value, 2.0 / 5.0);
        assert_eq!(estimate.found.value, 5.0 / 10.0);
        let (low, high) = estimate.found.interval;
        assert!(low <= 0.5 && high >= 0.5 && low < high);
        // Game `a` alone has 2 of 7, game `b` 3 of 3.
        assert!(low >= 2.0 / 7.0 - 1e-9 && high <= 1.0);
    }

    #[test]
    fn nothing_counted_is_shown_as_such() {
        let moves = [judged("a", 1.0, 0.0, 0.0)];
        let estimate = Estimate::of(&moves.iter().collect::<Vec<_>>());
        assert_eq!(estimate.confirmed.to_string(), "-");
        assert_eq!(Estimate::of(&[]).found.to_string(), "-");
        assert_eq!(format!("{:.0}", Estimate::of(&[]).accused), "0");
    }
}
