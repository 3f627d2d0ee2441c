//! Reads records: game by game, or only a summary.

use super::bits::BitReader;
use super::code::{Bytes, GameError};
use super::compact::Models;
use super::frame::{Chunk, FrameReader, Tag};
use super::{GenerationSettings, RecordError};
use crate::game::Game;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Iterates over the games of a file, with one block in memory at a time.
///
/// An error about damage in the middle does not end the iteration; the games after it follow.
pub struct GameReader {
    path: PathBuf,
    frames: FrameReader,
    settings: GenerationSettings,
    /// The remaining games of the current block.
    games: VecDeque<Game>,
    /// An error in the rest of the current block.
    error: Option<RecordError>,
    ended: bool,
}

impl GameReader {
    /// Opens a file. Games appended later are not read.
    ///
    /// # Errors
    /// The file cannot be read, or is not a records file.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        let mut frames = FrameReader::open(path).map_err(io)?;
        let Chunk::Frame(Tag::Settings) = frames.next().map_err(io)? else {
            return Err(RecordError::Foreign { path: path.to_owned() });
        };
        let settings = GenerationSettings::from_text(&String::from_utf8_lossy(frames.contents()));
        let path = path.to_owned();
        Ok(Self { path, frames, settings, games: VecDeque::new(), error: None, ended: false })
    }

    /// The settings of the games now being read. A concatenated file can have several.
    pub fn settings(&self) -> &GenerationSettings {
        &self.settings
    }

    /// Bytes of the file read so far.
    pub fn offset(&self) -> u64 {
        self.frames.offset()
    }

    /// Reads the next block into `games`, or the error.
    fn fill(&mut self) {
        let path = || self.path.clone();
        let at = self.frames.offset();
        match self.frames.next() {
            Err(error) => {
                self.error = Some(RecordError::Io { path: path(), error });
                self.ended = true;
            }
            Ok(Chunk::End) => self.ended = true,
            Ok(Chunk::Torn { bytes }) => {
                self.error = Some(RecordError::Torn { path: path(), at, bytes });
                self.ended = true;
            }
            Ok(Chunk::Damage { bytes }) => {
                self.error = Some(RecordError::Damage { path: path(), at, bytes });
            }
            Ok(Chunk::Frame(Tag::Settings)) => {
                let text = String::from_utf8_lossy(self.frames.contents());
                self.settings = GenerationSettings::from_text(&text);
            }
            Ok(Chunk::Frame(Tag::Games)) => {
                if let Err((game, error)) = decode(self.frames.contents(), &mut self.games) {
                    self.error = Some(RecordError::Game { path: path(), at, game, error });
                }
            }
        }
    }
}

/// Reads the games of a block. An error comes with the number of the game, from 1.
fn decode(contents: &[u8], games: &mut VecDeque<Game>) -> Result<(), (usize, GameError)> {
    let mut bytes = Bytes(contents);
    let (_, count, _) = bytes.block_head().map_err(|error| (0, error))?;
    let length = bytes.take().map(u32::from_le_bytes).map_err(|error| (0, error))? as usize;
    let Some((code, trees)) = bytes.0.split_at_checked(length) else {
        return Err((0, GameError::Short));
    };
    let mut coder = BitReader::new(code).map_err(|error| (0, error))?;
    let mut trees = Bytes(trees);
    let mut models = Models::new();
    for number in 1..=count as usize {
        let (mut game, has_tree) = models.read(&mut coder).map_err(|error| (number, error))?;
        if has_tree {
            game.tree = trees.tree().map_err(|error| (number, error))?;
        }
        games.push_back(game);
    }
    match trees.0.len() {
        0 => Ok(()),
        extra => Err((count as usize, GameError::Extra(extra))),
    }
}

impl Iterator for GameReader {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.games.pop_front() {
                return Some(Ok(game));
            }
            if let Some(error) = self.error.take() {
                return Some(Err(error));
            }
            if self.ended {
                return None;
            }
            self.fill();
        }
    }
}

/// Reads the blocks of a file in any order, for training on data in random order. A block holds
/// several games.
pub struct BlockReader {
    path: PathBuf,
    frames: FrameReader,
}

