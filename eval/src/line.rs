//! The line of moves from the root to the current position.

use monomi_movegen::DirtyPiece;

/// A move of the line, and whether the state after it has been computed, for each perspective.
#[derive(Clone, Copy)]
pub struct Step {
    pub dirty: DirtyPiece,
    pub computed: [bool; 2],
}

/// Moves that memory is reserved for; longer lines work and allocate.
pub const USUAL_DEPTH: usize = 320;
