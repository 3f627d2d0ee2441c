//! A game of self-play.

use crate::tree_sample::TreeSample;
use monomi_movegen::{PackedMove, Position};
use monomi_support::text::{Lang, Message, say};
use shogi_core::Color;
use std::fmt;

/// How a game ended, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub reason: EndReason,
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
pub enum EndReason {
    /// Unknown: the game comes from a format that does not store it.
    Unknown = 0,
    /// Mate on the board, or a mate found by the search.
    Mate = 1,
    /// Scores beyond the bound several times in a row.
    Adjudicated = 2,
    /// Win by declaration.
    Declaration = 3,
    /// Fourfold repetition: a draw.
    Repetition = 4,
    /// Fourfold repetition by perpetual check: the side that checked lost.
    PerpetualCheck = 5,
    /// The maximum number of moves was reached: a draw.
    MaxPlies = 6,
}

impl Message for EndReason {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => say!(lang, f, "unknown", "不明"),
            Self::Mate => say!(lang, f, "mate", "詰み"),
            Self::Adjudicated => say!(lang, f, "adjudicated", "評価値による判定"),
            Self::Declaration => say!(lang, f, "declaration", "入玉宣言"),
            Self::Repetition => say!(lang, f, "repetition", "千日手"),
            Self::PerpetualCheck => say!(lang, f, "perpetual check", "連続王手の千日手"),
            Self::MaxPlies => say!(lang, f, "too long", "手数制限"),
        }
    }
}

impl EndReason {
    /// All reasons, in order of their numbers.
    pub const ALL: [EndReason; 7] = [
        EndReason::Unknown,
        EndReason::Mate,
        EndReason::Adjudicated,
        EndReason::Declaration,
        EndReason::Repetition,
        EndReason::PerpetualCheck,
        EndReason::MaxPlies,
    ];
}

/// A game: the base position, the random opening, and the moves played, each with its score.
#[derive(Clone, Debug)]
pub struct Game {
    /// The position from which the opening was played.
    pub base: Position,
    /// Random moves from the base; not used for training.
    pub opening: Vec<PackedMove>,
    /// The moves played after the opening.
    pub moves: Vec<PackedMove>,
    /// For each of `moves`, the score of the position before it for the side to move, in internal
    /// units. Mates are counted as by [`mate_in`](monomi_eval::score::mate_in).
    pub scores: Vec<i16>,
    /// For each of `moves`, the line from the position before it to the leaf of its quiescence
    /// search, which is a quiet position for training. Empty if not computed.
    pub leaves: Vec<Vec<PackedMove>>,
    /// How the game ended.
    pub outcome: Outcome,
    /// Positions sampled from the search trees of the game's moves.
    pub tree: Vec<TreeSample>,
}

/// One position of a game, with the move played in it.
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
    /// The position after the opening.
    pub fn start(&self) -> Position {
        let mut position = self.base.clone();
        for &mv in &self.opening {
            position.do_move(mv);
        }
        position
    }

    /// Calls `visit` for every position in which a move was played.
    pub fn walk(&self, mut visit: impl FnMut(Sample<'_>)) {
        let mut position = self.start();
        for (&mv, &score) in self.moves.iter().zip(&self.scores) {
            let result = self.outcome.for_side(position.side_to_move());
            visit(Sample { position: &position, mv, score, result });
            position.do_move(mv);
        }
    }

    /// Identifies games of common origin, so that they are kept together when some are held out for
    /// validation. The key of the base, or of the position after the opening if the base is the
    /// start position.
    pub fn family(&self) -> u64 {
        let base = self.base.key();
        if base == Position::startpos().key() { self.start().key() } else { base }
    }
}
