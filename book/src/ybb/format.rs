//! The header, the records and the moves as bytes, and what may be wrong with them.

use crate::book_move::BookMove;
use monomi_movegen::PackedMove;
use monomi_movegen::UnpackError;
use monomi_movegen::move_codes::{from_psv, to_psv};
use monomi_support::text::{error_message, messages};

/// The first bytes of a file.
pub const MAGIC: [u8; 16] = *b"YANE-BINBOOK-V1\0";
/// Bytes of the header.
pub const HEADER: usize = 32;
/// Bytes of a record of the index.
pub const RECORD: usize = 44;
/// Moves have depths.
const WITH_DEPTH: u64 = 1;

messages! {
    /// What is wrong with a `.ybb`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum YbbFault {
        /// The file does not begin with the magic of the format.
        Magic => "it does not begin with YANE-BINBOOK-V1", "先頭が YANE-BINBOOK-V1 ではありません";
        /// Flags of a later version of the format.
        Flags(flags: u64) => "unknown flags {flags:#x}", "未知のフラグ {flags:#x} があります";
        /// The file is shorter than its header says.
        Truncated {
            /// The length of the file.
            bytes: u64,
            /// The least length that the header permits.
            needed: u64,
        } =>
            "the file is truncated: {bytes} bytes of at least {needed}",
            "ファイルが途中で切れています（{needed} バイト以上のはずが {bytes} バイト）";
        /// A position is less than the one before it: the number of its record, from 1.
        Unsorted(record: u64) =>
            "position {record} is not in order", "{record} 番目の局面の並び順が正しくありません";
        /// A position is the same as the one before it.
        Duplicate(record: u64) =>
            "position {record} is the same as the one before",
            "{record} 番目の局面が直前の局面と重複しています";
        /// The moves of a position begin between two moves, or lie outside of the file.
        MovesOutside(record: u64) =>
            "the moves of position {record} are not in the file",
            "{record} 番目の局面の指し手がファイルの範囲外です";
        /// The moves of a position are also those of another one.
        Overlap(record: u64) =>
            "position {record} has moves that also belong to another position",
            "{record} 番目の局面の指し手が他の局面の指し手と重なっています";
        /// The 32 bytes are not a position.
        Position(record: u64, error: UnpackError) =>
            "position {record}: {error}", "{record} 番目の局面: {error}";
        /// A move's 16 bits are not a move.
        Move(record: u64, bits: u16) =>
            "position {record}: {bits:#06x} is not a move",
            "{record} 番目の局面: {bits:#06x} は指し手ではありません";
        /// A move of a `.sbk`, in its own encoding.
        Sbk(record: u64, word: u32) =>
            "state {record}: {word:#010x} is not a legal move",
            "{record} 番目の局面: {word:#010x} は指せる手ではありません";
        /// A move is illegal.
        Illegal(record: u64, mv: PackedMove) =>
            "position {record}: {mv} is illegal", "{record} 番目の局面: {mv} は反則手です";
    }
}
error_message!(YbbFault);

/// The header of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The number of positions.
    pub records: u64,
    /// Whether moves have depths.
    pub depths: bool,
}

impl Header {
    /// Reads the first bytes of a file.
    ///
    /// # Errors
    /// They are not a header, or the file is too short for its index.
    pub fn read(start: &[u8], bytes: u64) -> Result<Self, YbbFault> {
        let is_prefix = start.iter().zip(MAGIC).all(|(&found, wanted)| found == wanted);
        if start.is_empty() || !is_prefix {
            return Err(YbbFault::Magic);
        }
        let Some(header) = start.first_chunk::<HEADER>() else {
            return Err(YbbFault::Truncated { bytes, needed: HEADER as u64 });
        };
        let (records, flags) = (u64_at(header, 16), u64_at(header, 24));
        if flags & !WITH_DEPTH != 0 {
            return Err(YbbFault::Flags(flags));
        }
        let header = Self { records, depths: flags & WITH_DEPTH != 0 };
        let needed = header.checked_index_end().unwrap_or(u64::MAX);
        if bytes < needed { Err(YbbFault::Truncated { bytes, needed }) } else { Ok(header) }
    }

    /// The bytes of the header.
    pub fn to_bytes(self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..16].copy_from_slice(&MAGIC);
        bytes[16..24].copy_from_slice(&self.records.to_le_bytes());
        bytes[24..].copy_from_slice(&u64::from(self.depths).to_le_bytes());
        bytes
    }

    fn checked_index_end(self) -> Option<u64> {
        self.records.checked_mul(RECORD as u64)?.checked_add(HEADER as u64)
    }

    /// The offset of the first move.
    pub fn index_end(self) -> u64 {
        // `read` refuses a header for which this would overflow.
        self.checked_index_end().unwrap_or(u64::MAX)
    }

    /// Bytes of a move.
    pub fn move_bytes(self) -> usize {
        if self.depths { 6 } else { 4 }
    }
}

/// A record of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The packed position.
    pub position: [u8; 32],
    /// The offset of the first move from the end of the index.
    pub offset: u64,
    /// The move number of the position.
    pub ply: u16,
    /// The number of moves.
    pub count: u16,
}

impl Record {
    /// Reads a record.
    pub fn read(bytes: &[u8; RECORD]) -> Self {
        let mut position = [0; 32];
        position.copy_from_slice(&bytes[..32]);
        let (ply, count) = (u16_at(bytes, 40), u16_at(bytes, 42));
        Self { position, offset: u64_at(bytes, 32), ply, count }
    }

    /// The bytes of the record.
    pub fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..32].copy_from_slice(&self.position);
        bytes[32..40].copy_from_slice(&self.offset.to_le_bytes());
        bytes[40..42].copy_from_slice(&self.ply.to_le_bytes());
        bytes[42..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }
}

/// A move's bits, or the move.
pub fn read_move(bytes: &[u8]) -> Result<BookMove, u16> {
    let bits = u16_at(bytes, 0);
    let mv = from_psv(bits).ok_or(bits)?;
    let eval = i32::from(u16_at(bytes, 2) as i16);
    let depth = if bytes.len() >= 6 { u32::from(u16_at(bytes, 4)) } else { 0 };
    // The format has no counts. YaneuraOu takes each move as played once.
    Ok(BookMove { mv, ponder: None, eval, depth, count: 1 })
}

/// A move with its depth. Evaluations and depths out of range become the nearest value that the
/// format has.
pub fn write_move(found: &BookMove) -> [u8; 6] {
    let eval = found.eval.clamp(-i32::from(i16::MAX), i32::from(i16::MAX)) as i16;
    let depth = found.depth.min(u32::from(u16::MAX)) as u16;
    let [m0, m1] = to_psv(found.mv).to_le_bytes();
    let ([e0, e1], [d0, d1]) = (eval.to_le_bytes(), depth.to_le_bytes());
    [m0, m1, e0, e1, d0, d1]
}

/// Two bytes of a slice that is long enough; 0 beyond its end.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>());
    found.map_or(0, |found| u16::from_le_bytes(*found))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>());
    found.map_or(0, |found| u64::from_le_bytes(*found))
}
