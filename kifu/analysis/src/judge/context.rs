//! What verdicts and reasons are made from.

use crate::chance::WinScale;
use crate::solve::SolvedPosition;
use monomi_movegen::{PackedMove, Position};

/// A position of a game and what the first two stages found there.
#[derive(Clone, Copy)]
pub(crate) struct SolvedAt<'a> {
    pub(crate) position: &'a Position,
    pub(crate) result: &'a SolvedPosition,
}

/// A move played in a game, with the positions before and after it.
#[derive(Clone, Copy)]
pub(crate) struct MoveContext<'a> {
    pub(crate) played: PackedMove,
    pub(crate) before: SolvedAt<'a>,
    pub(crate) after: SolvedAt<'a>,
    pub(crate) scale: WinScale,
}
