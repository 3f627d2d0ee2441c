//! The mate solver: given a position, a line of checks that mates whatever the defender does, or
//! the proof that there is none.

mod dfpn;
mod hand;
mod leaf;
mod line;
mod node;
mod repetition;
mod slots;
mod solver;
mod table;
mod value;
mod verify;

pub use solver::{MateAnswer, MateLimits, MateResult, MateSolver};
pub use verify::{Flaw, verify};
