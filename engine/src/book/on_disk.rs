//! A sorted `.db` that stays on disk and is searched by bisection (BookOnTheFly).
//!
//! Positions are sorted as lines of bytes, move number included. A space sorts before whatever
//! may stand in an sfen, so all lines of one position lie together, whatever their numbers.

use crate::book::BookMove;
use crate::book::text::{self, Line};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// Bytes read at a time. Moves of one position take a few hundred.
const BLOCK: usize = 8 << 10;
/// Places at which a file is looked at to see whether it is sorted.
const SAMPLES: u64 = 64;
/// No line is longer than this; what is, is no book's.
const LONGEST: usize = 1 << 20;

/// A book on disk.
#[derive(Debug)]
pub struct DiskBook {
    file: Mutex<File>,
    len: u64,
}

/// A position's line: where it begins, where the next line begins, and its text.
struct Found {
    at: u64,
    next: u64,
    line: String,
}

impl DiskBook {
    /// A book in a file that may be read.
    pub fn new(file: File) -> std::io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: Mutex::new(file), len })
    }

    /// The file itself.
    pub fn into_file(self) -> File {
        self.file.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        // A panic elsewhere leaves at worst another place in the file, which is set here.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        let mut read = 0;
        while read < buffer.len() {
            match file.read(&mut buffer[read..])? {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }

    /// The first position whose line begins at or behind `from`; `None` at the end.
    fn position_from(&self, from: u64) -> std::io::Result<Option<Found>> {
        let mut lines = Lines::new(self, from);
        if from > 0 {
            // `from` may lie within a line: only what begins behind a line's end counts.
            lines.at -= 1;
            lines.next()?;
        }
        loop {
            let at = lines.at;
            let Some(line) = lines.next()? else { return Ok(None) };
            if line.starts_with("sfen ") {
                return Ok(Some(Found { at, next: lines.at, line }));
            }
        }
    }

    /// Whether the positions met at some places come in order.
    pub fn seems_sorted(&self) -> std::io::Result<bool> {
        let mut former: Option<Found> = None;
        for sample in 0..SAMPLES {
            let from = self.len / SAMPLES * sample;
            let Some(found) = self.position_from(from)? else { break };
            // Beside each sample its neighbour: small disorder shows there.
            let neighbour = self.position_from(found.next)?;
            for found in [Some(found), neighbour].into_iter().flatten() {
                let disordered = former.as_ref().is_some_and(|former| {
                    former.at < found.at && former.line.trim_end() > found.line.trim_end()
                });
                if disordered {
                    return Ok(false);
                }
                former = Some(found);
            }
        }
        Ok(true)
    }

    /// The moves of a position given in sfen with its move number.
    pub fn find(&self, sfen: &str, ply: u16, ignore_ply: bool) -> std::io::Result<Vec<BookMove>> {
        let wanted = format!("sfen {}", without_ply(sfen));
        // All positions that begin before `low` are less than the wanted one; those at or behind
        // `high` are not.
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
            if let Ok(Line::Position(fields)) = text::read(&found.line) {
                let far = fields.ply.abs_diff(ply);
                let fits = ignore_ply || far == 0 || fields.ply == 0;
                if fits && best.is_none_or(|(nearest, _)| far < nearest) {
                    best = Some((far, found.next));
                }
            }
            from = found.next;
        }
        let Some((_, from)) = best else { return Ok(Vec::new()) };
        let mut moves = Vec::new();
        let mut lines = Lines::new(self, from);
        while let Some(line) = lines.next()? {
            match text::read(&line) {
                Ok(Line::Position(_)) => break,
                Ok(Line::Move(found)) => moves.push(found),
                // Broken lines are for `monomi book check` to name.
                Ok(Line::Blank) | Err(_) => {}
            }
        }
        Ok(moves)
    }
}

/// Reads lines from some place on.
struct Lines<'a> {
    book: &'a DiskBook,
    /// Where the next line begins.
    at: u64,
    buffer: Vec<u8>,
    /// The buffer's place in the file.
    start: u64,
}

impl<'a> Lines<'a> {
    fn new(book: &'a DiskBook, at: u64) -> Self {
        Self { book, at, buffer: Vec::new(), start: 0 }
    }

    /// The next line, with its end; `None` at the end of the file.
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
            if size > LONGEST {
                return Ok(None);
            }
            self.buffer.resize(size, 0);
            let read = self.book.read_at(self.at, &mut self.buffer)?;
            self.buffer.truncate(read);
            self.start = self.at;
            if read == 0 {
                return Ok(None);
            }
            size *= 4;
        }
    }
}

/// The fields of an sfen without its last one.
fn without_ply(sfen: &str) -> String {
    sfen.split_ascii_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

/// Compares a position's line with a position without its move number.
fn compare(line: &str, wanted: &str) -> Ordering {
    let line = line.trim_end();
    match line.strip_prefix(wanted) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => Ordering::Equal,
        _ => line.cmp(wanted),
    }
}
