//! Reading the positions of a book of any format that contains positions.

use crate::db::DbEntries;
use crate::entry::{BookEntry, Faults};
use crate::fault::{BookError, NotABook};
use crate::format::Format;
use crate::ybb::{YbbEntries, YbbFault, overlaps};
use monomi_movegen::Layout;
use std::fs::File;
use std::io::{BufReader, Result};
use std::path::{Path, PathBuf};

enum Entries {
    Db(DbEntries<BufReader<File>>),
    Ybb(Box<YbbEntries>),
}

/// The positions of a `.db` or `.ybb`, in the order of the file.
pub struct BookReader {
    path: PathBuf,
    entries: Entries,
    faults: Faults,
}

impl BookReader {
    /// Opens a book.
    ///
    /// # Errors
    /// The file cannot be read, is not a book, or is a `.bin`, which contains no positions, or an `.sbk`.
    pub fn open(path: &Path) -> std::result::Result<Self, BookError> {
        let open = || monomi_support::batch::files::open(path);
        let unreadable = |error| BookError::Unreadable { path: path.to_owned(), error };
        let no_book = |reason| BookError::NotABook { path: path.to_owned(), reason };
        let file = open().map_err(unreadable)?;
        let entries = match Format::of(path) {
            Format::Sbk => return Err(no_book(NotABook::OnlyConverted)),
            Format::Apery => return Err(no_book(NotABook::OnlyKeys)),
            Format::Db => Entries::Db(DbEntries::new(BufReader::with_capacity(1 << 20, file))),
            Format::Ybb => {
                let again = open().map_err(unreadable)?;
                let entries = YbbEntries::open(file, again).map_err(unreadable)?;
                Entries::Ybb(Box::new(entries.map_err(|fault| no_book(NotABook::Ybb(fault)))?))
            }
        };
        Ok(Self { path: path.to_owned(), entries, faults: Faults::default() })
    }

    /// The next position; `None` at the end. Invalid lines and positions are skipped and added to the
    /// faults.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&mut self) -> Result<Option<BookEntry>> {
        match &mut self.entries {
            Entries::Db(entries) => entries.next(&mut self.faults),
            Entries::Ybb(entries) => entries.next(&mut self.faults),
        }
    }

    /// Looks for positions that share moves; to be called at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn find_overlaps(&mut self) -> Result<()> {
        match &self.entries {
            Entries::Ybb(entries) if entries.disordered() => {
                overlaps(File::open(&self.path)?, entries.header(), &mut self.faults)
            }
            _ => Ok(()),
        }
    }

    /// Adds a fault of the position that was read last, which the caller found.
    pub fn complain(&mut self, fault: impl FnOnce(u64) -> YbbFault) {
        if let Entries::Ybb(entries) = &self.entries {
            self.faults.add(fault(entries.number()));
        }
    }

    /// What was wrong with the book.
    pub fn into_faults(self) -> Faults {
        self.faults
    }
}

/// The result of checking a `.ybb`.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct YbbInspection {
    /// The number of positions.
    pub positions: u64,
    /// The number of moves.
    pub moves: u64,
    /// What is wrong, including illegal moves.
    pub faults: Faults,
}

/// Checks every position and move of a `.ybb`.
///
/// # Errors
/// The file cannot be read, or is not a `.ybb`.
pub fn inspect_ybb(path: &Path) -> std::result::Result<YbbInspection, BookError> {
    let unreadable = |error| BookError::Unreadable { path: path.to_owned(), error };
    let mut reader = BookReader::open(path)?;
    let mut found = YbbInspection::default();
    while let Some(entry) = reader.read().map_err(unreadable)? {
        found.positions += 1;
        found.moves += entry.moves.len() as u64;
        match entry.position.unpack(Layout::Sfen, 1) {
            Err(error) => reader.complain(|number| YbbFault::Position(number, error)),
            Ok(position) => {
                for played in &entry.moves {
                    let mv = played.found.mv;
                    if !position.is_legal(mv) {
                        reader.complain(|number| YbbFault::Illegal(number, mv));
                    }
                }
            }
        }
    }
    reader.find_overlaps().map_err(unreadable)?;
    found.faults = reader.faults;
    Ok(found)
}
