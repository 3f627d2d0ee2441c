//! A book: opened by its name, looked up by position.

use crate::apery::{self, AperyBook};
use crate::book_move::{BookMove, PlayedMove};
use crate::fault::{BookError, NotABook};
use crate::format::Format;
use crate::key;
use crate::memory::MemoryBook;
use crate::on_disk::{DiskBook, Sample};
use crate::opened::Opened;
use crate::ybb::YbbBook;
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position, rotated};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// How a position may be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// Accept the same position with another move number.
    pub ignore_ply: bool,
    /// Accept the same position with the colours exchanged.
    pub flipped: bool,
}

impl Default for Lookup {
    /// The move number counts, the colours do not.
    fn default() -> Self {
        Self { ignore_ply: false, flipped: true }
    }
}

/// A book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Memory(MemoryBook),
    OnDisk(DiskBook),
    Ybb(YbbBook),
    Apery(AperyBook),
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
            let book = YbbBook::open(file, on_disk).map_err(unreadable)?;
            Store::Ybb(book.map_err(|fault| no_book(NotABook::Ybb(fault)))?)
        } else if format == Format::Apery {
            let bytes = file.metadata().map_err(unreadable)?.len();
            if bytes == 0 || bytes % apery::RECORD as u64 != 0 {
                return Err(no_book(NotABook::Size { bytes, entry: apery::RECORD }));
            }
            Store::Apery(AperyBook::read(BufReader::new(file)).map_err(unreadable)?)
        } else {
            let disk = DiskBook::new(file).map_err(unreadable)?;
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
                let memory = MemoryBook::read(reader, &mut opened).map_err(unreadable)?;
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
