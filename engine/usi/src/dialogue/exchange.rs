//! What goes into a [`Dialogue`](super::Dialogue) and what comes out.

use crate::command::Command;
use crate::input::InputLine;
use crate::job::{Event, Job};
use crate::reply::Reply;
use crate::syntax_error::SyntaxError;
use monomi_movegen::Position;
use monomi_search::Clock;
use monomi_support::host::Instant;
use std::fmt::{self, Display, Formatter};

/// What happens to a session.
pub enum Input {
    /// A line was read.
    Line(InputLine),
    /// A command from a program; its clock starts at the time given.
    Request(Request, Instant),
    /// The engine reports something.
    Event(Event),
    /// The input has ended.
    End,
    /// The engine's thread has ended.
    EngineEnded,
    /// Time has passed: [`super::Dialogue::wakes_at`] is over.
    Tick,
}

/// A command, and the parts of its line that could not be read.
#[derive(Debug)]
pub struct Request {
    pub(super) what: What,
    pub(super) errors: Vec<SyntaxError>,
}

/// The command itself.
#[derive(Debug)]
pub(super) enum What {
    Command(Command),
    Position(Box<Position>),
}

impl Request {
    /// `position` with this position.
    pub fn position(position: Position) -> Self {
        Self { what: What::Position(Box::new(position)), errors: Vec::new() }
    }
}

/// For the log.
impl Display for Request {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Command(command) => write!(f, "{command:?}"),
            What::Position(position) => write!(f, "position {}", position.to_sfen()),
        }
    }
}

impl From<Command> for Request {
    fn from(command: Command) -> Self {
        Self { what: What::Command(command), errors: Vec::new() }
    }
}

/// What a driver must do.
#[derive(Debug)]
pub enum Action {
    /// Write a reply.
    Say(Reply),
    /// Give a job to the engine. It runs after those given before.
    Run(Job),
    /// Stop the last job that can be stopped.
    Stop,
    /// Tell the last search that the predicted move was played.
    PonderHit {
        /// When that was read: the engine's clock runs from here.
        at: Instant,
        /// The present clock, if it was sent.
        clock: Option<Clock>,
    },
    /// Log all input and output to this file from now on, or not at all if the name is empty. On an error
    /// pass [`Event::Refused`] with [`Setting::LogFile`](crate::job::Setting::LogFile) of `before`.
    Log {
        /// Path of the new log.
        file: String,
        /// Path of the log until now.
        before: String,
    },
    /// End the session; it does nothing more.
    End {
        /// By `quit`, not by the end of the input.
        by_quit: bool,
    },
}
