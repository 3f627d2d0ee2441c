//! Analysis of game records and lists of positions: reading them, searching every position, judging
//! the moves, writing the findings down. It drives the search through its own reporter and knows no
//! USI session.

mod fnv;

pub mod examine;
pub mod found;
pub mod journal;
pub mod judge;
pub mod list;
pub mod opening;
pub mod output;
pub mod record;
pub mod rows;
pub mod run;
pub mod settings;
pub mod stream;
pub mod summary;
