//! Binary search in a sorted `.db` on disk (BookOnTheFly).
//!
//! Positions are sorted as lines of bytes including the move number. A space sorts before all
//! characters of an sfen, so the lines of one position with different move numbers are adjacent.

use crate::book_move::PlayedMove;
use crate::fault::{NotABook, Reason};
use crate::file_at::FileAt;
use crate::key;
use crate::text::{self, DbLine};
use std::cmp::Ordering;
use std::fs::File;

/// Bytes read at a time. The moves of one position take a few hundred bytes.
const BLOCK: usize = 8 << 10;
/// The number of samples taken to check whether the file is sorted.
const SAMPLES: u64 = 64;
/// The maximum length of a line in bytes; longer lines do not occur in books.
const MAX_LINE: usize = 1 << 20;

/// Where a book has no position in this many bytes, it is none. A position with its moves takes a few
/// hundred.
const WITHOUT_POSITION: u64 = 4 << 20;

/// What a sample of a file shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Its positions are in order.
    Sorted,
    /// Its positions are not in order.
    Unsorted,
    /// The file is not a book, for this reason.
    NoBook(NotABook),
}

/// A book on disk.
#[derive(Debug)]
pub struct DiskBook {
    file: FileAt,
    len: u64,
}

/// The line of a position, its offset and the offset of the next line.
struct PositionLine {
    at: u64,
    next: u64,
    line: String,
}

impl DiskBook {
    /// A book in a file that is open for reading.
    pub fn new(file: File) -> std::io::Result<Self> {
        let file = FileAt::new(file)?;
        let len = file.len();
        Ok(Self { file, len })
    }

    /// Returns the file.
    pub fn into_file(self) -> File {
        self.file.into_file()
    }

    /// The first position whose line starts at or after `from`; `None` if there is none.
    fn position_from(&self, from: u64) -> std::io::Result<Option<PositionLine>> {
        self.position_within(from, self.len)
    }

    /// The first position whose line starts from `from` to `end`; `None` if there is none.
    fn position_within(&self, from: u64, end: u64) -> std::io::Result<Option<PositionLine>> {
        let mut lines = LineReader::new(self, from);
        if from > 0 {
            // `from` may be inside a line: skip to the end of the line.
            lines.at -= 1;
            lines.next()?;
        }
        loop {
            let at = lines.at;
            if at > end {
                return Ok(None);
            }
            let Some(line) = lines.next()? else { return Ok(None) };
            if line.starts_with("sfen ") {
                return Ok(Some(PositionLine { at, next: lines.at, line }));
            }
        }
    }

    /// Reads a sample of the positions.
    pub fn sample(&self) -> std::io::Result<Sample> {
        let mut former: Option<PositionLine> = None;
        let (mut fault, mut valid) = (None, false);
        for sample in 0..SAMPLES {
            let from = self.len / SAMPLES * sample;
            let end = from.saturating_add(WITHOUT_POSITION);
            let Some(found) = self.position_within(from, end)? else {
                if from == 0 && !self.is_blank()? {
                    return Ok(Sample::NoBook(NotABook::NoPosition));
                }
                break;
            };
            match invalid(&found.line) {
                Some(reason) => fault = fault.or(Some(reason)),
                // One is enough; `monomi book check` reports the invalid lines.
                None => valid = true,
            }
            // The next position too, to detect local disorder.
            let neighbour = self.position_from(found.next)?;
            for found in [Some(found), neighbour].into_iter().flatten() {
                let disordered = former.as_ref().is_some_and(|former| {
                    former.at < found.at && former.line.trim_end() > found.line.trim_end()
                });
                if disordered {
                    return Ok(Sample::Unsorted);
                }
                former = Some(found);
            }
        }
        Ok(match fault {
            Some(reason) if !valid => Sample::NoBook(NotABook::Reason(reason)),
            _ => Sample::Sorted,
        })
    }

    /// Whether the file begins with blank lines and comments only.
    fn is_blank(&self) -> std::io::Result<bool> {
        let mut start = vec![0; BLOCK];
        let read = self.file.read(0, &mut start)?;
        let text = String::from_utf8_lossy(&start[..read]);
        Ok(text.lines().all(|line| matches!(text::read(line), Ok(DbLine::Blank))))
    }

