//! YaneuraOu's binary books, `.ybb` (`YANE-BINBOOK-V1`).
//!
//! A header of 32 bytes, an index with a record of 44 bytes for each position, sorted by the packed
//! position, and the moves of 4 or 6 bytes. All numbers are little-endian:
//!
//! | part | fields |
//! |---|---|
//! | header | magic (16 bytes), number of positions (u64), flags (u64; bit 0: moves have depths) |
//! | record | packed position (32 bytes), offset of the moves (u64, from the first move), move number of the position (u16), number of moves (u16) |
//! | move | move (u16, as in PSV), evaluation (i16), depth (u16, with flag 0 only) |

mod book;
mod entries;
pub mod format;
#[cfg(test)]
mod tests;
mod writer;

pub use book::YbbBook;
pub use entries::{YbbEntries, overlaps};
pub use format::YbbFault;
pub use writer::YbbWriter;
