//! Variations of a solution: other replies (変化) and checks that fail (紛れ).

use crate::MateLimits;
use crate::tsume::search::{Replies, Search, Stopped};
use crate::tsume::solver::{Solution, TsumeSolver, is_attacker_to_move};
use crate::tsume::table::{Length, NEVER, Plies};
use monomi_movegen::{PackedMove, Position};
use monomi_support::host::Instant;

/// A line that branches off the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variation {
    /// Moves of the main line before it.
    pub before: usize,
    /// The moves.
    pub moves: Vec<PackedMove>,
    /// What it shows.
    pub kind: VariationKind,
}

/// What a variation shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariationKind {
    /// Another reply (変化), with the shortest mate against it; the plies from the start.
    Reply {
        /// The length of the mate, counted from the start of the problem.
        plies: u16,
    },
    /// A check (紛れ) that fails against one reply only. It ends with that reply.
    Try {
        /// Whether it is proven that there is no mate; otherwise there is none as short as the
        /// solution.
        proven: bool,
    },
}

impl TsumeSolver {
    /// The other first moves that mate, the shortest mates first: at most `count`, and none that takes
    /// more than 20 plies more than the solution. Best called directly after
    /// [`TsumeSolver::solve`], whose table it uses. With limits, or if stopped, some might be missing.
    pub fn other_first_moves(
        &mut self,
        root: &Position,
        solution: &Solution,
        count: usize,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Solution> {
        let mut found = Vec::new();
        let Some(&first) = solution.line.first() else { return found };
        if !solution.shortest || !is_attacker_to_move(root) {
            return found;
        }
        let stop = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut search = self.search(root, limits.nodes.unwrap_or(u64::MAX), &stop);
        let mut checks = search.all_checks();
        checks.retain(|&mv| mv != first);
        let length = solution.line.len() as Plies;
        for limit in (length..=length + 20).step_by(2) {
            let mut left = Vec::new();
            for mv in std::mem::take(&mut checks) {
                if found.len() >= count {
                    return found;
                }
                search.position.do_move(mv);
                let line = match search.defend(limit - 1) {
                    Ok(Length::Exact(length)) => search.main_line(false, length).map(Some),
                    Ok(Length::AtLeast(more)) => {
                        left.extend((more != NEVER).then_some(mv));
                        Ok(None)
                    }
                    Err(stopped) => Err(stopped),
                };
                search.position.undo_move();
                match line {
                    Ok(Some(line)) => {
                        let line = [&[mv], line.as_slice()].concat();
                        found.push(Solution::new(root, line, true));
                    }
                    Ok(None) => {}
                    Err(Stopped) => return found,
                }
            }
            checks = left;
        }
        found
    }

    /// The variations of a proven solution, the last ones first as in KIF. Best called directly after
    /// [`TsumeSolver::solve`], whose table it uses. Of several pieces interposed on one square only
    /// the one with the longest mate is shown. With limits, or if stopped, some might be missing.
    pub fn variations(
        &mut self,
        root: &Position,
        solution: &Solution,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Variation> {
        if !solution.shortest {
            return Vec::new();
        }
        let stop = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut search = self.search(root, limits.nodes.unwrap_or(u64::MAX), &stop);
        let attacking = is_attacker_to_move(root);
        let mut found = Vec::new();
        let length = solution.line.len();
        for (before, &mv) in solution.line.iter().enumerate() {
            let rest = (length - before) as Plies;
            let here = match attacking == (before % 2 == 0) {
                // The last move shows nothing by what else it could be.
                true if rest == 1 => Ok(Vec::new()),
                true => search.tries(before, rest, mv),
                false => search.other_replies(before, rest, mv),
            };
            let Ok(here) = here else { break };
            found.extend(here);
            search.position.do_move(mv);
        }
        found.sort_by_key(|variation| std::cmp::Reverse(variation.before));
        found
    }
}

impl Search<'_> {
    /// The replies but `main`, with the shortest mates against them.
    fn other_replies(
        &mut self,
        before: usize,
        rest: Plies,
        main: PackedMove,
    ) -> Result<Vec<Variation>, Stopped> {
        let mut lines: Vec<(Plies, PackedMove)> = Vec::new();
        for (mv, length) in self.counted_replies(rest)? {
            let same_square = |&(_, other): &(Plies, PackedMove)| {
                mv.is_drop() && other.is_drop() && other.to() == mv.to()
            };
            if mv == main || main.is_drop() && mv.is_drop() && main.to() == mv.to() {
                continue;
            }
            match lines.iter_mut().find(|line| same_square(line)) {
                Some(line) if line.0 >= length => {}
                Some(line) => *line = (length, mv),
                None => lines.push((length, mv)),
            }
        }
        // The longest last: readers of KIF show variations from the last one on.
        lines.sort_by_key(|line| line.0);
        let mut variations = Vec::new();
        for (length, mv) in lines {
            self.position.do_move(mv);
            let line = self.main_line(true, length - 1);
            self.position.undo_move();
            let moves = [&[mv], line?.as_slice()].concat();
            let kind = VariationKind::Reply { plies: before as Plies + length };
            variations.push(Variation { before, moves, kind });
        }
        Ok(variations)
    }

    /// The checks that fail against one reply only.
    fn tries(
        &mut self,
        before: usize,
        rest: Plies,
        main: PackedMove,
    ) -> Result<Vec<Variation>, Stopped> {
        let mut variations = Vec::new();
        for mv in self.all_checks() {
            if mv == main {
                continue;
            }
            self.position.do_move(mv);
            let refutation = self.only_refutation(rest + 1);
            self.position.undo_move();
            if let Some((reply, proven)) = refutation? {
                let kind = VariationKind::Try { proven };
                variations.push(Variation { before, moves: vec![mv, reply], kind });
            }
        }
        Ok(variations)
    }

    /// The only reply after which there is no mate within `limit` plies in total, and whether it is
    /// proven that there is none at all.
    fn only_refutation(&mut self, limit: Plies) -> Result<Option<(PackedMove, bool)>, Stopped> {
        if let Length::Exact(length) = self.defend(limit)?
            && length <= limit
        {
            return Ok(None);
        }
        let replies = Replies::of(&self.position, self.keep_useless, None);
        let mut refutations = Vec::new();
        for &mv in replies.others.iter().chain(&replies.interpositions) {
            match self.after_reply(mv, limit)? {
                Length::Exact(length) if length <= limit => {}
                more => refutations.push((mv, more == Length::AtLeast(NEVER))),
            }
            if refutations.len() > 1 {
                return Ok(None);
            }
        }
        Ok(refutations.pop())
    }
}
