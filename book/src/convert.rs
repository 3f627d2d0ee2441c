//! Converting books between formats, sorting and merging them, in bounded memory.

use crate::apery::{self, AperyBook};
use crate::book_move::Results;
use crate::book_move::{BookMove, PlayedMove};
use crate::entry::{BookEntry, Faults};
use crate::fault::BookError;
use crate::format::Format;
use crate::reader::BookReader;
use crate::sort::Sorter;
use crate::ybb::YbbFault;
use crate::ybb::YbbWriter;
use crate::{db, sbk, walk};
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position};
use monomi_support::batch::files;
use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt::{self, Formatter};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

/// How to convert.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// Bytes of memory for sorting; more goes to temporary files.
    pub memory: usize,
    /// The folder of the temporary files.
    pub folder: PathBuf,
    /// Write the depths of the moves to a `.ybb`.
    pub depths: bool,
    /// Where the positions of a `.bin` are searched.
    pub starts: Vec<Position>,
}

/// What was converted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Converted {
    /// Positions of the new book.
    pub positions: u64,
    /// Moves of the new book.
    pub moves: u64,
    /// Positions that were in the input more than once and were merged.
    pub merged: u64,
    /// Moves whose evaluation, depth or count is out of the range of the format; the nearest value
    /// was written.
    pub clamped: u64,
    /// Records of a `.bin` whose positions were not reached from the starting positions.
    pub unreached: u64,
    /// What is wrong with the input; such lines and positions are not in the new book.
    pub faults: Vec<(PathBuf, Faults)>,
}

/// Why a book cannot be converted.
#[derive(Debug)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input cannot be opened.
    Book(BookError),
    /// The input cannot be read.
    Reading(PathBuf, io::Error),
    /// The new book or a temporary file cannot be written.
    Writing(PathBuf, io::Error),
    /// The new book would be a `.sbk`.
    OnlyRead(PathBuf),
}

#[doc(hidden)]
impl Message for ConvertError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Book(error) => error.write(lang, f),
            Self::OnlyRead(path) => say!(
                lang,
                f,
                "{}: books of ShogiGUI are only read",
                "{}: ShogiGUI の定跡は書けません（読み込み専用）",
                path.display()
            ),
            Self::Reading(path, error) | Self::Writing(path, error) => {
                write!(f, "{}: {}", path.display(), error.in_lang(lang))
            }
        }
    }
}
error_message!(ConvertError, Book: BookError);

/// Writes all positions of the books to a new one, sorted as its format requires. The formats follow
/// from the names of the files. Entries for the same position are merged. The old file is replaced
/// when the new one is complete.
///
/// # Errors
/// A book cannot be read, or the new one cannot be written.
pub fn convert(
    books: &[PathBuf],
    output: &Path,
    how: &Conversion,
) -> Result<Converted, ConvertError> {
    extend(books, &[], output, how)
}

/// Refuses a format that is only read.
pub fn check_output(output: &Path) -> Result<(), ConvertError> {
    match Format::of(output) {
        Format::Sbk => Err(ConvertError::OnlyRead(output.to_owned())),
        Format::Db | Format::Ybb | Format::Apery => Ok(()),
    }
}

/// Adds the positions of books. Returns what is wrong with each, and the number of moves of `.bin` whose
/// positions were not found.
fn add_books(
    sorted: &mut SortedBook,
    books: &[PathBuf],
    output: &Path,
    how: &Conversion,
) -> Result<(Vec<(PathBuf, Faults)>, u64), ConvertError> {
    let writing = |error| ConvertError::Writing(output.to_owned(), error);
    let (mut faults, mut unreached) = (Vec::new(), 0);
    for path in books {
        let found = match Format::of(path) {
            Format::Apery => {
                let book = open_apery(path)?;
                let (found, missed) = walk::entries(&book, &how.starts);
                unreached += missed;
                found.iter().try_for_each(|entry| sorted.add(entry)).map_err(writing)?;
                Faults::default()
            }
            Format::Sbk => {
                let reading = |error| ConvertError::Reading(path.clone(), error);
                let bytes = files::read(path).map_err(reading)?;
                let mut faults = Faults::default();
                let found = sbk::entries(&bytes, &mut faults);
                let (found, missed) =
                    found.map_err(|reason| BookError::NotABook { path: path.clone(), reason })?;
                unreached += missed;
                found.iter().try_for_each(|entry| sorted.add(entry)).map_err(writing)?;
                faults
            }
            Format::Db | Format::Ybb => {
                let reading = |error| ConvertError::Reading(path.clone(), error);
                let mut reader = BookReader::open(path)?;
                while let Some(entry) = next_valid(&mut reader).map_err(reading)? {
                    sorted.add(&entry).map_err(writing)?;
                }
                reader.into_faults()
            }
        };
        faults.push((path.clone(), found));
    }
    Ok((faults, unreached))
}

