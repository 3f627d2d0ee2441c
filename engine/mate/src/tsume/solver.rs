//! The public interface of the solver.

use crate::MateLimits;
use crate::dfpn::{MateAnswer, MateProgress, MateSolver};
use crate::tsume::parallel::Job;
use crate::tsume::progress::{TsumeProgress, Watch};
use crate::tsume::search::{Search, Stopped};
use crate::tsume::table::{Length, NEVER, Plies, Table};
use crate::tsume::team::Team;
use monomi_movegen::{PackedMove, Position};
use monomi_support::host::Instant;
use parking_lot::RwLock;
use shogi_core::{Color, Hand};
use std::time::Duration;

/// What counts as a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TsumeRules {
    /// Whether useless interpositions (無駄合) count as replies.
    pub keep_useless: bool,
}

impl TsumeRules {
    /// With useless interpositions as replies, or without.
    #[must_use]
    pub fn with_useless(self, keep_useless: bool) -> Self {
        Self { keep_useless }
    }
}

/// A solution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Solution {
    /// The moves; the attacker makes the last one.
    pub line: Vec<PackedMove>,
    /// Whether the line is proven to be a main line: the attacker's shortest mate against the longest
    /// defence. Otherwise the line is only a mate, proven against every defence.
    pub shortest: bool,
    /// The attacker's hand at the end (駒余り if not empty).
    pub hand_left: Hand,
}

/// The answer of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TsumeAnswer {
    /// A mate.
    Mate(Solution),
    /// Proven: there is no mate by continuous checks.
    NoMate,
    /// A limit was reached or the search was stopped.
    Unknown,
}

/// The answer and statistics.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TsumeResult {
    /// The answer.
    pub answer: TsumeAnswer,
    /// Proven: no mate takes fewer plies than this.
    pub at_least: u16,
    /// Nodes searched.
    pub nodes: u64,
    /// Elapsed time.
    pub time: Duration,
}

/// The exact search goes no deeper, because it is recursive: a ply takes a few KiB of stack.
const MAX_PLIES: Plies = if cfg!(target_family = "wasm") { 60 } else { 2_000 };
const FIRST_NODES: u64 = 200_000;

/// A reusable solver of tsume problems.
pub struct TsumeSolver {
    pub(crate) table: RwLock<Table>,
    threads: usize,
    /// Nodes of the exact search by one thread before the solver asks whether there is a mate at all
    /// and takes all threads.
    pub(crate) first_nodes: u64,
    pub(crate) mate: MateSolver,
    pub(crate) rules: TsumeRules,
}

impl std::fmt::Debug for TsumeSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { threads, rules, .. } = self;
        let mut shown = f.debug_struct("TsumeSolver");
        shown.field("threads", threads).field("rules", rules).finish_non_exhaustive()
    }
}

/// Whether the side to move is the attacker: it has no king, or both sides have one.
pub fn is_attacker_to_move(position: &Position) -> bool {
    let us = position.side_to_move();
    position.king(us).is_none() || position.king(us.flip()).is_some()
}

/// The attacker.
pub fn attacker(position: &Position) -> Color {
    let us = position.side_to_move();
    if is_attacker_to_move(position) { us } else { us.flip() }
}

impl TsumeSolver {
    /// A solver that uses at most `mebibytes` (at least two) for its tables, half of it for the
    /// search for any mate.
    pub fn new(mebibytes: usize, rules: TsumeRules) -> Self {
        Self::with_threads(mebibytes, 1, rules)
    }

