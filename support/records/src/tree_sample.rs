//! Positions from the trees of searches.

use crate::packed::{Layout, PackedPosition, UnpackError};
use monomi_eval::score::Bound;
use monomi_movegen::Position;

/// A position of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSample {
    /// As packed sfen.
    pub position: PackedPosition,
    /// The search's value for the side to move, in internal units (90 to a pawn).
    pub value: i16,
    /// What the value is.
    pub bound: Bound,
    /// Depth that it was searched to, in plies.
    pub depth: u8,
}

impl TreeSample {
    /// The position; the number of its move is not known.
    ///
    /// # Errors
    /// The bytes are no position.
    pub fn unpack(&self) -> Result<Position, UnpackError> {
        self.position.unpack(Layout::Sfen, 1)
    }
}
