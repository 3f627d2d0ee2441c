use super::*;

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} instead of {expected}");
}

/// Counts and the figures that fastchess reported for them (KSaiAkshit/eschec, docs/dev_log.md).
#[test]
fn elo_agrees_with_fastchess() {
    for (counts, elo, error, normalized) in [
        ([1, 11, 47, 25, 16], 77.71, 33.03, 117.50),
        ([1, 15, 25, 33, 26], 123.02, 40.58, 159.46),
        ([1, 24, 42, 25, 8], 26.11, 31.23, 40.51),
        ([2, 23, 32, 35, 8], 41.89, 33.28, 61.39),
    ] {
        let pairs = Pentanomial(counts);
        let [mean, low, high] = pairs.elo();
        close(mean, elo, 0.01);
        close(pairs.normalized_elo().unwrap(), normalized, 0.01);
        // Ours is a little wider, by the pair that it adds.
        close((high - low) / 2.0, error, 0.06 * error);
        assert!((high - low) / 2.0 > error);
    }
    close(Pentanomial([1, 24, 42, 25, 8]).los(), 0.9504, 0.005);
}

/// Expected values by a separate program in Python: Newton's method on both Lagrange multipliers.
#[test]
fn log_likelihood_ratios_agree_with_another_solver() {
    for (counts, elo0, elo1, expected) in [
        ([1, 11, 47, 25, 16], 0.0, 10.0, 2.403_574_339_000),
        ([10, 20, 40, 25, 12], 0.0, 5.0, 0.172_505_971_526),
        ([0, 3, 9, 4, 0], -5.0, 5.0, 0.131_295_265_793),
        ([300, 800, 1500, 850, 330], 0.0, 2.0, 0.920_975_095_562),
        ([40, 5, 30, 3, 60], 0.0, 10.0, 0.664_247_024_592),
    ] {
        close(Pentanomial(counts).log_likelihood_ratio(elo0, elo1), expected, 1e-9);
    }
}

#[test]
fn no_distribution_with_the_same_mean_is_likelier() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..200 {
        let counts: [f64; 5] = std::array::from_fn(|_| f64::from(random.u32(1..50)));
        let mean = 0.2 + 0.6 * random.f64();
        let best = likeliest_distribution(counts, mean);
        close(best.iter().sum(), 1.0, 1e-9);
        close(best.iter().zip(SCORES).map(|(p, s)| p * s).sum(), mean, 1e-9);
        let likelihood =
            |p: [f64; 5]| -> f64 { counts.iter().zip(p).map(|(n, p)| n * p.ln()).sum() };
        for _ in 0..20 {
            // A step that changes neither the sum nor the mean: a mix of two second differences.
            let (a, b) = (random.f64() - 0.5, random.f64() - 0.5);
            let step = [a, b - 2.0 * a, a - 2.0 * b, b, 0.0];
            let other: [f64; 5] = std::array::from_fn(|i| best[i] + 0.01 * step[i]);
            if other.iter().all(|&p| p > 0.0) {
                assert!(likelihood(other) <= likelihood(best) + 1e-9);
            }
        }
    }
}

#[test]
fn colours_exchanged_change_the_sign() {
    let pairs = Pentanomial([5, 20, 40, 25, 12]);
    let reversed = Pentanomial([12, 25, 40, 20, 5]);
    close(pairs.elo()[0], -reversed.elo()[0], 1e-9);
    close(pairs.elo()[1], -reversed.elo()[2], 1e-9);
    close(pairs.los(), 1.0 - reversed.los(), 1e-9);
    let ratio = pairs.log_likelihood_ratio(0.0, 5.0);
    close(ratio, -reversed.log_likelihood_ratio(-5.0, 0.0), 1e-9);
}

#[test]
fn few_or_equal_results_give_finite_intervals() {
    assert_eq!(Pentanomial::default().elo()[0], 0.0);
    assert_eq!(Pentanomial::default().log_likelihood_ratio(0.0, 5.0), 0.0);
    assert_eq!(Pentanomial::default().normalized_elo(), None);
    let won = Pentanomial([0, 0, 0, 0, 10]);
    let [elo, low, high] = won.elo();
    assert!(elo.is_infinite() && low > 0.0 && high.is_finite(), "{low} {high}");
    assert!(won.log_likelihood_ratio(0.0, 5.0) > 0.0);
    let drawn = Pentanomial([0, 0, 20, 0, 0]);
    assert!(drawn.elo()[1] < 0.0 && drawn.elo()[2] > 0.0);
    assert!(drawn.log_likelihood_ratio(-5.0, 5.0).abs() < 1e-6);
}

#[test]
fn the_normal_distribution_is_that_of_the_tables() {
    for (x, expected) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.96, 0.024_997_9), (3.0, 0.998_650_1)]
    {
        close(normal_cdf(x), expected, 2e-7);
    }
}

/// Pairs between engines whose difference in Elo is known. A share of the openings decides both
/// games by colour, so that the games of a pair depend on each other.
fn simulate(random: &mut fastrand::Rng, elo: f64) -> f64 {
    let score = score_of_elo(elo);
    let draws = 0.2;
    let bias = if random.bool() { 0.15 } else { -0.15 };
    [bias, -bias]
        .into_iter()
        .map(|shift| {
            let win = score - draws / 2.0 + shift;
            let roll = random.f64();
            if roll < win {
                1.0
            } else if roll < win + draws {
                0.5
            } else {
                0.0
            }
        })
        .sum()
}

