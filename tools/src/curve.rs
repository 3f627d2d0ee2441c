//! `monomi-tools curve`.

use crate::match_command::{Match, Tally};
use crate::match_settings::MatchSettings;
use crate::runner::Stop;
use crate::spec::{EngineSpec, distinct};
use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;

const EXAMPLES: &str = "\
A change, above all a new network, can gain at few nodes a move and lose at many. This plays a match at each
number of nodes and prints one table. `--games FILE` stores each match in a file of its own: with `--games
new.jsonl` the games of 5,000 nodes are in new-5000.jsonl. The same command continues.

Example:
  monomi-tools curve --concurrency 2 --games curve.jsonl \\
      --a 'name=new cmd=target/release/monomi Threads=1 USI_Hash=64 EvalFile=new.bin' \\
      --b 'name=base cmd=target/release/monomi Threads=1 USI_Hash=64'";

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Engine A, see `match --help`
    #[arg(long, value_name = "ENGINE")]
    a: EngineSpec,
    /// Engine B
    #[arg(long, value_name = "ENGINE")]
    b: EngineSpec,
    /// Nodes a move, each with its number of pairs of games
    #[arg(
        long,
        value_name = "NODES:PAIRS,...",
        value_delimiter = ',',
        default_value = "1000:150,5000:150,25000:150,100000:50"
    )]
    points: Vec<Point>,
    #[command(flatten)]
    settings: MatchSettings,
}

/// A match of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    nodes: u64,
    pairs: usize,
}

impl FromStr for Point {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split_once(':').and_then(|(nodes, pairs)| {
            Some(Self { nodes: nodes.parse().ok()?, pairs: pairs.parse().ok()? })
        });
        let point = numbers.filter(|point| point.nodes > 0 && point.pairs > 0);
        point.with_context(|| format!("`{text}`: expected NODES:PAIRS, like 5000:150"))
    }
}

/// The settings of a match of the curve.
fn settings(all: &MatchSettings, point: Point) -> MatchSettings {
    let games = all.games.as_deref().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let extension =
            path.extension().map_or(String::new(), |it| format!(".{}", it.to_string_lossy()));
        path.with_file_name(format!("{name}-{}{extension}", point.nodes))
    });
    MatchSettings { nodes: Some(point.nodes), pairs: point.pairs, games, ..all.clone() }
}

/// Plays the matches and prints the table.
///
/// # Errors
/// Bad settings, files that cannot be read or written, engines that do not start.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Arguments { a, b, points, settings: all } = arguments;
    ensure!(all.limit()?.is_none(), "the nodes of a curve are given by --points");
    ensure!(
        all.csa.is_none(),
        "--csa is for one match: the games of a curve would replace each other"
    );
    let stop = Stop::on_interrupt()?;
    let names = [a.name.as_str(), &distinct(b, &a.name).name];
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for &point in points {
        let settings = settings(all, point);
        let shown = settings
            .games
            .as_deref()
            .map_or(String::new(), |path: &Path| format!(", {}", path.display()));
        let _ = writeln!(
            std::io::stderr(),
            "{} nodes a move, {} pairs{shown}",
            point.nodes,
            point.pairs
        );
        let mut tally = Tally::default();
        Match { engines: [a, b], sprt: None, settings: &settings, stop: &stop }.play(&mut tally)?;
        rows.push(row(point, &tally));
        let mut result = tally.json(names, None);
        result["nodes"] = Value::from(point.nodes);
        json.push(result);
        if stop.interrupted() {
            break;
        }
    }
    let mut out = std::io::stdout().lock();
    if all.json {
        writeln!(out, "{}", Value::from(json))?;
    } else {
        writeln!(
            out,
            "{} against {}\n{:>10} {:>7} {:>8}",
            names[0], names[1], "nodes", "games", "score"
        )?;
        rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
    }
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn row(point: Point, tally: &Tally) -> String {
    format!(
        "{:>10} {:>7} {:>6.1} %  {}",
        point.nodes,
        tally.games(),
        tally.percent(),
        tally.elo_text()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read() {
        assert_eq!("5000:150".parse::<Point>().unwrap(), Point { nodes: 5000, pairs: 150 });
        for bad in ["5000", "0:1", "1:0", "x:1", "1:2:3", "-1:5"] {
            assert!(bad.parse::<Point>().is_err(), "{bad}");
        }
    }
}
