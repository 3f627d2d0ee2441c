//! Game records: about two bytes per position, with checksums, appendable. docs/records.md
//! describes the format.

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
pub(crate) use frame::open_regular;
pub use generation_settings::GenerationSettings;
pub use reader::{BlockReader, GameReader, Scan, scan};
pub use writer::{AddError, GameWriter};

/// An error in a records file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file does not begin like a records file.
    #[error("{}: this is no file of game records", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Bytes in the middle are damaged; reading continues after them.
    #[error("{}: damaged: {bytes} bytes from byte {at} on were passed over", path.display())]
    Damage {
        /// The file.
        path: PathBuf,
        /// Offset of the damage.
        at: u64,
        /// Number of damaged bytes.
        bytes: u64,
    },
    /// The file ends within a block: its writer was killed or is still running.
    #[error("{}: the last {bytes} bytes, from byte {at} on, are no whole block", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
        /// Offset of the incomplete block.
        at: u64,
        /// Number of bytes of the incomplete block.
        bytes: u64,
    },
    /// A block's checksum is correct, but its contents are invalid.
    #[error("{}: block at byte {at}, game {game}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Offset of the block.
        at: u64,
        /// Number of the game in the block, from 1; 0 for the block's header.
        game: usize,
        /// The error.
        error: GameError,
    },
    /// Another process is writing to the file.
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
        /// The key of the setting.
        key: String,
        /// The value in the file.
        before: String,
        /// The requested value.
        now: String,
    },
}