    /// As [`TsumeSolver::new`] with a number of threads (0 counts as 1), which all search the same problem if it is
    /// hard. Lengths stay as proven; which mate is found when no length is proven differs from call
    /// to call. Each thread but the caller's takes a stack of [`STACK`](crate::tsume::STACK) bytes.
    pub fn with_threads(mebibytes: usize, threads: usize, rules: TsumeRules) -> Self {
        let (half, threads) = ((mebibytes.max(1) << 20) / 2, threads.max(1));
        Self {
            table: RwLock::new(Table::new(half)),
            threads,
            first_nodes: FIRST_NODES,
            mate: MateSolver::with_threads(half >> 20, threads),
            rules,
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Forgets all lengths.
    pub(crate) fn clear(&mut self) {
        self.table.get_mut().clear();
    }

    /// The memory of the tables in bytes.
    pub fn bytes(&self) -> usize {
        self.table.read().bytes() + self.mate.bytes()
    }

    /// A search from a position that keeps the table.
    pub(crate) fn search<'a>(
        &'a mut self,
        position: &Position,
        node_limit: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        let keep_useless = self.rules.keep_useless;
        Search::new(position.clone(), &self.table, keep_useless, node_limit, stop)
    }

    /// Solves a position: the attacker's shortest mate against the longest defence. If the side to
    /// move has a king and the other side has none, the side to move defends. `stop` is called now
    /// and then; the search ends when it returns true.
    pub fn solve(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> TsumeResult {
        self.solve_reporting(root, limits, stop, None)
    }

    /// As [`TsumeSolver::solve`]; `report` is called each second.
    pub fn solve_reporting(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
        report: Option<&dyn Fn(&TsumeProgress)>,
    ) -> TsumeResult {
        let start = Instant::now();
        let stop = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.clear();
        let reporter = report.map(|report| Watch::new(report, start));
        let mut run = Run {
            root,
            attacking: is_attacker_to_move(root),
            limits,
            at_least: 0,
            nodes: 0,
            solver: self,
            stop: &stop,
            reporter: reporter.as_ref(),
        };
        run.at_least = u16::from(run.attacking);
        let answer = run.solve();
        let (at_least, nodes) = (run.at_least, run.nodes);
        TsumeResult { answer, at_least, nodes, time: start.elapsed() }
    }
}

/// One call of [`TsumeSolver::solve`].
struct Run<'a> {
    root: &'a Position,
    attacking: bool,
    limits: &'a MateLimits,
    /// Proven: no mate is shorter.
    at_least: Plies,
    nodes: u64,
    solver: &'a mut TsumeSolver,
    stop: &'a dyn Fn() -> bool,
    reporter: Option<&'a Watch<'a>>,
}

impl<'a> Run<'a> {
    fn solve(&mut self) -> TsumeAnswer {
        if !self.attacking && !self.root.in_check() {
            return TsumeAnswer::NoMate;
        }
        let all = self.limits.nodes.unwrap_or(u64::MAX);
        if let Some(answer) = self.exact(all.min(self.solver.first_nodes), 1) {
            return answer;
        }
        if self.nodes >= all || (self.stop)() {
            return TsumeAnswer::Unknown;
        }
        let most = self.limits.plies.map_or(usize::MAX, usize::from);
        let any = match self.any_mate(all) {
            TsumeAnswer::NoMate => return TsumeAnswer::NoMate,
            // This search has no limit of plies; a shorter mate is possible.
            TsumeAnswer::Mate(found) if found.line.len() > most => TsumeAnswer::Unknown,
            any => any,
        };
        self.exact(all, self.solver.threads).unwrap_or(any)
    }

    /// The exact search until `nodes` in total; `None` if it was stopped before the end.
    fn exact(&mut self, node_limit: u64, threads: usize) -> Option<TsumeAnswer> {
        let most = self.limits.plies.unwrap_or(NEVER - 2);
        let team = Team::new(self.nodes);
        let job = Job {
            root: self.root,
            lock: &self.solver.table,
            team: &team,
            keep_useless: self.solver.rules.keep_useless,
            attacking: self.attacking,
            at_least: self.at_least,
            most: most.min(MAX_PLIES),
            node_limit,
        };
        let all = self.stop;
        let stop = || all() || team.has_found();
        let root = self.root.clone();
        let mut search = Search::new(root, job.lock, job.keep_useless, node_limit, &stop);
        search.reporter = self.reporter;
        search.nodes = self.nodes;
        let mut bounds = Bounds { at_least: self.at_least, most: job.most, length: None };
        std::thread::scope(|scope| {
            // After a panic, too: the scope waits for the others.
            let _halt = scopeguard::guard(&team, Team::halt);
            if threads > 1 {
                search.team = Some(&team);
                (1..threads).for_each(|number| job.start(scope, number));
            }
            bounds.deepen(&mut search, self.attacking);
        });
        search.team = None;
        search.stop = all;
        search.nodes = search.nodes.max(team.nodes());
        if team.has_found() {
            // The length is in the table now.
            bounds.deepen(&mut search, self.attacking);
        }
        let answer = bounds.length.and_then(|length| {
            let line = search.main_line(self.attacking, length).ok()?;
            Some(TsumeAnswer::Mate(Solution::new(self.root, line, true)))
        });
        self.at_least = bounds.at_least;
        self.nodes = search.nodes;
        if self.at_least > most { Some(TsumeAnswer::NoMate) } else { answer }
    }

