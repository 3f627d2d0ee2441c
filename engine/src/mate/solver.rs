//! The solver as others see it.

use super::dfpn::{Dfpn, Memory};
use super::hand::MateHand;
use super::value::{NO_PLY, UNLIMITED};
use super::verify::verify;
use monomi_movegen::{PackedMove, Position};
use std::time::{Duration, Instant};

/// When the solver gives up. Without limits it goes on until it knows, or is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MateLimits {
    /// Not beyond this moment.
    pub deadline: Option<Instant>,
    /// No more nodes than this.
    pub nodes: Option<u64>,
    /// Only mates of at most so many plies. Then `NoMate` means that there is none so short.
    pub plies: Option<u16>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// A line that mates, verified move by move; the attacker makes the first and the last move.
    /// The proof behind it covers every other defence too.
    Mate(Vec<PackedMove>),
    /// There is no mate by continuous checks: proven.
    NoMate,
    /// The limits, or a stop, came first.
    Unknown,
}

/// The answer and what it cost.
#[derive(Clone, Debug)]
pub struct MateResult {
    /// The answer.
    pub answer: MateAnswer,
    /// Nodes searched, those for shortening the line included.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Share of the memory in use at the end, in permille.
    pub hashfull: usize,
}

/// Shortening a line may cost so many times the nodes that finding it did, ...
const SHORTENING_SHARE: u64 = 1;
/// ... and at least so many nodes.
const SHORTENING_NODES: u64 = 500;

/// A solver with its memory, to be used again and again.
pub struct MateSolver {
    memory: Memory,
}

impl MateSolver {
    /// A solver that uses up to so many mebibytes (at least one). The memory is taken from the
    /// system only as a problem needs it.
    pub fn new(mebibytes: usize) -> Self {
        Self { memory: Memory::new(mebibytes.max(1) << 20) }
    }

    /// Memory taken for tables so far, in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.table.bytes() + self.memory.paths.bytes()
    }

    /// Looks for a mate by continuous checks: the side to move attacks. `stop` is asked every
    /// millisecond or so whether to end early.
    ///
    /// What happened before `root` is not looked at: a repetition counts from there.
    pub fn solve(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> MateResult {
        let start = Instant::now();
        let stop = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.memory.clear();
        let mut search = Dfpn::new(root.clone(), &mut self.memory, &stop);
        search.count_limit = limits.nodes.unwrap_or(u64::MAX);
        let answer = solve(root, &mut search, limits);
        let nodes = search.count;
        let hashfull = self.memory.table.permille();
        MateResult { answer, nodes, time: start.elapsed(), hashfull }
    }
}

fn solve(root: &Position, search: &mut Dfpn<'_>, limits: &MateLimits) -> MateAnswer {
    let hand = MateHand::of(root, root.side_to_move());
    let value = search.search(true, hand, limits.plies.unwrap_or(UNLIMITED));
    if value.is_refuted() && value.rests_on == NO_PLY {
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
        let value = search.search(true, hand, len - 2);
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
    search.line(hand, len).filter(|line| verify(root, line).is_ok())
}
