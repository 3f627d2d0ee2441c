//! How a game has ended by the position alone.

use crate::position::Position;
use crate::repetition::Repetition;
use shogi_core::Color;

/// How a game has ended by the rules, without anybody's resignation, claim or clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The side to move has no legal move, usually because it is mated.
    NoMoves {
        /// The other side.
        winner: Color,
    },
    /// The position has occurred four times: a draw (sennichite).
    Repetition,
    /// The position has occurred four times, and one side has given check all the time: it loses.
    PerpetualCheck {
        /// The side that was in check.
        winner: Color,
    },
}

impl Outcome {
    /// The side that has won; `None` in a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::NoMoves { winner } | Self::PerpetualCheck { winner } => Some(winner),
            Self::Repetition => None,
        }
    }
}

impl Position {
    /// How the game has ended, if it has. A win by declaration is not looked for, since it must be claimed:
    /// [`Position::declaration`].
    ///
    /// ```
    /// use monomi_movegen::{Outcome, Position, shogi_core::Color};
    /// let mate: Position = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".parse()?;
    /// assert_eq!(mate.outcome(), Some(Outcome::NoMoves { winner: Color::Black }));
    /// let around = "2h3h 8b7b 3h2h 7b8b";
    /// let thrice: Position = format!("startpos moves {around} {around}").parse()?;
    /// assert_eq!(thrice.outcome(), None);
    /// let four_times: Position = format!("startpos moves {around} {around} {around}").parse()?;
    /// assert_eq!(four_times.outcome(), Some(Outcome::Repetition));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outcome(&self) -> Option<Outcome> {
        let us = self.side_to_move();
        if !self.has_legal_move() {
            return Some(Outcome::NoMoves { winner: us.flip() });
        }
        Some(match self.repeated(4)? {
            Repetition::Win => Outcome::PerpetualCheck { winner: us },
            Repetition::Lose => Outcome::PerpetualCheck { winner: us.flip() },
            // The hands are the same at a fourth occurrence.
            Repetition::Draw | Repetition::Superior | Repetition::Inferior => Outcome::Repetition,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(text: &str) -> Option<Outcome> {
        text.parse::<Position>().unwrap().outcome()
    }

    #[test]
    fn the_side_that_gives_check_all_the_time_loses() {
        // Black's rook follows the king.
        let start = "4k4/9/9/9/5R3/9/9/9/K8 b - 1 moves";
        let around = "4e5e 5a4a 5e4e 4a5a";
        let lost = Some(Outcome::PerpetualCheck { winner: Color::White });
        assert_eq!(outcome(&format!("{start} {around} {around}")), None);
        assert_eq!(outcome(&format!("{start} {around} {around} {around}")), lost);
        // White is to move where the check stands on the board for the fourth time.
        assert_eq!(outcome(&format!("{start} {around} {around} {around} 4e5e")), lost);
        assert_eq!(lost.and_then(Outcome::winner), Some(Color::White));
    }

    #[test]
    fn games_that_go_on_have_none() {
        for text in ["startpos", "4k4/9/9/9/9/9/9/9/4K4 b P 1", "startpos moves 7g7f 3c3d 8h2b+"] {
            assert_eq!(outcome(text), None, "{text}");
        }
        assert_eq!(Outcome::Repetition.winner(), None);
    }
}
