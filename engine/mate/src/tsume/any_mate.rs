//! Whether there is a mate at all, by proof numbers.

use crate::MateLimits;
use crate::dfpn::MateAnswer;
use crate::tsume::solver::TsumeSolver;
use monomi_movegen::{MoveList, Position};
use monomi_support::host::Instant;

impl TsumeSolver {
    /// Whether the side to move has a mate by continuous checks; `None` if the limits end the search.
    pub fn has_mate(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> Option<bool> {
        match self.mate.solve(root, limits, stop).answer {
            MateAnswer::Mate(_) => Some(true),
            MateAnswer::NoMate => Some(false),
            MateAnswer::Unknown => None,
        }
    }

    /// Whether every reply of the side to move, which is in check, leads to a mate; `None` if the
    /// limits, which hold for each reply, end the search.
    pub fn mates_every_reply(
        &mut self,
        after: &Position,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> Option<bool> {
        let mut replies = MoveList::new();
        after.generate_all(&mut replies);
        let mut all = Some(true);
        for &reply in replies.iter() {
            let mut position = after.clone();
            position.do_move(reply);
            match self.has_mate(&position, limits, stop) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => all = None,
            }
            if stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
        }
        all
    }
}
