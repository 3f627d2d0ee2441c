//! Monomi (物見, the scout sent ahead): a shogi engine. The search is a library; USI and the
//! command line stand on top of it.

pub mod analyze;
pub mod bench;
pub mod book;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod csa;
pub mod datagen;
pub mod divide;
pub mod eval_source;
pub mod host;
pub mod lang;
pub mod mate;
pub mod position_text;
pub mod search;
mod text;
pub mod usi;
