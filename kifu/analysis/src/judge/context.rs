//! What verdicts and reasons are made from.

use crate::chance::WinScale;
use crate::solve::SolvedPosition;
use monomi_movegen::{PackedMove, Position};

/// A position of a game and what the first two stages found there.
#[derive(Clone, Copy)]
pub struct SolvedAt<'a> {
    pub position: &'a Position,
    pub result: &'a SolvedPosition,
}

/// A move played in a game, with the positions before and after it.
#[derive(Clone, Copy)]
pub struct MoveContext<'a> {
    pub played: PackedMove,
    pub before: SolvedAt<'a>,
    pub after: SolvedAt<'a>,
    pub scale: WinScale,
}
