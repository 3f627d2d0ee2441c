//! A position with its moves, as books are converted, sorted and merged.

use crate::book_move::{BookMove, PlayedMove};
use crate::fault::Fault;
use crate::opened::NAMED_FAULTS;
use crate::ybb::format::YbbFault;
use monomi_movegen::PackedPosition;
use monomi_support::text::{error_message, messages};

/// A position of a book with all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The position, as packed sfen.
    pub position: PackedPosition,
    /// The number of the next move; 0 if the book does not give it.
    pub ply: u16,
    /// The moves; they may be illegal.
    pub moves: Vec<PlayedMove>,
}

impl BookEntry {
    /// Adds the moves of another entry for the same position: counts and results are added,
    /// evaluations are taken from the deeper search.
    pub fn merge(&mut self, more: Self) {
        if more.ply > 0 && (self.ply == 0 || more.ply < self.ply) {
            self.ply = more.ply;
        }
        for new in more.moves {
            match self.moves.iter_mut().find(|known| known.found.mv == new.found.mv) {
                Some(known) => merge_move(known, &new),
                None => self.moves.push(new),
            }
        }
    }
}

fn merge_move(known: &mut PlayedMove, new: &PlayedMove) {
    let BookMove { eval, depth, ponder, count, .. } = new.found;
    if depth > known.found.depth {
        (known.found.eval, known.found.depth) = (eval, depth);
        known.found.ponder = ponder.or(known.found.ponder);
    }
    known.found.ponder = known.found.ponder.or(ponder);
    known.found.count = known.found.count.saturating_add(count);
    if let Some(results) = new.results {
        *known.results.get_or_insert_default() += results;
    }
}

messages! {
    /// What is wrong with a position or a line of a book.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum EntryFault {
        /// A line of a `.db`.
        Line(fault: Fault) => both "{fault}";
        /// A record of a `.ybb`.
        Record(fault: YbbFault) => both "{fault}";
    }
}
error_message!(EntryFault, Line: Fault, Record: YbbFault);

/// The first faults of a book, and the number of all.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Faults {
    /// The first faults.
    pub named: Vec<EntryFault>,
    /// The number of faults.
    pub count: u64,
}

impl Faults {
    /// Adds a fault.
    pub fn add(&mut self, fault: impl Into<EntryFault>) {
        self.count += 1;
        if self.named.len() < NAMED_FAULTS {
            self.named.push(fault.into());
        }
    }

    /// Adds the faults of another book.
    pub fn append(&mut self, more: Self) {
        self.count += more.count;
        let room = NAMED_FAULTS.saturating_sub(self.named.len());
        self.named.extend(more.named.into_iter().take(room));
    }
}
