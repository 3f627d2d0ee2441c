//! Writes records. Each block is appended to the file by one write.

use super::bits::BitWriter;
use super::code::{BLOCK_HEAD, GameError, base_bytes, write_tree};
use super::compact::{MAX_LEAF, Models};
use super::frame::{FrameReader, Tag, check_regular, frame};
use super::reader::scan_frames;
use super::{GenerationSettings, RecordError, Scan};
use crate::game::Game;
use monomi_movegen::NotAFullSet;
use monomi_movegen::{PackedMove, Position};
use monomi_support::text::{error_message, messages};
use rayon::prelude::*;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Games in a block, and the most that are lost if the process is killed. Larger blocks need fewer
/// bytes per game. Tests use small blocks.
const GAMES_IN_BLOCK: u32 = if cfg!(test) { 16 } else { 64 };

/// A block ends early when its games take more bytes than this.
const BLOCK_BYTES: usize = 1 << 20;

/// Appends games to a file. Dropping it loses the games of the last block; call
/// [`GameWriter::finish`].
pub struct GameWriter {
    path: PathBuf,
    file: File,
    /// The current block.
    block: Block,
    /// The number of its first game.
    first: u64,
}

/// Games that become a frame of the file.
struct Block {
    code: BitWriter,
    models: Models,
    /// Positions from the search trees of these games.
    trees: Vec<u8>,
    games: u32,
    positions: u32,
}

impl Block {
    fn new() -> Self {
        let (code, models, trees) = (BitWriter::default(), Models::new(), Vec::new());
        Self { code, models, trees, games: 0, positions: 0 }
    }

    /// Adds a game; see [`GameWriter::add`].
    fn add(&mut self, game: &Game) -> Result<(), AddError> {
        assert!(game.moves.len() <= u16::MAX.into() && game.opening.len() <= u8::MAX.into());
        assert!(game.tree.len() <= u16::MAX.into());
        assert_eq!(game.moves.len(), game.scores.len(), "a score for each move");
        assert!([0, game.moves.len()].contains(&game.leaves.len()), "a leaf for each move or none");
        assert!(game.leaves.iter().all(|leaf| leaf.len() <= MAX_LEAF));
        check(game)?;
        self.models.write(&mut self.code, game)?;
        if !game.tree.is_empty() {
            write_tree(game, &mut self.trees);
        }
        self.games += 1;
        self.positions += game.moves.len() as u32;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.games >= GAMES_IN_BLOCK || self.code.len() + self.trees.len() > BLOCK_BYTES
    }

    /// The contents of the frame but for the number of the first game, and the number of games.
    fn finish(mut self) -> (Vec<u8>, u32) {
        let code = self.code.finish();
        let mut block = Vec::with_capacity(BLOCK_HEAD + 4 + code.len() + self.trees.len());
        block.extend(self.games.to_le_bytes());
        block.extend(self.positions.to_le_bytes());
        block.extend((code.len() as u32).to_le_bytes());
        block.extend(code);
        block.append(&mut self.trees);
        (block, self.games)
    }
}