impl BlockReader {
    /// Opens a file. Blocks appended later are not read.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        let frames = FrameReader::open(path).map_err(io)?;
        Ok(Self { path: path.to_owned(), frames })
    }

    /// The byte offsets of the blocks, and the damage found between them.
    ///
    /// # Errors
    /// The file cannot be read, or is not a records file.
    pub fn blocks(&mut self) -> Result<(Vec<u64>, Vec<RecordError>), RecordError> {
        let io = |path: &Path, error| RecordError::Io { path: path.to_owned(), error };
        self.frames.seek(0).map_err(|error| io(&self.path, error))?;
        let (mut blocks, mut faults) = (Vec::new(), Vec::new());
        loop {
            let at = self.frames.offset();
            let path = self.path.clone();
            match self.frames.next().map_err(|error| io(&self.path, error))? {
                Chunk::End => return Ok((blocks, faults)),
                Chunk::Frame(Tag::Settings) => {}
                Chunk::Frame(Tag::Games) if at > 0 => blocks.push(at),
                _ if at == 0 => return Err(RecordError::Foreign { path }),
                Chunk::Frame(_) => {}
                Chunk::Damage { bytes } => faults.push(RecordError::Damage { path, at, bytes }),
                Chunk::Torn { bytes } => faults.push(RecordError::Torn { path, at, bytes }),
            }
        }
    }

    /// The games of the block at an offset returned by [`blocks`](Self::blocks), up to the first
    /// damaged one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn games(&mut self, at: u64) -> Result<(Vec<Game>, Option<RecordError>), RecordError> {
        let io = |path: &Path, error| RecordError::Io { path: path.to_owned(), error };
        self.frames.seek(at).map_err(|error| io(&self.path, error))?;
        let found = self.frames.next().map_err(|error| io(&self.path, error))?;
        let Chunk::Frame(Tag::Games) = found else {
            let error = std::io::Error::other("the file has changed while it was read");
            return Err(io(&self.path, error));
        };
        let mut games = VecDeque::new();
        let error = decode(self.frames.contents(), &mut games).err();
        let path = self.path.clone();
        let error = error.map(|(game, error)| RecordError::Game { path, at, game, error });
        Ok((games.into(), error))
    }
}

/// Summary of a file from its block headers; games are not decoded.
#[derive(Debug, Default)]
pub struct Scan {
    /// The settings of the last games.
    pub settings: GenerationSettings,
    /// Number of the next game to be played.
    pub next_game: u64,
    /// Number of games.
    pub games: u64,
    /// Number of positions with a score.
    pub positions: u64,
    /// Length in bytes up to the end of the last valid block.
    pub sound: u64,
    /// All errors found. [`RecordError::Torn`], if present, is the last one.
    pub faults: Vec<RecordError>,
}

/// Scans a file and verifies all checksums.
///
/// # Errors
/// The file cannot be read, or is not a records file.
pub fn scan(path: &Path) -> Result<Scan, RecordError> {
    let io = |error| RecordError::Io { path: path.to_owned(), error };
    scan_frames(path, FrameReader::open(path).map_err(io)?)
}

pub(super) fn scan_frames(path: &Path, mut frames: FrameReader) -> Result<Scan, RecordError> {
    let io = |error| RecordError::Io { path: path.to_owned(), error };
    let mut scan = Scan::default();
    loop {
        let at = frames.offset();
        let path = path.to_owned();
        match frames.next().map_err(io)? {
            Chunk::Frame(Tag::Games) => match Bytes(frames.contents()).block_head() {
                Ok((first, games, positions)) => {
                    scan.next_game = scan.next_game.max(first.saturating_add(games.into()));
                    scan.games += u64::from(games);
                    scan.positions += u64::from(positions);
                }
                Err(error) => {
                    scan.faults.push(RecordError::Game { path, at, game: 0, error });
                }
            },
            Chunk::Frame(Tag::Settings) => {
                let text = String::from_utf8_lossy(frames.contents());
                scan.settings = GenerationSettings::from_text(&text);
            }
            // Neither a valid frame nor the beginning of one: not a records file.
            Chunk::Damage { .. } | Chunk::Torn { .. } if at == 0 => {
                return Err(RecordError::Foreign { path });
            }
            Chunk::Damage { bytes } => scan.faults.push(RecordError::Damage { path, at, bytes }),
            Chunk::Torn { bytes } => scan.faults.push(RecordError::Torn { path, at, bytes }),
            Chunk::End => return Ok(scan),
        }
        if !matches!(scan.faults.last(), Some(RecordError::Torn { .. })) {
            scan.sound = frames.offset();
        }
    }
}
