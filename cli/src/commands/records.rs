//! `monomi records`.

use super::{PARTLY, complain};
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_games::{EndReason, GameReader, RecordError, Statistics};
use monomi_support::text::{Message as _, say};
use std::io::{self, Write};
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

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
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
                    complain(fault.in_lang(lang));
                }
            }
        }
    }
    write_statistics(&all, out, lang)?;
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

fn write_statistics(all: &Statistics, out: &mut impl Write, lang: Lang) -> io::Result<()> {
    let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let (games, positions, tree) = (all.games, all.positions, all.tree);
    let per_game = positions as f64 / games.max(1) as f64;
    let quiet = percent(all.quiet, positions);
    say!(
        lang,
        out,
        "{}, {} ({per_game:.1} a game), {quiet:.1} % of them quiet\n",
        "{}、{}（一局平均 {per_game:.1}）、うち静かな局面 {quiet:.1} %\n",
        games_text(games, lang),
        positions_text(positions, lang)
    )?;
    if tree > 0 {
        let tree = positions_text(tree, lang);
        say!(lang, out, "{tree} from the search trees\n", "探索木からの局面: {tree}\n")?;
    }
    let [drawn, black, white] = all.results.map(|count| percent(count, games));
    say!(
        lang,
        out,
        "won by Black {black:.1} %, by White {white:.1} %, drawn {drawn:.1} %\n",
        "先手勝ち {black:.1} %、後手勝ち {white:.1} %、引き分け {drawn:.1} %\n"
    )?;
    let reasons = EndReason::ALL.into_iter().zip(all.reasons).filter(|pair| pair.1 > 0);
    let reasons = reasons
        .map(|(reason, count)| format!("{} {:.1} %", reason.in_lang(lang), percent(count, games)));
    let reasons = reasons.collect::<Vec<_>>().join(&say!(lang, ", ", "、"));
    say!(lang, out, "ended by: {reasons}\n", "終局の理由: {reasons}\n")?;
    say!(
        lang,
        out,
        "score for Black   positions   won by Black\n",
        "先手の評価値         局面数       先手勝率\n"
    )?;
    for class in all.classes() {
        let share = 100.0 * class.share();
        writeln!(out, "{:15}   {:9}   {share:10.1} %", class.score, class.positions)?;
    }
    let Some(scale) = all.scale() else { return Ok(()) };
    say!(
        lang,
        out,
        "results follow 1 / (1 + exp(-score / {scale:.0}))\n",
        "先手の勝率は 1 / (1 + exp(-評価値 / {scale:.0})) に近似\n"
    )
}

/// `1 game`, `2 games`.
pub(super) fn games_text(games: u64, lang: Lang) -> String {
    let english = count(games, "game", "games");
    say!(lang, "{english}", "{games} 局")
}

/// `1 position`, `2 positions`.
pub(super) fn positions_text(positions: u64, lang: Lang) -> String {
    let english = count(positions, "position", "positions");
    say!(lang, "{english}", "{positions} 局面")
}
