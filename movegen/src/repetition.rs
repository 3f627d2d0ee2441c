//! Repetition (sennichite): fourfold for the game, at once for the search.

use crate::position::Position;
use crate::square::HAND_KINDS;
use shogi_core::Hand;

/// How a position relates to an earlier one of the same line, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The same position: a draw.
    Draw,
    /// The same position, and the opponent gave check at each of its moves in between: it loses
    /// by perpetual check.
    Win,
    /// The same position, and the side to move gave check at each of its moves in between.
    Lose,
    /// The same board, but the side to move has all that it had in hand then, and more.
    Superior,
    /// The same board, but the side to move has less in hand and nothing more.
    Inferior,
}

fn covers(more: Hand, less: Hand) -> bool {
    HAND_KINDS.iter().all(|&kind| more.count(kind) >= less.count(kind))
}

impl Position {
    /// The nearest earlier position of this line with the same board and side to move whose hands
    /// are equal or comparable, within `max_plies`, and how many plies ago it stood; null moves end
    /// the line.
    ///
    /// The search scores such a node at once: whoever could bring the position about once could do
    /// so again.
    #[inline]
    pub fn repetition(&self, max_plies: usize) -> Option<(Repetition, usize)> {
        let end = (self.state.plies_from_null as usize).min(max_plies).min(self.history.len());
        if end < 4 {
            return None;
        }
        self.repetition_within(end)
    }

    fn repetition_within(&self, end: usize) -> Option<(Repetition, usize)> {
        let now = &self.state;
        let us = crate::square::Dense::dense(self.side_to_move());
        let len = self.history.len();
        let earlier = &self.history[len - end..=len - 4];
        for (then, back) in earlier.iter().rev().step_by(2).zip((4..).step_by(2)) {
            if then.board_key != now.board_key {
                continue;
            }
            if then.hand_key == now.hand_key {
                return Some((self.verdict(us, back), back));
            }
            if covers(now.hand, then.hand) {
                return Some((Repetition::Superior, back));
            }
            if covers(then.hand, now.hand) {
                return Some((Repetition::Inferior, back));
            }
        }
        None
    }

    /// Of a cycle of `plies` that ends here.
    fn verdict(&self, us: usize, plies: usize) -> Repetition {
        let checks = self.state.continuous_checks;
        if plies <= checks[us] as usize {
            Repetition::Lose
        } else if plies <= checks[1 - us] as usize {
            Repetition::Win
        } else {
            Repetition::Draw
        }
    }

    /// Whether this position, hands included, stands for at least the `times`-th time on this
    /// line, and what that means (never `Superior` or `Inferior`). The rules of the game ask for
    /// four.
    pub fn repeated(&self, times: usize) -> Option<Repetition> {
        let end = (self.state.plies_from_null as usize).min(self.history.len());
        let now = &self.state;
        let mut seen = 1;
        for back in (4..=end).step_by(2) {
            let then = &self.history[self.history.len() - back];
            if then.board_key == now.board_key && then.hand_key == now.hand_key {
                seen += 1;
                if seen >= times {
                    let us = crate::square::Dense::dense(self.side_to_move());
                    return Some(self.verdict(us, back));
                }
            }
        }
        None
    }
}