    /// The moves of a position given as sfen with its move number.
    pub fn find(&self, sfen: &str, ply: u16, ignore_ply: bool) -> std::io::Result<Vec<PlayedMove>> {
        let wanted = format!("sfen {}", without_ply(sfen));
        // All positions before `low` are less than the wanted one; none from `high` on is.
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.position_from(middle)? {
                Some(found) if compare(&found.line, &wanted) == Ordering::Less => low = found.next,
                _ => high = middle,
            }
        }
        let mut best: Option<(u16, u64)> = None;
        let mut from = low;
        while let Some(found) = self.position_from(from)?
            && compare(&found.line, &wanted) == Ordering::Equal
        {
            if let Ok(DbLine::Position(fields)) = text::read(&found.line) {
                let far = fields.ply.abs_diff(ply);
                let fits = ignore_ply || far == 0 || fields.ply == 0;
                if fits && best.is_none_or(|(nearest, _)| far < nearest) {
                    best = Some((far, found.next));
                }
            }
            from = found.next;
        }
        let Some((_, from)) = best else { return Ok(Vec::new()) };
        let mut moves: Vec<PlayedMove> = Vec::new();
        let mut lines = LineReader::new(self, from);
        while let Some(line) = lines.next()? {
            match text::read(&line) {
                Ok(DbLine::Position(_)) => break,
                Ok(DbLine::Move(found)) => moves.push(PlayedMove { found, results: None }),
                Ok(DbLine::Results(results)) => {
                    if let Some(last) = moves.last_mut() {
                        last.results = Some(results);
                    }
                }
                // `monomi book check` reports invalid lines.
                Ok(DbLine::Blank) | Err(_) => {}
            }
        }
        Ok(moves)
    }
}

/// What is wrong with a position's line.
fn invalid(line: &str) -> Option<Reason> {
    match text::read(line) {
        Ok(DbLine::Position(sfen)) => {
            key::of_sfen(sfen.board, sfen.side, sfen.hands).err().map(Reason::from)
        }
        Ok(_) => Some(Reason::NotAPosition),
        Err(reason) => Some(reason),
    }
}

/// Reads lines from an offset on.
struct LineReader<'a> {
    book: &'a DiskBook,
    /// The offset of the next line.
    at: u64,
    buffer: Vec<u8>,
    /// The offset of the buffer.
    start: u64,
}

impl<'a> LineReader<'a> {
    fn new(book: &'a DiskBook, at: u64) -> Self {
        Self { book, at, buffer: Vec::new(), start: 0 }
    }

    /// The next line including its line end; `None` at the end of the file.
    fn next(&mut self) -> std::io::Result<Option<String>> {
        let mut size = BLOCK;
        loop {
            let inside = self.at.checked_sub(self.start).map(|offset| offset as usize);
            let rest = inside.and_then(|offset| self.buffer.get(offset..)).unwrap_or_default();
            let end = rest.iter().position(|&byte| byte == b'\n');
            let at_end = self.start + self.buffer.len() as u64 >= self.book.len;
            if let Some(len) = end.map(|end| end + 1).or(at_end.then_some(rest.len())) {
                if len == 0 {
                    return Ok(None);
                }
                let line = String::from_utf8_lossy(&rest[..len]).into_owned();
                self.at += len as u64;
                return Ok(Some(line));
            }
            if size > MAX_LINE {
                return Ok(None);
            }
            self.buffer.resize(size, 0);
            let read = self.book.file.read(self.at, &mut self.buffer)?;
            self.buffer.truncate(read);
            self.start = self.at;
            if read == 0 {
                return Ok(None);
            }
            size *= 4;
        }
    }
}

/// An sfen without its move number.
fn without_ply(sfen: &str) -> String {
    sfen.split_ascii_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// Compares a position's line with a position without move number.
fn compare(line: &str, wanted: &str) -> Ordering {
    let line = line.trim_end();
    match line.strip_prefix(wanted) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => Ordering::Equal,
        _ => line.cmp(wanted),
    }
}
