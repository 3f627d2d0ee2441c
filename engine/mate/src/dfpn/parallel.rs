//! Threads that search one position together.
//!
//! All of them search from the root and share the table. The first one searches as if it were alone;
//! the others avoid moves below which another thread is (virtual proof numbers, Kaneko 2010), and all
//! use what the others have found in the meantime. Refutations that depend on a path are used only by
//! the thread that found them.

use super::hand::MateHand;
use super::search::{Dfpn, ThreadMemory};
use super::table::Table;
use super::team::Team;
use super::value::{Plies, Value};
use parking_lot::{Mutex, RwLock};
use std::thread;

/// Nodes that the first thread searches alone: easy problems need no others.
const ALONE: u64 = if cfg!(test) { 20 } else { 5_000 };

/// The threads beside the first one.
pub(super) struct Others<'a> {
    pub(super) lock: &'a RwLock<Table>,
    pub(super) team: &'a Team,
    /// One for each thread.
    pub(super) memory: &'a mut [ThreadMemory],
}

/// As [`Dfpn::search`], with others if there are any. The attacker is to move.
pub(super) fn search<'a>(
    first: &mut Dfpn<'a>,
    others: Option<&mut Others<'a>>,
    hand: MateHand,
    len: Plies,
) -> Value {
    let Some(others) = others else { return first.search(true, hand, len) };
    let limit = first.count_limit;
    first.count_limit = limit.min(first.count.saturating_add(ALONE));
    let value = first.search(true, hand, len);
    let enough = first.count >= first.count_limit;
    first.count_limit = limit;
    if value.is_final() || !enough || first.count >= limit || (first.stop)() {
        return value;
    }
    first.stopped = false;
    let found = others.search_with(first, hand, len);
    first.count = others.team.nodes().max(first.count);
    first.stopped = first.count >= limit || (first.stop)();
    found
}

impl<'a> Others<'a> {
    fn search_with(&mut self, first: &mut Dfpn<'a>, hand: MateHand, len: Plies) -> Value {
        let team = self.team;
        team.start(first.count);
        let found: Mutex<Option<Value>> = Mutex::new(None);
        let (root, limit, lock) = (first.position.clone(), first.count_limit, self.lock);
        let stop = || team.is_halted();
        let value = thread::scope(|scope| {
            // After a panic, too: the scope waits for the others.
            let _halt = scopeguard::guard(team, Team::halt);
            for (index, memory) in self.memory.iter_mut().enumerate() {
                let (root, found, stop) = (root.clone(), &found, &stop);
                scope.spawn(move || {
                    let mut search = Dfpn::new(root, memory, lock, stop);
                    (search.team, search.thread) = (Some(team), index + 1);
                    search.count_limit = limit;
                    let value = search.search(true, hand, len);
                    if value.is_final() {
                        *found.lock() = Some(value);
                        team.halt();
                    }
                });
            }
            first.team = Some(team);
            let value = first.search(true, hand, len);
            first.team = None;
            value
        });
        if value.is_final() { value } else { found.into_inner().unwrap_or(value) }
    }
}

#[cfg(test)]
mod tests {
    use crate::MateLimits;
    use crate::dfpn::{MateAnswer, MateSolver, verify};
    use monomi_movegen::Position;
    use std::time::Instant;

    const DRAGONS: &str = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
    const MICROCOSMOS: &str = "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

    fn solve(solver: &mut MateSolver, root: &Position, limits: &MateLimits) -> MateAnswer {
        let answer = solver.solve(root, limits, &|| false).answer;
        if let MateAnswer::Mate(line) = &answer {
            assert_eq!(verify(root, line), Ok(()), "{}", root.to_sfen());
        }
        answer
    }

    /// Several threads and one thread never contradict each other.
    #[test]
    fn threads_agree_with_one_thread() {
        let (mut alone, mut team) = (MateSolver::new(16), MateSolver::with_threads(1, 3));
        let (mut mates, mut others, mut random) = (0, 0, 1u64);
        for _ in 0..25 {
            let mut position = Position::startpos();
            for ply in 0..250 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                position.do_move(moves[(random >> 33) as usize % moves.len()]);
                if ply % 5 > 0 {
                    continue;
                }
                for plies in [Some(5), None] {
                    let limits = MateLimits { nodes: Some(20_000), plies, deadline: None };
                    let one = solve(&mut alone, &position, &limits);
                    let three = solve(&mut team, &position, &limits);
                    if one == MateAnswer::Unknown || three == MateAnswer::Unknown {
                        continue;
                    }
                    let (one, three) = [one, three].map(|it| it != MateAnswer::NoMate).into();
                    assert_eq!(one, three, "{plies:?} {}", position.to_sfen());
                    if one { mates += 1 } else { others += 1 }
                }
            }
        }
        assert!(mates > 20 && others > 400, "{mates} mates, {others} without");
    }

    /// A hard problem, in a table that has to be cleaned while all threads use it. One thread with a large
    /// table finds that every reply to the first move is mated, too.
    #[test]
    fn threads_share_a_small_table() {
        let mut root = Position::from_sfen(DRAGONS).unwrap();
        let mut solver = MateSolver::with_threads(2, 3);
        let answer = solve(&mut solver, &root, &MateLimits::default());
        let MateAnswer::Mate(line) = &answer else { panic!("{answer:?}") };
        root.do_move(line[0]);
        let mut alone = MateSolver::new(64);
        for reply in root.legal_moves() {
            let mut after = root.clone();
            after.do_move(reply);
            let answer = solve(&mut alone, &after, &MateLimits::default());
            assert!(matches!(answer, MateAnswer::Mate(_)), "{} {reply}: {answer:?}", line[0]);
        }
        assert!(solver.bytes() <= 2 << 20, "{} bytes", solver.bytes());
    }

    #[test]
    fn threads_keep_to_the_limits() {
        let root = Position::from_sfen(MICROCOSMOS).unwrap();
        let mut solver = MateSolver::with_threads(8, 3);
        let limits = MateLimits { nodes: Some(100_000), ..MateLimits::default() };
        let result = solver.solve(&root, &limits, &|| false);
        assert_eq!(result.answer, MateAnswer::Unknown);
        assert!((100_000..101_000).contains(&result.nodes), "{} nodes", result.nodes);
        let limits = MateLimits { deadline: Some(Instant::now()), ..MateLimits::default() };
        let result = solver.solve(&root, &limits, &|| false);
        assert_eq!(result.answer, MateAnswer::Unknown);
        let calls = std::cell::Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() > 200
        };
        let result = solver.solve(&root, &MateLimits::default(), &stop);
        assert_eq!(result.answer, MateAnswer::Unknown);
        // The first thread alone asks.
        assert!(calls.get() < 210, "{} calls", calls.get());
    }
}
