//! `monomi-tools win-scale`: fits the scale of the winning probability to results of games.

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi analyze --positions --nodes 20000 -o out -f jsonl list.sfen
  monomi-tools win-scale out/list.monomi.jsonl --results results.jsonl

The winning probability of a score is 1 / (1 + exp(-score / scale)); the scale is the one under which
the results are most likely. Rows need `sfen` and `cp_black` as `monomi analyze` writes them; the
result is their `winner` (`black` or `white`), or for a list that of the same position in --results.
Mates, positions without result and drawn games are left out. The standard error takes positions as
independent.")]
pub struct Arguments {
    /// Results of `monomi analyze -f jsonl`, of games or of lists
    #[arg(required = true)]
    analysis: Vec<PathBuf>,
    /// Results of the games that positions come from: JSON lines with `sfen` and `gameResult` (1: Black
    /// won, 2: White won)
    #[arg(long, value_name = "FILE")]
    results: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Row {
    sfen: String,
    cp_black: Option<i32>,
    winner: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GameResult {
    sfen: String,
    game_result: u8,
}

/// A score for Black and whether Black won.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    cp: f64,
    won: bool,
}

/// Fits and reports.
///
/// # Errors
/// A file cannot be read, or there is nothing to fit.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut results = HashMap::new();
    for path in &arguments.results {
        each_line(path, |result: GameResult| {
            results.insert(result.sfen, result.game_result);
        })?;
    }
    let (mut samples, mut all) = (Vec::new(), 0);
    for path in &arguments.analysis {
        each_line(path, |row: Row| {
            all += 1;
            let won = match (row.winner.as_deref(), results.get(&row.sfen)) {
                (Some("black"), _) | (None, Some(1)) => true,
                (Some("white"), _) | (None, Some(2)) => false,
                _ => return,
            };
            samples.extend(row.cp_black.map(|cp| Sample { cp: cp.into(), won }));
        })?;
    }
    let both = samples.iter().any(|sample| sample.won) && samples.iter().any(|sample| !sample.won);
    ensure!(both, "no scores with results of both kinds in {all} rows");
    let (scale, error) = fit(&samples);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{} of {all} rows; scale {scale:.0} +- {error:.0}; mean log loss {:.4}, with 600 {:.4}",
        samples.len(),
        log_loss(&samples, scale),
        log_loss(&samples, 600.0)
    )?;
    Ok(ExitCode::SUCCESS)
}

fn each_line<T: for<'a> Deserialize<'a>>(path: &Path, mut each: impl FnMut(T)) -> Result<()> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot read {shown}"))?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.with_context(|| format!("cannot read {shown}"))?;
        let row = serde_json::from_str(&line);
        each(row.with_context(|| format!("{shown} line {}", number + 1))?);
    }
    Ok(())
}

/// The scale that GUIs assume.
pub(crate) const USUAL: NonZeroU16 = NonZeroU16::new(600).unwrap();

/// The winning probability of a score in centipawns.
pub(crate) fn win(cp: f64, scale: NonZeroU16) -> f64 {
    1.0 / (1.0 + (-cp / f64::from(scale.get())).exp())
}

/// Mean of the negative logarithms of the results' probabilities.
fn log_loss(samples: &[Sample], scale: f64) -> f64 {
    let of = |sample: &Sample| {
        let score = if sample.won { sample.cp } else { -sample.cp } / scale;
        // ln(1 + exp(-score)) without overflow.
        (-score.abs()).exp().ln_1p() + (-score).max(0.0)
    };
    samples.iter().map(of).sum::<f64>() / samples.len() as f64
}

/// The most likely scale from 1 to 10,000, and its standard error.
fn fit(samples: &[Sample]) -> (f64, f64) {
    // The loss is convex in the inverse of the scale.
    let loss = |inverse: f64| log_loss(samples, 1.0 / inverse);
    let (mut low, mut high) = (1e-4, 1.0);
    for _ in 0..100 {
        let third = (high - low) / 3.0;
        if loss(low + third) < loss(high - third) {
            high -= third;
        } else {
            low += third;
        }
    }
    let inverse = (low + high) / 2.0;
    let step = inverse * 0.05;
    let curvature =
        (loss(inverse + step) - 2.0 * loss(inverse) + loss(inverse - step)) / step.powi(2);
    let error = (1.0 / (curvature * samples.len() as f64)).sqrt();
    (1.0 / inverse, error / inverse.powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores whose results are drawn with a known scale.
    #[test]
    fn the_scale_is_found_again() {
        let mut random = fastrand::Rng::with_seed(7);
        for scale in [150.0, 420.0, 900.0] {
            let sample = |_| {
                let cp = (random.f64() - 0.5) * 6.0 * scale;
                Sample { cp, won: random.f64() < 1.0 / (1.0 + (-cp / scale).exp()) }
            };
            let samples: Vec<Sample> = (0..20_000).map(sample).collect();
            let (found, error) = fit(&samples);
            assert!((found - scale).abs() < 4.0 * error, "{scale}: {found} +- {error}");
            assert!(error < scale * 0.03, "{scale}: {error}");
        }
    }

    #[test]
    fn large_scores_do_not_overflow() {
        let samples =
            [(1e9, true), (-1e9, false), (1e9, false)].map(|(cp, won)| Sample { cp, won });
        assert!((log_loss(&samples, 1.0) - 1e9 / 3.0).abs() < 1.0);
    }
}
