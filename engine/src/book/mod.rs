//! Opening books: YaneuraOu's `.db` (in memory, or on disk by binary search) and Apery's `.bin`.
//!
//! A book knows nothing of options and luck: [`Book::find`] says what stands there, `choose.rs`
//! which of it is played. Both tell the caller what went wrong; nothing here prints.

mod apery;
mod choose;
mod edit;
mod key;
mod memory;
mod on_disk;
mod text;

pub use choose::{BookOptions, Hit, Line, Probe, probe};
pub use edit::{Draft, Inspection, Outcome, inspect};
pub use text::{Fault, HEADER};

use key::turned;
use monomi_movegen::{PackedMove, Position};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Broken lines that are named; more of them are only counted.
pub const NAMED_FAULTS: usize = 10;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; not known to be legal anywhere.
    pub mv: PackedMove,
    /// The reply expected.
    pub ponder: Option<PackedMove>,
    /// Its value for the side to move, in centipawns; 0 where the book has none.
    pub eval: i32,
    /// Depth of the search behind that value, in plies; 0 where there was none.
    pub depth: u32,
    /// How often it was played; 0 where the book does not count.
    pub count: u32,
}

/// Why a book is not used.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: std::io::Error,
    },
    /// It is something else.
    #[error("{}: this is no book ({reason})", path.display())]
    NoBook {
        /// The file.
        path: PathBuf,
        /// What speaks against it.
        reason: String,
    },
}

/// What is good to know about a book that was opened.
#[derive(Debug, Default)]
pub struct Opened {
    /// The first broken lines; they were skipped.
    pub faults: Vec<Fault>,
    /// How many lines were broken in all.
    pub fault_count: usize,
    /// The file should have stayed on disk, but is not sorted: it was read into memory instead.
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
    Apery(apery::AperyBook),
}

/// How a position may be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The same position at another move of the game will do.
    pub ignore_ply: bool,
    /// The same position with the sides exchanged will do.
    pub flipped: bool,
}

impl Book {
    /// Opens a book. Files called `*.bin` are Apery's, all others YaneuraOu's. With `on_disk` a
    /// sorted `.db` stays where it is and costs no memory; Apery's always does, rows of sixteen
    /// bytes being small.
    ///
    /// # Errors
    /// The file cannot be read, or is no book. Broken lines are no error: see [`Opened`].
    pub fn open(path: &Path, on_disk: bool) -> Result<(Self, Opened), BookError> {
        let unreadable = |error| BookError::Unreadable { path: path.to_owned(), error };
        let no_book = |reason| BookError::NoBook { path: path.to_owned(), reason };
        let file = File::open(path).map_err(unreadable)?;
        let mut opened = Opened::default();
        let store = if is_apery(path) {
            let bytes = file.metadata().map_err(unreadable)?.len();
            if bytes == 0 || bytes % apery::ROW as u64 != 0 {
                let reason = format!("{bytes} bytes are no rows of {}", apery::ROW);
                return Err(no_book(reason));
            }
            Store::Apery(apery::AperyBook::read(BufReader::new(file)).map_err(unreadable)?)
        } else {
            let disk = on_disk::DiskBook::new(file).map_err(unreadable)?;
            if on_disk && disk.seems_sorted().map_err(unreadable)? {
                Store::OnDisk(disk)
            } else {
                opened.unsorted = on_disk;
                let mut file = disk.into_file();
                std::io::Seek::rewind(&mut file).map_err(unreadable)?;
                let reader = BufReader::with_capacity(1 << 20, file);
                let memory = memory::MemoryBook::read(reader, &mut opened).map_err(unreadable)?;
                if memory.is_empty() && opened.fault_count > 0 {
                    let reason = match opened.faults.first() {
                        Some(fault) => fault.to_string(),
                        None => String::new(),
                    };
                    return Err(no_book(reason));
                }
                Store::Memory(memory)
            }
        };
        Ok((Self { path: path.to_owned(), store }, opened))
    }

    /// Where it came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of positions; unknown for a book on disk.
    pub fn positions(&self) -> Option<usize> {
        match &self.store {
            Store::Memory(book) => Some(book.positions()),
            Store::OnDisk(_) => None,
            Store::Apery(book) => Some(book.positions()),
        }
    }

    /// The moves for a position, best first: by value, then by how often they were played. Empty
    /// when the position is not in the book.
    ///
    /// # Errors
    /// A book on disk cannot be read any more.
    pub fn find(&self, position: &Position, how: Lookup) -> std::io::Result<Vec<BookMove>> {
        let partial = position.to_partial();
        let ply = (!how.ignore_ply).then(|| position.ply());
        let mut moves = self.find_exactly(&partial, position.ply(), ply.is_none())?;
        if moves.is_empty() && how.flipped {
            moves = self.find_exactly(&turned(&partial), position.ply(), ply.is_none())?;
            for found in &mut moves {
                found.mv = found.mv.flipped();
                found.ponder = found.ponder.map(PackedMove::flipped);
            }
        }
        moves.sort_by_key(|found| (std::cmp::Reverse(found.eval), std::cmp::Reverse(found.count)));
        Ok(moves)
    }

    fn find_exactly(
        &self,
        partial: &shogi_core::PartialPosition,
        ply: u16,
        ignore_ply: bool,
    ) -> std::io::Result<Vec<BookMove>> {
        match &self.store {
            Store::Memory(book) => {
                Ok(book.find(key::of(partial), ply, ignore_ply).map_or(Vec::new(), <[_]>::to_vec))
            }
            Store::OnDisk(book) => book.find(&partial.to_sfen_owned(), ply, ignore_ply),
            Store::Apery(book) => Ok(book.find(partial)),
        }
    }
}

/// Whether a file's name says that it is one of Apery's.
fn is_apery(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"))
}
