//! The USI front end.
//!
//! | module | what |
//! |---|---|
//! | `dialogue` | the behaviour of a session: inputs to actions, without threads, streams or clocks |
//! | `command`, `go`, `input` | lines and their parts |
//! | `reply`, `notice` | typed replies and messages, and their text |
//! | `options` | the table of options |
//! | `root`, `limits`, `running`, `info_gate` | the position; a `go` before and while it is searched |
//! | `tool` | `bench`, `speedtest`, `export_net` |
//! | `job`, `worker` | what the engine does and reports; searcher, mate solver and book |
//! | `session`, `engine_thread`, `console`, `output_queue` | the driver with threads |
//! | `setup` | the options with which a session starts |
//! | `immediate` | the driver without threads, for browsers |
//!
//! When and how a `go` is answered:
//! - each `go` gets one `bestmove` (`go mate` one `checkmate`, `go perft` its counts);
//! - `go infinite` and `go ponder` are not answered before `stop` or `ponderhit`, even if the
//!   search has ended;
//! - `gameover` has the effect of `stop`; `quit` stops the search, answers it and ends the process
//!   within a tenth of a second;
//! - at the end of input a search with a limit (time, depth or nodes) runs to its end, and any other
//!   is stopped; then the process ends;
//! - a `go` during a search stops that search, and it is answered first;
//! - after a `position` that could not be read, `go` is answered with `bestmove resign` (`go mate`
//!   with `checkmate timeout`) and an error, until a valid `position` comes;
//! - `position`, `setoption` and `usinewgame` during a search take effect with the next one;
//! - the clock of a `go` starts when its line was read, or at `readyok` if that comes later;
//! - `pass`, `null` and `0000` among the moves of `position` are a pass, unless the side to move is in
//!   check.
//!
//! A GUI that does not read standard output does not block the session: lines are queued, and from
//! 1 MiB on `info` lines are dropped; with 64 MiB of other lines the session ends. After `quit` the
//! process waits at most a second for a GUI that does not read, after the end of input ten.

mod book_file;
mod command;
mod console;
mod dialogue;
mod display;
mod engine_thread;
mod go;
mod immediate;
mod info_gate;
mod input;
mod job;
mod limits;
mod notice;
mod options;
mod output_queue;
mod random;
mod reply;
mod root;
mod running;
mod session;
mod session_error;
mod setup;
mod skill;
mod syntax_error;
mod tool;
mod worker;

pub use command::Command;
pub use console::{Lines, Output};
pub use dialogue::{Action, Dialogue, Input, Request};
#[doc(hidden)]
pub use display::{
    description as describe_evaluation, evaluation as show_evaluation, perft_summary,
};
pub use go::{ClockParts, GoCommand, MateTime};
pub use immediate::{Immediate, LineOutput, Next};
pub use input::InputLine;
pub use job::{Event, Job, Search, Setting};
pub use notice::{Notice, UsiError};
pub use options::{FileNote, OptionError, OptionFileError, Options, Platform, Precedence};
pub use reply::{Reply, bestmove_line, info_line};
pub use session::{Incoming, Session};
pub use session_error::SessionError;
pub use setup::Setup;
pub use skill::Skill;

use console::NotingErrors;
use monomi_search::ThreadsError;
use output_queue::OutputQueue;
use std::time::Duration;

/// How long to wait after `quit` for a GUI that reads nothing.
const UNREAD_AFTER_QUIT: Duration = Duration::from_secs(1);
/// The same at the end of input: a pager may be reading.
const UNREAD_AFTER_INPUT: Duration = Duration::from_secs(10);

/// Serves USI on standard input and output until `quit` or the end of input.
///
/// # Errors
/// Not enough memory, or a thread cannot be started.
pub fn run() -> Result<(), SessionError> {
    let out = OutputQueue::start(|| std::io::stdout().lock()).map_err(ThreadsError::from)?;
    let ended = out.ended();
    let session = Session::new(Lines(out))?.ending_with(ended).with_option_files(Precedence::File);
    let lines = input::read_stdin().map_err(ThreadsError::from)?;
    let session::Ended { out, by_quit } = session.run(&lines);
    let left = out.0.finish(if by_quit { UNREAD_AFTER_QUIT } else { UNREAD_AFTER_INPUT });
    if left == 0 { Ok(()) } else { Err(SessionError::OutputClosed(left)) }
}

/// Executes these lines of USI and writes the answers to standard output, until `quit` or the last line
/// has been answered. Returns whether no answer was an error.
///
/// # Errors
/// Not enough memory, or a thread cannot be started.
pub fn run_lines(lines: &[String]) -> Result<bool, SessionError> {
    let out = NotingErrors { out: Lines(std::io::stdout().lock()), failed: false };
    let session = Session::new(out)?.with_option_files(Precedence::File);
    let input = std::io::Cursor::new(lines.join("\n").into_bytes());
    let ended = session.run(&input::read_from(input).map_err(ThreadsError::from)?);
    Ok(!ended.out.failed)
}

/// Serves USI on the given input and output until `quit` or the end of input, for tests and programs
/// that embed the engine.
///
/// # Errors
/// Threads cannot be started or memory cannot be allocated.
pub fn serve(
    input: impl std::io::BufRead + Send + 'static,
    output: impl std::io::Write,
) -> Result<(), ThreadsError> {
    let session = Session::new(Lines(output))?;
    session.run(&input::read_from(input)?);
    Ok(())
}

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
