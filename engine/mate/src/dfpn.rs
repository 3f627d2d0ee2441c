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
//!
//! `engine/mate/src`, used by `go mate` and `monomi mate`, is a df-pn search with an explicit stack.
//!
//! | file | contents |
//! |---|---|
//! | `solver.rs` | public interface: answer, shortening of a found mate for at most the cost of finding it |
//! | `search.rs` | the search: thresholds, locked children, thresholds raised where a known position is reached deeper |
//! | `node.rs` | a node's numbers from its children: the maximum plus one for each other child (weak proof numbers); the hand that a proof needs |
//! | `leaf.rs` | static evaluation of leaves: mate in one, numbers of replies and checks, attackers and defenders of the checking square |
//! | `hand.rs`, `table.rs` | the attacker's hand in 32 bits; the transposition table by board, in which larger and smaller hands answer too; it grows, then removes the smallest subtrees |
//! | `repetition.rs` | refutations by repetition, stored by the whole path |
//! | `mating_line.rs`, `verify.rs` | extraction of the mating line, futile interpositions last; its verification by the rules alone |
//! | `parallel.rs`, `team.rs`, `slot.rs` | several threads on one problem; the table's slots, which they read and write at the same time |
//! | `progress.rs` | what a search in progress knows: proof and disproof number of the root, the line being searched |
//!
//! Drops on one square, and drops on unprotected squares, are locked until the first of them has failed; so is a move
//! without promotion until the promotion has failed. A line is printed only after `verify` has played it, and "no mate" is
//! printed only if the refutation does not depend on a path.

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
pub use solver::{MateAnswer, MateResult, MateSolver};
pub use verify::{MateLineError, verify};
