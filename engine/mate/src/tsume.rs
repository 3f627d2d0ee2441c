//! Tsume shogi by its own rules: the attacker's shortest mate against the longest defence, without
//! useless interpositions.
//!
//! ```
//! use monomi_movegen::Position;
//! use monomi_mate::tsume::{TsumeAnswer, TsumeLimits, TsumeRules, TsumeSolver};
//!
//! let mut solver = TsumeSolver::new(16, TsumeRules::default());
//! // Every interposition would be captured: mate in 1.
//! let root = Position::from_sfen("9/9/9/8k/8B/8+R/9/9/9 b rb4g3s4n4l18p 1")?;
//! let result = solver.solve(&root, &TsumeLimits::default(), &|| false);
//! let TsumeAnswer::Mate(solution) = result.answer else { panic!("mate") };
//! assert_eq!(solution.line, ["1e3c+".parse().expect("a move")]);
//! assert!(solution.shortest && !solution.leaves_pieces());
//! # Ok::<(), monomi_movegen::PositionError>(())
//! ```

mod any_mate;
mod check;
mod cooks;
mod defect;
mod interposition;
mod line;
mod make;
mod parallel;
mod progress;
mod reduce;
mod search;
mod solver;
mod table;
mod team;
mod variations;

#[cfg(test)]
mod tests;

pub use check::CheckResult;
pub use defect::{CookKind, Defect, ProblemPiece, Severity};
pub use make::Below;
pub use parallel::STACK;
pub use progress::TsumeProgress;
pub use reduce::{SoundProblem, Wanted};
pub use solver::{
    Solution, TsumeAnswer, TsumeLimits, TsumeResult, TsumeRules, TsumeSolver, attacker,
    is_attacker_to_move,
};
pub use variations::{Variation, VariationKind};
