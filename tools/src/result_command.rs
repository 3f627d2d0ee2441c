//! `monomi-tools result`.

use crate::factorial::Estimate;
use crate::match_command::{Tally, sprt, trial_columns};
use crate::statistics::Sprt;
use crate::store::{names_and_limit, read_all};
use anyhow::{Result, bail, ensure};
use clap::Args;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Example, with one command on each machine and the files in one folder at the end:
  monomi-tools match --shard 1/2 --games part1.jsonl --nodes 25000 --pairs 1000 --a ... --b ...
  monomi-tools match --shard 2/2 --games part2.jsonl --nodes 25000 --pairs 1000 --a ... --b ...
  monomi-tools result --sprt 0,5 part1.jsonl part2.jsonl";

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of games of one match between two engines or of one factorial test, from `--games`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Of a match: show the sequential test whether A is stronger by ELO1 rather than by ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// ELO0 and ELO1 are normalized Elo
    #[arg(long, requires = "sprt")]
    normalized: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Print a row for the tables in trials/, without group, commit, decision and note
    #[arg(long, conflicts_with = "json")]
    row: bool,
}

/// Adds up the files of a match or of a factorial test.
///
/// # Errors
/// A file cannot be read or is not one of this match, or a game is there twice.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (header, games, changed) = read_all(&arguments.files)?;
    for name in changed {
        let _ = writeln!(
            std::io::stderr(),
            "warning: the program of engine `{name}` was not the same for all files"
        );
    }
    let (names, limit) = names_and_limit(&header);
    let text = match header.get("monomi-tools").and_then(Value::as_str).unwrap_or_default() {
        "match" => {
            let mut tally = Tally::default();
            games.iter().for_each(|game| tally.add(game));
            let sprt = arguments.sprt.map(|sprt| Sprt { normalized: arguments.normalized, ..sprt });
            let [a, b] = match &names[..] {
                [a, b] => [a.as_str(), b.as_str()],
                _ => ["a", "b"],
            };
            let json = tally.json([a, b], sprt.as_ref());
            if arguments.row {
                let seed = header.get("seed").map_or(String::new(), Value::to_string);
                format!("\t\t{a}\t{b}\t{limit}\t{seed}\t{}\t\t", trial_columns(&json))
            } else if arguments.json {
                json.to_string()
            } else {
                tally.report([a, b], sprt.as_ref())
            }
        }
        "factorial" => {
            let of_match = arguments.sprt.is_some() || arguments.row;
            ensure!(!of_match, "--sprt and --row are for a match between two engines");
            ensure!(
                !names.is_empty(),
                "the files do not name the factors: an older version has written them"
            );
            let mut estimate = Estimate::new(names);
            for game in &games {
                estimate.add(game)?;
            }
            match arguments.json {
                true => estimate.json().to_string(),
                false => estimate.report(),
            }
        }
        kind => bail!(
            "these are the games of `{kind}`, not of a match between two engines or a factorial test"
        ),
    };
    writeln!(std::io::stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}
