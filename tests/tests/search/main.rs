//! The search and the mate solver.

mod behaviour;
mod exact;
mod mate_solver;
mod oracles;
mod repetition;
