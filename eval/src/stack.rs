//! Following one thread's position move by move.

use crate::evaluation::{Evaluation, Kind};
use crate::line::{Step, USUAL_DEPTH};
use crate::network::AccumulatorStack;
use crate::piece_square::{PieceSquareTable, Sum};
use crate::score::MAX_EVAL;
use monomi_movegen::{DirtyPiece, Position};
use std::sync::Arc;

/// Follows one thread's position move by move.
///
/// Null moves change no piece: they are not pushed, and `evaluate` takes the side to move from the
/// position.
pub struct EvalStack {
    line: Vec<Step>,
    states: States,
}

/// An evaluation, with what it keeps for each position of the line; index 0 is the root, `i + 1`
/// follows `line[i]`.
enum States {
    PieceSquare { table: Arc<PieceSquareTable>, sums: Vec<Sum> },
    Network { fv_scale: i32, accumulators: Box<AccumulatorStack> },
}

impl std::fmt::Debug for EvalStack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvalStack").field("plies", &self.line.len()).finish_non_exhaustive()
    }
}

impl EvalStack {
    /// Starts from a position.
    pub fn new(evaluation: &Evaluation, position: &Position) -> Self {
        let states = match &evaluation.kind {
            Kind::PieceSquare(table) => States::PieceSquare {
                table: Arc::clone(table),
                sums: vec![Sum::default(); USUAL_DEPTH],
            },
            Kind::Network { network, fv_scale } => States::Network {
                accumulators: Box::new(AccumulatorStack::new(Arc::clone(network))),
                fv_scale: *fv_scale,
            },
        };
        let mut stack = Self { line: Vec::with_capacity(USUAL_DEPTH), states };
        stack.reset(position);
        stack
    }

    /// Restarts from another position.
    pub fn reset(&mut self, position: &Position) {
        self.line.clear();
        match &mut self.states {
            States::PieceSquare { table, sums } => sums[0] = table.sum(position),
            States::Network { accumulators, .. } => accumulators.reset(position),
        }
    }

    /// Follows a move, after `Position::do_move` gave its changes.
    #[inline]
    pub fn push(&mut self, dirty: DirtyPiece) {
        self.line.push(Step { dirty, computed: [false; 2] });
    }

    /// Removes the last pushed move.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Does the incremental part of [`EvalStack::evaluate`], from which later positions of the line
    /// are updated. Optional: the search calls it after each move, which is not slower than later
    /// for narrow networks and faster for wide ones (trials/notes/speed.md).
    #[inline]
    pub fn bring_forward(&mut self, position: &Position) {
        match &mut self.states {
            States::PieceSquare { table, sums } => {
                table.bring_forward(&mut self.line, sums);
            }
            States::Network { accumulators, .. } => {
                accumulators.bring_forward(&mut self.line, position);
            }
        }
    }

    /// The value for the side to move, in internal units (90 to a pawn), within
    /// +-[`MAX_EVAL`].
    ///
    /// `position` must be the one that the pushed moves lead to, null moves aside.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let value = match &mut self.states {
            States::PieceSquare { table, sums } => {
                let sum = table.bring_forward(&mut self.line, sums);
                debug_assert_eq!(sum, table.sum(position), "incremental and full sum differ");
                sum.value(position.side_to_move())
            }
            States::Network { fv_scale, accumulators } => {
                accumulators.raw(&mut self.line, position) / *fv_scale
            }
        };
        value.clamp(-MAX_EVAL, MAX_EVAL)
    }
}
