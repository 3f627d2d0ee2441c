//! The command line: the engine for people and scripts, without a GUI.
//!
//! Commands write to a stream that they are given; errors travel up with their context. Exit codes:
//! 0 done, 1 failed, 2 the command line or a position in it was not understood, 3 done but for
//! input that could not be read, 130 interrupted.

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

use crate::usi;
use anyhow::Context as _;
use arguments::{EvalArg, PositionArg};
use clap::{Parser, Subcommand};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// Exit code when some of the input could not be read.
const PARTLY: u8 = 3;
/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

/// What a newcomer sees who starts the program in a terminal.
const GREETING: &str = concat!(
    "Monomi ",
    env!("CARGO_PKG_VERSION"),
    ", a shogi engine that speaks USI: load it into a shogi GUI, or type `usi`, \
     `position startpos`, `go movetime 1000`, `quit`; see also `monomi --help`."
);

const AFTER_HELP: &str = "\
A position is `startpos` or an sfen, quoted or not, with moves behind `moves` if wanted:
  monomi go --movetime 3000 startpos moves 7g7f 3c3d
  monomi perft 4 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'

Exit codes: 0 done; 1 failed; 2 the command line or a position was not understood; 3 done, but for
input that could not be read; 130 interrupted.";

/// Monomi, a shogi engine. Without a command it speaks USI.
#[derive(Debug, Parser)]
#[command(name = "monomi", version, about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Searches one position and prints the lines and the best move as USI does.
    Go(go::Args),
    /// Analyses game records: every position searched, every move judged.
    Analyze(Box<analyze::Args>),
    /// Makes opening books from games, merges, checks and shows them.
    #[command(subcommand, after_help = book::AFTER_HELP)]
    Book(book::Command),
    /// Plays on CSA servers: floodgate, tournaments.
    Csa(Box<csa::Args>),
    /// Converts training data: game records to PSV or hcpe and back.
    Convert(convert::Args),
    /// Plays games against itself, for a net to learn from.
    Datagen(Box<datagen::Args>),
    /// Tells what files of game records hold, and checks them.
    Records(records::Args),
    /// Shows what network files hold, and rewrites them for other programs.
    #[command(subcommand, after_help = net::AFTER_HELP)]
    Net(net::Command),
    /// Evaluates a position without a search.
    Eval(eval::Args),
    /// Looks for mates by continuous checks.
    Mate(mate::Args),
    /// Counts the lines of legal moves, with each first move's share.
    Perft(perft::Args),
    /// Searches a fixed set of positions; the last line is the engine's fingerprint.
    Bench(bench::Args),
    /// Writes the completions of a shell.
    Completions(shell::CompletionArgs),
    /// Writes the manual pages.
    Man(shell::ManArgs),
}

/// Runs the program: reads its arguments, and serves USI where there are none.
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
        // The reader has seen enough, as in `monomi perft 5 | head -3`.
        return ExitCode::SUCCESS;
    }
    complain(&format!("{error:#}"));
    let misunderstood = error.is::<usi::ReadError>() || error.is::<Usage>();
    ExitCode::from(if misunderstood { 2 } else { 1 })
}

/// Says what is wrong on standard error. What it quotes may be anything, so control characters
/// stay away from the terminal.
fn complain(text: &str) {
    let text = text.replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}");
    // If not even this can be written, the exit code has to do.
    let _ = writeln!(std::io::stderr(), "monomi: {text}");
}

/// Arguments that do not go together.
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
