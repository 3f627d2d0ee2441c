//! Analysis of game records and lists of positions: reads them, searches every position, judges the
//! moves and writes the results. Independent of USI.

mod fnv;

pub mod analysis_settings;
pub mod analyzed_game;
pub mod compare;
pub mod examine;
pub mod found;
pub mod journal;
pub mod judge;
pub mod list;
pub mod material;
pub mod opening;
pub mod output;
pub mod run;
pub mod stream;
pub mod summary;
pub mod tactics;
mod words;
