//! `monomi records`.

use super::{PARTLY, complain};
use monomi_records::{GameReader, Reason, RecordError, Statistics};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi records games.mgr
  monomi records run1.mgr run2.mgr run3.mgr

Several files are counted together. docs/records.md describes the format.

Exit codes: 0 all good; 1 failed; 2 the command line was not understood; 3 done, but a file is
damaged: where is said, and its good part counts.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files of game records.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

fn name(reason: Reason) -> &'static str {
    match reason {
        Reason::Unknown => "unknown",
        Reason::Mate => "mate",
        Reason::Adjudicated => "adjudicated",
        Reason::Declaration => "declaration",
        Reason::Repetition => "repetition",
        Reason::PerpetualCheck => "perpetual check",
        Reason::MaxPlies => "too long",
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut all = Statistics::default();
    let mut good = true;
    for file in &args.files {
        let mut reader = GameReader::open(file)?;
        let mut settings = None;
        while let Some(game) = reader.next() {
            if settings.as_ref() != Some(reader.settings()) {
                let pairs = reader.settings().0.iter();
                let list: Vec<String> = pairs
                    .map(|(key, value)| format!("{} {value}", key.trim_start_matches("# ")))
                    .collect();
                writeln!(out, "{}: {}", file.display(), list.join(", "))?;
                settings = Some(reader.settings().clone());
            }
            match game {
                Ok(game) => all.add(&game),
                Err(error @ RecordError::Io { .. }) => return Err(error.into()),
                Err(fault) => {
                    good = false;
                    complain(&fault.to_string());
                }
            }
        }
    }
    write(&all, out)?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

fn write(all: &Statistics, out: &mut impl Write) -> std::io::Result<()> {
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let games = all.games;
    writeln!(
        out,
        "{games} games, {} positions ({:.1} a game), {:.1} % of them quiet",
        all.positions,
        all.positions as f64 / games.max(1) as f64,
        percent(all.quiet, all.positions)
    )?;
    if all.tree > 0 {
        writeln!(out, "{} positions from the searches' trees", all.tree)?;
    }
    let [drawn, black, white] = all.results.map(|count| percent(count, games));
    writeln!(out, "won by Black {black:.1} %, by White {white:.1} %, drawn {drawn:.1} %")?;
    let reasons = Reason::ALL.into_iter().zip(all.reasons).filter(|pair| pair.1 > 0);
    let reasons: Vec<String> = reasons
        .map(|(reason, count)| format!("{} {:.1} %", name(reason), percent(count, games)))
        .collect();
    writeln!(out, "ended by: {}", reasons.join(", "))?;
    writeln!(out, "score for Black   positions   won by Black")?;
    for class in all.classes() {
        writeln!(
            out,
            "{:15}   {:9}   {:10.1} %",
            class.score,
            class.positions,
            100.0 * class.share()
        )?;
    }
    if let Some(scale) = all.scale() {
        writeln!(out, "results follow 1 / (1 + exp(-score / {scale:.0}))")?;
    }
    Ok(())
}
