//! A `.db` in memory: a sorted vector of positions that refer to a vector of moves.

use crate::book_move::Results;
use crate::book_move::{BookMove, PlayedMove};
use crate::fault::{Fault, Reason};
use crate::key;
use crate::opened::{NAMED_FAULTS, Opened};
use crate::text::{self, DbLine};
use std::io::BufRead;

/// A position and the range of its moves.
#[derive(Clone, Copy, Debug)]
struct BookPosition {
    key: u64,
    first: u32,
    ply: u16,
    len: u16,
}

/// A book in memory.
#[derive(Debug, Default)]
pub struct MemoryBook {
    positions: Vec<BookPosition>,
    moves: Vec<BookMove>,
    /// Results by index of the move, for the moves that have any, in the order of the moves.
    results: Vec<(usize, Results)>,
}

impl MemoryBook {
    /// Reads a book. Invalid lines are reported in `opened` and skipped, together with all moves of
    /// an invalid position.
    pub fn read(mut input: impl BufRead, opened: &mut Opened) -> std::io::Result<Self> {
        let mut book = Self::default();
        let mut current: Option<(u64, u16)> = None;
        let mut skip_moves = false;
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let read = text::read(&line).and_then(|read| match read {
                DbLine::Blank => Ok(()),
                DbLine::Results(results) => {
                    if let Some(last) = book.moves.len().checked_sub(1).filter(|_| !skip_moves)
                        && book.results.last().is_none_or(|known| known.0 < last)
                    {
                        book.results.push((last, results));
                    }
                    Ok(())
                }
                DbLine::Position(sfen) => {
                    book.add_position(current.take());
                    skip_moves = true;
                    let key = key::of_sfen(sfen.board, sfen.side, sfen.hands)?;
                    skip_moves = false;
                    current = Some((key, sfen.ply));
                    Ok(())
                }
                DbLine::Move(found) if current.is_some() => {
                    book.moves.push(found);
                    Ok(())
                }
                // The invalid position has been reported.
                DbLine::Move(_) if skip_moves => Ok(()),
                DbLine::Move(_) => Err(Reason::MoveBeforePosition),
            });
            if let Err(reason) = read {
                if text::is_position(&line) {
                    // The moves that follow do not belong to the position before.
                    book.add_position(current.take());
                    skip_moves = true;
                }
                opened.fault_count += 1;
                if opened.faults.len() < NAMED_FAULTS {
                    opened.faults.push(Fault::new(number, &line, reason));
                }
            }
        }
        book.add_position(current);
        book.finish();
        Ok(book)
    }

    /// Adds the position whose moves were read last.
    fn add_position(&mut self, former: Option<(u64, u16)>) {
        let Some((key, ply)) = former else { return };
        let end = |entry: &BookPosition| entry.first as usize + usize::from(entry.len);
        let first = self.positions.last().map_or(0, end);
        // No position has more legal moves than this.
        let len = (self.moves.len() - first).min(600);
        self.moves.truncate(first + len);
        while self.results.pop_if(|known| known.0 >= first + len).is_some() {}
        if len > 0 {
            let (first, len) = (first as u32, len as u16);
            self.positions.push(BookPosition { key, first, ply, len });
        }
    }

    fn finish(&mut self) {
        // The sort is stable: of two entries for one position the first one remains.
        self.positions.sort_by_key(|entry| (entry.key, entry.ply));
        self.positions.dedup_by_key(|entry| (entry.key, entry.ply));
        self.positions.shrink_to_fit();
        self.moves.shrink_to_fit();
        self.results.shrink_to_fit();
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Whether the book has no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The moves of a position. Positions without a move number match every move number. With
    /// `ignore_ply` all match, and the one with the nearest number is used.
    pub fn find(&self, key: u64, ply: u16, ignore_ply: bool) -> Option<Vec<PlayedMove>> {
        let from = self.positions.partition_point(|entry| entry.key < key);
        let same = self.positions[from..].iter().take_while(|entry| entry.key == key);
        let entry = same
            .filter(|entry| ignore_ply || entry.ply == ply || entry.ply == 0)
            .min_by_key(|entry| entry.ply.abs_diff(ply))?;
        let first = entry.first as usize;
        let moves = self.moves.get(first..first + usize::from(entry.len))?;
        let results = |index: usize| {
            let at = self.results.binary_search_by_key(&index, |known| known.0).ok()?;
            Some(self.results[at].1)
        };
        let played = moves.iter().zip(first..);
        Some(played.map(|(&found, at)| PlayedMove { found, results: results(at) }).collect())
    }
}
