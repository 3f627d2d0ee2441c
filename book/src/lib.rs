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
mod choose;
mod compare;
mod convert;
mod db;
mod edit;
mod entry;
mod fault;
mod file_at;
mod key;
mod memory;
mod minimax;
mod on_disk;
mod reader;
mod sbk;
mod sort;
#[cfg(test)]
mod test_books;
mod text;
mod walk;
mod ybb;

pub use choose::{BookHit, BookLine, BookOptions, BookProbe, Excluded, ProbeFault, probe};
pub use compare::{Comparison, Difference, compare};
pub use convert::{Conversion, ConvertError, Converted, convert, extend};
pub use edit::{BookBuilder, GameResult, Inspection, inspect};
pub use entry::{BookEntry, EntryFault, Faults};
pub use fault::{BookError, Fault, Field, NotABook, Number, Reason, SfenFault};
pub use minimax::{
    BestLine, LeafChoice, Mine, Minimax, MinimaxError, Minimaxed, Round, entry_of, leaves, minimax,
};
pub use reader::{BookReader, YbbInspection, inspect_ybb};
pub use text::{HEADER, Results};
pub use ybb::{YbbFault, YbbWriter};

use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position, rotated};
use on_disk::Sample;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// The number of invalid lines that are reported in full; others are only counted.
pub const NAMED_FAULTS: usize = 10;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; it may be illegal.
    pub mv: PackedMove,
    /// The expected reply.
    pub ponder: Option<PackedMove>,
    /// The evaluation for the side to move in centipawns; 0 if the book has none.
    pub eval: i32,
    /// The depth of the search that computed the evaluation, in plies; 0 if unknown.
    pub depth: u32,
    /// How often the move was played; 0 if unknown.
    pub count: u32,
}

/// A move of a book with its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub found: BookMove,
    /// The results of the games in which it was played, if the book has them.
    pub results: Option<Results>,
}

/// Remarks about a book that was opened.
#[derive(Debug, Default)]
pub struct Opened {
    /// The first invalid lines; they were skipped.
    pub faults: Vec<Fault>,
    /// The number of invalid lines.
    pub fault_count: usize,
    /// The file is not sorted, so it was read into memory instead of being searched on disk.
    pub unsorted: bool,
}

/// A book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Memory(memory::MemoryBook),
    OnDisk(on_disk::DiskBook),
    Ybb(ybb::YbbBook),
    Apery(apery::AperyBook),
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YaneuraOu's text format.
    Db,
    /// YaneuraOu's binary format.
    Ybb,
    /// Apery's format.
    Apery,
    /// ShogiGUI's format, which is only converted.
    Sbk,
}

impl Format {
    /// The format by the end of the file's name: `.ybb`, `.bin`, `.sbk`, or any other for `.db`.
    pub fn of(path: &Path) -> Self {
        let ends_with = |wanted: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
        };
        match () {
            () if ends_with("ybb") => Self::Ybb,
            () if ends_with("bin") => Self::Apery,
            () if ends_with("sbk") => Self::Sbk,
            () => Self::Db,
        }
    }
}

/// How a position may be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Accept the same position with another move number.
    pub ignore_ply: bool,
    /// Accept the same position with the colours exchanged.
    pub flipped: bool,
}

