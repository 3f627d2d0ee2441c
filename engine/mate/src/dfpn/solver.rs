//! The public interface of the solver.

use super::hand::MateHand;
use super::parallel::{self, Others};
use super::progress::{MateProgress, Watch};
use super::search::{Dfpn, ThreadMemory};
use super::table::Table;
use super::team::Team;
use super::value::{NO_PLY, UNLIMITED};
use super::verify::verify;
use crate::MateLimits;
use monomi_movegen::{PackedMove, Position};
use monomi_support::host::Instant;
use parking_lot::RwLock;
use std::time::Duration;

/// The solver's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// A mating line, verified move by move; the attacker makes the first and the last move. The mate
    /// is proven against every other defence too.
    Mate(Vec<PackedMove>),
    /// Proven: there is no mate by continuous checks.
    NoMate,
    /// A limit was reached or the search was stopped.
    Unknown,
}

/// The answer and statistics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MateResult {
    /// The answer.
    pub answer: MateAnswer,
    /// Nodes searched, including those for shortening the line.
    pub nodes: u64,
    /// Elapsed time.
    pub time: Duration,
    /// Used share of the table at the end, in permille.
    pub hashfull: usize,
}

impl MateResult {
    /// An answer after so many nodes and this time.
    pub fn new(answer: MateAnswer, nodes: u64, time: Duration) -> Self {
        Self { answer, nodes, time, hashfull: 0 }
    }
}

/// Shortening the line may take this many times the nodes of the first proof ...
const SHORTENING_SHARE: u64 = 1;
/// ... but at least this many nodes.
const SHORTENING_NODES: u64 = 500;

/// A reusable solver.
pub struct MateSolver {
    table: RwLock<Table>,
    first: ThreadMemory,
    /// Those of the other threads.
    others: Vec<ThreadMemory>,
}

impl std::fmt::Debug for MateSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let threads = 1 + self.others.len();
        f.debug_struct("MateSolver").field("threads", &threads).finish_non_exhaustive()
    }
}

impl MateSolver {
    /// Creates a solver with one thread that uses at most `mebibytes` (at least one) for its tables.
    /// They are allocated as needed.
    pub fn new(mebibytes: usize) -> Self {
        Self::with_threads(mebibytes, 1)
    }

    /// As [`MateSolver::new`] with a number of threads (0 counts as 1), which all search the same position. With
    /// several the answer stays as certain, but which mate is found and after how many nodes differs
    /// from call to call.
    pub fn with_threads(mebibytes: usize, threads: usize) -> Self {
        let (bytes, threads) = (mebibytes.max(1) << 20, threads.max(1));
        let paths = bytes / 16 / threads;
        Self {
            table: RwLock::new(Table::new(bytes / 16 * 15)),
            first: ThreadMemory::new(paths),
            others: (1..threads).map(|_| ThreadMemory::new(paths)).collect(),
        }
    }

    /// The memory allocated for tables, in bytes.
    pub fn bytes(&self) -> usize {
        let table = self.table.read().bytes();
        let others: usize = self.others.iter().map(|thread| thread.paths.bytes()).sum();
        table + self.first.paths.bytes() + others
    }

    /// Searches for a mate by continuous checks; the side to move is the attacker. `stop` is called
    /// about once per millisecond; the search ends when it returns true.
    ///
    /// Repetitions count from `root`. Of the moves before it only those matter that led to a position
    /// three times: at its fourth occurrence the game ends without a mate.
    pub fn solve(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> MateResult {
        self.solve_reporting(root, limits, stop, None)
    }

    /// As [`MateSolver::solve`]; `report` is called each second.
    pub fn solve_reporting(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
        report: Option<&dyn Fn(&MateProgress)>,
    ) -> MateResult {
        let start = Instant::now();
        let stop = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.table.get_mut().clear();
        self.first.paths.clear();
        self.others.iter_mut().for_each(|thread| thread.paths.clear());
        let (lock, memory) = (&self.table, self.others.as_mut_slice());
        let team = (!memory.is_empty()).then(Team::new);
        let others = team.as_ref().map(|team| Others { lock, team, memory });
        let mut search = Dfpn::new(root.clone(), &mut self.first, lock, &stop);
        search.count_limit = limits.nodes.unwrap_or(u64::MAX);
        search.watch = report.map(|report| Watch::new(report, start));
        let answer = solve(root, &mut search, others, limits);
        let nodes = search.count;
        let hashfull = search.table.permille();
        MateResult { answer, nodes, time: start.elapsed(), hashfull }
    }
}

fn solve<'a>(
    root: &Position,
    search: &mut Dfpn<'a>,
    mut others: Option<Others<'a>>,
    limits: &MateLimits,
) -> MateAnswer {
    let hand = MateHand::of(root, root.side_to_move());
    let most = limits.plies.unwrap_or(UNLIMITED);
    let value = parallel::search(search, others.as_mut(), hand, most);
    if value.is_refuted() && value.depends_on == NO_PLY {
        return MateAnswer::NoMate;
    }
    if !value.is_proven() {
        return MateAnswer::Unknown;
    }
    let found = search.count;
    let Some(mut line) = verified(root, search, hand, value.len) else {
        return MateAnswer::Unknown;
    };
    let budget = (found * SHORTENING_SHARE).max(SHORTENING_NODES);
    search.count_limit = search.count_limit.min(search.count.saturating_add(budget));
    let mut len = value.len.min(line.len() as u16);
    while len > 1 {
        let value = parallel::search(search, others.as_mut(), hand, len - 2);
        if !value.is_proven() {
            break;
        }
        len = value.len;
        match verified(root, search, hand, len) {
            Some(shorter) if shorter.len() < line.len() => line = shorter,
            _ => {}
        }
    }
    MateAnswer::Mate(line)
}

fn verified(
    root: &Position,
    search: &mut Dfpn<'_>,
    hand: MateHand,
    len: u16,
) -> Option<Vec<PackedMove>> {
    search.mating_line(hand, len).filter(|line| verify(root, line).is_ok())
}
