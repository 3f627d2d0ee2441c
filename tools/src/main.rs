//! The command line of the tools.

use clap::{Parser, Subcommand};
use monomi_tools::{
    curve, factorial, generation, match_command, mate_suite, openings_command, reasons, regret,
    result_command, speed, verdicts, win_scale,
};
use std::io::Write;
use std::process::ExitCode;

#[derive(Parser)]
#[command(
    name = "monomi-tools",
    version,
    about = "Tools for contributors to Monomi",
    after_help = "Exit codes: 0 done; 1 failed (match --strict: engine A forfeited a game; mate-suite: \
a wrong answer); 2 wrong command line; 130 interrupted."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a match between two USI engines and reports Elo, optionally until an SPRT decides
    Match(match_command::Arguments),
    /// Adds up the games of a match or a factorial test that were played in several parts
    Result(result_command::Arguments),
    /// Estimates the effects of many options at once, each given to a random side in every pair
    Factorial(factorial::Arguments),
    /// Plays matches at several numbers of nodes: what a change is worth to players who think longer
    Curve(curve::Arguments),
    /// Makes the next network: games, training, match and curve
    Generation(generation::Arguments),
    /// Compares the speed of engines side by side, in nodes per second
    Speed(speed::Arguments),
    /// Solves mate problems by `go mate` and checks every answer by the rules
    MateSuite(mate_suite::Arguments),
    /// Generates balanced openings by an engine's own search
    Openings(openings_command::Arguments),
    /// Counts the reasons that `monomi analyze` gives for bad moves, and lets another engine confirm them
    Reasons(reasons::Arguments),
    /// Measures how much winning probability the moves of engines give away, judged by longer searches
    Regret(regret::Arguments),
    /// Compares the verdicts of `monomi analyze` with much longer searches
    Verdicts(verdicts::Arguments),
    /// Fits the scale of the winning probability to results of games
    WinScale(win_scale::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Match(arguments) => match_command::run(&arguments),
        Command::Result(arguments) => result_command::run(&arguments),
        Command::Factorial(arguments) => factorial::run(&arguments),
        Command::Curve(arguments) => curve::run(&arguments),
        Command::Generation(arguments) => generation::run(&arguments),
        Command::Speed(arguments) => speed::run(&arguments),
        Command::MateSuite(arguments) => mate_suite::run(&arguments),
        Command::Openings(arguments) => openings_command::run(&arguments),
        Command::Reasons(arguments) => reasons::run(&arguments),
        Command::Regret(arguments) => regret::run(&arguments),
        Command::Verdicts(arguments) => verdicts::run(&arguments),
        Command::WinScale(arguments) => win_scale::run(&arguments),
    };
    done.unwrap_or_else(|error| {
        let _ = writeln!(std::io::stderr(), "error: {error:#}");
        ExitCode::FAILURE
    })
}
