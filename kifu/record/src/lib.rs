//! Game records: KIF, KI2, CSA, JKF and USI lines, in any Japanese or Unicode encoding.
//!
//! Real files often violate their format. The readers go line by line, keep the valid part and
//! report where it ends: a [`Record`] with [`Record::faults`] is a valid game up to the fault.
//!
//! ```
//! let text = "先手：甲\n手数----指手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
//! let file = monomi_record::read(text.as_bytes()).expect("a KIF record");
//! let record = &file.records[0];
//! assert_eq!(record.moves.len(), 2);
//! assert_eq!(record.header("先手"), Some("甲"));
//! assert!(record.faults.is_empty());
//! // And as CSA.
//! let csa = monomi_record::write::csa(record, monomi_record::Encoding::Utf8);
//! assert!(csa.contains("N+甲\n") && csa.contains("+7776FU\n-3334FU\n%TORYO\n"));
//! ```

#![warn(missing_debug_implementations)]

mod board;
mod build;
mod csa;
mod detect;
mod diagram;
mod encoding;
mod ending;
mod fault;
mod format;
mod jkf;
mod kakinoki;
mod kakinoki_words;
pub mod notation;
mod read;
mod record;
mod resolve;
#[cfg(feature = "serde")]
mod serialize;
mod source;
mod usi;
pub mod write;

#[cfg(test)]
mod tests;

pub use board::{HANDICAPS, bod, handicap_name};
pub use csa::{
    HEADERS as CSA_HEADERS, board as csa_board, parse as parse_csa_move, read as read_csa,
};
pub use diagram::Diagram;
pub use encoding::{Encoding, decode, list_in_utf8, shift_jis};
pub use ending::{Defeat, Ending};
pub use fault::{Fault, MAX_MOVES, ReadError, Reason};
pub use format::Format;
pub use read::{File, read, read_text};
pub use record::{Branch, Played, Record};
pub use source::SourceText;
pub use usi::{read_line as read_usi_line, read_position as read_usi_position};

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
