//! The command line.
//!
//! Commands write to the stream they are given and return errors with context. Exit codes: 0 done,
//! 1 failed, 2 invalid command line or position, 3 done except for invalid input, 130 interrupted.

mod analyze;
mod app;
mod arguments;
mod bench;
mod book;
mod convert;
mod csa;
mod datagen;
mod doctor;
mod drill;
mod eval;
mod games;
mod genfens;
mod go;
mod long_search;
mod mate;
mod merge;
mod net;
mod perft;
mod problems;
mod progress;
mod records;
mod shell;
mod tsume;
mod usi_lines;
mod values;

use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{self, Japanese, Lang, help};
use arguments::{EvalArg, PositionArg};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use monomi_support::batch::jobs::Cancel;
use monomi_support::text::{AsIs, say};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Exit code when some of the input was invalid.
const PARTLY: u8 = 3;
/// Exit code after Ctrl-C.
const INTERRUPTED: u8 = 130;

const AFTER_HELP: &str = "\
A position is `startpos` or an SFEN, quoted or not, optionally followed by `moves ...`. Commands of
USI can be given as arguments, separated by commas:
  monomi go --movetime 3000 startpos moves 7g7f 3c3d
  monomi perft 4 'l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1'
  monomi setoption name EvalFile value nn.bin , bench , quit
  monomi speedtest

Exit codes: 0 done; 1 failed; 2 invalid command line or position; 3 done, except for invalid input;
130 interrupted.";

/// Monomi, a shogi engine. Without a command it speaks USI.
#[derive(Debug, Parser)]
#[command(name = "monomi", bin_name = "monomi", version, about, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Language of help and messages [default: that of the locale].
    #[arg(long, global = true, value_enum, value_name = "LANG")]
    lang: Option<Lang>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays and analyses on a board in the browser, with this engine.
    App(app::Args),
    /// Searches a position and prints the best lines and the best move.
    Go(go::Args),
    /// Analyses game records: searches every position and judges every move.
    Analyze(Box<analyze::Args>),
    /// Joins the results of the shards of a list of positions, in the order of the list.
    Merge(merge::Args),
    /// Makes exercises from a player's mistakes in game records.
    Drill(Box<drill::Args>),
    /// Builds, merges, checks and shows opening books.
    #[command(subcommand, after_help = book::AFTER_HELP)]
    Book(book::Command),
    /// Plays on CSA servers: floodgate, tournaments.
    Csa(Box<csa::Args>),
    /// Converts training data: game records to PSV or hcpe and back.
    Convert(convert::Args),
    /// Plays games against itself to generate training data.
    Datagen(Box<datagen::Args>),
    /// Checks files of self-play records and prints statistics.
    Records(records::Args),
    /// Describes network files, and rewrites them for other programs.
    #[command(subcommand, after_help = net::AFTER_HELP)]
    Net(net::Command),
    /// Evaluates a position without a search.
    Eval(eval::Args),
    /// Searches for mates by continuous checks (tsume).
    Mate(mate::Args),
    /// Solves tsume problems by their rules: shortest mate, longest defence, no useless interpositions.
    Tsume(Box<tsume::Args>),
    /// Counts sequences of legal moves, by first move.
    Perft(perft::Args),
    /// Searches a fixed set of positions; the node count identifies the search.
    Bench(bench::Args),
    /// Checks machine, options and files before a tournament or after installation.
    Doctor(doctor::Args),
    /// Writes shell completions.
    Completions(shell::CompletionArgs),
    /// Writes manual pages.
    Man(shell::ManArgs),
}

/// Runs the program: executes the command in its arguments, or USI without one.
pub fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().collect();
    let lang = lang::of_user(&mut arguments);
    if let Some(lines) = usi_lines::of(&arguments) {
        return finish(|out| usi_lines::run(&lines, out), lang);
    }
    let cli = match parse(arguments, lang) {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => return refuse(error, lang),
    };
    finish(|out| run(&cli, out, lang), lang)
}

