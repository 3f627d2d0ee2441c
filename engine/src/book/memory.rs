//! A `.db` in memory: sixteen bytes for a position and as many for a move, sorted by key.

use crate::book::text::{self, Fault, Line};
use crate::book::{BookMove, NAMED_FAULTS, Opened, key};
use std::io::BufRead;

/// A position and where its moves lie.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    first: u32,
    ply: u16,
    len: u16,
}

/// A book in memory.
#[derive(Debug, Default)]
pub struct MemoryBook {
    entries: Vec<Entry>,
    moves: Vec<BookMove>,
}

impl MemoryBook {
    /// Reads a book line by line; broken lines are noted and skipped, with all moves of a broken
    /// position.
    pub fn read(mut input: impl BufRead, opened: &mut Opened) -> std::io::Result<Self> {
        let mut book = Self::default();
        let mut current: Option<(u64, u16)> = None;
        let mut lost = false;
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let read = text::read(&line).and_then(|read| match read {
                Line::Blank => Ok(()),
                Line::Position(sfen) => {
                    book.begin(current.take());
                    lost = true;
                    let key = key::of_sfen(sfen.board, sfen.side, sfen.hands)?;
                    lost = false;
                    current = Some((key, sfen.ply));
                    Ok(())
                }
                Line::Move(found) if current.is_some() => {
                    book.moves.push(found);
                    Ok(())
                }
                // The position has been complained about.
                Line::Move(_) if lost => Ok(()),
                Line::Move(_) => Err("a move before any position".to_owned()),
            });
            if let Err(reason) = read {
                opened.fault_count += 1;
                if opened.faults.len() < NAMED_FAULTS {
                    opened.faults.push(Fault::new(number, &line, reason));
                }
            }
        }
        book.begin(current);
        book.finish();
        Ok(book)
    }

    /// Ends the position whose moves were read last.
    fn begin(&mut self, former: Option<(u64, u16)>) {
        let Some((key, ply)) = former else { return };
        let end = |entry: &Entry| entry.first as usize + usize::from(entry.len);
        let first = self.entries.last().map_or(0, end);
        // Six hundred moves are the most there can be; what comes behind them is lost.
        let len = (self.moves.len() - first).min(600);
        self.moves.truncate(first + len);
        if len > 0 {
            let (first, len) = (first as u32, len as u16);
            self.entries.push(Entry { key, first, ply, len });
        }
    }

    fn finish(&mut self) {
        // Stable: of two entries for one position the former counts.
        self.entries.sort_by_key(|entry| (entry.key, entry.ply));
        self.entries.dedup_by_key(|entry| (entry.key, entry.ply));
        self.entries.shrink_to_fit();
        self.moves.shrink_to_fit();
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves of a position. Entries without a move number serve every move of the game; with
    /// `ignore_ply` all do, and the nearest is taken.
    pub fn find(&self, key: u64, ply: u16, ignore_ply: bool) -> Option<&[BookMove]> {
        let from = self.entries.partition_point(|entry| entry.key < key);
        let same = self.entries[from..].iter().take_while(|entry| entry.key == key);
        let entry = same
            .filter(|entry| ignore_ply || entry.ply == ply || entry.ply == 0)
            .min_by_key(|entry| entry.ply.abs_diff(ply))?;
        let first = entry.first as usize;
        self.moves.get(first..first + usize::from(entry.len))
    }
}
