//! The inner loops of training.

mod adam;
mod matrix;
mod rows;

pub use adam::{Moments, adam};
pub use matrix::{Left, multiply};
pub use rows::{BLOCK, close, pair, scatter_rows, sum_rows, unpair};
