//! The main line: shortest moves of the attacker, longest replies, and among these the line that
//! leaves the fewest pieces in the attacker's hand.

use crate::tsume::search::{Replies, Search, Stopped};
use crate::tsume::table::{Length, Plies};
use monomi_movegen::square::HAND_KINDS;
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;
use std::collections::HashMap;

/// The number of pieces in a hand.
pub fn hand_size(position: &Position, color: Color) -> u32 {
    HAND_KINDS.into_iter().map(|kind| u32::from(position.hand_count(color, kind))).sum()
}

impl Search<'_> {
    /// The checks after which the mate takes `length - 1` plies, promotions first; `length` is the
    /// exact length of the position.
    pub fn shortest_checks(&mut self, length: Plies) -> Result<Vec<PackedMove>, Stopped> {
        let mut shortest = Vec::new();
        for mv in self.all_checks() {
            self.position.do_move(mv);
            let found = self.defend(length - 1);
            self.position.undo_move();
            if found? == Length::Exact(length - 1) {
                shortest.push(mv);
            }
        }
        shortest.sort_by_key(|mv| !mv.is_promotion());
        Ok(shortest)
    }

    /// The replies that are not useless and lead to a mate in `length - 1`, drops last; `length` is
    /// the exact length of the position.
    pub fn longest_replies(&mut self, length: Plies) -> Result<Vec<PackedMove>, Stopped> {
        let counted = self.counted_replies(length)?.into_iter();
        let mut longest: Vec<PackedMove> =
            counted.filter(|&(_, found)| found == length).map(|(mv, _)| mv).collect();
        longest.sort_by_key(|mv| mv.is_drop());
        Ok(longest)
    }

    /// The replies that are not useless, with the lengths of the mates; `length` is the exact length
    /// of the position.
    pub fn counted_replies(&mut self, length: Plies) -> Result<Vec<(PackedMove, Plies)>, Stopped> {
        let replies = Replies::of(&self.position, self.keep_useless, None);
        let mut counted = Vec::new();
        for &mv in &replies.others {
            if let Length::Exact(found) = self.after_reply(mv, length)? {
                counted.push((mv, found));
            }
        }
        let Some(check) = replies.check else { return Ok(counted) };
        let mut interpositions = Vec::new();
        for &mv in &replies.interpositions {
            if let Length::Exact(found) = self.after_reply(mv, length)? {
                interpositions.push((mv, found));
            }
        }
        interpositions.sort_by_key(|&(_, found)| found);
        let mut longest = counted.iter().map(|&(_, found)| found).max().unwrap_or(0);
        let mut of_equal = (0, longest);
        for (mv, found) in interpositions {
            // Equal ones are compared with the same shorter ones.
            if found != of_equal.0 {
                of_equal = (found, longest);
            }
            if found > length || self.is_useless(check, mv, of_equal.1)? {
                continue;
            }
            counted.push((mv, found));
            longest = longest.max(found);
        }
        Ok(counted)
    }

    /// The main line from a position whose exact length is known.
    pub fn main_line(
        &mut self,
        attacking: bool,
        length: Plies,
    ) -> Result<Vec<PackedMove>, Stopped> {
        let mut left = HashMap::new();
        let budget = self.nodes.saturating_mul(2).saturating_add(1_000_000);
        let mut line = Vec::new();
        let mut walk = || -> Result<(), Stopped> {
            for ply in 0..length {
                let turn = attacking == (ply % 2 == 0);
                let rest = length - ply;
                let moves = self.best_moves(turn, rest)?;
                let mut best = None;
                for mv in moves {
                    self.position.do_move(mv);
                    let few = self.fewest_left(!turn, rest - 1, budget, &mut left);
                    self.position.undo_move();
                    let few = few?;
                    if best.is_none_or(|(fewest, _)| few < fewest) {
                        best = Some((few, mv));
                    }
                }
                let Some((_, mv)) = best else { break };
                self.position.do_move(mv);
                line.push(mv);
            }
            Ok(())
        };
        let walked = walk();
        for _ in &line {
            self.position.undo_move();
        }
        walked.map(|()| line)
    }

    fn best_moves(&mut self, attacking: bool, length: Plies) -> Result<Vec<PackedMove>, Stopped> {
        if attacking { self.shortest_checks(length) } else { self.longest_replies(length) }
    }

    /// The fewest pieces that a line of shortest moves and longest replies leaves in the attacker's
    /// hand. After `budget` nodes only the first line is followed.
    pub fn fewest_left(
        &mut self,
        attacking: bool,
        length: Plies,
        budget: u64,
        known: &mut HashMap<u64, u32>,
    ) -> Result<u32, Stopped> {
        if length == 0 {
            return Ok(hand_size(&self.position, self.position.side_to_move().flip()));
        }
        let key = self.position.key();
        if let Some(&few) = known.get(&key) {
            return Ok(few);
        }
        let mut fewest = u32::MAX;
        for mv in self.best_moves(attacking, length)? {
            self.position.do_move(mv);
            let few = self.fewest_left(!attacking, length - 1, budget, known);
            self.position.undo_move();
            fewest = fewest.min(few?);
            if fewest == 0 || self.nodes > budget {
                break;
            }
        }
        known.insert(key, fewest);
        Ok(fewest)
    }
}
