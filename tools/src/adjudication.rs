//! Ends games whose result both engines agree on.

use anyhow::{Context, Result, ensure};
use shogi_core::Color;

/// Scores that end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Number of moves of each side that must agree, one after the other.
    pub moves: u32,
    /// The score in centipawns: at least this much for a win, at most this much for a draw.
    pub cp: i32,
    /// The game must have this many plies before moves count.
    pub from_ply: usize,
}

impl Agreement {
    /// Reads `MOVES,CP` or `MOVES,CP,PLY`.
    pub fn parse(text: &str) -> Result<Self> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        ensure!((2..=3).contains(&parts.len()), "expected MOVES,CP or MOVES,CP,PLY");
        let number =
            |text: &str| text.parse::<u32>().with_context(|| format!("`{text}` is no number"));
        let moves = number(parts[0])?;
        ensure!(moves > 0, "MOVES must be at least 1");
        let cp = i32::try_from(number(parts[1])?).context("CP is too large")?;
        let from_ply = parts.get(2).map_or(Ok(0), |text| number(text))? as usize;
        Ok(Self { moves, cp, from_ply })
    }
}

/// The rules by which games are ended early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A win for the side that both engines see ahead.
    pub win: Option<Agreement>,
    /// A draw while both engines see an even game.
    pub draw: Option<Agreement>,
}

/// Follows the scores of a game.
pub struct Adjudicator {
    rules: Adjudication,
    /// The side ahead in the last plies, and their number.
    ahead: (Option<Color>, u32),
    /// Number of the last plies with even scores.
    even: u32,
}

impl Adjudicator {
    /// For a new game.
    pub fn new(rules: Adjudication) -> Self {
        Self { rules, ahead: (None, 0), even: 0 }
    }

    /// The side to move has moved with this score in centipawns, for itself; the game has `ply` plies now.
    /// Returns the winner, or `None` inside for a draw, if that ends the game.
    pub fn see(&mut self, us: Color, ply: usize, score: Option<i32>) -> Option<Option<Color>> {
        if let Some(Agreement { moves, cp, from_ply }) = self.rules.win {
            let leader = match score {
                Some(score) if ply >= from_ply && score >= cp => Some(us),
                Some(score) if ply >= from_ply && score <= -cp => Some(us.flip()),
                _ => None,
            };
            let count = if leader == self.ahead.0 { self.ahead.1 + 1 } else { 1 };
            self.ahead = (leader, count);
            if leader.is_some() && count >= 2 * moves {
                return Some(leader);
            }
        }
        if let Some(Agreement { moves, cp, from_ply }) = self.rules.draw {
            let even = ply >= from_ply && score.is_some_and(|score| score.abs() <= cp);
            self.even = if even { self.even + 1 } else { 0 };
            if self.even >= 2 * moves {
                return Some(None);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end of a game with these scores for Black, by the number of plies it took.
    fn end(rules: Adjudication, for_black: &[i32]) -> Option<(usize, Option<Color>)> {
        let mut adjudicator = Adjudicator::new(rules);
        for (index, &score) in for_black.iter().enumerate() {
            let us = if index % 2 == 0 { Color::Black } else { Color::White };
            let own = if us == Color::Black { score } else { -score };
            if let Some(winner) = adjudicator.see(us, index + 1, Some(own)) {
                return Some((index + 1, winner));
            }
        }
        None
    }

    #[test]
    fn both_sides_must_agree_for_some_moves() {
        let win = Some(Agreement { moves: 2, cp: 500, from_ply: 0 });
        let rules = Adjudication { win, draw: None };
        assert_eq!(end(rules, &[600, 600, 600, 600]), Some((4, Some(Color::Black))));
        assert_eq!(end(rules, &[-32_000; 4]), Some((4, Some(Color::White))));
        assert_eq!(end(rules, &[600, 600, 499, 600, 600, 600]), None);
        assert_eq!(end(rules, &[600, -600, 600, -600, 600, -600]), None);
        let draw = Some(Agreement { moves: 1, cp: 20, from_ply: 4 });
        let rules = Adjudication { win, draw };
        assert_eq!(end(rules, &[0, 0, 0, 0, 20, -20]), Some((5, None)));
        assert_eq!(end(rules, &[0, 0, 0, 21, 0, -21]), None);
        let mut silent = Adjudicator::new(rules);
        for ply in 1..20 {
            assert_eq!(silent.see(Color::Black, ply, None), None);
        }
    }

    #[test]
    fn rules_are_read() {
        let rule = Agreement { moves: 4, cp: 10, from_ply: 80 };
        assert_eq!(Agreement::parse("4,10,80").unwrap(), rule);
        for bad in ["4", "0,10", "x,1", "1,2,3,4", "1,-5"] {
            assert!(Agreement::parse(bad).is_err(), "{bad}");
        }
    }
}
