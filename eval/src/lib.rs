//! What a position is worth: piece-square tables and networks behind one type.
//!
//! The search holds an [`EvalStack`]: it pushes what a move changed and asks for the value when it
//! needs one. Pushing is the same two stores for every evaluation; which one answers is one
//! predictable branch in [`EvalStack::evaluate`].
//!
//! ```
//! use monomi_eval::{EvalStack, Evaluation};
//! use monomi_movegen::Position;
//!
//! let mut position = Position::startpos();
//! let mut stack = EvalStack::new(Evaluation::internal(), &position);
//! assert_eq!(stack.evaluate(&position), 0);
//! let mv = "7g7f".parse().unwrap();
//! stack.push(position.do_move(mv));
//! assert!(stack.evaluate(&position) < 0); // White to move, Black has gained
//! ```

mod piece_square;
mod stack;

use piece_square::PieceSquareTable;
use std::sync::Arc;

pub use stack::EvalStack;

/// Bound of every value an evaluation gives, in internal units.
pub const MAX_VALUE: i32 = 27_000;

/// An evaluation, immutable and shared by all threads.
pub struct Evaluation {
    kind: Kind,
}

/// The one branch between the evaluations.
enum Kind {
    PieceSquare(PieceSquareTable),
}

impl Evaluation {
    /// The evaluation built into the program.
    pub fn internal() -> Arc<Self> {
        Arc::new(Self { kind: Kind::PieceSquare(PieceSquareTable::internal()) })
    }

    /// One line saying what it is, for users.
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::PieceSquare(_) => "piece-square tables".to_owned(),
        }
    }
}
