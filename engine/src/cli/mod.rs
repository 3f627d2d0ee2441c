//! The command line.
//!
//! Commands write to the stream they are given and return errors with context. Exit codes: 0 done,
//! 1 failed, 2 invalid command line or position, 3 done except for invalid input, 130 interrupted.

mod analyze;
mod arguments;
mod bench;
mod book;
mod convert;
mod csa;
mod datagen;
mod eval;
mod games;
mod go;
mod mate;
mod net;
mod perft;
mod records;
mod shell;

use crate::position_text::PositionTextError;
use crate::usi;
use anyhow::Context as _;
use arguments::{EvalArg, PositionArg};
use clap::{Parser, Subcommand};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Exit code when some of the input was invalid.
const PARTLY: u8 = 3;
/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Printed when the program is started in a terminal without arguments.
const GREETING: &str = concat!(
    "Monomi ",
    env!("CARGO_PKG_VERSION"),
    ", a shogi engine that speaks USI: load it into a shogi GUI, or type `usi`, \
     `position startpos`, `go movetime 1000`, `quit`; see also `monomi --help`."
);

const AFTER_HELP: &str = "\
A position is `startpos` or an SFEN, quoted or not, optionally followed by `moves ...`:
  monomi go --movetime 3000 startpos moves 7g7f 3c3d
  monomi perft 4 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'

Exit codes: 0 done; 1 failed; 2 invalid command line or position; 3 done, except for invalid input;
130 interrupted.";

/// Monomi, a shogi engine. Without a command it speaks USI.
#[derive(Debug, Parser)]
#[command(name = "monomi", version, about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Searches a position and prints the best lines and the best move.
    Go(go::Args),
    /// Analyses game records: searches every position and judges every move.
    Analyze(Box<analyze::Args>),
    /// Builds, merges, checks and shows opening books.
    #[command(subcommand, after_help = book::AFTER_HELP)]
    Book(book::Command),
    /// Plays on CSA servers: floodgate, tournaments.
    Csa(Box<csa::Args>),
    /// Converts training data: game records to PSV or hcpe and back.
    Convert(convert::Args),
    /// Plays games against itself to generate training data.
    Datagen(Box<datagen::Args>),
    /// Checks files of game records and prints statistics.
    Records(records::Args),
    /// Shows what network files hold, and rewrites them for other programs.
    #[command(subcommand, after_help = net::AFTER_HELP)]
    Net(net::Command),
    /// Evaluates a position without a search.
    Eval(eval::Args),
    /// Searches for mates by continuous checks (tsume).
    Mate(mate::Args),
    /// Counts sequences of legal moves, by first move.
    Perft(perft::Args),
    /// Searches a fixed set of positions; the node count identifies the search.
    Bench(bench::Args),
    /// Writes shell completions.
    Completions(shell::CompletionArgs),
    /// Writes manual pages.
    Man(shell::ManArgs),
}

/// Runs the program: executes the command in its arguments, or USI without one.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = std::io::stdout();
    let done = match &cli.command {
        None => serve(&mut out),
        Some(Command::Go(args)) => go::run(args, &mut out),
        Some(Command::Analyze(args)) => match analyze::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Book(command)) => match book::run(command, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Records(args)) => match records::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Convert(args)) => match convert::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Csa(args)) => match csa::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Datagen(args)) => match datagen::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Eval(args)) => eval::run(args, &mut out),
        Some(Command::Net(command)) => net::run(command, &mut out),
        Some(Command::Mate(args)) => match mate::run(args, &mut out) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        Some(Command::Perft(args)) => perft::run(args, &mut out),
        Some(Command::Bench(args)) => bench::run(args, &mut out),
        Some(Command::Completions(args)) => shell::completions(args, &mut out),
        Some(Command::Man(args)) => shell::man(args, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&error),
    }
}

fn serve(out: &mut impl Write) -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() {
        writeln!(out, "{GREETING}")?;
    }
    usi::run().context("starting the engine")
}

fn report(error: &anyhow::Error) -> ExitCode {
    let is_broken_pipe = |io: &std::io::Error| io.kind() == std::io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(is_broken_pipe) {
        // The reader has closed the pipe, as in `monomi perft 5 | head -3`.
        return ExitCode::SUCCESS;
    }
    complain(&format!("{error:#}"));
    let misunderstood = error.is::<PositionTextError>() || error.is::<Usage>();
    ExitCode::from(if misunderstood { 2 } else { 1 })
}

/// Prints an error to standard error. Quoted input may contain control characters; they are
/// replaced.
fn complain(text: &str) {
    let text = text.replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}");
    // If this fails there is still the exit code.
    let _ = writeln!(std::io::stderr(), "monomi: {text}");
}

/// Invalid arguments that clap does not detect.
#[derive(Debug, thiserror::Error)]
#[error("{0}; see `--help`")]
struct Usage(String);

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