/// Writes the positions of the books and further ones to a new book, as [`convert`] does.
///
/// # Errors
/// A book cannot be read, or the new one cannot be written.
pub fn extend(
    books: &[PathBuf],
    entries: &[BookEntry],
    output: &Path,
    how: &Conversion,
) -> Result<Converted, ConvertError> {
    let writing = |error| ConvertError::Writing(output.to_owned(), error);
    check_output(output)?;
    let mut sorted = SortedBook::new(Format::of(output), how);
    let (faults, unreached) = add_books(&mut sorted, books, output, how)?;
    entries.iter().try_for_each(|entry| sorted.add(entry)).map_err(writing)?;
    Ok(Converted { faults, unreached, ..sorted.write(output, how)? })
}

/// The positions of a new book, sorted as its format requires.
pub struct SortedBook {
    format: Format,
    sorter: Sorter,
}

impl SortedBook {
    /// A book without positions.
    pub fn new(format: Format, how: &Conversion) -> Self {
        Self { format, sorter: Sorter::new(&how.folder, how.memory) }
    }

    /// Adds a position, which must be valid.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, entry: &BookEntry) -> io::Result<()> {
        self.sorter.add(&key(entry, self.format), &encode(entry))
    }

    /// Writes the book; entries for the same position are merged.
    ///
    /// # Errors
    /// The file or a temporary one cannot be written.
    pub fn write(self, output: &Path, how: &Conversion) -> Result<Converted, ConvertError> {
        let writing = |error| ConvertError::Writing(output.to_owned(), error);
        let mut converted = Converted::default();
        let mut sorted = self.sorter.finish().map_err(writing)?;
        files::replace(output, |out| {
            let mut out = NewBook::new(out, self.format, how)?;
            let mut current: Option<(Vec<u8>, BookEntry)> = None;
            while let Some((key, value)) = sorted.next()? {
                let entry = decode(&value);
                match &mut current {
                    Some((known, former)) if *known == key => {
                        former.merge(entry);
                        converted.merged += 1;
                    }
                    _ => {
                        if let Some((_, former)) = current.replace((key, entry)) {
                            out.write(&former, &mut converted)?;
                        }
                    }
                }
            }
            if let Some((_, last)) = current {
                out.write(&last, &mut converted)?;
            }
            out.finish()
        })
        .map_err(writing)?;
        Ok(converted)
    }
}

/// The next entry whose position can be unpacked; others are faults.
fn next_valid(reader: &mut BookReader) -> io::Result<Option<BookEntry>> {
    while let Some(entry) = reader.read()? {
        match entry.position.unpack(Layout::Sfen, 1) {
            Ok(_) => return Ok(Some(entry)),
            Err(error) => reader.complain(|number| YbbFault::Position(number, error)),
        }
    }
    Ok(None)
}

fn open_apery(path: &Path) -> Result<AperyBook, ConvertError> {
    let reading = |error| ConvertError::Reading(path.to_owned(), error);
    let file = files::open(path).map_err(reading)?;
    AperyBook::read(BufReader::with_capacity(1 << 20, file)).map_err(reading)
}

/// What positions are sorted by.
fn key(entry: &BookEntry, format: Format) -> Vec<u8> {
    match format {
        Format::Ybb => entry.position.0.to_vec(),
        // Valid positions only come here, so neither fails.
        Format::Db | Format::Sbk => db::sfen(entry).unwrap_or_default().into_bytes(),
        Format::Apery => apery_key(entry).to_be_bytes().to_vec(),
    }
}

fn apery_key(entry: &BookEntry) -> u64 {
    let position = entry.position.unpack(Layout::Sfen, 1);
    position.map_or(0, |position| apery::key(&position.to_partial()))
}

/// A new book that is written in the order of its positions.
pub struct NewBook<'a, W: Write> {
    out: &'a mut W,
    format: Format,
    ybb: Option<Box<YbbWriter>>,
    depths: bool,
}

