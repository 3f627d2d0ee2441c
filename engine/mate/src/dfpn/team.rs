//! Flags and counters that the threads of one search share.

use super::hand::MateHand;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Counters of positions.
const MARKS: usize = 1 << 16;

/// The threads that search one position together.
pub(super) struct Team {
    halted: AtomicBool,
    nodes: AtomicU64,
    /// The number of threads in the positions with the same mark.
    inside: Vec<AtomicU8>,
}

impl Team {
    pub(super) fn new() -> Self {
        let mut inside = Vec::new();
        inside.resize_with(MARKS, AtomicU8::default);
        Self { halted: AtomicBool::new(false), nodes: AtomicU64::new(0), inside }
    }

    /// The mark of a position. Few positions share it.
    #[inline(always)]
    pub(super) fn mark(board: u64, hand: MateHand) -> u16 {
        (board ^ u64::from(hand.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)) as u16
    }

    pub(super) fn enter(&self, mark: u16) {
        self.inside[usize::from(mark)].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn leave(&self, mark: u16) {
        self.inside[usize::from(mark)].fetch_sub(1, Ordering::Relaxed);
    }

    /// The number of threads in a position and below it.
    #[inline]
    pub(super) fn inside(&self, mark: u16) -> u32 {
        u32::from(self.inside[usize::from(mark)].load(Ordering::Relaxed))
    }

    /// Counts nodes; returns those of all threads.
    pub(super) fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// The nodes of all threads, about.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Resets the team before a search by all threads; `nodes` have been searched already.
    pub(super) fn start(&self, nodes: u64) {
        self.halted.store(false, Ordering::Relaxed);
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }
}
