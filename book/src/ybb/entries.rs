//! Reading all positions of a file in order, and checking them.

use crate::book_move::PlayedMove;
use crate::entry::{BookEntry, Faults};
use crate::ybb::format::{HEADER, Header, RECORD, Record, YbbFault, read_move};
use monomi_movegen::PackedPosition;
use std::fs::File;
use std::io::{BufReader, Read, Result, Seek, SeekFrom};

/// Bytes of the buffers.
const BUFFER: usize = 1 << 18;

/// The positions of a `.ybb`, in the order of the file.
pub struct YbbEntries {
    header: Header,
    index: BufReader<File>,
    moves: BufReader<File>,
    /// Bytes of all moves.
    move_bytes: u64,
    /// The offset of `moves`, from the first move on.
    at: u64,
    /// The number of records that were read.
    read: u64,
    former: Option<[u8; 32]>,
    /// The ranges of moves do not follow each other, so some may overlap.
    disordered: bool,
}

impl YbbEntries {
    /// Opens a file at its first position. `again` is the same file, opened a second time.
    ///
    /// # Errors
    /// The file cannot be read, or is not a `.ybb`.
    pub fn open(file: File, again: File) -> Result<std::result::Result<Self, YbbFault>> {
        let bytes = file.metadata()?.len();
        let mut index = BufReader::with_capacity(BUFFER, file);
        let mut start = Vec::new();
        index.by_ref().take(HEADER as u64).read_to_end(&mut start)?;
        let header = match Header::read(&start, bytes) {
            Ok(header) => header,
            Err(fault) => return Ok(Err(fault)),
        };
        let mut moves = BufReader::with_capacity(BUFFER, again);
        moves.seek(SeekFrom::Start(header.index_end()))?;
        let move_bytes = bytes - header.index_end();
        let (at, read, former, disordered) = (0, 0, None, false);
        Ok(Ok(Self { header, index, moves, move_bytes, at, read, former, disordered }))
    }

    /// The header of the file.
    pub fn header(&self) -> Header {
        self.header
    }

    /// The next position; `None` at the end. Positions that are not in order, or the same as the one
    /// before, are faults but returned. Positions whose moves are not in the file are faults and
    /// skipped.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next(&mut self, faults: &mut Faults) -> Result<Option<BookEntry>> {
        while self.read < self.header.records {
            let mut bytes = [0; RECORD];
            self.index.read_exact(&mut bytes)?;
            self.read += 1;
            let record = Record::read(&bytes);
            self.check_order(record.position, faults);
            if let Some(entry) = self.entry(&record, faults)? {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    fn check_order(&mut self, position: [u8; 32], faults: &mut Faults) {
        match self.former.replace(position) {
            Some(former) if former == position => faults.add(YbbFault::Duplicate(self.read)),
            Some(former) if former > position => faults.add(YbbFault::Unsorted(self.read)),
            _ => {}
        }
    }

    fn entry(&mut self, record: &Record, faults: &mut Faults) -> Result<Option<BookEntry>> {
        let size = self.header.move_bytes();
        let len = usize::from(record.count) * size;
        let end = record.offset.checked_add(len as u64).filter(|&end| end <= self.move_bytes);
        let Some(end) = end.filter(|_| record.offset.is_multiple_of(size as u64)) else {
            faults.add(YbbFault::MovesOutside(self.read));
            return Ok(None);
        };
        self.disordered |= record.offset < self.at;
        let skip = record.offset as i64 - self.at as i64;
        self.moves.seek_relative(skip)?;
        let mut bytes = vec![0; len];
        self.moves.read_exact(&mut bytes)?;
        self.at = end;
        let mut moves = Vec::with_capacity(usize::from(record.count));
        for bytes in bytes.chunks_exact(size) {
            match read_move(bytes) {
                Ok(found) => moves.push(PlayedMove { found, results: None }),
                Err(bits) => faults.add(YbbFault::Move(self.read, bits)),
            }
        }
        Ok(Some(BookEntry { position: PackedPosition(record.position), ply: record.ply, moves }))
    }

    /// The number of the position that was read last, from 1.
    pub fn number(&self) -> u64 {
        self.read
    }

    /// Whether moves of two positions may overlap: [`overlaps`] finds out. Known when all positions
    /// have been read.
    pub fn disordered(&self) -> bool {
        self.disordered
    }
}

/// Adds the positions whose moves begin before those of another one end.
///
/// # Errors
/// The file cannot be read.
pub fn overlaps(mut file: File, header: Header, faults: &mut Faults) -> Result<()> {
    file.seek(SeekFrom::Start(HEADER as u64))?;
    let mut index = BufReader::with_capacity(BUFFER, file);
    let mut ranges = Vec::new();
    for number in 1..=header.records {
        let mut bytes = [0; RECORD];
        index.read_exact(&mut bytes)?;
        let Record { offset, count, .. } = Record::read(&bytes);
        if count > 0 {
            ranges.push((offset, number, count));
        }
    }
    ranges.sort_unstable();
    let mut end = 0;
    for (offset, number, count) in ranges {
        if offset < end {
            faults.add(YbbFault::Overlap(number));
        }
        let len = u64::from(count) * header.move_bytes() as u64;
        end = end.max(offset.saturating_add(len));
    }
    Ok(())
}
