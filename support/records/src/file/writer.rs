//! Writing records: whole blocks at the end of the file, each by one write.

use super::code::{BLOCK_HEAD, write};
use super::frame::{FrameReader, Tag, frame};
use super::reader::scan_frames;
use super::{RecordError, Scan, Settings};
use crate::game::Game;
use crate::packed::NotAFullSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Games in a block: what a kill costs at most, besides the games being played.
const GAMES_IN_BLOCK: u32 = 16;

/// Games beyond so many bytes make a block, too: very long ones.
const BLOCK_BYTES: usize = 1 << 20;

/// Appends games to a file. Dropping it loses the last games; call [`GameWriter::finish`].
pub struct GameWriter {
    path: PathBuf,
    file: File,
    /// The games of the block to come.
    block: Vec<u8>,
    first: u64,
    games: u32,
    positions: u32,
}

impl GameWriter {
    /// Opens a file to append to, or makes it with these settings. A torn tail is cut off; `Scan`
    /// tells of it, and of what is there already.
    ///
    /// # Errors
    /// It cannot be read or written, somebody else is writing, it is no file of records, or was made
    /// with other settings.
    pub fn open(path: &Path, settings: &Settings) -> Result<(Self, Scan), RecordError> {
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).read(true).write(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RecordError::Busy { path: path.to_owned() });
            }
            // A file system without locks: no reason to refuse.
            Err(TryLockError::Error(_)) => {}
        }
        let head = frame(Tag::Settings, settings.to_text().as_bytes());
        let scan = if is_torn_head(&mut file, &head).map_err(io)? {
            file.rewind().map_err(io)?;
            file.write_all(&head).map_err(io)?;
            Scan { settings: settings.clone(), sound: head.len() as u64, ..Scan::default() }
        } else {
            let frames = FrameReader::new(file.try_clone().map_err(io)?).map_err(io)?;
            let scan = scan_frames(path, frames)?;
            if let Some((key, before, now)) = scan.settings.difference(settings) {
                let [key, before, now] = [key, before, now].map(str::to_owned);
                return Err(RecordError::Settings { path: path.to_owned(), key, before, now });
            }
            file.set_len(scan.sound).map_err(io)?;
            scan
        };
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let (path, first) = (path.to_owned(), scan.next_game);
        let writer = Self { path, file, block: Vec::new(), first, games: 0, positions: 0 };
        Ok((writer, scan))
    }

    /// Adds the game of the next number.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// The game has more than 65,535 moves or positions of trees, or more than 255 moves in its
    /// opening.
    pub fn add(&mut self, game: &Game) -> Result<(), AddError> {
        assert!(game.moves.len() <= u16::MAX.into() && game.opening.len() <= u8::MAX.into());
        assert!(game.tree.len() <= u16::MAX.into());
        assert_eq!(game.moves.len(), game.scores.len(), "a score for each move");
        if self.block.is_empty() {
            self.block.resize(BLOCK_HEAD, 0);
        }
        write(game, &mut self.block)?;
        self.games += 1;
        self.positions += game.moves.len() as u32;
        if self.games >= GAMES_IN_BLOCK || self.block.len() > BLOCK_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is left, and waits until it is on the disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.flush()?;
        self.file.sync_all().map_err(|error| RecordError::Io { path: self.path.clone(), error })
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        if self.games == 0 {
            return Ok(());
        }
        self.block[..8].copy_from_slice(&self.first.to_le_bytes());
        self.block[8..12].copy_from_slice(&self.games.to_le_bytes());
        self.block[12..16].copy_from_slice(&self.positions.to_le_bytes());
        let written = self.file.write_all(&frame(Tag::Games, &self.block));
        written.map_err(|error| RecordError::Io { path: self.path.clone(), error })?;
        self.first += u64::from(self.games);
        self.block.clear();
        (self.games, self.positions) = (0, 0);
        Ok(())
    }
}

/// Whether the file is empty, or its writer was killed within the first frame.
fn is_torn_head(file: &mut File, head: &[u8]) -> std::io::Result<bool> {
    if file.metadata()?.len() >= head.len() as u64 {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(head.starts_with(&bytes))
}

/// Why a game was not added.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// The format has no room for it.
    #[error(transparent)]
    NotAFullSet(#[from] NotAFullSet),
    /// The file cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}
