//! Repetition (sennichite): fourfold for the game, earlier ones for the search.

use crate::position::{Position, State};
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
    /// Whether the line ends here by a repetition, for a search whose root is `ply` plies back.
    ///
    /// The game ends at the fourth occurrence of a position. A search need not wait for it: a side
    /// that came back to a position once in the tree can do so again, so the first repetition in the
    /// tree counts at once. Moves of the game cannot be taken back, though, and nobody must repeat
    /// them: where the earlier occurrences are positions of the game, the root among them, the line
    /// ends at the third occurrence. Superior and inferior positions count in the tree only.
    ///
    /// Only positions after the last null move are considered.
    #[inline]
    pub fn repetition_in_search(&self, ply: usize) -> Option<Repetition> {
        let occurrences = self.earlier_boards.count(self.state.board_key);
        if occurrences == 0 {
            return None;
        }
        let mut end = (self.state.plies_from_null as usize).min(self.history.len());
        if occurrences == 1 {
            // A single earlier occurrence only counts after the root.
            end = end.min(ply.saturating_sub(1));
        }
        if end < 4 {
            return None;
        }
        self.repetition_within(end, ply)
    }

    #[cold]
    fn repetition_within(&self, end: usize, ply: usize) -> Option<Repetition> {
        let now = &self.state;
        let us = crate::square::Dense::dense(self.side_to_move());
        let len = self.history.len();
        let earlier = &self.history[len - end..=len - 4];
        let mut times = 1;
        let mut in_tree = None;
        let mut third = None;
        for (then, back) in earlier.iter().rev().step_by(2).zip((4..).step_by(2)) {
            if then.board_key != now.board_key {
                continue;
            }
            let relation = if then.hand_key == now.hand_key {
                times += 1;
                match times {
                    3 => third = Some(self.verdict(us, back)),
                    4 => return Some(self.verdict(us, back)),
                    _ => {}
                }
                self.verdict(us, back)
            } else if covers(now.hand, then.hand) {
                Repetition::Superior
            } else if covers(then.hand, now.hand) {
                Repetition::Inferior
            } else {
                continue;
            };
            if back < ply && in_tree.is_none() {
                in_tree = Some(relation);
            }
        }
        in_tree.or(third)
    }

    /// The keys of the positions, this one included, that occurred at least `times` times (from 2)
    /// since the last null move, in the order of the keys, and how often each occurred.
    pub fn repeated_positions(&self, times: usize) -> Vec<(u64, usize)> {
        let end = (self.state.plies_from_null as usize).min(self.history.len());
        let since = &self.history[self.history.len() - end..];
        let key = |state: &State| state.board_key ^ state.hand_key;
        let mut keys: Vec<u64> = since.iter().chain([&self.state]).map(key).collect();
        keys.sort_unstable();
        let groups = keys.chunk_by(|a, b| a == b).filter(|group| group.len() >= times);
        groups.map(|group| (group[0], group.len())).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// [`Position::repetition_in_search`] without the counters.
    fn scanned(position: &Position, ply: usize) -> Option<Repetition> {
        let end = usize::from(position.state.plies_from_null).min(position.history.len());
        if end < 4 { None } else { position.repetition_within(end, ply) }
    }

    /// Random lines with few pieces, so that boards recur, with takebacks and null moves.
    #[test]
    fn counters_never_hide_a_repetition() {
        let mut found = 0;
        let mut seed = 11u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        for sfen in ["k8/9/9/9/9/9/9/9/8K b - 1", "k8/1r7/9/9/4p4/9/9/7R1/8K b P 1", "startpos"] {
            let start = Position::from_sfen(sfen).unwrap();
            let mut position = start.clone();
            for _ in 0..if cfg!(miri) { 150 } else { 20_000 } {
                let moves = position.legal_moves();
                match random(8) {
                    0 if position.moves_made() > 0 => match position.last_move() {
                        Some(_) => position.undo_move(),
                        None => position.undo_null_move(),
                    },
                    1 if !position.in_check() && random(8) == 0 => position.do_null_move(),
                    _ if moves.is_empty() || position.moves_made() > 400 => {
                        // Taking everything back leaves no earlier board.
                        while position.moves_made() > 0 {
                            match position.last_move() {
                                Some(_) => position.undo_move(),
                                None => position.undo_null_move(),
                            }
                        }
                        assert!(position.earlier_boards.is_empty());
                        assert_eq!(position.to_sfen(), start.to_sfen());
                    }
                    _ => {
                        position.do_move(moves[random(moves.len())]);
                    }
                }
                for ply in [0, 5, 9, 16, usize::MAX] {
                    let repetition = position.repetition_in_search(ply);
                    assert_eq!(repetition, scanned(&position, ply));
                    found += usize::from(repetition.is_some());
                }
            }
        }
        assert!(found > if cfg!(miri) { 0 } else { 1_000 }, "{found}");
    }
}
