//! The inner loops of training.

mod adam;
mod matrix;
mod rows;

pub(crate) use adam::{Moments, adam};
pub(crate) use matrix::{Left, multiply};
pub(crate) use rows::{BLOCK, close, pair, scatter_rows, sum_rows, unpair};