    /// Searches for any mate by proof numbers.
    fn any_mate(&mut self, nodes: u64) -> TsumeAnswer {
        if self.attacking {
            return self.mate_from(self.root, nodes);
        }
        let mut longest: Option<Vec<PackedMove>> = None;
        let mut position = self.root.clone();
        for &mv in self.root.legal_moves().iter() {
            position.do_move(mv);
            let answer = self.mate_from(&position, nodes);
            position.undo_move();
            let TsumeAnswer::Mate(solution) = answer else { return answer };
            if longest.as_ref().is_none_or(|line| line.len() <= solution.line.len()) {
                longest = Some([&[mv], solution.line.as_slice()].concat());
            }
        }
        TsumeAnswer::Mate(Solution::new(self.root, longest.unwrap_or_default(), false))
    }

    fn mate_from(&mut self, position: &Position, nodes: u64) -> TsumeAnswer {
        let left = nodes.saturating_sub(self.nodes);
        let limits = MateLimits {
            deadline: self.limits.deadline,
            nodes: (nodes < u64::MAX).then_some(left),
            plies: None,
        };
        self.reporter.inspect(|reporter| reporter.at_least.set(self.at_least));
        let told = |reporter: &'a Watch<'a>| {
            let before = self.nodes;
            move |progress: &MateProgress| reporter.any(before, progress)
        };
        let told = self.reporter.map(told);
        let report = told.as_ref().map(|told| told as &dyn Fn(&MateProgress));
        let result = self.solver.mate.solve_reporting(position, &limits, self.stop, report);
        self.nodes += result.nodes;
        match result.answer {
            MateAnswer::Mate(line) => TsumeAnswer::Mate(Solution::new(position, line, false)),
            MateAnswer::NoMate => TsumeAnswer::NoMate,
            MateAnswer::Unknown => TsumeAnswer::Unknown,
        }
    }
}

/// What is proven of the length of the mate from the root.
struct Bounds {
    /// No mate is shorter.
    at_least: Plies,
    /// No longer ones are searched for.
    most: Plies,
    /// The length, if it is known.
    length: Option<Plies>,
}

impl Bounds {
    /// Searches for mates of increasing length, up to the limits.
    fn deepen(&mut self, search: &mut Search<'_>, attacking: bool) {
        while self.at_least <= self.most && self.length.is_none() {
            if let Some(reporter) = search.reporter {
                reporter.at_least.set(self.at_least);
            }
            let found = match attacking {
                true => search.attack(self.at_least),
                false => search.defend(self.at_least),
            };
            match found {
                Ok(Length::Exact(length)) => (self.at_least, self.length) = (length, Some(length)),
                Ok(Length::AtLeast(length)) => self.at_least = length,
                Err(Stopped) => break,
            }
        }
    }
}

impl Solution {
    pub(crate) fn new(root: &Position, line: Vec<PackedMove>, shortest: bool) -> Self {
        let mut last = root.clone();
        let attacker = attacker(root);
        for &mv in &line {
            last.do_move(mv);
        }
        Self { line, shortest, hand_left: last.hand(attacker) }
    }

    /// Whether pieces are left in the attacker's hand.
    pub fn leaves_pieces(&self) -> bool {
        self.hand_left != Hand::default()
    }
}
