//! Game records: some two bytes per position, checksummed, appendable. docs/records.md describes
//! them byte by byte.

mod bits;
mod code;
mod compact;
mod frame;
mod generation_settings;
mod ordering;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::path::PathBuf;

pub use code::GameError;
pub use compact::MAX_LEAF;
pub use generation_settings::GenerationSettings;
pub use reader::{BlockReader, GameReader, Scan, scan};
pub use writer::{AddError, GameWriter};

/// What is wrong with a file of records.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's word.
        error: std::io::Error,
    },
    /// It begins like no file of records.
    #[error("{}: this is no file of game records", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Bytes in the middle are damaged; reading goes on behind them.
    #[error("{}: damaged: {bytes} bytes from byte {at} on were passed over", path.display())]
    Damage {
        /// The file.
        path: PathBuf,
        /// Where they begin.
        at: u64,
        /// How many they are.
        bytes: u64,
    },
    /// The file ends within a block: its writer was killed, or is still at work.
    #[error("{}: the last {bytes} bytes, from byte {at} on, are no whole block", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// Where the torn block begins.
        at: u64,
        /// How many bytes there are of it.
        bytes: u64,
    },
    /// A block is sound, but what it says is not.
    #[error("{}: block at byte {at}, game {game}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        at: u64,
        /// Which game of the block, from 1; 0 for its head.
        game: usize,
        /// What is wrong.
        error: GameError,
    },
    /// Another process writes to it.
    #[error("{}: another process is writing to this file", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file was made with other settings.
    #[error(
        "{}: made with {key} {before}, but now it would be {now}: use the same settings or another \
         file", path.display()
    )]
    Settings {
        /// The file.
        path: PathBuf,
        /// Which one.
        key: String,
        /// As the file has it.
        before: String,
        /// As it was asked for.
        now: String,
    },
}
