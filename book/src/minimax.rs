//! Values and depths carried from the leaves of a book to its roots, as YaneuraOu's `makebook peta_shock`
//! does.
//!
//! Every position of the book is a node. A legal move that leads to another position of the book, also with
//! the colours exchanged, gets the value of that position; other moves of the book keep theirs, with depth 0.
//! Positions from which no repetition can be reached are computed once, after all that follow them. The
//! others start with the value of a draw, and are computed again in the order of the book until nothing
//! changes.

mod check_loops;
mod graph;
mod leaves;
mod mine;
mod output;
mod propagate;
mod selection;
#[cfg(test)]
mod tests;
mod value;
#[cfg(test)]
mod yaneuraou;

pub use leaves::{BestLine, LeafChoice, entry_of, leaves};
pub use mine::{Mine, Round};
pub use output::{Minimax, MinimaxError, Minimaxed, minimax};
