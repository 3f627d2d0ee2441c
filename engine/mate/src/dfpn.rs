//! The mate solver (tsume): finds a mate by continuous checks against every defence, or proves that
//! there is none.
//!
//! ```
//! use monomi_mate::{MateAnswer, MateLimits, MateSolver};
//! use monomi_movegen::Position;
//!
//! let mut solver = MateSolver::new(16);
//! let root = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1")?;
//! let result = solver.solve(&root, &MateLimits::default(), &|| false);
//! assert_eq!(result.answer, MateAnswer::Mate(vec!["G*5b".parse().expect("a move")]));
//!
//! let root = Position::startpos();
//! let result = solver.solve(&root, &MateLimits::default(), &|| false);
//! assert_eq!(result.answer, MateAnswer::NoMate);
//! # Ok::<(), monomi_movegen::PositionError>(())
//! ```

mod hand;
mod leaf;
mod mating_line;
mod node;
mod parallel;
mod progress;
mod repetition;
mod search;
mod slot;
mod slots;
mod solver;
mod table;
mod team;
mod value;
mod verify;

pub use progress::MateProgress;
pub use solver::{MateAnswer, MateLimits, MateResult, MateSolver};
pub use verify::{MateLineError, verify};
