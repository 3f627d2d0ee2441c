//! The positions of a book and the moves between them.

use crate::entry::BookEntry;
use crate::minimax::value::MAX;
use monomi_movegen::square::{Dense, SQUARES, promoted, square_at, unpromoted};
use monomi_movegen::{Layout, PackedPosition, UnpackError};
use monomi_movegen::{PackedMove, Place, PlaceKind, Position, place_key};
use monomi_support::batch::jobs::{Cancel, Options, Order, Source, run};
use shogi_core::{Color, Piece, PieceKind};
use std::ops::ControlFlow;
use std::sync::LazyLock;

/// Positions in one job of a thread.
const CHUNK: usize = 4096;

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Out of the book: the value of the move.
    Leaf(i16),
    /// To this position of the book.
    Node(u32),
}

/// A move of a position, in eight bytes.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub mv: PackedMove,
    pub next: Next,
}

/// The positions of a book in its order, with their moves.
#[derive(Debug, Default)]
pub struct Graph {
    /// The packed positions.
    pub positions: Vec<[u8; 32]>,
    /// Their move numbers.
    pub plies: Vec<u16>,
    /// Whether the side to move is in check.
    pub checked: Vec<bool>,
    /// Where the moves of each position begin in `edges`, and their end.
    pub first: Vec<u32>,
    /// All moves.
    pub edges: Vec<Edge>,
    /// Moves of the book that are illegal; they are left out.
    pub illegal: u64,
    /// Moves that were added because they lead to a position of the book.
    pub added: u64,
}

/// Keys of places seen from the other side.
static ROTATED: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut keys = vec![0; Place::COUNT];
    for (place, kind) in Place::all() {
        let other = match kind {
            PlaceKind::Board(piece, square) => {
                let (kind, color) = piece.to_parts();
                let square = square_at(SQUARES - 1 - square.dense()).unwrap_or(square);
                Place::board(Piece::new(kind, color.flip()), square)
            }
            PlaceKind::Hand(color, kind, nth) => Place::hand(color.flip(), kind, nth),
        };
        keys[place.index()] = place_key(other);
    }
    keys
});

/// Keys of places: as they are, or seen from the other side.
#[derive(Clone, Copy)]
struct Keys {
    rotated: Option<&'static [u64]>,
}

impl Keys {
    fn new(rotated: bool) -> Self {
        Self { rotated: rotated.then(|| ROTATED.as_slice()) }
    }

    fn of(self, place: Place) -> u64 {
        self.rotated.map_or_else(|| place_key(place), |keys| keys[place.index()])
    }

    fn of_position(self, position: &Position) -> u64 {
        position.places().fold(0, |key, (place, _)| key ^ self.of(place))
    }

    /// The key after a legal move in a position with this key.
    fn after(self, key: u64, position: &Position, mv: PackedMove) -> u64 {
        let us = position.side_to_move();
        let (to, hand) = (mv.to(), |kind| position.hand_count(us, kind));
        if let Some(kind) = mv.dropped() {
            let before = Place::hand(us, kind, hand(kind).saturating_sub(1));
            return key ^ self.of(before) ^ self.of(Place::board(Piece::new(kind, us), to));
        }
        let Some((from, moving)) =
            mv.from_square().and_then(|from| Some((from, position.piece_at(from)?)))
        else {
            return key;
        };
        let kind = moving.piece_kind();
        let arrived = if mv.is_promotion() { promoted(kind) } else { kind };
        let after = Place::board(Piece::new(arrived, us), to);
        let mut key = key ^ self.of(Place::board(moving, from)) ^ self.of(after);
        if let Some(victim) = position.piece_at(to) {
            let gained: PieceKind = unpromoted(victim.piece_kind());
            key ^=
                self.of(Place::board(victim, to)) ^ self.of(Place::hand(us, gained, hand(gained)));
        }
        key
    }
}

/// Positions by their keys; of equal ones the last.
///
/// A key is that of the position with White to move, or seen from the other side. Positions with the same
/// 64 bits are taken for one.
struct Index {
    slots: Vec<u32>,
    keys: Vec<u64>,
}

const EMPTY: u32 = u32::MAX;

impl Index {
    fn new(keys: Vec<u64>) -> Self {
        let len = (keys.len() * 2).next_power_of_two().max(16);
        let mut index = Self { slots: vec![EMPTY; len], keys };
        for node in 0..index.keys.len() as u32 {
            let slot = index.slot(index.keys[node as usize]);
            index.slots[slot] = node;
        }
        index
    }

    /// The slot of a key: that of an equal one or an empty one.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        while self.slots[slot] != EMPTY && self.keys[self.slots[slot] as usize] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn find(&self, key: u64) -> Option<u32> {
        Some(self.slots[self.slot(key)]).filter(|&node| node != EMPTY)
    }
}

/// A position and its moves in the book, before its legal moves are known.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    positions: Vec<[u8; 32]>,
    plies: Vec<u16>,
    first: Vec<u32>,
    moves: Vec<(PackedMove, i16)>,
}

impl Draft {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Adds a position. Of two entries for one position the later one gives its value to moves that lead
    /// there.
    pub fn add(&mut self, entry: &BookEntry) {
        self.positions.push(entry.position.0);
        self.plies.push(entry.ply);
        self.first.push(self.moves.len() as u32);
        let limit = i32::from(MAX);
        self.moves.extend(entry.moves.iter().map(|played| {
            let found = played.found;
            (found.mv, found.eval.clamp(-limit, limit) as i16)
        }));
    }

    fn moves(&self, node: usize) -> &[(PackedMove, i16)] {
        let end = self.first.get(node + 1).map_or(self.moves.len(), |&end| end as usize);
        &self.moves[self.first[node] as usize..end]
    }

