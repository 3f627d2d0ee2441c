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

use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt;
use std::path::{Path, PathBuf};

pub use code::GameError;
pub use compact::MAX_LEAF;
pub use frame::open_regular;
pub use generation_settings::GenerationSettings;
pub use reader::{BlockReader, GameReader, Scan, scan};
pub use writer::{AddError, GameWriter};

/// An error in a records file.
#[derive(Debug)]
pub enum RecordError {
    /// The file cannot be read or written.
    Io {
        /// Path of the records.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file does not begin like a records file.
    Foreign {
        /// Path of the records.
        path: PathBuf,
    },
    /// Bytes in the middle are damaged; reading continues after them.
    Damage {
        /// Path of the records.
        path: PathBuf,
        /// Offset of the damage.
        at: u64,
        /// Number of damaged bytes.
        bytes: u64,
    },
    /// The file ends within a block: its writer was killed or is still running.
    Torn {
        /// Path of the records.
        path: PathBuf,
        /// Offset of the incomplete block.
        at: u64,
        /// Number of bytes of the incomplete block.
        bytes: u64,
    },
    /// A block's checksum is correct, but its contents are invalid.
    Game {
        /// Path of the records.
        path: PathBuf,
        /// Offset of the block.
        at: u64,
        /// Number of the game in the block, from 1; 0 for the block's header.
        game: usize,
        /// Why the game cannot be decoded.
        error: GameError,
    },
    /// Another process is writing to the file.
    Busy {
        /// Path of the records.
        path: PathBuf,
    },
    /// The file was made with other settings.
    Settings {
        /// Path of the records.
        path: PathBuf,
        /// The key of the setting.
        key: String,
        /// The value in the file.
        before: String,
        /// The requested value.
        now: String,
    },
}

impl Message for RecordError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path().display())?;
        match self {
            Self::Io { error, .. } => error.write(lang, f),
            Self::Foreign { .. } => {
                say!(lang, f, "this is no file of game records", "自己対局の記録ではありません")
            }
            Self::Damage { at, bytes, .. } => say!(
                lang,
                f,
                "damaged: {bytes} bytes from byte {at} on were passed over",
                "破損しています。{at} バイト目からの {bytes} バイトを飛ばしました"
            ),
            Self::Torn { at, bytes, .. } => say!(
                lang,
                f,
                "the last {bytes} bytes, from byte {at} on, are no whole block",
                "末尾の {bytes} バイト（{at} バイト目から）は書きかけの部分です"
            ),
            Self::Game { at, game, error, .. } => {
                let error = error.in_lang(lang);
                say!(
                    lang,
                    f,
                    "block at byte {at}, game {game}: {error}",
                    "{at} バイト目からのブロックの {game} 局目: {error}"
                )
            }
            Self::Busy { .. } => say!(
                lang,
                f,
                "another process is writing to this file",
                "別のプロセスがこのファイルに書いています"
            ),
            Self::Settings { key, before, now, .. } => say!(
                lang,
                f,
                "made with {key} {before}, but now it would be {now}: use the same settings or \
                 another file",
                "作成時の設定は {key} {before} ですが、今回は {now} です。同じ設定にするか、\
                 別のファイルを指定してください"
            ),
        }
    }
}
error_message!(RecordError);

impl RecordError {
    fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. }
            | Self::Foreign { path }
            | Self::Damage { path, .. }
            | Self::Torn { path, .. }
            | Self::Game { path, .. }
            | Self::Busy { path }
            | Self::Settings { path, .. } => path,
        }
    }
}
