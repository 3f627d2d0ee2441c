//! Large tables of which a short search writes only a few rows: clearing resets only those.
//!
//! The histories of a thread take about 80 MB. Clearing all of it would take longer than a search of
//! a few thousand nodes and use memory bandwidth that all threads share.

use monomi_memory::Aligned;
use std::ops::Index;

/// Rows of `N` entries that all start with the same value.
pub struct ResettableTable<const N: usize> {
    rows: Aligned<[i16; N]>,
    /// Whether a row may have changed since it was reset.
    written: Vec<bool>,
    initial: i16,
}

impl<const N: usize> ResettableTable<N> {
    /// A table of `len` rows with all entries at `initial`.
    pub fn new(len: usize, initial: i16) -> Self {
        let mut rows = Aligned::zeroed(len);
        if initial != 0 {
            rows.fill([initial; N]);
        }
        Self { rows, written: vec![false; len], initial }
    }

    /// Resets all rows to the initial value.
    pub fn clear(&mut self) {
        for (row, written) in self.rows.iter_mut().zip(&mut self.written) {
            if std::mem::take(written) {
                row.fill(self.initial);
            }
        }
    }

    /// A row for writing.
    #[inline(always)]
    pub fn row_mut(&mut self, row: usize) -> &mut [i16; N] {
        self.written[row] = true;
        &mut self.rows[row]
    }
}

impl<const N: usize> Index<usize> for ResettableTable<N> {
    type Output = [i16; N];

    #[inline(always)]
    fn index(&self, row: usize) -> &[i16; N] {
        &self.rows[row]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_resets_every_written_row() {
        let mut table = ResettableTable::<5>::new(7, -3);
        table.row_mut(2)[4] = 9;
        table.row_mut(6).fill(1);
        assert_eq!((table[2], table[6], table[0]), ([-3, -3, -3, -3, 9], [1; 5], [-3; 5]));
        table.clear();
        assert!((0..7).all(|row| table[row] == [-3; 5]));
        assert!(table.written.iter().all(|written| !written));
    }
}
