//! `monomi book minimax`.

use crate::commands::arguments::DrawArg;
use crate::commands::book::convert::complain;
use crate::commands::book::leaves::{cores, how};
use crate::commands::book::{exit_code, size_text};
use crate::commands::records::positions_text;
use crate::commands::values::at_least;
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_book::{Minimax, Minimaxed, minimax};
use monomi_support::text::say;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "\
Every move that leads to another position of the book, also with the colours exchanged, gets the
value of that position; its depth is the number of plies to the leaf. Legal moves into the book
that were missing are added. Repetitions are draws with depth 9999; perpetual check loses. This is
YaneuraOu's `makebook peta_shock`, and the values are equal. Play from the output; add newly
searched positions to the input.

Examples:
  monomi book minimax mined.ybb -o tournament.ybb
  monomi book minimax --shrink mined.db -o small.db";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::commands) struct Args {
    /// The book (.db or .ybb).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Write only the moves with the best value of each position.
    #[arg(long)]
    shrink: bool,
    #[command(flatten)]
    draw: DrawArg,
    /// Number of threads [default: all cores].
    #[arg(short = 'j', long, value_name = "N", value_parser = at_least(1usize))]
    threads: Option<usize>,
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let threads = args.threads.unwrap_or_else(cores);
    let how = Minimax { shrink: args.shrink, ..how(&args.output, threads, args.draw.value) };
    let done = minimax(&args.book, &args.output, &how)?;
    for (path, faults) in &done.written.faults {
        complain(path, faults, lang);
    }
    report(&done, out, lang)?;
    Ok(exit_code(done.written.faults.iter().all(|(_, faults)| faults.count == 0)))
}

fn report(done: &Minimaxed, out: &mut impl Write, lang: Lang) -> std::io::Result<()> {
    let written = &done.written;
    writeln!(out, "{}", size_text(written.positions as usize, written.moves as usize, lang))?;
    let (added, moves) = (count(done.added, "move", "moves"), done.added);
    let (cyclic, loops) =
        (positions_text(done.cyclic, lang), positions_text(done.check_loops, lang));
    let (passes, times) = (count(done.passes as u64, "pass", "passes"), done.passes);
    say!(
        lang,
        out,
        "{added} into the book added; {cyclic} with repetitions ({loops} of perpetual checks), {passes}\n",
        "定跡内の局面に進む手を {moves} 手追加。千日手を含む局面: {cyclic}（うち連続王手: {loops}）、反復 {times} 回\n"
    )?;
    for remark in remarks(done, lang) {
        writeln!(out, "{remark}")?;
    }
    Ok(())
}

/// What is not as usual.
fn remarks(done: &Minimaxed, lang: Lang) -> impl Iterator<Item = String> {
    let positions = |number| positions_text(number, lang);
    let (lost, given_up, unsettled) =
        (positions(done.without_moves), positions(done.given_up), positions(done.unsettled));
    let (illegal, moves) = (count(done.illegal, "illegal move", "illegal moves"), done.illegal);
    let remarks = [
        (
            done.without_moves,
            say!(
                lang,
                "{lost} without a move: lost for the side to move",
                "指し手のない局面: {lost}（手番側の負けとみなします）"
            ),
        ),
        (done.illegal, say!(lang, "{illegal} left out", "反則手 {moves} 手を除きました")),
        (
            done.given_up,
            say!(
                lang,
                "{given_up} of perpetual checks with too many lines, computed like other repetitions",
                "手順が多すぎる連続王手の局面: {given_up}（通常の千日手として計算）"
            ),
        ),
        (
            done.unsettled,
            say!(
                lang,
                "{unsettled} with repetitions whose values did not settle",
                "値が収束しなかった千日手の局面: {unsettled}"
            ),
        ),
    ];
    remarks.into_iter().filter(|(number, _)| *number > 0).map(|(_, remark)| remark)
}
