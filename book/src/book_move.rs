//! Moves of a book.

use crate::text::Results;
use monomi_movegen::PackedMove;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; it may be illegal.
    pub mv: PackedMove,
    /// The expected reply.
    pub ponder: Option<PackedMove>,
    /// The evaluation for the side to move in centipawns; 0 if the book has none.
    pub eval: i32,
    /// The depth of the search that computed the evaluation, in plies; 0 if unknown.
    pub depth: u32,
    /// How often the move was played; 0 if unknown.
    pub count: u32,
}

/// A move of a book with its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub found: BookMove,
    /// The results of the games in which it was played, if the book has them.
    pub results: Option<Results>,
}
