//! Refutations by repetition, which hold on one path only.
//!
//! Repeating a position of its own path does not help the attacker. But a node refuted this way may
//! be a mate when reached by another path (the graph-history interaction problem, Kishimoto and
//! Müller 2004), so such a refutation is stored under a hash of the whole path.

use super::hand::MateHand;
use super::slots::Slots;
use super::value::{Plies, Ply};

#[derive(Clone, Copy, Default)]
struct Slot {
    path: u64,
    len: Plies,
    depends_on: Ply,
    generation: u16,
}

pub(super) struct PathTable {
    slots: Slots<Slot>,
    stored: usize,
}

const FIRST_SLOTS: usize = 1 << 12;

impl PathTable {
    /// A table of at most `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: Slots::new(bytes, 1 << 8, FIRST_SLOTS), stored: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.stored = 0;
        self.slots.next_generation();
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// For the node at the end of the path: the plies for which it is refuted, and the ply on which
    /// the refutation depends.
    #[inline]
    pub(super) fn probe(&self, path: u64, len: Plies) -> Option<(Plies, Ply)> {
        let slot = &self.slots[self.slots.home(path)];
        (slot.path == path && slot.generation == self.slots.generation() && slot.len >= len)
            .then_some((slot.len, slot.depends_on))
    }

    /// Stores a refutation; it replaces the slot's content.
    pub(super) fn store(&mut self, path: u64, len: Plies, depends_on: Ply) {
        self.stored += 1;
        if self.stored > self.slots.len() && self.slots.len() < self.slots.limit() {
            // The contents are cheap to find again.
            let size = self.slots.next_len();
            self.slots.clear();
            self.slots.resize_with(size, Slot::default);
            self.stored = 1;
        }
        let (index, generation) = (self.slots.home(path), self.slots.generation());
        self.slots[index] = Slot { path, len, depends_on, generation };
    }
}

/// The positions from the root to the current node.
#[derive(Default)]
pub(super) struct Path {
    nodes: Vec<(u64, MateHand, u64)>,
    /// The number of positions of the path by the low bits of their board key, to reject most
    /// queries quickly.
    board_counts: Vec<u16>,
}

const BOARD_COUNTS: usize = 1 << 12;

impl Path {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.board_counts.clear();
        self.board_counts.resize(BOARD_COUNTS, 0);
    }

    /// The ply of the last node, 0 for an empty path.
    pub(super) fn ply(&self) -> Ply {
        self.nodes.len() as Ply
    }

    /// The hash of the path extended by a position.
    #[inline]
    pub(super) fn hash_with(&self, board: u64, hand: MateHand) -> u64 {
        let so_far = self.nodes.last().map_or(0, |node| node.2);
        let ply = self.nodes.len() as u64 + 1;
        let mut hash = board ^ u64::from(hand.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ hash >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        hash = (hash ^ hash >> 29).wrapping_mul(2 * ply + 1);
        so_far ^ hash ^ hash >> 31
    }

    pub(super) fn push(&mut self, board: u64, hand: MateHand) {
        let hash = self.hash_with(board, hand);
        self.nodes.push((board, hand, hash));
        self.board_counts[board as usize % BOARD_COUNTS] += 1;
    }

    pub(super) fn pop(&mut self) {
        if let Some((board, ..)) = self.nodes.pop() {
            self.board_counts[board as usize % BOARD_COUNTS] -= 1;
        }
    }

    /// The hash of the path.
    pub(super) fn hash(&self) -> u64 {
        self.nodes.last().map_or(0, |node| node.2)
    }

    /// The last ply with this board and side to move and at least this attacker's hand. The attacker
    /// gains nothing by returning to such a position.
    #[inline]
    pub(super) fn find(&self, board: u64, hand: MateHand) -> Option<Ply> {
        if self.board_counts[board as usize % BOARD_COUNTS] == 0 {
            return None;
        }
        let met = |node: &(u64, MateHand, u64)| node.0 == board && node.1.covers(hand);
        self.nodes.iter().rposition(met).map(|index| index as Ply + 1)
    }
}
