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
//!
//! # Files
//!
//! - `training/games/src/file/`: checksummed frames (`frame.rs`), games as bytes (`code.rs`), the appending writer and
//!   the reader. If the writer is killed only the last frame can be damaged, and the next run removes it. Damage elsewhere
//!   is reported and skipped up to the next valid frame.
//! - `training/datagen/src`: openings, one game (`play.rs`), many games (`generate.rs`). Each thread has its own searcher;
//!   games are written in the order of their numbers, so the file does not depend on the number of threads. A few
//!   consecutive games share a searcher and its histories.
//! - `sampler.rs`: random positions from the search trees of a game, taken from the positions that the search passes to its
//!   observer. An observer does not change the search. Most of their scores are bounds; the trainer uses them as such.
//! - `packed.rs`, `flat.rs`: positions in 256 bits; PSV and hcpe. `tests/scripts/training_data.py` compares them with
//!   cshogi, on demand.

mod file;
mod flat;
mod game;
#[cfg(test)]
mod random_games;
mod shuffle;
mod statistics;
mod tree_sample;

pub use file::{
    AddError, BlockReader, GameError, GameReader, GameWriter, GenerationSettings, MAX_LEAF,
    RecordError, Scan, scan,
};
pub use flat::{Assembler, Entry, EntryError, FlatError, FlatFormat, FlatReader, flat_games};
pub use game::{EndReason, Game, Outcome, Sample};
pub use shuffle::{Shuffle, Shuffled};
pub use statistics::{Class, Statistics};
pub use tree_sample::TreeSample;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
