//! What a [`Dialogue`](crate::dialogue::Dialogue) asks the engine to do, and what the engine reports.

use crate::notice::{Notice, UsiError};
use crate::options::BookSource;
use crate::skill::Skill;
use crate::tool::Tool;
use monomi_book::BookOptions;
use monomi_eval::Evaluation;
use monomi_eval::source::EvalSource;
use monomi_mate::MateResult;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{Info, Limits, SearchOptions, SearchResult};
use monomi_support::host::Instant;
use std::sync::Arc;

/// A request to the engine. Jobs run in the order in which they are given.
#[derive(Debug)]
pub enum Job {
    /// Search.
    Go(Box<Search>),
    /// Count legal move sequences.
    Perft {
        /// Repeated in all events of this count.
        id: u64,
        /// The position.
        root: Box<Position>,
        /// Length of the sequences in plies.
        depth: u32,
    },
    /// Search for a mate.
    Mate {
        /// Repeated in the answer.
        id: u64,
        /// The position; its side to move attacks.
        root: Box<Position>,
        /// When to give up.
        deadline: Option<Instant>,
        /// Size of the solver's table in mebibytes.
        hash_mib: usize,
        /// Solve by the rules of tsume, and report this many first moves; `None` for any mate.
        tsume: Option<usize>,
    },
    /// A measurement or another long command.
    Tool {
        /// Repeated in its events.
        id: u64,
        /// What to do.
        tool: Tool,
    },
    /// A new game begins.
    NewGame,
    /// Clear the table and the histories.
    Forget,
    /// Change the table's size, in mebibytes.
    Resize(usize),
    /// Change the number of search threads.
    SetThreads(usize),
    /// Bind the search threads to NUMA nodes, where there are several, or leave them to the system.
    UseNuma(bool),
    /// Change the evaluation.
    LoadEval(EvalSource),
    /// Change the book; `None` for none.
    LoadBook(Option<BookSource>),
    /// Send [`Event::Ready`] when all earlier jobs are done.
    Ready,
}

/// A search to run.
#[derive(Clone, Debug)]
pub struct Search {
    /// Repeated in all events of this search.
    pub id: u64,
    /// The position, with the game's moves as its history.
    pub root: Position,
    /// Limits of the search.
    pub limits: Limits,
    /// Options of the search.
    pub options: SearchOptions,
    /// How to use the book, `None` to ignore it.
    pub book: Option<BookOptions>,
    /// Reduced playing strength.
    pub skill: Option<Skill>,
}

impl Job {
    /// Whether `stop` ends it. All others run to their end.
    pub fn is_stoppable(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Perft { .. } | Self::Mate { .. } | Self::Tool { .. })
    }
}

/// A report of the engine.
pub enum Event {
    /// An info line of search `id`.
    Info(u64, Info),
    /// Search `id` has ended.
    Done(u64, SearchResult),
    /// Search `id` has panicked.
    Failed(u64, String),
    /// Count `id`: nodes below a root move.
    PerftShare(u64, PackedMove, u64),
    /// Count `id` has ended; `None` if it was stopped.
    PerftDone(u64, Option<u64>),
    /// Another first move that mates, with its number from 2, found by mate search `id`.
    OtherMate(u64, usize, MateResult),
    /// Mate search `id` has ended.
    Mate(u64, MateResult),
    /// A line of output of tool `id`.
    ToolLine(u64, String),
    /// Tool `id` has ended.
    ToolDone(u64, Result<(), UsiError>),
    /// A setting could not be changed: its present value, and the reason.
    Refused(Setting, UsiError),
    /// A message for the user.
    Notice(Notice),
    /// An error for the user.
    Error(UsiError),
    /// The evaluation has been changed.
    Evaluation(Arc<Evaluation>),
    /// All jobs before [`Job::Ready`] are done.
    Ready,
}

/// A setting that may fail to change, with the value in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The table's size in mebibytes.
    Hash(usize),
    /// The number of search threads.
    Threads(usize),
    /// The evaluation.
    Eval(EvalSource),
    /// The book.
    Book(Option<BookSource>),
    /// The file of the log, empty for none.
    LogFile(String),
}
