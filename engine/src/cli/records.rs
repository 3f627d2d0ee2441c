//! `monomi records`.

use super::{PARTLY, complain};
use crate::lang::Lang;
use crate::lang::{DataTexts as _, MessageTexts as _};
use monomi_selfplay::{GameReader, RecordError, Statistics};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi records games.mgr
  monomi records run1.mgr run2.mgr run3.mgr

Several files are counted together. docs/records.md describes the format.

Exit codes: 0 success; 1 failure; 2 invalid arguments; 3 done, but a file is damaged: the message
names the place, and the rest is counted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files of self-play records.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
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
                let list = list.join(", ").replace(char::is_control, "\u{FFFD}");
                writeln!(out, "{}: {list}", file.display())?;
                settings = Some(reader.settings().clone());
            }
            match game {
                Ok(game) => all.add(&game),
                Err(error @ RecordError::Io { .. }) => return Err(error.into()),
                Err(fault) => {
                    good = false;
                    complain(&lang.fault(&fault));
                }
            }
        }
    }
    write!(out, "{}", lang.statistics(&all))?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}
