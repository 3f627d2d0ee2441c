//! Finding the positions of a book in Apery's format, which has only their keys.

use crate::apery::AperyBook;
use crate::book_move::{BookMove, PlayedMove};
use crate::entry::BookEntry;
use monomi_movegen::Position;
use monomi_movegen::{Layout, PackedPosition};
use std::collections::{HashSet, VecDeque};

/// The positions of a book that are reached from the starting positions, and the number of records
/// of other positions. From a position of the book every legal move is tried; after a move of the
/// book every reply too, since many books have the moves of one side only.
pub fn entries(book: &AperyBook, starts: &[Position]) -> (Vec<BookEntry>, u64) {
    let mut walk = Walk { book, found: Vec::new(), seen: HashSet::new(), queue: VecDeque::new() };
    for start in starts {
        if !walk.add(start) {
            walk.add_replies(&mut start.clone());
        }
    }
    while let Some(at) = walk.queue.pop_front() {
        walk.expand(at);
    }
    let reached: usize = walk.found.iter().map(|entry| entry.moves.len()).sum();
    let unreached = book.len().saturating_sub(reached) as u64;
    (walk.found, unreached)
}

struct Walk<'a> {
    book: &'a AperyBook,
    found: Vec<BookEntry>,
    seen: HashSet<[u8; 32]>,
    /// Indices of entries.
    queue: VecDeque<usize>,
}

impl Walk<'_> {
    /// Adds a position if the book has it. Returns whether it does.
    fn add(&mut self, position: &Position) -> bool {
        let moves = self.book.find(&position.to_partial());
        if moves.is_empty() {
            return false;
        }
        let Ok(packed) = PackedPosition::pack(position, Layout::Sfen) else { return true };
        if self.seen.insert(packed.0) {
            let played = |found: BookMove| PlayedMove { found, results: None };
            let moves = moves.into_iter().map(played).collect();
            self.queue.push_back(self.found.len());
            self.found.push(BookEntry { position: packed, ply: position.ply(), moves });
        }
        true
    }

    /// Adds the positions after every legal move.
    fn add_replies(&mut self, position: &mut Position) {
        for mv in position.legal_moves() {
            position.do_move(mv);
            self.add(position);
            position.undo_move();
        }
    }

    fn expand(&mut self, at: usize) {
        let entry = &self.found[at];
        let Ok(mut position) = entry.position.unpack(Layout::Sfen, entry.ply) else { return };
        let book_moves: Vec<_> = entry.moves.iter().map(|played| played.found.mv).collect();
        for mv in position.legal_moves() {
            position.do_move(mv);
            if !self.add(&position) && book_moves.contains(&mv) {
                self.add_replies(&mut position);
            }
            position.undo_move();
        }
    }
}
