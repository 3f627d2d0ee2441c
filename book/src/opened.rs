//! Remarks about a book that was opened.

use crate::fault::Fault;

/// The number of invalid lines that are reported in full; others are only counted.
pub const NAMED_FAULTS: usize = 10;

/// Remarks about a book that was opened.
#[derive(Debug, Default)]
pub struct Opened {
    /// The first invalid lines; they were skipped.
    pub faults: Vec<Fault>,
    /// The number of invalid lines.
    pub fault_count: usize,
    /// The file is not sorted, so it was read into memory instead of being searched on disk.
    pub unsorted: bool,
}
