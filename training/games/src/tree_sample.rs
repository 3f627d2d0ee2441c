//! Positions from search trees.

use monomi_eval::score::Bound;
use monomi_movegen::Position;
use monomi_movegen::{Layout, PackedPosition, UnpackError};

/// A position from a search tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSample {
    /// As packed sfen.
    pub position: PackedPosition,
    /// The search's value for the side to move, in internal units (90 to a pawn).
    pub value: i16,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// Search depth in plies.
    pub depth: u8,
}

impl TreeSample {
    /// Unpacks the position; its move number is unknown and set to 1.
    ///
    /// # Errors
    /// The bytes are not a valid position.
    pub fn unpack(&self) -> Result<Position, UnpackError> {
        self.position.unpack(Layout::Sfen, 1)
    }
}