impl Book {
    /// Opens a book; its name decides its [`Format`]. With `on_disk` a `.ybb` and a sorted `.db` are
    /// searched on disk. Books in Apery's format are always read into memory (16 bytes per
    /// move).
    ///
    /// # Errors
    /// The file cannot be read or is not a book. Invalid lines are not an error: see [`Opened`].
    pub fn open(path: &Path, on_disk: bool) -> Result<(Self, Opened), BookError> {
        let unreadable = |error| BookError::Unreadable { path: path.to_owned(), error };
        let no_book = |reason| BookError::NotABook { path: path.to_owned(), reason };
        // Opening a FIFO would block, and a device may have no end.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(no_book(NotABook::NotAFile));
        }
        let file = File::open(path).map_err(unreadable)?;
        let mut opened = Opened::default();
        let format = Format::of(path);
        if format == Format::Sbk {
            return Err(no_book(NotABook::OnlyConverted));
        }
        let store = if format == Format::Ybb {
            let book = ybb::YbbBook::open(file, on_disk).map_err(unreadable)?;
            Store::Ybb(book.map_err(|fault| no_book(NotABook::Ybb(fault)))?)
        } else if format == Format::Apery {
            let bytes = file.metadata().map_err(unreadable)?.len();
            if bytes == 0 || bytes % apery::RECORD as u64 != 0 {
                return Err(no_book(NotABook::Size { bytes, entry: apery::RECORD }));
            }
            Store::Apery(apery::AperyBook::read(BufReader::new(file)).map_err(unreadable)?)
        } else {
            let disk = on_disk::DiskBook::new(file).map_err(unreadable)?;
            let sample =
                if on_disk { disk.sample().map_err(unreadable)? } else { Sample::Unsorted };
            if let Sample::NoBook(reason) = sample {
                return Err(no_book(reason));
            }
            if sample == Sample::Sorted {
                Store::OnDisk(disk)
            } else {
                opened.unsorted = on_disk;
                let mut file = disk.into_file();
                std::io::Seek::rewind(&mut file).map_err(unreadable)?;
                let reader = BufReader::with_capacity(1 << 20, file);
                let memory = memory::MemoryBook::read(reader, &mut opened).map_err(unreadable)?;
                if let (true, Some(fault)) = (memory.is_empty(), opened.faults.first()) {
                    return Err(no_book(NotABook::Fault(fault.clone())));
                }
                Store::Memory(memory)
            }
        };
        Ok((Self { path: path.to_owned(), store }, opened))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of positions; `None` for a book on disk.
    pub fn positions(&self) -> Option<usize> {
        match &self.store {
            Store::Memory(book) => Some(book.positions()),
            Store::OnDisk(_) => None,
            Store::Ybb(book) => book.in_memory().then(|| book.positions() as usize),
            Store::Apery(book) => Some(book.positions()),
        }
    }

    /// The moves for a position, best first: by evaluation, then by count. Empty if the position is
    /// not in the book.
    ///
    /// # Errors
    /// The file of a book on disk cannot be read.
    pub fn find(&self, position: &Position, how: Lookup) -> std::io::Result<Vec<BookMove>> {
        let played = self.find_played(position, how)?;
        Ok(played.into_iter().map(|played| played.found).collect())
    }

    /// Like [`Book::find`], with the results of each move.
    ///
    /// # Errors
    /// The file of a book on disk cannot be read.
    pub fn find_played(
        &self,
        position: &Position,
        how: Lookup,
    ) -> std::io::Result<Vec<PlayedMove>> {
        let partial = position.to_partial();
        let ply = (!how.ignore_ply).then(|| position.ply());
        let mut moves = self.find_exactly(&partial, position.ply(), ply.is_none())?;
        if moves.is_empty() && how.flipped {
            moves = self.find_exactly(&rotated(&partial), position.ply(), ply.is_none())?;
            for PlayedMove { found, .. } in &mut moves {
                found.mv = found.mv.flipped();
                found.ponder = found.ponder.map(PackedMove::flipped);
            }
        }
        moves.sort_by_key(|PlayedMove { found, .. }| {
            (std::cmp::Reverse(found.eval), std::cmp::Reverse(found.count))
        });
        Ok(moves)
    }

    fn find_exactly(
        &self,
        partial: &shogi_core::PartialPosition,
        ply: u16,
        ignore_ply: bool,
    ) -> std::io::Result<Vec<PlayedMove>> {
        match &self.store {
            Store::Memory(book) => {
                Ok(book.find(key::of(partial), ply, ignore_ply).unwrap_or_default())
            }
            Store::OnDisk(book) => book.find(&partial.to_sfen_owned(), ply, ignore_ply),
            Store::Ybb(book) => {
                // Positions with fewer than forty pieces are not in the book.
                let Ok(position) = Position::from_partial(partial) else { return Ok(Vec::new()) };
                let packed = PackedPosition::pack(&position, Layout::Sfen);
                let found = packed.ok().map(|packed| book.find(&packed.0)).transpose()?.flatten();
                let fits = |&(known, _): &(u16, _)| ignore_ply || known == ply || known == 0;
                let (_, moves) = found.filter(fits).unwrap_or_default();
                Ok(moves.into_iter().map(|found| PlayedMove { found, results: None }).collect())
            }
            Store::Apery(book) => {
                let moves = book.find(partial).into_iter();
                Ok(moves.map(|found| PlayedMove { found, results: None }).collect())
            }
        }
    }
}
