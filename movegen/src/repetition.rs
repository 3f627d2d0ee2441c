//! Repetition (sennichite): fourfold for the game, the first one for the search.

use crate::position::Position;
use crate::square::HAND_KINDS;
use shogi_core::Hand;

/// How a position relates to an earlier one of the same line, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// The same position: a draw.
    Draw,
    /// The same position, and all moves of the opponent in between gave check: it loses by perpetual
    /// check.
    Win,
    /// The same position, and all moves of the side to move in between gave check.
    Lose,
    /// The same board, but the side to move has more pieces in hand, and no kind less.
    Superior,
    /// The same board, but the side to move has fewer pieces in hand, and no kind more.
    Inferior,
}

fn covers(more: Hand, less: Hand) -> bool {
    HAND_KINDS.iter().all(|&kind| more.count(kind) >= less.count(kind))
}

impl Position {
    /// Finds the most recent earlier position with the same board and side to move and with equal or
    /// comparable hands, at most `max_plies` ago and after the last null move. Returns the relation
    /// and the number of plies.
    ///
    /// The search scores such a node without searching it, since the side that repeated the position
    /// can repeat it again.
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

    /// The result of a repetition whose cycle of `plies` plies ends here.
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

    /// If this position, including hands, has occurred at least `times` times on this line: the
    /// result (never `Superior` or `Inferior`). By the rules of shogi a game ends at four.
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
