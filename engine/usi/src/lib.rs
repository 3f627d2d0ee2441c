//! The USI front end: one thread reads input, the session writes output, and the engine thread
//! searches.
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
//! - `position`, `setoption` and `usinewgame` during a search take effect with the next one.
//!
//! A GUI that does not read standard output does not block the session: lines are queued, and from
//! 1 MiB on `info` lines are dropped; with 64 MiB of other lines the session ends. After `quit` the
//! process waits at most a second for a GUI that does not read, after the end of input ten.

mod book_file;
mod chance;
mod command;
mod console;
mod display;
mod engine_thread;
mod go;
mod immediate;
mod input;
mod limits;
mod options;
mod output;
mod output_queue;
mod root;
mod running;
mod session;
mod skill;
mod syntax_error;

pub use input::InputLine;
pub use session::Session;

pub use display::{evaluation as show_evaluation, perft_summary};
pub use immediate::{Immediate, Next, Output};
pub use options::Options;
pub use output::{bestmove_line, info_line};
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
pub fn run() -> anyhow::Result<()> {
    let out = OutputQueue::start(|| std::io::stdout().lock())?;
    let ended = out.ended();
    let session = session::Session::new(out)?.ending_with(ended);
    let session::Ended { out, by_quit } = session.run(&input::read_stdin()?);
    let left = out.finish(if by_quit { UNREAD_AFTER_QUIT } else { UNREAD_AFTER_INPUT });
    anyhow::ensure!(left == 0, "nobody reads the output: {left} bytes were not written");
    Ok(())
}

/// Serves USI on the given input and output until `quit` or the end of input, for tests and programs
/// that embed the engine.
///
/// # Errors
/// Threads cannot be started or memory cannot be allocated.
pub fn serve(
    input: impl std::io::BufRead + Send + 'static,
    output: impl std::io::Write,
) -> anyhow::Result<()> {
    let session = session::Session::new(output)?;
    session.run(&input::read_from(input)?);
    Ok(())
}