    /// The move of a position with the greatest value; the first of several.
    pub fn best(&self, node: usize) -> Option<(PackedMove, i16)> {
        let better = |best: (PackedMove, i16), other: (PackedMove, i16)| {
            if other.1 > best.1 { other } else { best }
        };
        self.moves(node).iter().copied().reduce(better)
    }

    fn position(&self, node: usize) -> Result<Position, UnpackError> {
        PackedPosition(self.positions[node]).unpack(Layout::Sfen, self.plies[node])
    }

    /// Finds the moves between the positions, on this number of threads.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn finish(self, threads: usize) -> std::io::Result<Graph> {
        let mut keys = Vec::with_capacity(self.positions.len());
        let mut checked = Vec::with_capacity(self.positions.len());
        self.in_chunks(
            threads,
            |node, found: &mut Vec<(u64, bool)>| {
                // The reader has refused positions that cannot be unpacked.
                let Ok(position) = self.position(node) else { return };
                let own = Keys::new(position.side_to_move() == Color::Black);
                found.push((own.of_position(&position), position.in_check()));
            },
            |found| {
                keys.extend(found.iter().map(|&(key, _)| key));
                checked.extend(found.iter().map(|&(_, in_check)| in_check));
            },
        )?;
        let index = Index::new(keys);
        let mut graph = Graph { checked, ..Graph::default() };
        graph.first.reserve(self.positions.len() + 1);
        graph.edges.reserve(self.moves.len());
        graph.first.push(0);
        self.in_chunks(
            threads,
            |node, found: &mut Chunk| self.expand(node, &index, found),
            |found| {
                for &len in &found.lens {
                    let former = graph.first.last().copied().unwrap_or(0);
                    graph.first.push(former + len);
                }
                graph.edges.extend_from_slice(&found.edges);
                graph.illegal += found.illegal;
                graph.added += found.added;
            },
        )?;
        (graph.positions, graph.plies) = (self.positions, self.plies);
        Ok(graph)
    }

    /// Calls `work` for each position and `deliver` with the results of consecutive ones, in order.
    fn in_chunks<R: Default + Send>(
        &self,
        threads: usize,
        work: impl Fn(usize, &mut R) + Sync,
        mut deliver: impl FnMut(&R),
    ) -> std::io::Result<()> {
        let options = Options { window: 4 * threads, order: Order::AsGiven, stack_size: 1 << 20 };
        let count = self.positions.len();
        run(
            vec![(); threads.max(1)],
            Source::Iterator(&mut (0..count).step_by(CHUNK)),
            &options,
            &Cancel::new(),
            |(), from, emit| {
                let mut found = R::default();
                (from..count.min(from + CHUNK)).for_each(|node| work(node, &mut found));
                emit(found);
                ControlFlow::Continue(())
            },
            |found| {
                deliver(&found);
                ControlFlow::Continue(())
            },
        )
    }

    /// Adds the moves of a position: the legal moves that lead to positions of the book, then the others
    /// of the book.
    fn expand(&self, node: usize, index: &Index, found: &mut Chunk) {
        let before = found.edges.len();
        if let Ok(position) = self.position(node) {
            let own = self.moves(node);
            // After the move the other side is to move.
            let keys = Keys::new(position.side_to_move() == Color::White);
            let key = keys.of_position(&position);
            let legal = position.legal_moves();
            for &mv in legal.iter() {
                if let Some(next) = index.find(keys.after(key, &position, mv)) {
                    found.added += u64::from(own.iter().all(|&(known, _)| known != mv));
                    found.edges.push(Edge { mv, next: Next::Node(next) });
                }
            }
            for &(mv, value) in own {
                if !legal.contains(&mv) {
                    found.illegal += 1;
                } else if found.edges[before..].iter().all(|edge| edge.mv != mv) {
                    found.edges.push(Edge { mv, next: Next::Leaf(value) });
                }
            }
        }
        found.lens.push((found.edges.len() - before) as u32);
    }
}

/// The moves of consecutive positions.
#[derive(Default)]
struct Chunk {
    lens: Vec<u32>,
    edges: Vec<Edge>,
    illegal: u64,
    added: u64,
}

impl Graph {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The moves of a position.
    pub fn moves(&self, node: usize) -> &[Edge] {
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// The positions that moves of a position lead to.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.moves(node).iter().filter_map(|edge| match edge.next {
            Next::Node(next) => Some(next as usize),
            Next::Leaf(_) => None,
        })
    }

    /// Whether White is to move in the position as the book has it.
    pub fn is_white(&self, node: usize) -> bool {
        self.positions[node][0] & 1 != 0
    }

    /// The graph with each position twice: as in the book, and after all of these with the colours
    /// exchanged. For values of a draw that differ for the two sides.
    pub fn for_both_colors(&self) -> Self {
        let count = self.len();
        let mut both = Self { first: vec![0], ..Self::default() };
        for (exchanged, node) in
            [false, true].into_iter().flat_map(|e| (0..count).map(move |n| (e, n)))
        {
            let white = self.is_white(node) ^ exchanged;
            for edge in self.moves(node) {
                let next = match edge.next {
                    Next::Leaf(value) => Next::Leaf(value),
                    // The other side is to move there.
                    Next::Node(next) => {
                        let as_in_book = self.is_white(next as usize) != white;
                        Next::Node(if as_in_book { next } else { next + count as u32 })
                    }
                };
                both.edges.push(Edge { mv: edge.mv, next });
            }
            both.first.push(both.edges.len() as u32);
            both.checked.push(self.checked[node]);
            both.positions.push(self.positions[node]);
            both.plies.push(self.plies[node]);
        }
        both
    }
}
