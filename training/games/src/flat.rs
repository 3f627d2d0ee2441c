//! Common formats of single positions: PSV and hcpe.

use super::file::open_regular;
use super::game::{EndReason, Game, Outcome};
use monomi_movegen::move_codes::{from_apery, from_psv, to_apery, to_psv};
use monomi_movegen::{Layout, NotAFullSet, PackedPosition, UnpackError};
use monomi_movegen::{PackedMove, Position};
use monomi_support::text::{error_message, messages};
use rayon::prelude::*;
use shogi_core::Color;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// A format with one fixed-size record per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatFormat {
    /// YaneuraOu's PackedSfenValue, 40 bytes: packed sfen (32), i16 score for the side to move, u16
    /// move, u16 move number, i8 result for the side to move (1, 0, -1), padding.
    Psv,
    /// HuffmanCodedPosAndEval of Apery and dlshogi, 38 bytes: hcp (32), i16 score for the side to
    /// move, u16 move, u8 result (0 draw, 1 Black won, 2 White won), padding.
    Hcpe,
}

/// A position with its move, score and result.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The position, without history.
    pub position: Position,
    /// The move played; it is legal.
    pub mv: PackedMove,
    /// Score for the side to move.
    pub score: i16,
    /// Who won the game; `None` for a draw.
    pub winner: Option<Color>,
}

messages! {
    /// Why a record could not be read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum EntryError {
        /// The position is invalid.
        Position(error: UnpackError) => both "{error}";
        /// The move is invalid or illegal.
        Move {
            /// The move's 16 bits.
            bits: u16,
            /// The position, as sfen.
            sfen: String,
        } =>
            "the move 0x{bits:04x} is illegal in {sfen}",
            "指し手 0x{bits:04x} は指せません（局面 {sfen}）";
        /// The result is invalid.
        Result(result: i8) => "the result {result} is unknown", "結果 {result} は未知です";
    }
}
error_message!(EntryError, Position: UnpackError);

fn le(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

impl FlatFormat {
    /// The format that the name of a file tells: `.psv` and `.bin`, or `.hcpe`.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "psv" | "bin" => Some(FlatFormat::Psv),
            "hcpe" => Some(FlatFormat::Hcpe),
            _ => None,
        }
    }

    /// Size of a record in bytes.
    pub fn size(self) -> usize {
        match self {
            FlatFormat::Psv => 40,
            FlatFormat::Hcpe => 38,
        }
    }

    fn layout(self) -> Layout {
        match self {
            FlatFormat::Psv => Layout::Sfen,
            FlatFormat::Hcpe => Layout::Hcp,
        }
    }

    /// Appends a record.
    ///
    /// # Errors
    /// A piece of the full set is missing.
    pub fn write(
        self,
        position: &Position,
        mv: PackedMove,
        score: i16,
        winner: Option<Color>,
        bytes: &mut Vec<u8>,
    ) -> Result<(), NotAFullSet> {
        bytes.extend(PackedPosition::pack(position, self.layout())?.0);
        bytes.extend(score.to_le_bytes());
        match self {
            FlatFormat::Psv => {
                let outcome = Outcome { winner, reason: EndReason::Unknown };
                bytes.extend(to_psv(mv).to_le_bytes());
                bytes.extend(position.ply().to_le_bytes());
                bytes.extend(outcome.for_side(position.side_to_move()).to_le_bytes());
            }
            FlatFormat::Hcpe => {
                bytes.extend(to_apery(mv).to_le_bytes());
                bytes.push(winner.map_or(0, |winner| winner as u8));
            }
        }
        bytes.push(0);
        Ok(())
    }

    /// Reads a record of [`FlatFormat::size`] bytes.
    ///
    /// # Errors
    /// The record is invalid.
    ///
    /// # Panics
    /// `bytes` is shorter than a record.
    pub fn read(self, bytes: &[u8]) -> Result<Entry, EntryError> {
        let mut packed = [0; 32];
        packed.copy_from_slice(&bytes[..32]);
        let ply = if self == FlatFormat::Psv { le(bytes, 36) } else { 1 };
        let position = PackedPosition(packed).unpack(self.layout(), ply)?;
        let score = le(bytes, 32) as i16;
        let bits = le(bytes, 34);
        let mv = match self {
            FlatFormat::Psv => from_psv(bits),
            FlatFormat::Hcpe => from_apery(bits),
        };
        let mv = mv.filter(|&mv| position.is_legal(mv));
        let mv = mv.ok_or_else(|| EntryError::Move { bits, sfen: position.to_sfen() })?;
        let us = position.side_to_move();
        let winner = match self {
            FlatFormat::Psv => match bytes[38] as i8 {
                0 => None,
                1 => Some(us),
                -1 => Some(us.flip()),
                other => return Err(EntryError::Result(other)),
            },
            // The higher bits say how the game ended.
            FlatFormat::Hcpe => match bytes[36] & 3 {
                0 => None,
                1 => Some(Color::Black),
                2 => Some(Color::White),
                _ => return Err(EntryError::Result(bytes[36] as i8)),
            },
        };
        Ok(Entry { position, mv, score, winner })
    }
}