/// Prints an error in the arguments. It begins with the program's name, as all other errors do.
fn refuse(error: clap::Error, lang: Lang) -> ExitCode {
    let code = u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
    let text = match lang {
        Lang::En => error.render(),
        Lang::Ja => error.apply::<Japanese>().render(),
    };
    let mut err = std::io::stderr();
    let text = if err.is_terminal() { text.ansi().to_string() } else { text.to_string() };
    // If this fails there is still the exit code.
    let _ = write!(err, "{}", text.replacen("error:", "monomi:", 1));
    code
}

/// Runs a command and complains if it fails.
fn finish(
    run: impl FnOnce(&mut StandardOutput) -> Result<ExitCode, Failure>,
    lang: Lang,
) -> ExitCode {
    let mut out = StandardOutput { stdout: std::io::stdout(), closed: false };
    match run(&mut out) {
        Ok(code) => code,
        // The reader has closed the pipe, as in `monomi perft 5 | head -3`.
        Err(_) if out.closed => ExitCode::SUCCESS,
        Err(failure) => {
            complain(failure.in_lang(lang));
            failure.exit_code()
        }
    }
}

fn run(cli: &Cli, out: &mut StandardOutput, lang: Lang) -> Result<ExitCode, Failure> {
    let all_done = |()| ExitCode::SUCCESS;
    match &cli.command {
        None => serve(out, lang).map(all_done),
        Some(Command::App(args)) => app::run(args, out, lang).map(all_done),
        Some(Command::Go(args)) => go::run(args, out, lang).map(all_done),
        Some(Command::Analyze(args)) => analyze::run(args, out, lang),
        Some(Command::Merge(args)) => merge::run(args, out, lang),
        Some(Command::Drill(args)) => drill::run(args, out, lang),
        Some(Command::Book(command)) => book::run(command, out, lang),
        Some(Command::Records(args)) => records::run(args, out, lang),
        Some(Command::Convert(args)) => convert::run(args, out, lang),
        Some(Command::Csa(args)) => csa::run(args, out, lang),
        Some(Command::Datagen(args)) => datagen::run(args, out, lang),
        Some(Command::Eval(args)) => eval::run(args, out, lang).map(all_done),
        Some(Command::Net(command)) => net::run(command, out, lang).map(all_done),
        Some(Command::Mate(args)) => mate::run(args, out, lang),
        Some(Command::Tsume(args)) => tsume::run(args, out, lang),
        Some(Command::Perft(args)) => perft::run(args, out).map(all_done),
        Some(Command::Bench(args)) => bench::run(args, out, lang).map(all_done),
        Some(Command::Doctor(args)) => doctor::run(args, out, lang),
        Some(Command::Completions(args)) => shell::completions(args, out, lang).map(all_done),
        Some(Command::Man(args)) => shell::man(args, out, lang).map(all_done),
    }
}

/// Standard output; stores whether its reader has closed it.
struct StandardOutput {
    stdout: std::io::Stdout,
    closed: bool,
}

impl StandardOutput {
    fn note<T>(&mut self, done: std::io::Result<T>) -> std::io::Result<T> {
        self.closed |= done.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        done
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let done = self.stdout.write(bytes);
        self.note(done)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let done = self.stdout.flush();
        self.note(done)
    }
}

/// The commands and their help in a language.
fn commands(lang: Lang) -> clap::Command {
    help::translated(Cli::command(), lang)
}

fn parse(arguments: Vec<OsString>, lang: Lang) -> Result<Cli, clap::Error> {
    let terminal = console::Term::stdout();
    let columns = terminal.size_checked().map(|(_, columns)| columns.into());
    let mut commands = help::wrapped(commands(lang), columns);
    let matches = commands.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut commands))
}