impl GameWriter {
    /// Opens a file to append to, or creates it with these settings. An incomplete block at the end
    /// is removed. The `Scan` reports it, and what the file already contains.
    ///
    /// # Errors
    /// The file cannot be read or written, another process is writing to it, it is not a records
    /// file, or it was made with other settings.
    pub fn open(path: &Path, settings: &GenerationSettings) -> Result<(Self, Scan), RecordError> {
        let io = |error| RecordError::Io { path: path.to_owned(), error };
        check_regular(path).map_err(io)?;
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).read(true).write(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RecordError::Busy { path: path.to_owned() });
            }
            // The file system does not support locks; continue without one.
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
        Ok((Self { path, file, block: Block::new(), first }, scan))
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// # Panics
    /// The game has more than 65,535 moves or tree positions, its opening has more than 255 moves,
    /// or the numbers of moves, scores and leaves differ.
    pub fn add(&mut self, game: &Game) -> Result<(), AddError> {
        self.block.add(game)?;
        if self.block.is_full() {
            self.flush()?;
        }
        Ok(())
    }

    /// Adds games as [`add`](Self::add) does, with the same bytes as the result, on all cores.
    ///
    /// # Errors
    /// The file cannot be written. The games of earlier blocks have been added.
    ///
    /// # Panics
    /// As `add`.
    pub fn add_all(&mut self, games: &[Game]) -> Result<(), AddError> {
        let missing = (GAMES_IN_BLOCK - self.block.games) as usize % GAMES_IN_BLOCK as usize;
        let (begun, rest) = games.split_at(missing.min(games.len()));
        begun.iter().try_for_each(|game| self.add(game))?;
        if self.block.games > 0 {
            // They were too large for one block, or too few.
            return rest.iter().try_for_each(|game| self.add(game));
        }
        let blocks = rest.par_chunks_exact(GAMES_IN_BLOCK as usize);
        let last = blocks.remainder();
        let encoded: Vec<_> = blocks
            .map(|games| {
                let (mut blocks, mut block) = (Vec::new(), Block::new());
                for game in games {
                    block.add(game)?;
                    if block.is_full() {
                        blocks.push(std::mem::replace(&mut block, Block::new()).finish());
                    }
                }
                if block.games > 0 {
                    blocks.push(block.finish());
                }
                Ok(blocks)
            })
            .collect::<Result<_, AddError>>()?;
        for (block, games) in encoded.into_iter().flatten() {
            self.write(&block, games)?;
        }
        last.iter().try_for_each(|game| self.add(game))
    }

    /// Writes the remaining games and waits until they are on disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> Result<(), RecordError> {
        self.flush()?;
        self.file.sync_all().map_err(|error| RecordError::Io { path: self.path.clone(), error })
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        if self.block.games == 0 {
            return Ok(());
        }
        let (block, games) = std::mem::replace(&mut self.block, Block::new()).finish();
        self.write(&block, games)
    }

    fn write(&mut self, block: &[u8], games: u32) -> Result<(), RecordError> {
        let mut contents = Vec::with_capacity(8 + block.len());
        contents.extend(self.first.to_le_bytes());
        contents.extend(block);
        let written = self.file.write_all(&frame(Tag::Games, &contents));
        written.map_err(|error| RecordError::Io { path: self.path.clone(), error })?;
        self.first += u64::from(games);
        Ok(())
    }
}

/// Checks a game before anything of it is written.
fn check(game: &Game) -> Result<(), AddError> {
    base_bytes(game)?;
    let mut position = game.base.clone();
    let step = |position: &mut Position, mv: PackedMove| {
        if !position.is_legal(mv) {
            let ply = position.moves_made() + 1;
            return Err(GameError::Move { ply, bits: mv.bits(), sfen: position.to_sfen() });
        }
        position.do_move(mv);
        Ok(())
    };
    for &mv in &game.opening {
        step(&mut position, mv)?;
    }
    for (i, &mv) in game.moves.iter().enumerate() {
        if let Some(leaf) = game.leaves.get(i).filter(|leaf| !leaf.is_empty()) {
            let mut position = position.clone();
            leaf.iter().try_for_each(|&mv| step(&mut position, mv))?;
        }
        step(&mut position, mv)?;
    }
    Ok(())
}

/// Whether the file is empty or contains only part of the first frame, because its writer was
/// killed.
fn is_torn_head(file: &mut File, head: &[u8]) -> std::io::Result<bool> {
    if file.metadata()?.len() >= head.len() as u64 {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(head.starts_with(&bytes))
}

messages! {
    /// Why a game was not added.
    #[derive(Debug)]
    pub enum AddError {
        /// The format cannot represent it.
        NotAFullSet(error: NotAFullSet) => both "{error}";
        /// A move is illegal.
        Game(error: GameError) => both "{error}";
        /// The file cannot be written.
        Record(error: RecordError) => both "{error}";
    }
}
error_message!(AddError, NotAFullSet: NotAFullSet, Game: GameError, Record: RecordError);
