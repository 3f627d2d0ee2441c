//! Analysis of game records: reading them, searching every position, judging the moves, writing
//! the findings down. It drives the search through its own reporter and knows no USI session.

pub mod found;
pub mod journal;
pub mod judge;
pub mod output;
pub mod record;
pub mod rows;
pub mod run;
pub mod summary;
