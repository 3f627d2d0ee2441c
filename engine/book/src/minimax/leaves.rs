//! Where a book ends: the positions to search next.

use crate::entry::BookEntry;
use crate::minimax::graph::{Graph, Next};
use crate::minimax::output::{Chosen, Minimax, MinimaxError, compute, read};
use monomi_movegen::{PackedMove, Position};
use monomi_selfplay::{Layout, PackedPosition};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::path::Path;

/// Which positions are chosen.
#[derive(Clone, Debug)]
pub struct LeafChoice {
    /// Where lines begin.
    pub starts: Vec<Position>,
    /// How much worse than the best move of its position a move may be, in centipawns.
    pub margin: i32,
    /// The greatest number of moves of a line.
    pub plies: u32,
    /// The greatest number of positions.
    pub count: usize,
}

/// The positions after moves that lead out of the book, on lines that lose little to the best moves of both
/// sides by the values carried back from the leaves. Those that lose least in all come first. A starting
/// position that is not in the book comes first too.
///
/// # Errors
/// The book cannot be read or is too large.
pub fn leaves(
    book: &Path,
    choice: &LeafChoice,
    how: &Minimax,
) -> Result<Vec<Position>, MinimaxError> {
    let (draft, _) = read(book)?;
    let graph = draft.finish(how.threads).map_err(|error| MinimaxError::reading(book, error))?;
    let values = compute(&graph, how.draw);
    let chosen = Chosen { graph: &graph, values: &values, shrink: false };
    Ok(Search { chosen, found: Vec::new(), known: HashSet::new() }.run(choice))
}

/// A line: what it loses, its length, its last position in the book and the move out of it.
type Line = (i32, u32, usize, Option<u16>);

struct Search<'a> {
    chosen: Chosen<'a>,
    found: Vec<Position>,
    /// The packed positions that were found.
    known: HashSet<[u8; 32]>,
}

impl Search<'_> {
    fn run(mut self, choice: &LeafChoice) -> Vec<Position> {
        let graph: &Graph = self.chosen.graph;
        let mut open: BinaryHeap<Reverse<Line>> = BinaryHeap::new();
        for start in &choice.starts {
            match self.node_of(start) {
                Some(node) => open.push(Reverse((0, 0, node, None))),
                None => self.add(start.clone()),
            }
        }
        let mut visited = vec![false; graph.len()];
        while let Some(Reverse((loss, plies, node, out))) = open.pop() {
            if self.found.len() >= choice.count {
                break;
            }
            if let Some(mv) = out.and_then(PackedMove::from_bits) {
                let packed = PackedPosition(graph.positions[node]);
                if let Ok(mut position) = packed.unpack(Layout::Sfen, graph.plies[node]) {
                    position.do_move(mv);
                    self.add(position);
                }
                continue;
            }
            if std::mem::replace(&mut visited[node], true) || plies >= choice.plies {
                continue;
            }
            let moves = self.chosen.moves(node);
            let best = moves.first().map_or(0, |(_, value)| i32::from(value.value));
            for (mv, value) in moves {
                let behind = best - i32::from(value.value);
                if behind > choice.margin {
                    continue;
                }
                let next = graph.moves(node).iter().find(|edge| edge.mv == mv);
                let line = match next.map(|edge| edge.next) {
                    Some(Next::Node(next)) => (loss + behind, plies + 1, next as usize, None),
                    _ => (loss + behind, plies + 1, node, Some(mv.bits())),
                };
                open.push(Reverse(line));
            }
        }
        self.found
    }

    /// The position's number in the book, also with the colours exchanged.
    fn node_of(&self, position: &Position) -> Option<usize> {
        let rotated = Position::from_partial(&crate::key::rotated(&position.to_partial())).ok();
        let packed = [Some(position), rotated.as_ref()].map(|position| {
            position.and_then(|position| PackedPosition::pack(position, Layout::Sfen).ok())
        });
        let known = |node: &[u8; 32]| packed.iter().flatten().any(|packed| packed.0 == *node);
        self.chosen.graph.positions.iter().position(known)
    }

    fn add(&mut self, position: Position) {
        let Ok(packed) = PackedPosition::pack(&position, Layout::Sfen) else { return };
        if self.known.insert(packed.0) && position.has_legal_move() {
            self.found.push(position);
        }
    }
}

/// An entry of a position without moves.
///
/// # Errors
/// Pieces of the set are missing.
pub fn entry_of(position: &Position) -> Result<BookEntry, monomi_selfplay::NotAFullSet> {
    let packed = PackedPosition::pack(position, Layout::Sfen)?;
    Ok(BookEntry { position: packed, ply: position.ply(), moves: Vec::new() })
}
