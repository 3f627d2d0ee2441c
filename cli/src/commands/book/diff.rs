//! `monomi book diff`.

use crate::commands::records::positions_text;
use crate::commands::values::parsed;
use crate::failure::Failure;
use crate::lang::Lang;
use monomi_book::compare;
use monomi_movegen::Layout;
use monomi_support::text::say;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Examples:
  monomi book diff yesterday.ybb today.ybb
  monomi book diff --count 100 mine.db other.ybb";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::commands) struct Args {
    /// A book (.db or .ybb).
    #[arg(value_name = "A", value_hint = clap::ValueHint::FilePath)]
    first: PathBuf,
    /// The book to compare with it.
    #[arg(value_name = "B", value_hint = clap::ValueHint::FilePath)]
    second: PathBuf,
    /// Show this many positions with different best moves, those with the most distant values first.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parsed::<usize>)]
    count: usize,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let found = compare(&args.first, &args.second)?;
    let (a, b) = (args.first.display(), args.second.display());
    let text = |count| positions_text(count, lang);
    let (only_a, only_b, both) =
        (text(found.only_first), text(found.only_second), text(found.both));
    let (values, moves) = (text(found.other_value), text(found.differences.len() as u64));
    say!(
        lang,
        out,
        "only in {a}: {only_a}\nonly in {b}: {only_b}\nin both: {both}; {values} with another value, {moves} \
         with another best move\n",
        "{a} のみ: {only_a}\n{b} のみ: {only_b}\n共通: {both}（評価値が異なる: {values}、最善手が異なる: {moves}）\n"
    )?;
    for difference in found.differences.iter().take(args.count) {
        let [a, b] = difference.best;
        let position = difference.position.unpack(Layout::Sfen, difference.ply);
        let sfen = position.map(|position| position.to_sfen()).unwrap_or_default();
        writeln!(out, "{} {:+} -> {} {:+}  {sfen}", a.mv, a.eval, b.mv, b.eval)?;
    }
    Ok(ExitCode::SUCCESS)
}
