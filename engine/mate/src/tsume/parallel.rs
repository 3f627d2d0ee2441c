//! Threads that search one position together: each deepens by itself, all share the table, and every
//! second one goes through the checks from the other end.

use crate::tsume::search::{Search, Stopped};
use crate::tsume::table::{Length, Plies, Table};
use crate::tsume::team::Team;
use monomi_movegen::Position;
use parking_lot::RwLock;
use std::thread::{Builder, Scope};

/// Stack of a thread in bytes: the search of a long mate is deep.
pub const STACK: usize = 256 << 20;

/// What the other threads search.
pub struct Job<'a> {
    pub root: &'a Position,
    pub lock: &'a RwLock<Table>,
    pub team: &'a Team,
    pub keep_useless: bool,
    pub attacking: bool,
    /// The shortest and the longest mate to look for, in plies.
    pub at_least: Plies,
    pub most: Plies,
    /// Of all threads together.
    pub node_limit: u64,
}

impl Job<'_> {
    /// Starts a thread with a number from 1 on. Without memory for its stack it is left out.
    pub fn start<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, number: usize) {
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
                Ok(Length::Exact(_)) => return self.team.set_found(),
                Err(Stopped) => return,
            }
        }
    }
}
