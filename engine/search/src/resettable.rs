//! Large tables of which a short search writes only a few rows: clearing resets only those.
//!
//! The large histories take about 53 MB. Clearing all of it would take longer than a search of
//! a few thousand nodes and use memory bandwidth that all threads share.

use bytemuck::Zeroable;
use monomi_support::memory::{Aligned, prefetch};
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

/// An entry that several threads may read and write at once, without any order between them.
#[derive(Debug, Default)]
#[repr(transparent)]
pub struct Cell(AtomicI16);

// SAFETY: it is an integer, for which all bits zero is a valid value.
unsafe impl Zeroable for Cell {}

impl Cell {
    /// Reads the entry.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        i32::from(self.0.load(Relaxed))
    }

    /// Writes the value.
    #[inline(always)]
    pub fn set(&self, value: i16) {
        self.0.store(value, Relaxed);
    }

    /// Writes the value of an entry that no other thread uses.
    #[inline(always)]
    pub fn reset(&mut self, value: i16) {
        *self.0.get_mut() = value;
    }
}

/// Rows of `N` entries that all start at `INITIAL`. They are stored relative to it: an untouched
/// table consists of zero pages, which the system provides when they are first written to.
pub struct ResettableTable<const N: usize, const INITIAL: i16> {
    rows: Aligned<[Cell; N]>,
    /// Whether a row may have changed since it was reset.
    written: Vec<AtomicBool>,
}

/// A row of a [`ResettableTable`].
#[derive(Clone, Copy)]
pub struct Row<'a, const N: usize, const INITIAL: i16>(&'a [Cell; N]);

impl<const N: usize, const INITIAL: i16> Row<'_, N, INITIAL> {
    /// An entry's value.
    #[inline(always)]
    pub fn get(self, index: usize) -> i32 {
        self.0[index].get() + i32::from(INITIAL)
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub fn prefetch(self, index: usize) {
        prefetch(&self.0[index]);
    }

    /// Writes an entry's value. Its distance from `INITIAL` must be within the range of an `i16`.
    #[inline(always)]
    pub fn set(self, index: usize, value: i32) {
        self.0[index].set((value - i32::from(INITIAL)) as i16);
    }
}

impl<const N: usize, const INITIAL: i16> ResettableTable<N, INITIAL> {
    /// A table of `len` rows; `None` if there is not enough memory.
    pub fn try_new(len: usize) -> Option<Self> {
        let rows = Aligned::try_zeroed(len)?;
        let written = (0..len).map(|_| AtomicBool::new(false)).collect();
        Some(Self { rows, written })
    }

    /// Resets all rows to the initial value.
    pub fn clear(&mut self) {
        for (row, written) in self.rows.iter_mut().zip(&mut self.written) {
            if std::mem::take(written.get_mut()) {
                row.iter_mut().for_each(|entry| entry.reset(0));
            }
        }
    }

    /// Writes to every page, so that the system provides all the memory now and not during a search.
    pub fn touch(&mut self) {
        const PER_PAGE: usize = 4096 / size_of::<Cell>();
        for entry in self.rows.iter_mut().flat_map(|row| row.iter_mut().step_by(PER_PAGE)) {
            // Without the barrier the compiler could leave out writing what is there already.
            *entry = std::hint::black_box(Cell(AtomicI16::new(entry.0.load(Relaxed))));
        }
    }

    /// A row for writing.
    #[inline(always)]
    pub fn row_to_write(&self, row: usize) -> Row<'_, N, INITIAL> {
        // Mostly it is set already; writing it again would disturb the other threads' caches.
        let written = &self.written[row];
        if !written.load(Relaxed) {
            written.store(true, Relaxed);
        }
        Row(&self.rows[row])
    }

    /// A row for reading.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Row<'_, N, INITIAL> {
        Row(&self.rows[row])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_changes_nothing() {
        let mut table: ResettableTable<3000, 7> = ResettableTable::try_new(3).unwrap();
        table.row_to_write(1).set(0, 5);
        table.row_to_write(2).set(2048, -9);
        table.touch();
        let value = |row: usize, index| table.row_to_write(row).get(index);
        assert_eq!([value(0, 0), value(1, 0), value(2, 0), value(2, 2048)], [7, 5, 7, -9]);
    }

    #[test]
    fn clearing_resets_every_written_row() {
        let mut table = ResettableTable::<5, -3>::try_new(7).unwrap();
        table.row_to_write(2).set(4, 9);
        (0..5).for_each(|index| table.row_to_write(6).set(index, 1));
        let row = |table: &ResettableTable<5, -3>, row: usize| {
            [0, 1, 2, 3, 4].map(|index| table.row(row).get(index))
        };
        assert_eq!(row(&table, 2), [-3, -3, -3, -3, 9]);
        assert_eq!((row(&table, 6), row(&table, 0)), ([1; 5], [-3; 5]));
        table.clear();
        assert!((0..7).all(|at| row(&table, at) == [-3; 5]));
        assert!(table.written.iter().all(|written| !written.load(Relaxed)));
    }
}