#[test]
fn intervals_of_simulated_matches_hold_the_true_elo() {
    let mut random = fastrand::Rng::with_seed(11);
    for elo in [-60.0, 0.0, 35.0, 150.0] {
        let (mut held, mut sum) = (0, 0.0);
        let matches = 1000;
        for _ in 0..matches {
            let mut pairs = Pentanomial::default();
            (0..150).for_each(|_| pairs.add(simulate(&mut random, elo)));
            let [mean, low, high] = pairs.elo();
            held += u32::from(low <= elo && elo <= high);
            sum += mean;
        }
        // 95 %, give or take four standard deviations of that share.
        let share = f64::from(held) / f64::from(matches);
        assert!((0.92..=0.98).contains(&share), "Elo {elo}: {share} of the intervals hold it");
        close(sum / f64::from(matches), elo, 3.0);
    }
}

#[test]
fn the_sprt_errs_as_often_as_it_says() {
    let sprt = Sprt { elo0: 0.0, elo1: 30.0, normalized: false, alpha: 0.05, beta: 0.05 };
    let mut random = fastrand::Rng::with_seed(12);
    for (elo, wrong_decision) in [(0.0, Decision::AcceptH1), (30.0, Decision::AcceptH0)] {
        let (mut wrong, tests) = (0, 500);
        for _ in 0..tests {
            let mut pairs = Pentanomial::default();
            let decision = loop {
                pairs.add(simulate(&mut random, elo));
                match sprt.decide(&pairs).1 {
                    Decision::Undecided => {}
                    decision => break decision,
                }
            };
            wrong += u32::from(decision == wrong_decision);
        }
        let share = f64::from(wrong) / f64::from(tests);
        assert!((0.01..=0.08).contains(&share), "Elo {elo}: {share} of the tests err");
    }
}

#[test]
fn sprt_bounds_are_the_usual_ones() {
    let (lower, upper) =
        Sprt { elo0: 0.0, elo1: 5.0, normalized: false, alpha: 0.05, beta: 0.05 }.bounds();
    close(lower, -2.944_439, 1e-6);
    close(upper, 2.944_439, 1e-6);
}

/// The condition holds, and no other distribution that fulfils it is likelier: steps along it are made by
/// Newton's method.
#[test]
fn no_distribution_with_the_same_effect_is_likelier() {
    let mut random = fastrand::Rng::with_seed(11);
    let effect_of = |p: [f64; 5]| {
        let (mean, variance) = Pentanomial::moments(p);
        (mean - 0.5) / variance.sqrt()
    };
    for _ in 0..200 {
        let counts: [f64; 5] = std::array::from_fn(|_| f64::from(random.u32(1..50)));
        let effect = 0.4 * (random.f64() - 0.5);
        let best = likeliest_with_effect(counts, effect);
        close(best.iter().sum(), 1.0, 1e-9);
        close(effect_of(best), effect, 1e-8);
        let likelihood =
            |p: [f64; 5]| -> f64 { counts.iter().zip(p).map(|(n, p)| n * p.ln()).sum() };
        for _ in 0..20 {
            let shifted: [f64; 5] =
                std::array::from_fn(|i| best[i] * (1.0 + 0.02 * (random.f64() - 0.5)));
            // Tilt it until it has the effect again.
            let tilted = |tilt: f64| {
                let raw: [f64; 5] = std::array::from_fn(|i| shifted[i] * (tilt * SCORES[i]).exp());
                let sum: f64 = raw.iter().sum();
                raw.map(|p| p / sum)
            };
            let (mut low, mut high) = (-1.0, 1.0);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                if effect_of(tilted(middle)) < effect { low = middle } else { high = middle }
            }
            let other = tilted(low);
            close(effect_of(other), effect, 1e-9);
            assert!(likelihood(other) <= likelihood(best) + 1e-7);
        }
    }
}

/// Both kinds of Elo agree where a pair's standard deviation is that of two independent games without
/// draws: a normalized difference is then a logistic one to first order.
#[test]
fn normalized_ratios_follow_the_share_of_draws() {
    let drawish = Pentanomial([2, 10, 200, 20, 4]);
    let decisive = Pentanomial([60, 2, 110, 2, 62]);
    for pairs in [drawish, decisive] {
        let nelo = pairs.normalized_elo().unwrap();
        // The likeliest difference is the measured one.
        let ratio = |elo: f64| pairs.normalized_ratio(0.0, elo);
        assert!(ratio(nelo) > ratio(nelo - 4.0) && ratio(nelo) > ratio(nelo + 4.0), "{nelo}");
        close(pairs.normalized_ratio(3.0, 3.0), 0.0, 1e-9);
        close(pairs.normalized_ratio(0.0, 5.0), -pairs.normalized_ratio(5.0, 0.0), 1e-9);
    }
    // With few draws and independent games: variance of a game 1/4.
    let independent = Pentanomial([250, 0, 500, 0, 250]);
    let (logistic, normalized) =
        (independent.log_likelihood_ratio(0.0, 10.0), independent.normalized_ratio(0.0, 10.0));
    close(normalized, logistic, 0.03 * logistic.abs());
}
