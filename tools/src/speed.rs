//! `monomi-tools speed`.

use crate::info_line::InfoLine;
use crate::opening::Opening;
use crate::progress_line::ProgressLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::UsiEngine;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi-tools speed --rounds 12 --positions 8 --nodes 300000 \\
      --engine 'name=base cmd=./monomi-base Threads=1' --engine 'name=new cmd=target/release/monomi Threads=1'

In every round each engine is started afresh and searches the same positions; the order of the
engines changes from round to round. Restarts matter: one process can be 10 % faster or slower than
another of the same program for as long as it runs. The first search of a process is not counted.
Nothing else should run on the machine.")]
pub struct Arguments {
    /// An engine: `cmd=... OPTION=VALUE ...`, see `match --help`; two or more, the first is what
    /// the others are compared with
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<EngineSpec>,
    /// List of positions: an sfen in each line
    #[arg(long, value_name = "FILE", default_value = "tools/openings/even.sfen")]
    openings: PathBuf,
    /// Rounds: how often each engine is started
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..))]
    rounds: u32,
    /// Positions in each round
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Milliseconds for each position
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
    /// Nodes for each position, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seed: decides on the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// How long an engine may take for a search that is limited by nodes, and beyond its time.
const PATIENCE: Duration = Duration::from_secs(120);

/// Starts an engine, lets it search the positions and returns its nodes per second.
fn measure(
    spec: &EngineSpec,
    positions: &[&Opening],
    go: &str,
    patience: Duration,
    stop: &Stop,
) -> Result<f64> {
    let mut engine = UsiEngine::start(spec, stop.flag())?;
    engine.send("usinewgame");
    let (mut nodes, mut time) = (0, Duration::ZERO);
    // The first search of the process also touches its memory for the first time.
    for (index, position) in positions.iter().take(1).chain(positions).enumerate() {
        let mut searched = None;
        let text = format!("sfen {}", position.position.to_sfen());
        let answer = engine.ask(&text, go, "bestmove", patience, |line| {
            searched = InfoLine::parse(line).and_then(|info| info.nodes).or(searched);
        });
        let answer = match answer {
            Ok(answer) => answer,
            Err(silence) => bail!("engine `{}`: no bestmove ({silence:?})", spec.name),
        };
        let searched =
            searched.with_context(|| format!("engine `{}` prints no nodes", spec.name))?;
        if index > 0 {
            nodes += searched;
            time += answer.time;
        }
    }
    engine.quit();
    Ok(nodes as f64 / time.as_secs_f64().max(1e-9))
}

/// Nodes per second of an engine, round by round, relative to the first engine.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratio {
    /// Geometric mean.
    mean: f64,
    /// Twice the standard error of the mean.
    error: f64,
    lowest: f64,
    highest: f64,
}

impl Ratio {
    /// Of two rounds or more.
    fn new(speeds: &[f64], base: &[f64]) -> Self {
        let ratios = || speeds.iter().zip(base).map(|(speed, base)| speed / base);
        let count = speeds.len() as f64;
        let mean = ratios().map(f64::ln).sum::<f64>() / count;
        let variance =
            ratios().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Self {
            mean: mean.exp(),
            error: 2.0 * mean.exp() * (variance / count).sqrt(),
            lowest: ratios().fold(f64::INFINITY, f64::min),
            highest: ratios().fold(0.0, f64::max),
        }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// Compares the engines.
///
/// # Errors
/// The positions cannot be read, or an engine does not start, does not answer or prints no nodes.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let engines = &arguments.engines;
    ensure!(engines.len() >= 2, "expected two engines or more, each after --engine");
    let (mut list, _) = Opening::read_list(&arguments.openings)?;
    fastrand::Rng::with_seed(arguments.seed).shuffle(&mut list);
    let (go, patience) = match arguments.nodes {
        Some(nodes) => (format!("go nodes {nodes}"), PATIENCE),
        None => (
            format!("go movetime {}", arguments.movetime),
            PATIENCE + Duration::from_millis(arguments.movetime),
        ),
    };
    let stop = Stop::on_interrupt()?;
    let mut speeds = vec![Vec::new(); engines.len()];
    let mut next = list.iter().cycle();
    let mut progress = ProgressLine::default();
    'rounds: for round in 0..arguments.rounds as usize {
        let positions: Vec<&Opening> = next.by_ref().take(arguments.positions as usize).collect();
        let mut results = vec![0.0; engines.len()];
        for turn in 0..engines.len() {
            // Each engine is first, second, ... equally often.
            let engine = (turn + round) % engines.len();
            match measure(&engines[engine], &positions, &go, patience, &stop) {
                Ok(speed) => results[engine] = speed,
                Err(_) if stop.interrupted() => break 'rounds,
                Err(fault) => return Err(fault),
            }
        }
        for (all, speed) in speeds.iter_mut().zip(results) {
            all.push(speed);
        }
        progress.show(&format!("round {}", round + 1), true);
    }
    progress.end();
    let rounds = speeds[0].len();
    ensure!(rounds >= 2, "interrupted before the second round was complete");
    let mut out = std::io::stdout().lock();
    let rows = engines.iter().zip(&speeds).map(|(engine, speeds_of)| {
        (&engine.name, median(speeds_of), Ratio::new(speeds_of, &speeds[0]))
    });
    if arguments.json {
        let engines: Vec<_> = rows
            .map(|(name, median, ratio)| {
                json!({ "name": name, "median_nps": median, "ratio": ratio.mean,
                    "error": ratio.error, "lowest": ratio.lowest, "highest": ratio.highest })
            })
            .collect();
        writeln!(out, "{}", json!({ "rounds": rounds, "engines": engines }))?;
    } else {
        writeln!(out, "{rounds} rounds of {} positions, {go}", arguments.positions)?;
        for (name, median, ratio) in rows {
            let Ratio { mean, error, lowest, highest } = ratio;
            writeln!(
                out,
                "{name}: median {median:.0} nodes/s, ratio {mean:.3} ± {error:.3} \
                 ({lowest:.3} to {highest:.3})"
            )?;
        }
        writeln!(
            out,
            "Ratios are means with twice their standard error (lowest to highest round)."
        )?;
    }
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_a_mean_and_an_error() {
        // Logarithms 0 and ln 4: mean ln 2, standard deviation sqrt(2) ln 2, of the mean ln 2.
        let ratio = Ratio::new(&[100.0, 400.0], &[100.0, 100.0]);
        assert!((ratio.mean - 2.0).abs() < 1e-9);
        assert!((ratio.error - 4.0 * 2f64.ln()).abs() < 1e-9);
        assert_eq!((ratio.lowest, ratio.highest), (1.0, 4.0));
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
