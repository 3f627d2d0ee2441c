//! What the search tells, and to whom.

use crate::search::score::{Bound, Score};
use monomi_movegen::PackedMove;
use std::ops::ControlFlow;
use std::time::Duration;

/// Progress of a search: one line of one iteration.
#[derive(Clone, Debug)]
pub struct Info {
    /// Iteration, in plies.
    pub depth: u32,
    /// The deepest line searched, in plies.
    pub seldepth: u32,
    /// Rank of this line, from 1.
    pub multipv: usize,
    /// Number of lines asked for (1 unless MultiPV).
    pub multipv_count: usize,
    /// For the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes so far, all threads.
    pub nodes: u64,
    /// Time since the search started.
    pub time: Duration,
    /// Fill of the transposition table in permille.
    pub hashfull: u32,
    /// The line; legal to its end.
    pub pv: Vec<PackedMove>,
}

impl Info {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// Receives progress. USI, the analyser, bench and data generation each bring their own.
pub trait Reporter: Send {
    /// A line of an iteration is done. `Break` ends the search as a stop would.
    fn info(&mut self, info: &Info) -> ControlFlow<()>;

    /// Whether lines are wanted at all: making them takes time that short searches feel.
    fn listens(&self) -> bool {
        true
    }
}

/// Hears nothing and never ends the search.
pub struct Silent;

impl Reporter for Silent {
    fn info(&mut self, _: &Info) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn listens(&self) -> bool {
        false
    }
}

/// What to do in the root position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this.
    Move(PackedMove),
    /// There is no legal move, or none worth playing on with.
    Resign,
    /// The game is won by declaration.
    Win,
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// What to play.
    pub best: BestMove,
    /// The expected reply, legal behind the best move; none behind a mate.
    pub ponder: Option<PackedMove>,
    /// Score of the best line for the side to move at the root.
    pub score: Score,
    /// Last finished iteration.
    pub depth: u32,
    /// Nodes, all threads.
    pub nodes: u64,
}
