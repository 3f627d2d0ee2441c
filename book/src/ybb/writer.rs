//! Writing a `.ybb` position by position.

use crate::book_move::BookMove;
use crate::ybb::format::{Header, Record, YbbFault, write_move};
use monomi_support::text::io_error;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Result, Seek, Write};
use std::path::Path;

/// Bytes of the buffers.
const BUFFER: usize = 1 << 18;

/// Collects the positions of a `.ybb` in two temporary files, since the index precedes the moves and
/// the header has the number of positions.
pub struct YbbWriter {
    index: BufWriter<File>,
    moves: BufWriter<File>,
    header: Header,
    offset: u64,
    former: Option<[u8; 32]>,
}

impl YbbWriter {
    /// A book without positions; `folder` is where the temporary files are. They have no names and
    /// are gone when the process ends.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub fn new(folder: &Path, depths: bool) -> Result<Self> {
        let file = || tempfile::tempfile_in(folder);
        let index = BufWriter::with_capacity(BUFFER, file()?);
        let moves = BufWriter::with_capacity(BUFFER, file()?);
        let header = Header { records: 0, depths };
        Ok(Self { index, moves, header, offset: 0, former: None })
    }

    /// Adds a position. Positions must come in the order of their bytes, each once, with at most
    /// 65,535 moves.
    ///
    /// # Errors
    /// The position is not greater than the one before it, or the disk is full.
    pub fn add(&mut self, position: [u8; 32], ply: u16, moves: &[BookMove]) -> Result<()> {
        let number = self.header.records + 1;
        match self.former.replace(position) {
            Some(former) if former == position => {
                return Err(io_error(ErrorKind::InvalidInput, YbbFault::Duplicate(number)));
            }
            Some(former) if former > position => {
                return Err(io_error(ErrorKind::InvalidInput, YbbFault::Unsorted(number)));
            }
            _ => {}
        }
        let moves = &moves[..moves.len().min(usize::from(u16::MAX))];
        let record = Record { position, offset: self.offset, ply, count: moves.len() as u16 };
        self.index.write_all(&record.to_bytes())?;
        let size = self.header.move_bytes();
        for found in moves {
            self.moves.write_all(&write_move(found)[..size])?;
        }
        self.offset += (moves.len() * size) as u64;
        self.header.records = number;
        Ok(())
    }

    /// Writes the file and returns the number of its positions.
    ///
    /// # Errors
    /// `out` cannot be written.
    pub fn finish(self, out: &mut impl Write) -> Result<u64> {
        out.write_all(&self.header.to_bytes())?;
        for part in [self.index, self.moves] {
            let mut file = part.into_inner().map_err(|error| error.into_error())?;
            file.rewind()?;
            let mut part = BufReader::with_capacity(BUFFER, file);
            let mut buffer = vec![0; BUFFER];
            loop {
                match part.read(&mut buffer)? {
                    0 => break,
                    read => out.write_all(&buffer[..read])?,
                }
            }
        }
        Ok(self.header.records)
    }
}
