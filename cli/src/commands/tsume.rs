//! `monomi tsume`.

mod batch;
mod book;
mod check;
mod diagram;
mod find;
mod found;
mod hands;
mod make;
mod record;
mod solve;

use crate::failure::Failure;
use crate::lang::Lang;
use std::io::Write;
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  monomi tsume '9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1'
  monomi tsume --kif solutions problems.sfen
  monomi tsume --json --movetime 0 problems.sfen > solutions.jsonl
  monomi tsume --notation usi problem.kif

Solves by the rules of tsume: the attacker's shortest mate, the longest defence, no useless
interpositions. Without the attacker's king either side may be to move; with both kings the side to
move attacks. docs/tsume.md explains the rules and the terms. The tables take as much memory as
--hash says; lines and stacks take a few MiB more.

Exit codes: 0 done, solved or not; 1 failure; 2 invalid arguments or position; 3 done, except for
invalid input; 130 interrupted: what is known is printed.";

#[derive(Debug, clap::Args)]
#[command(
    after_help = AFTER_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    solve: solve::SolveArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Checks problems before publication: other mates, equal defences, pieces that are not needed.
    Check(check::CheckArgs),
    /// Makes sound problems of a length.
    Make(make::MakeArgs),
    /// Finds sound problems in the positions of games.
    Find(find::FindArgs),
    /// Writes a page of diagrams to print, with the answers at the end.
    Book(book::BookArgs),
}

#[cfg(test)]
impl Args {
    pub(super) fn has_subcommand(&self) -> bool {
        self.command.is_some()
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    match &args.command {
        None => solve::run(&args.solve, out, lang),
        Some(Command::Check(args)) => check::run(args, out, lang),
        Some(Command::Make(args)) => make::run(args, out, lang),
        Some(Command::Find(args)) => find::run(args, out, lang),
        Some(Command::Book(args)) => book::run(args, lang),
    }
}
