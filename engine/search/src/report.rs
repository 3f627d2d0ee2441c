//! What a search reports while it runs and when it ends.

use monomi_eval::score::{Bound, Score};
use monomi_movegen::PackedMove;
use std::ops::ControlFlow;
use std::time::Duration;

/// One line of one iteration.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Info {
    /// Iteration, in plies.
    pub depth: u32,
    /// The deepest line searched, in plies.
    pub seldepth: u32,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Number of lines (1 without MultiPV).
    pub multipv_count: usize,
    /// Score for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Nodes so far of all threads.
    pub nodes: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// Usage of the transposition table in permille.
    pub hashfull: u32,
    /// The principal variation; all moves are legal.
    pub pv: Vec<PackedMove>,
}

impl Info {
    /// One exact line of one; the other numbers are 0.
    pub fn new(score: Score, pv: Vec<PackedMove>) -> Self {
        Self {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            multipv_count: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        }
    }

    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// Receives the lines of a search. USI, analysis, bench and data generation each have their own.
pub trait Reporter: Send {
    /// A line of an iteration is finished. `Break` ends the search as a stop would.
    fn info(&mut self, info: &Info) -> ControlFlow<()>;

    /// Whether lines are wanted at all. Building them slows down very short searches.
    fn listens(&self) -> bool {
        true
    }
}

/// A function that is called with each line.
///
/// ```
/// use monomi_search::{Info, Limits, Searcher, SearchOptions, Signals};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let root = monomi_movegen::Position::startpos();
/// let mut searcher = Searcher::new(1, monomi_eval::Evaluation::built_in())?;
/// let limits = Limits::new().with_depth(4);
/// let mut depths = Vec::new();
/// let mut each = |info: &Info| {
///     depths.push(info.depth);
///     std::ops::ControlFlow::Continue(())
/// };
/// let result = searcher.go(&root, &limits, &SearchOptions::default(), &Signals::default(), &mut each);
/// assert_eq!(depths.last(), Some(&4));
/// assert_eq!(result.best, monomi_search::BestMove::Move(result.pv[0]));
/// # Ok(())
/// # }
/// ```
impl<F: FnMut(&Info) -> ControlFlow<()> + Send> Reporter for F {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        self(info)
    }
}

/// Ignores everything.
#[derive(Clone, Copy, Debug)]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum BestMove {
    /// Play this.
    Move(PackedMove),
    /// There is no legal move, or the position is hopeless.
    Resign,
    /// The game is won by declaration.
    Win,
}

/// The result of a search.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SearchResult {
    /// What to play.
    pub best: BestMove,
    /// The expected reply, legal after the best move; `None` after a mate.
    pub ponder: Option<PackedMove>,
    /// Score of the best line for the side to move at the root.
    pub score: Score,
    /// Last completed iteration.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// The best line; all moves are legal. Empty if nothing was searched.
    pub pv: Vec<PackedMove>,
}

impl SearchResult {
    /// An answer that was not searched: no reply is expected, and the numbers are 0.
    pub fn new(best: BestMove, score: Score) -> Self {
        Self { best, ponder: None, score, depth: 0, nodes: 0, pv: Vec::new() }
    }
}
