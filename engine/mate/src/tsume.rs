//! Tsume shogi by its own rules: the attacker's shortest mate against the longest defence, without
//! useless interpositions.
//!
//! ```
//! use monomi_movegen::Position;
//! use monomi_mate::MateLimits;
//! use monomi_mate::tsume::{TsumeAnswer, TsumeRules, TsumeSolver};
//!
//! let mut solver = TsumeSolver::new(16, TsumeRules::default());
//! // Every interposition would be captured: mate in 1.
//! let root = Position::from_sfen("9/9/9/8k/8B/8+R/9/9/9 b rb4g3s4n4l18p 1")?;
//! let result = solver.solve(&root, &MateLimits::default(), &|| false);
//! let TsumeAnswer::Mate(solution) = result.answer else { panic!("mate") };
//! assert_eq!(solution.line, ["1e3c+".parse().expect("a move")]);
//! assert!(solution.shortest && !solution.leaves_pieces());
//! # Ok::<(), monomi_movegen::PositionError>(())
//! ```
//!
//! `engine/mate/src`, used by `monomi tsume`, solves by the rules of tsume (docs/tsume.md). It searches for exact lengths;
//! the mate solver only answers whether there is a mate at all.
//!
//! | file | contents |
//! |---|---|
//! | `solver.rs` | public interface: rules, answer |
//! | `search.rs`, `table.rs` | the exact search, deepening by two plies in every node; its table of lengths and lower bounds |
//! | `parallel.rs`, `team.rs` | several threads on one problem |
//! | `interposition.rs` | the definition of useless interpositions |
//! | `line.rs`, `variations.rs` | the main line; other replies and checks that fail |
//! | `check.rs`, `cooks.rs`, `defect.rs` | checks of problems: the position, the moves of the main line, what can be wrong |
//! | `reduce.rs` | sound problems of a length, without the pieces that they do not need |
//! | `make.rs` and its folder | makes problems: random positions, moves taken back |
//! | `any_mate.rs`, `progress.rs` | whether there is a mate at all; what a search in progress knows |

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
    Solution, TsumeAnswer, TsumeResult, TsumeRules, TsumeSolver, attacker, is_attacker_to_move,
};
pub use variations::{Variation, VariationKind};
