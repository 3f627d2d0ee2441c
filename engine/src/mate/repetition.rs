//! Refutations that hold on one path only.
//!
//! A line that comes back to a position of its own path gains the attacker nothing. But a node
//! refuted in this way may be a mate when reached otherwise (the graph-history interaction
//! problem; Kishimoto and Müller 2004), so such a refutation is kept by the whole path, positions
//! and their order, and found again on the same path only.

use super::hand::MateHand;
use super::slots::Slots;
use super::value::{Plies, Ply};

#[derive(Clone, Copy, Default)]
struct Slot {
    path: u64,
    len: Plies,
    rests_on: Ply,
    era: u32,
}

pub(super) struct PathTable {
    slots: Slots<Slot>,
    stored: usize,
}

const FIRST_SLOTS: usize = 1 << 12;

impl PathTable {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: Slots::new(bytes, 1 << 8, FIRST_SLOTS), stored: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.stored = 0;
        self.slots.next_era();
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// Of the node at the end of this path: refuted for how many plies, resting on which ply.
    #[inline]
    pub(super) fn probe(&self, path: u64, len: Plies) -> Option<(Plies, Ply)> {
        let slot = &self.slots[self.slots.home(path)];
        (slot.path == path && slot.era == self.slots.era() && slot.len >= len)
            .then_some((slot.len, slot.rests_on))
    }

    /// Remembers a refutation; the newest entry of a slot stays.
    pub(super) fn store(&mut self, path: u64, len: Plies, rests_on: Ply) {
        self.stored += 1;
        if self.stored > self.slots.len() && self.slots.len() < self.slots.limit() {
            // What was there is cheap to find again.
            let size = self.slots.next_len();
            self.slots.clear();
            self.slots.resize(size, Slot::default());
            self.stored = 1;
        }
        let (index, era) = (self.slots.home(path), self.slots.era());
        self.slots[index] = Slot { path, len, rests_on, era };
    }
}

/// The positions from the root to the current node.
#[derive(Default)]
pub(super) struct Path {
    nodes: Vec<(u64, MateHand, u64)>,
    /// How many positions of the path have a board with these low bits: most questions end here.
    crowd: Vec<u16>,
}

const CROWD: usize = 1 << 12;

impl Path {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.crowd.clear();
        self.crowd.resize(CROWD, 0);
    }

    /// The ply of the last node, 0 for an empty path.
    pub(super) fn ply(&self) -> Ply {
        self.nodes.len() as Ply
    }

    /// The hash of the path with one position more.
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
        self.crowd[board as usize % CROWD] += 1;
    }

    pub(super) fn pop(&mut self) {
        if let Some((board, ..)) = self.nodes.pop() {
            self.crowd[board as usize % CROWD] -= 1;
        }
    }

    /// The hash of the path as it is.
    pub(super) fn hash(&self) -> u64 {
        self.nodes.last().map_or(0, |node| node.2)
    }

    /// The last ply with this board, side to move, and a hand at least as good for the attacker:
    /// who comes back with nothing gained could have done then what works now.
    #[inline]
    pub(super) fn find(&self, board: u64, hand: MateHand) -> Option<Ply> {
        if self.crowd[board as usize % CROWD] == 0 {
            return None;
        }
        let met = |node: &(u64, MateHand, u64)| node.0 == board && node.1.covers(hand);
        self.nodes.iter().rposition(met).map(|index| index as Ply + 1)
    }
}
