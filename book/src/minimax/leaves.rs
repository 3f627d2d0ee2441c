//! Where a book ends: the positions to search next.

use crate::book_move::{BookMove, PlayedMove};
use crate::entry::BookEntry;
use crate::minimax::graph::{Draft, Graph, Next};
use crate::minimax::output::{Chosen, Minimax, MinimaxError, compute, read};
use crate::minimax::propagate::Values;
use crate::minimax::selection::{Choice, Limits, Lines, choose};
use crate::minimax::value::Value;
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;

/// The greatest number of moves of a best line that is shown.
const SHOWN: usize = 24;

/// Which positions are chosen.
#[derive(Clone, Debug)]
pub struct LeafChoice {
    /// Where lines begin.
    pub starts: Vec<Position>,
    /// The positions of games, in their order.
    pub games: Vec<Vec<Position>>,
    /// How much worse than the best move of its position a move may be, in centipawns.
    pub margin: i32,
    /// The greatest number of moves of a line.
    pub plies: u32,
    /// Moves with greater values, for either side, are not followed out of the book.
    pub eval: i32,
    /// By how much the value of a position has to differ from that of its own search for the end of its
    /// best line to be chosen.
    pub change: i32,
    /// The greatest number of positions.
    pub count: usize,
}

/// The best line from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestLine {
    /// The value of the position for the side to move, in centipawns.
    pub value: i32,
    /// The first moves of the line.
    pub moves: Vec<PackedMove>,
}

/// The positions to search next: first the starting positions that are not in the book, and those where
/// games leave it; then those after moves that lead out of the book, in turn
///
/// - on the lines that lose least to the best moves of both sides, by the values carried back from the leaves;
/// - where the move that the search of a position preferred has been refuted;
/// - on the best lines of positions whose value differs from that of their own search;
/// - on the best lines of the positions of games.
///
/// Without a file the book is empty.
///
/// # Errors
/// The book cannot be read or is too large.
pub fn leaves(
    book: &Path,
    choice: &LeafChoice,
    how: &Minimax,
) -> Result<Vec<Position>, MinimaxError> {
    let draft = if book.exists() { read(book)?.0 } else { Draft::default() };
    let valued = Valued::of(draft, how).map_err(|error| MinimaxError::reading(book, error))?;
    Ok(valued.choose(choice, &mut HashSet::new()))
}

/// A book with the values of all positions.
pub struct Valued {
    graph: Graph,
    values: Values,
    /// The best move of each position by its own search, with its value.
    searched: Vec<Option<(PackedMove, i16)>>,
}

impl Lines for Valued {
    fn choices(&self, node: usize) -> Vec<Choice> {
        let chosen = Chosen { graph: &self.graph, values: &self.values, shrink: false };
        let next = |mv| {
            let edge = self.graph.moves(node).iter().find(|edge| edge.mv == mv)?;
            match edge.next {
                Next::Node(next) => Some(next as usize),
                Next::Leaf(_) => None,
            }
        };
        let choice = |(mv, value): (PackedMove, Value)| Choice {
            mv,
            value: value.value.into(),
            next: next(mv),
        };
        chosen.moves(node).into_iter().map(choice).collect()
    }

    fn searched(&self, node: usize) -> Option<(PackedMove, i32)> {
        self.searched[node].map(|(mv, value)| (mv, value.into()))
    }
}

