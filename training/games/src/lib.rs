//! Training data: games of self-play, reading and writing them, and common file formats.
//!
//! ```no_run
//! use monomi_games::GameReader;
//! for game in GameReader::open("games.mgr".as_ref())? {
//!     game?.walk(|sample| {
//!         let _ = (sample.position.to_sfen(), sample.mv, sample.score, sample.result);
//!     });
//! }
//! # Ok::<(), monomi_games::RecordError>(())
//! ```

mod file;
mod flat;
mod game;
#[cfg(test)]
mod random_games;
mod statistics;
mod tree_sample;

pub use file::{
    AddError, BlockReader, GameError, GameReader, GameWriter, GenerationSettings, MAX_LEAF,
    RecordError, Scan, scan,
};
pub use flat::{Assembler, Entry, EntryError, FlatError, FlatFormat, FlatReader};
pub use game::{EndReason, Game, Outcome, Sample};
pub use statistics::{Class, Statistics};
pub use tree_sample::TreeSample;