messages! {
    /// An error in a PSV or hcpe file.
    #[derive(Debug)]
    pub enum FlatError {
        /// The file cannot be read.
        Io {
            /// Path of the records.
            path: PathBuf,
            /// The system's error.
            error: std::io::Error,
        } => both "{path}: {error}";
        /// A record is invalid; reading continues after it.
        Entry {
            /// Path of the records.
            path: PathBuf,
            /// The record's number, from 1.
            number: u64,
            /// Why the record is no position.
            error: EntryError,
        } => "{path}, record {number}: {error}", "{path}: {number} 件目: {error}";
        /// The file ends with an incomplete record.
        Torn {
            /// Path of the records.
            path: PathBuf,
            /// Number of bytes of the incomplete record.
            bytes: usize,
        } =>
            "{path}: the last {bytes} bytes are no whole record",
            "{path}: 末尾の {bytes} バイトは書きかけの部分です";
    }
}
error_message!(FlatError);

/// Iterates over the records of a file, with one in memory at a time, or reads many at a time on all cores.
pub struct FlatReader {
    path: PathBuf,
    format: FlatFormat,
    file: BufReader<File>,
    read: u64,
    ended: bool,
}

impl FlatReader {
    /// Opens a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: &Path, format: FlatFormat) -> Result<Self, FlatError> {
        let file =
            open_regular(path).map_err(|error| FlatError::Io { path: path.to_owned(), error })?;
        let file = BufReader::with_capacity(1 << 16, file);
        Ok(Self { path: path.to_owned(), format, file, read: 0, ended: false })
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.read * self.format.size() as u64
    }

    /// Continues with the record after the first `number`.
    fn seek(&mut self, number: u64) -> Result<(), FlatError> {
        let at = number * self.format.size() as u64;
        let moved = self.file.seek(SeekFrom::Start(at));
        moved.map_err(|error| FlatError::Io { path: self.path.clone(), error })?;
        self.read = number;
        Ok(())
    }

    /// The next records, `count` at most, decoded on all cores; none at the end of the file.
    pub fn chunk(&mut self, count: usize) -> Vec<Result<Entry, FlatError>> {
        let size = self.format.size();
        let mut bytes = vec![0; size * count];
        let (filled, fault) = self.fill(&mut bytes);
        let (format, first) = (self.format, self.read);
        let (whole, rest) = (filled / size, filled % size);
        self.read += whole as u64;
        let path = &self.path;
        let records = bytes[..whole * size].par_chunks_exact(size).enumerate();
        let mut entries: Vec<_> = records
            .map(|(index, record)| {
                let number = first + 1 + index as u64;
                let named = |error| FlatError::Entry { path: path.clone(), number, error };
                format.read(record).map_err(named)
            })
            .collect();
        entries.extend(fault.or_else(|| self.torn(rest)).map(Err));
        entries
    }

    /// Fills the buffer as far as the file goes. An error ends the file.
    fn fill(&mut self, bytes: &mut [u8]) -> (usize, Option<FlatError>) {
        let mut filled = 0;
        while filled < bytes.len() && !self.ended {
            match self.file.read(&mut bytes[filled..]) {
                Ok(0) => self.ended = true,
                Ok(bytes) => filled += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    return (filled, Some(FlatError::Io { path: self.path.clone(), error }));
                }
            }
        }
        (filled, None)
    }

    /// The error of a file that ends with part of a record.
    fn torn(&self, bytes: usize) -> Option<FlatError> {
        (bytes > 0).then(|| FlatError::Torn { path: self.path.clone(), bytes })
    }
}

/// Most faulty records between the end of a part and the record before it that is looked for.
const LOOK_BACK: u64 = 16;

