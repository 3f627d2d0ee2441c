//! A game of self-play.

use crate::TreeSample;
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;

/// How a game ended, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// 1 for a win of this side, 0 for a draw, -1 for a loss.
    pub fn for_side(self, side: Color) -> i8 {
        self.winner.map_or(0, |winner| if winner == side { 1 } else { -1 })
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// Unknown: the game comes from a format that does not tell.
    Unknown = 0,
    /// Mate on the board, or a mate that the search has found.
    Mate = 1,
    /// Scores beyond the bound, several times in a row.
    Adjudicated = 2,
    /// Win by declaration.
    Declaration = 3,
    /// Fourfold repetition: a draw.
    Repetition = 4,
    /// Fourfold repetition by perpetual check: the side that checked lost.
    PerpetualCheck = 5,
    /// Longer than a game may be: a draw.
    MaxPlies = 6,
}

impl Reason {
    /// All of them, by number.
    pub const ALL: [Reason; 7] = [
        Reason::Unknown,
        Reason::Mate,
        Reason::Adjudicated,
        Reason::Declaration,
        Reason::Repetition,
        Reason::PerpetualCheck,
        Reason::MaxPlies,
    ];
}

/// A game: where it begins, the opening drawn by lot, and the moves played, each with its score.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position from which the opening was drawn.
    pub base: Position,
    /// Moves made at random from there. Nothing is to be learnt from them.
    pub opening: Vec<PackedMove>,
    /// The moves played after the opening.
    pub moves: Vec<PackedMove>,
    /// For each of `moves`, the score of the position before it for the side to move: internal
    /// units of the search, mates as [`mate_in`](monomi_eval::score::mate_in) counts them.
    pub scores: Vec<i16>,
    /// For each of `moves`, the moves that lead from the position before it to the leaf of its
    /// quiescence search: quiet positions to train on. Empty if they were not computed.
    pub leaves: Vec<Vec<PackedMove>>,
    /// The end.
    pub outcome: Outcome,
    /// Positions that the searches of the game's moves came upon.
    pub tree: Vec<TreeSample>,
}

/// One position of a game, with what was played there.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The position, with the game's history.
    pub position: &'a Position,
    /// The move played.
    pub mv: PackedMove,
    /// Score for the side to move, as in [`Game::scores`].
    pub score: i16,
    /// The game's result for the side to move: 1 won, 0 drawn, -1 lost.
    pub result: i8,
}

impl Game {
    /// The position in which play begins, behind the opening.
    pub fn start(&self) -> Position {
        let mut position = self.base.clone();
        for &mv in &self.opening {
            position.do_move(mv);
        }
        position
    }

    /// Shows every position in which a move was played.
    pub fn walk(&self, mut visit: impl FnMut(Sample<'_>)) {
        let mut position = self.start();
        for (&mv, &score) in self.moves.iter().zip(&self.scores) {
            let result = self.outcome.for_side(position.side_to_move());
            visit(Sample { position: &position, mv, score, result });
            position.do_move(mv);
        }
    }

    /// What games of a common origin share: to keep them together when some are held out. The key
    /// of the base, or of the position behind the opening where the base is the start position.
    pub fn family(&self) -> u64 {
        let base = self.base.key();
        if base == Position::startpos().key() { self.start().key() } else { base }
    }
}
