//! What a net learns from: games of self-play, how they are made, kept and read, and the formats
//! of the ecosystem.
//!
//! ```no_run
//! use monomi::training::GameReader;
//! for game in GameReader::open("games.mgr".as_ref())? {
//!     game?.walk(|sample| {
//!         let _ = (sample.position.to_sfen(), sample.mv, sample.score, sample.result);
//!     });
//! }
//! # Ok::<(), monomi::training::RecordError>(())
//! ```

pub mod datagen;
mod flat;
mod game;
mod packed;
mod random;
#[cfg(test)]
mod random_games;
mod records;
mod statistics;
mod tree;

pub use flat::{Assembler, Entry, EntryError, FlatError, FlatFormat, FlatReader};
pub use game::{Game, Outcome, Reason, Sample, value_of};
pub use packed::{Layout, NotAFullSet, PackedPosition, UnpackError};
pub use random::Random;
pub use records::{AddError, GameError, GameReader, GameWriter, RecordError, Scan, Settings, scan};
pub use statistics::{Class, Statistics};
pub use tree::TreeSample;
