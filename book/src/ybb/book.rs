//! Looking positions up, in memory or in the file.

use crate::book_move::BookMove;
use crate::file_at::FileAt;
use crate::ybb::format::{HEADER, Header, RECORD, Record, YbbFault, read_move};
use std::fs::File;
use std::io::{Error, ErrorKind, Result};

/// Positions of a book on disk that are kept in memory, at most. They replace the first ten steps of a
/// binary search, each of which would read another page of the file.
const SAMPLES: u64 = 1024;
/// The last steps of a search read at most this many records at once.
const BLOCK: u64 = 64;

#[derive(Debug)]
enum Bytes {
    Memory(Vec<u8>),
    Disk(FileAt),
}

impl Bytes {
    fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Disk(file) => file.len(),
        }
    }

    /// Fills the buffer from an offset on.
    fn read(&self, at: u64, buffer: &mut [u8]) -> Result<()> {
        let read = match self {
            Self::Memory(bytes) => {
                let found = usize::try_from(at).ok().and_then(|at| bytes.get(at..));
                let found = found.unwrap_or_default();
                let len = found.len().min(buffer.len());
                buffer[..len].copy_from_slice(&found[..len]);
                len
            }
            Self::Disk(file) => file.read(at, buffer)?,
        };
        if read < buffer.len() { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

/// A `.ybb` that is open for looking positions up.
#[derive(Debug)]
pub struct YbbBook {
    bytes: Bytes,
    header: Header,
    /// Every `step`-th position, from the first one on.
    samples: Vec<[u8; 32]>,
    step: u64,
}

impl YbbBook {
    /// Opens a book; with `on_disk` without reading it into memory.
    ///
    /// # Errors
    /// The file cannot be read, is not a `.ybb` or is not sorted. Only a sample of the order is
    /// checked.
    pub fn open(mut file: File, on_disk: bool) -> Result<std::result::Result<Self, YbbFault>> {
        let bytes = if on_disk {
            Bytes::Disk(FileAt::new(file)?)
        } else {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes)?;
            Bytes::Memory(bytes)
        };
        let len = bytes.len();
        let mut start = vec![0; len.min(HEADER as u64) as usize];
        bytes.read(0, &mut start)?;
        let header = match Header::read(&start, len) {
            Ok(header) => header,
            Err(fault) => return Ok(Err(fault)),
        };
        let step = header.records.div_ceil(SAMPLES).max(1);
        let mut book = Self { bytes, header, samples: Vec::new(), step };
        let mut record = 0;
        while record < header.records {
            let position = book.record(record)?.position;
            if let Some(former) = book.samples.last()
                && *former >= position
            {
                let twice = *former == position;
                let number = record + 1;
                let fault = if twice { YbbFault::Duplicate } else { YbbFault::Unsorted };
                return Ok(Err(fault(number)));
            }
            book.samples.push(position);
            record += step;
        }
        Ok(Ok(book))
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.header.records
    }

    /// Whether the book is in memory.
    pub fn in_memory(&self) -> bool {
        matches!(self.bytes, Bytes::Memory(_))
    }

    fn record(&self, number: u64) -> Result<Record> {
        let mut bytes = [0; RECORD];
        self.bytes.read(HEADER as u64 + number * RECORD as u64, &mut bytes)?;
        Ok(Record::read(&bytes))
    }

    /// The move number and the moves of a position; `None` if it is not in the book. Bits that are
    /// not a move are skipped.
    ///
    /// # Errors
    /// The file cannot be read, or a record is invalid.
    pub fn find(&self, wanted: &[u8; 32]) -> Result<Option<(u16, Vec<BookMove>)>> {
        let Some(record) = self.find_record(wanted)? else { return Ok(None) };
        let size = self.header.move_bytes();
        let outside = || Error::from(ErrorKind::UnexpectedEof);
        let at = self.header.index_end().checked_add(record.offset).ok_or_else(outside)?;
        let mut bytes = vec![0; usize::from(record.count) * size];
        self.bytes.read(at, &mut bytes)?;
        let moves = bytes.chunks_exact(size).filter_map(|bytes| read_move(bytes).ok());
        Ok(Some((record.ply, moves.collect())))
    }

    fn find_record(&self, wanted: &[u8; 32]) -> Result<Option<Record>> {
        let after = self.samples.partition_point(|sample| sample <= wanted) as u64;
        let Some(before) = after.checked_sub(1) else { return Ok(None) };
        let mut low = before * self.step;
        let mut high = (low + self.step).min(self.header.records);
        while high - low > BLOCK {
            let middle = low + (high - low) / 2;
            if self.record(middle)?.position <= *wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut block = vec![0; (high - low) as usize * RECORD];
        self.bytes.read(HEADER as u64 + low * RECORD as u64, &mut block)?;
        let (records, _) = block.as_chunks::<RECORD>();
        let found = records.binary_search_by(|record| record[..32].cmp(&wanted[..]));
        Ok(found.ok().map(|at| Record::read(&records[at])))
    }
}