/// The games that begin in a part of a file: consecutive positions that follow from each other. `first` and `end`
/// are numbers of records, from 0. A game that began before the part belongs to that part, and one that goes on
/// after it to this one, so that parts that meet have each game exactly once. Also returns what is wrong with
/// records of the part.
///
/// # Errors
/// The file cannot be read.
pub fn flat_games(
    path: &Path,
    format: FlatFormat,
    first: u64,
    end: u64,
) -> Result<(Vec<Game>, Vec<FlatError>), FlatError> {
    let mut reader = FlatReader::open(path, format)?;
    let (mut assembler, mut games, mut faults) = (Assembler::default(), Vec::new(), Vec::new());
    // The game of the record before the part.
    let mut others = false;
    for before in (first.saturating_sub(LOOK_BACK)..first).rev() {
        reader.seek(before)?;
        if let Some(Ok(entry)) = reader.next() {
            assembler.add(entry);
            others = true;
            break;
        }
    }
    reader.seek(first)?;
    let mut begun = others;
    let mut keep = |game: Game| {
        if !std::mem::take(&mut others) {
            games.push(game);
        }
    };
    loop {
        let inside = reader.read < end;
        match reader.next() {
            None => break,
            // No game of this part goes on.
            Some(Ok(_)) if !inside && !begun => break,
            Some(Ok(entry)) => {
                begun = true;
                let done = assembler.add(entry);
                let ends = done.is_some();
                done.map(&mut keep);
                if !inside && ends {
                    return Ok((games, faults));
                }
            }
            Some(Err(error @ FlatError::Io { .. })) => return Err(error),
            Some(Err(fault)) if inside => faults.push(fault),
            Some(Err(_)) => {}
        }
    }
    assembler.finish().map(keep);
    Ok((games, faults))
}

impl Iterator for FlatReader {
    type Item = Result<Entry, FlatError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut record = [0; 40];
        let record = &mut record[..self.format.size()];
        let (filled, fault) = self.fill(record);
        if filled < record.len() {
            return fault.or_else(|| self.torn(filled)).map(Err);
        }
        self.read += 1;
        let entry = self.format.read(record).map_err(|error| FlatError::Entry {
            path: self.path.clone(),
            number: self.read,
            error,
        });
        Some(entry)
    }
}

/// Combines positions into games: consecutive positions are joined where one follows from the
/// other. All other positions become games of one move.
#[derive(Default)]
pub struct Assembler {
    game: Option<Game>,
    /// The position after the last move of the current game.
    position: Option<Position>,
}

impl Assembler {
    /// Adds a position; returns the previous game if this position starts a new one.
    pub fn add(&mut self, entry: Entry) -> Option<Game> {
        let Entry { position, mv, score, winner } = entry;
        if let (Some(game), Some(now)) = (&mut self.game, &mut self.position)
            && now.key() == position.key()
            && (now.ply() == position.ply() || position.ply() == 1)
            && game.outcome.winner == winner
            && game.moves.len() < usize::from(u16::MAX)
        {
            game.moves.push(mv);
            game.scores.push(score);
            now.do_move(mv);
            return None;
        }
        let outcome = Outcome { winner, reason: EndReason::Unknown };
        let mut after = position.clone();
        after.do_move(mv);
        self.position = Some(after);
        self.game.replace(Game {
            base: position,
            opening: Vec::new(),
            moves: vec![mv],
            scores: vec![score],
            leaves: Vec::new(),
            outcome,
            tree: Vec::new(),
        })
    }