/// Speaks USI until `quit` or the end of the input.
fn serve(out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        say!(
            lang,
            out,
            "Monomi {version}: a shogi engine that speaks USI: load it into a shogi GUI, or type \
             `usi`, `position startpos`, `go movetime 1000`, `quit`; see also `monomi --help`.\n",
            "Monomi {version}: USI 対応の将棋エンジンです。将棋 GUI に登録するか、`usi`、\
             `position startpos`、`go movetime 1000`、`quit` のように入力してください。\
             使い方は `monomi --help` で表示します。\n"
        )?;
    }
    // The first process of a container has no default action for signals: without this they do nothing.
    if std::process::id() == 1 {
        on_interrupt(|| std::process::exit(INTERRUPTED.into()))?;
    }
    Ok(monomi_usi::run()?)
}

/// Calls this at Ctrl-C, SIGTERM and SIGHUP.
fn on_interrupt(handle: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    let set = ctrlc::set_handler(handle).map_err(|error| AsIs(error.to_string()));
    set.context(Doing::CatchingInterrupts)
}

/// Time that jobs in progress have to finish after Ctrl-C or a request to terminate.
const GRACE: Duration = Duration::from_secs(2);

/// Ends batch work at Ctrl-C, SIGTERM and SIGHUP: jobs in progress may finish within [`GRACE`]; a second
/// Ctrl-C stops them at once.
fn cancel_on_interrupt() -> Result<Arc<Cancel>, Failure> {
    let cancel = Arc::new(Cancel::new());
    let handler = Arc::clone(&cancel);
    on_interrupt(move || {
        handler.cancel();
        let handler = Arc::clone(&handler);
        // On its own thread, so that a second Ctrl-C is seen at once.
        std::thread::spawn(move || {
            std::thread::sleep(GRACE);
            handler.cancel();
        });
    })?;
    Ok(cancel)
}

/// Prints an error to standard error. Quoted input may contain control characters; they are
/// replaced.
fn complain(text: impl Display) {
    let text = text.to_string().replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}");
    // If this fails there is still the exit code.
    let _ = writeln!(std::io::stderr(), "monomi: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_language_may_stand_anywhere() {
        for words in ["--lang ja book a -o b", "--lang=ja book a -o b", "book --lang ja a -o b"] {
            let words = ["monomi", "tsume"].into_iter().chain(words.split(' '));
            let mut arguments = words.map(OsString::from).collect();
            assert_eq!(lang::of_user(&mut arguments), Lang::Ja);
            let parsed = parse(arguments, Lang::Ja).unwrap();
            let Some(Command::Tsume(args)) = parsed.command else { panic!("another command") };
            assert!(args.has_subcommand());
        }
        for words in ["--lang", "--lang ja", "--lang=", "--lang fr book a -o b"] {
            let words = ["monomi", "tsume"].into_iter().chain(words.split(' '));
            let mut arguments = words.map(OsString::from).collect();
            lang::of_user(&mut arguments);
            assert!(parse(arguments, Lang::En).is_err());
        }
    }

    #[test]
    fn all_help_is_translated() {
        let (missing, unused) = help::missing_and_unused(Cli::command());
        assert!(missing.is_empty(), "no Japanese for {missing:#?}");
        assert!(unused.is_empty(), "Japanese for nothing: {unused:#?}");
        commands(Lang::Ja).debug_assert();
    }

    #[test]
    fn a_failure_names_every_cause_once() {
        let path = std::path::Path::new("no/such.bin");
        let missing = || monomi_eval::Evaluation::load(path, None);
        let failure = Failure::from(missing().expect_err("there is no such file"));
        let said = failure.in_lang(Lang::En);
        assert_eq!(said.matches("os error 2").count(), 1, "{said}");
        let said = missing().context(Doing::StandardInput).err().unwrap().in_lang(Lang::Ja);
        assert!(said.starts_with("標準入力: no/such.bin: そのような"), "{said}");
        assert_eq!(said.matches("os error 2").count(), 1, "{said}");
    }
}
