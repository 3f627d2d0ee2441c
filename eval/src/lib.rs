//! What a position is worth: piece-square tables and networks behind one type.
//!
//! The search holds an [`EvalStack`]: it pushes what a move changed and asks for the value when it
//! needs one. Which evaluation answers is one predictable branch.

use monomi_movegen::{DirtyPiece, Position};
use std::sync::Arc;

/// An evaluation, immutable and shared by all threads.
pub struct Evaluation {}

impl Evaluation {
    /// The evaluation built into the program.
    pub fn internal() -> Arc<Self> {
        Arc::new(Self {})
    }

    /// One line saying what it is, for users.
    pub fn describe(&self) -> String {
        "piece-square tables".to_owned()
    }
}

/// Follows one thread's position move by move.
pub struct EvalStack {
    evaluation: Arc<Evaluation>,
}

impl EvalStack {
    /// Starts from a position.
    pub fn new(evaluation: Arc<Evaluation>, position: &Position) -> Self {
        let _ = position;
        Self { evaluation }
    }

    /// Starts over from another position.
    pub fn reset(&mut self, position: &Position) {
        let _ = position;
    }

    /// Follows a move, after `Position::do_move` gave its changes.
    #[inline]
    pub fn push(&mut self, dirty: DirtyPiece) {
        let _ = dirty;
    }

    /// Takes the last pushed move back.
    #[inline]
    pub fn pop(&mut self) {}

    /// The value for the side to move, in internal units (90 to a pawn), within +-27,000.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let _ = (position, &self.evaluation);
        0
    }
}