    /// Returns the last game.
    pub fn finish(self) -> Option<Game> {
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::games;

    const SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 119";
    /// Written by cshogi 1.1: score -1234, White drops a gold on 5h and wins.
    const PSV: &str = "2381510a86f515e900473c3ed5010020c52758530004cb48123fc3f99024ebbc\
                       2efbab4377000100";
    const HCPE: &str = "2381490986eb1565014b3cbee40200a0c417b84a0004c744113fc3f9912467bd\
                        2efbab2b0200";

    fn bytes(hex: &str) -> Vec<u8> {
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    }

    #[test]
    fn the_bytes_are_those_of_the_ecosystem() {
        let position = Position::from_sfen(SFEN).unwrap();
        let mv = "G*5h".parse().unwrap();
        for (format, hex) in [(FlatFormat::Psv, PSV), (FlatFormat::Hcpe, HCPE)] {
            let mut written = Vec::new();
            format.write(&position, mv, -1_234, Some(Color::White), &mut written).unwrap();
            assert_eq!(written, bytes(hex));
            assert_eq!(written.len(), format.size());
            let entry = format.read(&written).unwrap();
            let ply = if format == FlatFormat::Psv { 119 } else { 1 };
            assert_eq!(entry.position.to_sfen(), SFEN.replace("119", &ply.to_string()));
            assert_eq!((entry.mv, entry.score, entry.winner), (mv, -1_234, Some(Color::White)));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let with = |hex: &str, at: usize, byte: u8| {
            let mut bytes = bytes(hex);
            bytes[at] = byte;
            bytes
        };
        let psv = |at, byte| FlatFormat::Psv.read(&with(PSV, at, byte)).unwrap_err();
        assert_eq!(psv(38, 2), EntryError::Result(2));
        assert!(matches!(psv(35, 0), EntryError::Move { bits: 0xAB, .. }));
        assert!(matches!(psv(0, 0xFF), EntryError::Position(UnpackError::Kings(..))));
        let hcpe = FlatFormat::Hcpe.read(&with(HCPE, 36, 3)).unwrap_err();
        assert_eq!(hcpe, EntryError::Result(3));
        // The higher bits say how the game ended.
        assert_eq!(
            FlatFormat::Hcpe.read(&with(HCPE, 36, 0x0A)).unwrap().winner,
            Some(Color::White)
        );
    }

    #[test]
    fn games_fall_apart_into_positions_and_come_together_again() {
        for format in [FlatFormat::Psv, FlatFormat::Hcpe] {
            let games: Vec<Game> = games(60).into_iter().filter(|g| !g.moves.is_empty()).collect();
            let mut assembler = Assembler::default();
            let mut back = Vec::new();
            for game in &games {
                let mut bytes = Vec::new();
                game.walk(|s| {
                    let winner = game.outcome.winner;
                    format.write(s.position, s.mv, s.score, winner, &mut bytes).unwrap();
                });
                for record in bytes.chunks(format.size()) {
                    let entry = format.read(record).unwrap();
                    let mut again = Vec::new();
                    let Entry { position, mv, score, winner } = &entry;
                    format.write(position, *mv, *score, *winner, &mut again).unwrap();
                    assert_eq!(again, record);
                    back.extend(assembler.add(entry));
                }
            }
            back.extend(assembler.finish());
            assert_eq!(back.len(), games.len());
            for (game, back) in games.iter().zip(&back) {
                assert_eq!(game.start().key(), back.base.key());
                assert_eq!((&game.moves, &game.scores), (&back.moves, &back.scores));
                assert_eq!(game.outcome.winner, back.outcome.winner);
            }
        }
    }
    /// Parts of any size give together the games of the whole file, each once, and each fault once.
    #[test]
    fn parts_have_each_game_once() {
        for format in [FlatFormat::Psv, FlatFormat::Hcpe] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("positions");
            let mut bytes = Vec::new();
            for game in games(20) {
                let winner = game.outcome.winner;
                game.walk(|s| format.write(s.position, s.mv, s.score, winner, &mut bytes).unwrap());
            }
            let total = bytes.len() / format.size();
            // Illegal moves in some places.
            for broken in [0, 100, 101, total - 1] {
                bytes[broken * format.size() + 34..][..2].fill(0);
            }
            bytes.extend([1, 2, 3]);
            std::fs::write(&path, &bytes).unwrap();
            let all = |part: usize| {
                let (mut games, mut faults) = (Vec::new(), Vec::new());
                for first in (0..total).step_by(part) {
                    let end = if first + part < total { (first + part) as u64 } else { u64::MAX };
                    let (more, wrong) = flat_games(&path, format, first as u64, end).unwrap();
                    games.extend(more.iter().map(|game| format!("{game:?}")));
                    faults.extend(wrong.iter().map(ToString::to_string));
                }
                (games, faults)
            };
            let whole = all(total);
            assert_eq!(whole.1.len(), 5, "{:?}", whole.1);
            for part in [1, 7, 64, 99, 100, 101] {
                assert_eq!(all(part), whole, "parts of {part}");
            }
        }
    }

    #[test]
    fn chunks_have_the_records_and_faults_of_the_iterator() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.psv");
        let mut bytes = bytes(PSV).repeat(50);
        bytes[40 * 7 + 38] = 2;
        bytes.extend([9; 13]);
        std::fs::write(&path, &bytes).unwrap();
        let format = FlatFormat::of(&path).unwrap();
        let shown = |entry: Result<Entry, FlatError>| match entry {
            Ok(entry) => entry.position.to_sfen(),
            Err(error) => error.to_string(),
        };
        let one: Vec<_> = FlatReader::open(&path, format).unwrap().map(shown).collect();
        assert_eq!(one.len(), 51);
        for count in [1, 8, 50, 1000] {
            let mut reader = FlatReader::open(&path, format).unwrap();
            let mut many = Vec::new();
            loop {
                let chunk = reader.chunk(count);
                if chunk.is_empty() {
                    break;
                }
                many.extend(chunk.into_iter().map(shown));
            }
            assert_eq!(many, one, "{count} at a time");
        }
    }
}
