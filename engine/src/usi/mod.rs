//! The USI front end: a thread that reads, a session that speaks, a worker that thinks.
//!
//! What a `go` is answered with, and when:
//! - each `go` gets one `bestmove` (`go mate` one `checkmate`, `go perft` its counts);
//! - `go infinite` and `go ponder` are not answered before `stop` or `ponderhit`, even if the
//!   search has ended; nothing spins meanwhile;
//! - `gameover` counts as `stop`; `quit` and the end of input stop the search, answer it and end
//!   the process within a tenth of a second;
//! - a `go` while another is in progress stops that one and sees it answered first;
//! - `position`, `setoption` and `usinewgame` do not disturb a search: they take effect with the
//!   next one.

mod book_file;
mod chance;
mod command;
mod console;
mod display;
mod eval_file;
mod go;
mod limits;
mod lines;
mod options;
mod output;
mod position;
mod running;
mod session;
mod skill;
mod worker;

#[cfg(feature = "cli")]
pub(crate) use lines::Line;
#[cfg(feature = "cli")]
pub(crate) use session::Session;

pub use display::{evaluation as show_evaluation, perft_summary};
pub use eval_file::{EvalFileError, load as load_evaluation};
pub use options::{EvalSource, INTERNAL, Options};
pub use output::{bestmove_line, info_line};
pub use position::{ReadError, read as read_position};

/// Serves USI on standard input and output until `quit` or the end of input.
///
/// # Errors
/// Threads or memory cannot be had.
pub fn run() -> anyhow::Result<()> {
    let session = session::Session::new(std::io::stdout().lock())?;
    session.run(&lines::read_stdin()?);
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
    session.run(&lines::read_from(input)?);
    Ok(())
}
