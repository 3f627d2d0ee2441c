//! Variation of playing style.
//!
//! Games of one network against itself contain only positions that this network prefers. With noise
//! on its first layer its preferences change every few games, and it reaches positions that it
//! would otherwise avoid. trials/notes/training.md (where wrong) has measurements.

use monomi_eval::Evaluation;
use monomi_movegen::Random;
use std::sync::Arc;

/// Maximum number of consecutive games with the same style.
pub(super) const GAMES: u64 = 16;

/// The evaluation in its `number`-th style: approximately normal noise with this standard
/// deviation, in the units of the file, is added to every weight of the first layer. `None` if the
/// evaluation is not a network.
pub(super) fn in_style(
    evaluation: &Evaluation,
    deviation: f64,
    seed: u64,
    number: u64,
) -> Option<Arc<Evaluation>> {
    let mut random = Random::stream(seed.rotate_left(32), number);
    evaluation.with_noise(&mut || (deviation * standard(&mut random)).round() as i16)
}

/// An approximately normal number with mean 0 and deviation 1: the sum of four uniform ones. It is
/// the same on every machine.
fn standard(random: &mut Random) -> f64 {
    let bits = random.next_u64();
    let sum: f64 = (0..4).map(|i| f64::from((bits >> (16 * i)) as u16)).sum();
    // Each number, scaled to 0..1, has variance 1/12.
    (sum / 65_535.0 - 2.0) * 3f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::fingerprint;

    #[test]
    fn noise_is_about_normal() {
        let mut random = Random::new(1);
        let (mut sum, mut squares, n) = (0.0, 0.0, 100_000);
        for _ in 0..n {
            let x = standard(&mut random);
            sum += x;
            squares += x * x;
        }
        let (mean, variance) = (sum / f64::from(n), squares / f64::from(n));
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }

    #[test]
    fn styles_differ_and_come_again() {
        let plain = Evaluation::internal();
        let style = |deviation, number| {
            fingerprint(&in_style(&plain, deviation, 7, number).expect("a network"))
        };
        assert_eq!(style(0.0, 1), fingerprint(&plain));
        assert_eq!(style(2.0, 1), style(2.0, 1));
        assert_ne!(style(2.0, 1), style(2.0, 2));
        assert_ne!(style(2.0, 1), fingerprint(&plain));
        assert!(in_style(&Evaluation::piece_square(), 2.0, 7, 1).is_none());
    }
}
