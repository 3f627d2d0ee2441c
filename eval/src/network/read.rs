//! Reading network files: the header, and which of the containers follows.
//!
//! | file | contents |
//! |---|---|
//! | `read/source.rs` | a stream of known length, with the blocks that files consist of |
//! | `read/header.rs` | what the caller and the start of a file say |
//! | `read/plain.rs` | plain networks: the shape by size, hashes and text |
//! | `read/sfnn.rs` | compressed first layers and layer stacks |
//! | `read/routing.rs` | how the layer stack is chosen |
//!
//! Every length and count is checked against the file's length before memory is reserved.

mod header;
mod plain;
mod routing;
mod sfnn;
mod source;

use super::detect::TextInfo;
use super::error::{NetworkError, Unsupported};
use super::file::{FileInfo, NetworkFile};
use super::format::{
    MAX_STATED_STACKS, MAX_TEXT, VERSION, VERSION_NINE, VERSION_NN16, VERSION_STACKS,
};
use super::leb128;
use super::routing::Routing;
use header::Header;
pub use header::ReadOptions;
use source::Source;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

impl NetworkFile {
    /// Reads a file.
    ///
    /// # Errors
    /// See [`NetworkError`]; no more memory is used than the file's length requires.
    pub fn open(path: &Path) -> Result<Self, NetworkError> {
        Self::open_with(path, None, &mut |_, _| ())
    }

    /// Reads a file whose stacks are chosen by `routing`, or as the file says. `progress` is told
    /// from time to time how many bytes of how many have been read.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn open_with(
        path: &Path,
        routing: Option<Routing>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, NetworkError> {
        // Checked before opening, because opening a named pipe would wait for a writer.
        if !path.metadata()?.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        let options = ReadOptions { routing, folder };
        let input = BufReader::with_capacity(1 << 16, file);
        Source::new(input, length, progress).network(&options)
    }

    /// Reads a network from a stream that holds `length` bytes.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn read(input: impl Read, length: u64) -> Result<Self, NetworkError> {
        Self::read_with(input, length, &ReadOptions::default())
    }

    /// Reads a network from a stream that holds `length` bytes.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn read_with(
        input: impl Read,
        length: u64,
        options: &ReadOptions,
    ) -> Result<Self, NetworkError> {
        Source::new(input, length, &mut |_, _| ()).network(options)
    }
}

impl<R: Read> Source<'_, R> {
    fn network(mut self, options: &ReadOptions) -> Result<NetworkFile, NetworkError> {
        let mut header = self.header(options)?;
        let Some(before) = self.find_block()? else { return self.plain(header) };
        header.info.compressed = true;
        let skipped = self.vec(before as u64)?;
        let hash = skipped
            .rchunks_exact(4)
            .next()
            .map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        if header.info.version == VERSION_NINE && header.stacks.is_none() {
            header.stacks = Some(9);
        }
        self.compressed(header, hash)
    }

    fn header<'o>(&mut self, options: &'o ReadOptions) -> Result<Header<'o>, NetworkError> {
        let version = self.word()?;
        match version {
            VERSION | VERSION_NINE | VERSION_STACKS => {}
            VERSION_NN16 => return Err(NetworkError::Unsupported(Unsupported::Nn16)),
            found => return Err(NetworkError::Version { found }),
        }
        let hash = self.word()?;
        let length = self.word()?;
        if length > MAX_TEXT {
            return Err(NetworkError::TextTooLong { length });
        }
        let bytes = self.vec(length.into())?;
        let descriptive = String::from_utf8_lossy(&bytes).into_owned();
        let text = TextInfo::read(&descriptive);
        if let Some(what) = text.unsupported {
            return Err(NetworkError::Unsupported(what));
        }
        let mut stacks = text.stacks.filter(|_| text.sfnn);
        if version == VERSION_STACKS {
            let stated = self.word()?;
            if !(1..=MAX_STATED_STACKS).contains(&stated) {
                return Err(NetworkError::StatedStacks { stated });
            }
            stacks = Some(stated as usize);
        }
        let info = FileInfo {
            version,
            hash,
            text: descriptive,
            stated_fv_scale: text.fv_scale,
            stated_win_scale: text.win_scale,
            ..FileInfo::default()
        };
        Ok(Header { text, stacks, info, options })
    }

    /// Bytes before the first compressed block: a hash, perhaps another word, perhaps a stray `_`.
    fn find_block(&mut self) -> Result<Option<usize>, NetworkError> {
        let ahead = self.peek(32)?;
        let starts =
            |&before: &usize| ahead.get(before..).is_some_and(|b| b.starts_with(leb128::MAGIC));
        Ok([4, 0, 8, 5, 1, 9].into_iter().find(starts))
    }
}