impl<'a, W: Write> NewBook<'a, W> {
    /// A book without positions.
    ///
    /// # Errors
    /// The file or a temporary one cannot be written.
    pub fn new(out: &'a mut W, format: Format, how: &Conversion) -> io::Result<Self> {
        let mut ybb = None;
        match format {
            Format::Db => db::write_header(out)?,
            Format::Ybb => ybb = Some(Box::new(YbbWriter::new(&how.folder, how.depths)?)),
            Format::Apery | Format::Sbk => {}
        }
        Ok(Self { out, format, ybb, depths: how.depths })
    }

    /// Writes a position, unless it has no moves.
    ///
    /// # Errors
    /// The file cannot be written, or the order is not that of a `.ybb`.
    pub fn write(&mut self, entry: &BookEntry, converted: &mut Converted) -> io::Result<()> {
        if entry.moves.is_empty() {
            return Ok(());
        }
        converted.positions += 1;
        converted.moves += entry.moves.len() as u64;
        let u16s = u32::from(u16::MAX);
        let (eval, depth, count) = match self.format {
            Format::Db | Format::Sbk => (i32::MAX, u32::MAX, u32::MAX),
            Format::Ybb if self.depths => (i32::from(i16::MAX), u16s, u32::MAX),
            Format::Ybb => (i32::from(i16::MAX), u32::MAX, u32::MAX),
            Format::Apery => (i32::MAX, u32::MAX, u16s),
        };
        let found = || entry.moves.iter().map(|played| &played.found);
        let fits = |found: &&BookMove| {
            found.eval.saturating_abs() <= eval && found.depth <= depth && found.count <= count
        };
        converted.clamped += found().filter(|found| !fits(found)).count() as u64;
        match (&mut self.ybb, self.format) {
            (Some(ybb), _) => {
                let moves: Vec<BookMove> = found().copied().collect();
                ybb.add(entry.position.0, entry.ply, &moves)
            }
            (None, Format::Apery) => {
                let key = apery_key(entry);
                found().try_for_each(|found| self.out.write_all(&apery::record(key, found)))
            }
            (None, _) => {
                let sfen = db::sfen(entry).unwrap_or_default();
                db::write_entry(self.out, &sfen, &entry.moves)
            }
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self.ybb {
            Some(ybb) => ybb.finish(self.out).map(drop),
            None => Ok(()),
        }
    }
}

/// An entry as bytes, for temporary files.
fn encode(entry: &BookEntry) -> Vec<u8> {
    let mut bytes = entry.position.0.to_vec();
    bytes.extend_from_slice(&entry.ply.to_le_bytes());
    for PlayedMove { found, results } in &entry.moves {
        let BookMove { mv, ponder, eval, depth, count } = *found;
        bytes.extend_from_slice(&mv.bits().to_le_bytes());
        bytes.extend_from_slice(&ponder.map_or(0, PackedMove::bits).to_le_bytes());
        bytes.extend_from_slice(&eval.to_le_bytes());
        let Results { won, drawn, lost } = results.unwrap_or_default();
        for number in [depth, count, won, drawn, lost] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

/// The inverse of [`encode`].
fn decode(bytes: &[u8]) -> BookEntry {
    let (position, rest) = bytes.split_at(32.min(bytes.len()));
    let mut packed = PackedPosition([0; 32]);
    packed.0[..position.len()].copy_from_slice(position);
    let (ply, rest) = rest.split_at(2.min(rest.len()));
    let ply = ply.first_chunk::<2>().map_or(0, |ply| u16::from_le_bytes(*ply));
    let mut moves = Vec::with_capacity(rest.len() / 28);
    for bytes in rest.as_chunks::<28>().0 {
        let [m0, m1, p0, p1, rest @ ..] = *bytes;
        let Some(mv) = PackedMove::from_bits(u16::from_le_bytes([m0, m1])) else { continue };
        let ponder = PackedMove::from_bits(u16::from_le_bytes([p0, p1]));
        let mut numbers = rest.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let mut next = || numbers.next().unwrap_or(0);
        let (eval, depth, count) = (next() as i32, next(), next());
        let results = Results { won: next(), drawn: next(), lost: next() };
        let results = (!results.is_empty()).then_some(results);
        moves.push(PlayedMove { found: BookMove { mv, ponder, eval, depth, count }, results });
    }
    BookEntry { position: packed, ply, moves }
}