impl Valued {
    /// Computes the values.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn of(draft: Draft, how: &Minimax) -> io::Result<Self> {
        let searched = (0..draft.len()).map(|node| draft.best(node)).collect();
        let graph = draft.finish(how.threads)?;
        let values = compute(&graph, how.draw);
        Ok(Self { graph, values, searched })
    }

    /// Chooses positions; those in `skip` are not chosen, and the chosen ones are added to it (as
    /// [`canonical`] gives them).
    pub fn choose(&self, choice: &LeafChoice, skip: &mut HashSet<[u8; 32]>) -> Vec<Position> {
        let mut found = Found { positions: Vec::new(), skip, count: choice.count };
        let nodes = self.nodes_of(choice.starts.iter().chain(choice.games.iter().flatten()));
        let (starts, mut rest) = nodes.split_at(choice.starts.len());
        for (start, node) in choice.starts.iter().zip(starts) {
            if node.is_none() {
                found.add(start.clone());
            }
        }
        let mut in_games = Vec::new();
        for game in &choice.games {
            let (nodes, later) = rest.split_at(game.len());
            rest = later;
            in_games.extend(nodes.iter().flatten());
            // The first position that the book does not have, unless the whole game is beside it.
            let left = nodes.iter().position(Option::is_none);
            if let Some(at) = left.filter(|&at| at > 0) {
                found.add(game[at].clone());
            }
        }
        let starts: Vec<usize> = starts.iter().flatten().copied().collect();
        // Some of the leaves are being searched or cannot be.
        let count = choice.count.saturating_add(found.skip.len());
        let limits = Limits {
            margin: choice.margin,
            plies: choice.plies,
            eval: choice.eval,
            change: choice.change,
            count,
        };
        for leaf in choose(self, &starts, &in_games, &limits) {
            let packed = PackedPosition(self.graph.positions[leaf.node]);
            if let Ok(mut position) = packed.unpack(Layout::Sfen, self.graph.plies[leaf.node]) {
                position.do_move(leaf.mv);
                found.add(position);
            }
        }
        found.positions
    }

    /// The best line from a position; `None` if the book does not have it.
    pub fn best_line(&self, from: &Position) -> Option<BestLine> {
        let node = self.nodes_of(std::iter::once(from)).first().copied().flatten()?;
        let first = self.choices(node).first().copied()?;
        let mut line = BestLine { value: first.value, moves: Vec::new() };
        let mut white = from.side_to_move() == Color::White;
        let mut next = Some(node);
        while let Some(node) = next
            && line.moves.len() < SHOWN
            && let Some(best) = self.choices(node).first().copied()
        {
            let as_in_book = self.graph.is_white(node) == white;
            line.moves.push(if as_in_book { best.mv } else { best.mv.flipped() });
            (white, next) = (!white, best.next);
        }
        Some(line)
    }

    /// The numbers of positions in the book, also with the colours exchanged.
    fn nodes_of<'a>(&self, positions: impl Iterator<Item = &'a Position>) -> Vec<Option<usize>> {
        let packed: Vec<[Option<[u8; 32]>; 2]> = positions.map(both).collect();
        let wanted: HashSet<[u8; 32]> = packed.iter().flatten().flatten().copied().collect();
        let all = self.graph.positions.iter().enumerate();
        let known: HashMap<[u8; 32], usize> = all
            .filter(|(_, packed)| wanted.contains(*packed))
            .map(|(node, packed)| (*packed, node))
            .collect();
        let node = |both: &[Option<[u8; 32]>; 2]| {
            both.iter().flatten().find_map(|packed| known.get(packed).copied())
        };
        packed.iter().map(node).collect()
    }
}

/// A position as packed sfen, and with the colours exchanged; `None` where pieces of the set are missing.
fn both(position: &Position) -> [Option<[u8; 32]>; 2] {
    let packed = |position: &Position| {
        PackedPosition::pack(position, Layout::Sfen).ok().map(|packed| packed.0)
    };
    let rotated = Position::from_partial(&monomi_movegen::rotated(&position.to_partial())).ok();
    [packed(position), rotated.as_ref().and_then(packed)]
}

/// One packed sfen for a position and for the same position with the colours exchanged.
pub fn canonical(position: &Position) -> Option<[u8; 32]> {
    both(position).into_iter().flatten().min()
}

struct Found<'a> {
    positions: Vec<Position>,
    skip: &'a mut HashSet<[u8; 32]>,
    count: usize,
}

impl Found<'_> {
    fn add(&mut self, position: Position) {
        let Some(packed) = canonical(&position) else { return };
        let room = self.positions.len() < self.count;
        if room && position.has_legal_move() && self.skip.insert(packed) {
            self.positions.push(position);
        }
    }
}

/// An entry of a searched position.
///
/// # Errors
/// Pieces of the set are missing.
pub fn entry_of(
    position: &Position,
    moves: impl IntoIterator<Item = BookMove>,
) -> Result<BookEntry, monomi_movegen::NotAFullSet> {
    let packed = PackedPosition::pack(position, Layout::Sfen)?;
    let played = |found| PlayedMove { found, results: None };
    let moves = moves.into_iter().map(played).collect();
    Ok(BookEntry { position: packed, ply: position.ply(), moves })
}
