//! Makes problems: a small random problem, to whose start moves are taken back two at a time.

mod backward;
mod random;

use crate::tsume::reduce::{SoundProblem, Wanted};
use crate::tsume::solver::TsumeSolver;
use monomi_movegen::Position;
use std::collections::HashSet;

/// Random numbers: one below the argument, which is not 0.
pub type Below<'a> = &'a mut dyn FnMut(usize) -> usize;

/// Length of the random problems at most, in plies.
const FIRST_PLIES: u16 = 3;
/// Random positions for a first problem.
const FIRST_POSITIONS: u32 = 200;
/// Positions tried before a problem.
const EARLIER: u32 = 2_000;
/// Of these, positions that are examined.
const EXAMINED: u32 = 300;
/// Sound problems from which one goes on to longer ones.
const BRANCHES: u32 = 3;
/// Positions examined in one attempt.
const BUDGET: u32 = 3_000;

impl TsumeSolver {
    /// One attempt at a sound problem of the length that is wanted, without pieces that are not needed. White
    /// defends; the pieces that are not in the problem are in White's hand. The same random numbers
    /// make the same problem.
    pub fn make(
        &mut self,
        wanted: &Wanted,
        below: Below<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Option<SoundProblem> {
        let mut maker = Maker { solver: self, wanted, below, stop, budget: BUDGET };
        let first = (0..FIRST_POSITIONS).find_map(|_| maker.first())?;
        let longest = maker.lengthen(first)?;
        maker.solver.reduce(&longest.position, wanted, stop)
    }
}

struct Maker<'a> {
    solver: &'a mut TsumeSolver,
    wanted: &'a Wanted,
    below: Below<'a>,
    stop: &'a dyn Fn() -> bool,
    /// Positions that may still be examined.
    budget: u32,
}

impl Maker<'_> {
    /// A short problem from a random position.
    fn first(&mut self) -> Option<SoundProblem> {
        if (self.stop)() {
            return None;
        }
        let position = random::position(self.below)?;
        let most = FIRST_PLIES.min(self.wanted.plies);
        let wanted = |plies| Wanted { plies, ..*self.wanted };
        (1..=most)
            .step_by(2)
            .find_map(|plies| self.solver.reduce(&position, &wanted(plies), self.stop))
    }

    /// Takes moves back until the problem has the length that is wanted.
    fn lengthen(&mut self, problem: SoundProblem) -> Option<SoundProblem> {
        let plies = problem.solution.line.len() as u16;
        if plies == self.wanted.plies {
            return Some(problem);
        }
        let wanted = Wanted { plies: plies + 2, ..*self.wanted };
        let mut known = HashSet::new();
        let (mut examined, mut branches) = (0, 0);
        for _ in 0..EARLIER {
            if self.budget == 0 || examined == EXAMINED || branches == BRANCHES || (self.stop)() {
                break;
            }
            let Some(earlier) = self.earlier(&problem.position, &mut known) else { continue };
            examined += 1;
            self.budget -= 1;
            let Some(longer) = self.solver.sound(&earlier, &wanted, self.stop) else { continue };
            branches += 1;
            if let Some(made) = self.lengthen(longer) {
                return Some(made);
            }
        }
        None
    }

    /// A position two plies before another one that was not tried yet.
    fn earlier(&mut self, position: &Position, known: &mut HashSet<u64>) -> Option<Position> {
        let earlier = backward::earlier(position, self.below)?;
        known.insert(earlier.key()).then_some(earlier)
    }
}
