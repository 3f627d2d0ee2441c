//! Opening books: YaneuraOu's `.db` and `.ybb` (in memory, or on disk by binary search) and Apery's
//! `.bin`.
//!
//! [`Book::find`] returns the moves of a position, [`probe`] chooses one of them by the book options.
//! Problems are returned to the caller; nothing here prints.
//!
//! # Files
//!
//! `text.rs` parses lines of `.db`, `key.rs` computes a 64-bit key of an sfen without building a
//! position; `memory.rs`, `on_disk.rs` (binary search in a sorted file), `ybb.rs` and `apery.rs` are the kinds of store;
//! `sbk.rs` only reads; `choose.rs` implements the options as a function of book, position and random numbers; `edit.rs`
//! builds, merges and checks books in memory. `reader.rs` reads the positions of any book one by one, and `convert.rs`
//! writes them to another one through an external sort (`sort.rs`).
//!
//! `minimax.rs` and its folder carry values from the leaves to the roots. In the graph of a book (`graph.rs`) a position is
//! found by the key of its side with White to move, which a key of the other side becomes by a second table. Positions from
//! which no repetition can be reached are computed once. The others are computed in the order of the book until nothing
//! changes, but only those after which something has changed. That order decides what the values of repetitions become, so
//! it is YaneuraOu's.
//!
//! `selection.rs` chooses which moves out of the book are worth a search; it knows positions only by their numbers.
//! `leaves.rs` makes positions of these, and `mine.rs` is a book that grows by searched positions. The searches themselves
//! run in `monomi-analysis`, as those of `analyze --positions` do; `cli/src/commands/book/mine.rs` connects the two.
//!
//! `Worker` owns the open book and looks the position up before it searches, so a book move is returned like
//! the result of a search, also while pondering.

mod apery;
mod book;
mod book_move;
mod choose;
mod compare;
mod convert;
mod db;
mod edit;
mod entry;
mod fault;
mod file_at;
mod format;
mod key;
mod memory;
mod minimax;
mod on_disk;
mod opened;
mod reader;
mod sbk;
mod sort;
#[cfg(test)]
mod test_books;
mod text;
mod walk;
mod ybb;

pub use book::{Book, Lookup};
pub use book_move::{BookMove, PlayedMove, Results};
pub use choose::{BookHit, BookLine, BookOptions, BookProbe, Excluded, ProbeFault, probe};
pub use compare::{Comparison, Difference, compare};
pub use convert::{Conversion, ConvertError, Converted, convert, extend};
pub use edit::{BookBuilder, GameResult, Inspection, inspect};
pub use entry::{BookEntry, EntryFault, Faults};
pub use fault::{BookError, Fault, Field, NotABook, Number, Reason, SfenFault};
pub use format::Format;
pub use minimax::{
    BestLine, LeafChoice, Mine, Minimax, MinimaxError, Minimaxed, Round, entry_of, leaves, minimax,
};
pub use opened::{NAMED_FAULTS, Opened};
pub use reader::{BookReader, YbbInspection, inspect_ybb};
pub use text::HEADER;
pub use ybb::{YbbFault, YbbWriter};

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
