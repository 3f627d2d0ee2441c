//! Reading a `.db` position by position, and writing one.

use crate::book_move::PlayedMove;
use crate::entry::{BookEntry, Faults};
use crate::fault::{Fault, Reason};
use crate::text::{self, DbLine, HEADER, Sfen};
use monomi_movegen::{Layout, PackedPosition, UnpackError};
use monomi_movegen::{MAX_MOVES, Position};
use std::io::{BufRead, Result, Write};

/// The positions of a `.db`, in the order of the file. Invalid lines are faults and skipped, together
/// with the moves of an invalid position.
pub struct DbEntries<R> {
    input: R,
    /// The number of lines that were read.
    line: usize,
    bytes: Vec<u8>,
    /// The position whose moves come next.
    current: Option<BookEntry>,
    /// The position of the moves that come next is invalid.
    skip_moves: bool,
}

impl<R: BufRead> DbEntries<R> {
    /// Starts with the first line.
    pub fn new(input: R) -> Self {
        Self { input, line: 0, bytes: Vec::new(), current: None, skip_moves: false }
    }

    /// The next position; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next(&mut self, faults: &mut Faults) -> Result<Option<BookEntry>> {
        loop {
            self.bytes.clear();
            if self.input.read_until(b'\n', &mut self.bytes)? == 0 {
                return Ok(self.current.take());
            }
            self.line += 1;
            let bytes = std::mem::take(&mut self.bytes);
            let line = String::from_utf8_lossy(&bytes);
            let done = match text::read(&line).and_then(|read| self.take(read)) {
                Ok(done) => done,
                Err(reason) => {
                    // The moves that follow do not belong to the position before.
                    self.skip_moves |= text::is_position(&line);
                    faults.add(Fault::new(self.line, &line, reason));
                    None
                }
            };
            drop(line);
            self.bytes = bytes;
            if done.is_some() {
                return Ok(done);
            }
        }
    }

    /// Adds a line; a position completes the one before it.
    fn take(&mut self, line: DbLine<'_>) -> std::result::Result<Option<BookEntry>, Reason> {
        match line {
            DbLine::Blank => {}
            DbLine::Results(results) => {
                let current = self.current.as_mut().filter(|_| !self.skip_moves);
                if let Some(last) = current.and_then(|entry| entry.moves.last_mut()) {
                    last.results = Some(results);
                }
            }
            DbLine::Position(sfen) => {
                self.skip_moves = true;
                let former = self.current.take();
                match entry(&sfen) {
                    Ok(entry) => {
                        self.current = Some(entry);
                        self.skip_moves = false;
                    }
                    // The position before is complete nevertheless.
                    Err(reason) if former.is_none() => return Err(reason),
                    Err(reason) => {
                        self.current = former;
                        return Err(reason);
                    }
                }
                return Ok(former);
            }
            // The invalid position has been reported.
            DbLine::Move(_) if self.skip_moves => {}
            DbLine::Move(found) => match &mut self.current {
                // No position has more legal moves than this.
                Some(entry) if entry.moves.len() >= MAX_MOVES => {}
                Some(entry) => entry.moves.push(PlayedMove { found, results: None }),
                None => return Err(Reason::MoveBeforePosition),
            },
        }
        Ok(None)
    }
}

/// A position without moves.
fn entry(sfen: &Sfen<'_>) -> std::result::Result<BookEntry, Reason> {
    let Sfen { board, side, hands, ply } = *sfen;
    let position = Position::from_sfen(&format!("{board} {side} {hands} {}", ply.max(1)))?;
    let packed = PackedPosition::pack(&position, Layout::Sfen).map_err(|_| Reason::NotAFullSet)?;
    Ok(BookEntry { position: packed, ply, moves: Vec::new() })
}

/// An entry's position as a `.db` has it: without a move number if the entry has none.
///
/// # Errors
/// The packed position is invalid.
pub fn sfen(entry: &BookEntry) -> std::result::Result<String, UnpackError> {
    let sfen = entry.position.unpack(Layout::Sfen, entry.ply)?.to_sfen();
    Ok(match sfen.rsplit_once(' ') {
        Some((without, _)) if entry.ply == 0 => without.to_owned(),
        _ => sfen,
    })
}

/// Writes the first line.
///
/// # Errors
/// `out` cannot be written.
pub fn write_header(out: &mut impl Write) -> Result<()> {
    writeln!(out, "{HEADER}")
}

/// Writes a position with its moves, in their order.
///
/// # Errors
/// `out` cannot be written.
pub fn write_entry(out: &mut impl Write, sfen: &str, moves: &[PlayedMove]) -> Result<()> {
    writeln!(out, "sfen {sfen}")?;
    for PlayedMove { found, results } in moves {
        writeln!(out, "{}", text::write(found))?;
        if let Some(results) = results.filter(|results| !results.is_empty()) {
            writeln!(out, "{results}")?;
        }
    }
    Ok(())
}
