//! Flags and counters that the threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The threads that search one position together.
pub struct Team {
    /// The first thread has its answer or is stopped.
    halted: AtomicBool,
    /// Another thread has found the length, so that the first one finds it in the table.
    found: AtomicBool,
    nodes: AtomicU64,
}

impl Team {
    /// `nodes`: those searched before.
    pub fn new(nodes: u64) -> Self {
        Self {
            halted: AtomicBool::new(false),
            found: AtomicBool::new(false),
            nodes: AtomicU64::new(nodes),
        }
    }

    /// Counts nodes; returns those of all threads.
    pub fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// The nodes of all threads, about.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether another thread has found the length.
    pub fn has_found(&self) -> bool {
        self.found.load(Relaxed)
    }

    /// Records that another thread than the first has found the length.
    pub fn set_found(&self) {
        self.found.store(true, Relaxed);
    }

    /// Ends the other threads.
    pub fn halt(&self) {
        self.halted.store(true, Relaxed);
    }

    /// Whether the other threads have nothing more to do.
    pub fn is_over(&self) -> bool {
        self.halted.load(Relaxed) || self.has_found()
    }
}
