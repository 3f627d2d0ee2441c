//! Threads that search one position together: each deepens by itself, all share the table, and every
//! second one goes through the checks from the other end.

use crate::search::{Search, Stopped};
use crate::table::{Length, Plies, Table};
use monomi_movegen::Position;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, Scope};

/// Stack of a thread in bytes: the search of a long mate is deep.
pub const STACK: usize = 256 << 20;

/// What the threads know of each other.
pub(crate) struct Team {
    /// The first thread has its answer or is stopped.
    halted: AtomicBool,
    /// Another thread has found the length, so that the first one finds it in the table.
    found: AtomicBool,
    nodes: AtomicU64,
}

impl Team {
    /// `nodes`: those searched before.
    pub(crate) fn new(nodes: u64) -> Self {
        Self {
            halted: AtomicBool::new(false),
            found: AtomicBool::new(false),
            nodes: AtomicU64::new(nodes),
        }
    }

    /// Counts nodes; returns those of all threads.
    pub(crate) fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// The nodes of all threads, about.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether another thread has found the length.
    pub(crate) fn has_found(&self) -> bool {
        self.found.load(Relaxed)
    }

    fn is_over(&self) -> bool {
        self.halted.load(Relaxed) || self.has_found()
    }
}

/// Ends the other threads when it goes, after a panic too.
pub(crate) struct HaltAtEnd<'a>(pub(crate) &'a Team);

impl Drop for HaltAtEnd<'_> {
    fn drop(&mut self) {
        self.0.halted.store(true, Relaxed);
    }
}

/// What the other threads search.
pub(crate) struct Job<'a> {
    pub(crate) root: &'a Position,
    pub(crate) lock: &'a RwLock<Table>,
    pub(crate) team: &'a Team,
    pub(crate) keep_useless: bool,
    pub(crate) attacking: bool,
    /// The shortest and the longest mate to look for, in plies.
    pub(crate) at_least: Plies,
    pub(crate) most: Plies,
    /// Of all threads together.
    pub(crate) node_limit: u64,
}

impl Job<'_> {
    /// Starts a thread with a number from 1 on. Without memory for its stack it is left out.
    pub(crate) fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, number: usize) {
        let _ = Builder::new().stack_size(STACK).spawn_scoped(scope, move || self.search(number));
    }

    fn search(&self, number: usize) {
        let stop = || self.team.is_over();
        let (root, limit) = (self.root.clone(), self.node_limit);
        let mut search = Search::new(root, self.lock, self.keep_useless, limit, &stop);
        (search.team, search.thread) = (Some(self.team), number);
        let mut limit = self.at_least;
        while limit <= self.most {
            let found = match self.attacking {
                true => search.attack(limit),
                false => search.defend(limit),
            };
            match found {
                Ok(Length::AtLeast(length)) => limit = length,
                Ok(Length::Exact(_)) => return self.team.found.store(true, Relaxed),
                Err(Stopped) => return,
            }
        }
    }
}
