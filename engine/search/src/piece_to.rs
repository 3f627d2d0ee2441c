//! A piece and its destination: what most histories know of a move.

use monomi_movegen::square::{Dense, SQUARES};
use shogi_core::{Piece, Square};

/// Number of indices.
pub const PIECE_TO: usize = 28 * SQUARES;

/// Index of a piece and its destination, below [`PIECE_TO`].
#[inline(always)]
pub fn piece_to(piece: Piece, to: Square) -> usize {
    piece.dense() * SQUARES + to.dense()
}
