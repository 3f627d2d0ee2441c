//! Large tables made of rows of which a short search writes few: forgetting blanks only those.
//!
//! A thread's histories take some 80 MB. Blanking all of it costs milliseconds, more than a search
//! of a few thousand nodes does, and the memory's bandwidth is what all threads share.

use monomi_memory::Aligned;
use std::ops::Index;

/// Rows of `N` entries that all begin with the same value.
pub struct Rows<const N: usize> {
    rows: Aligned<[i16; N]>,
    /// Whether a row may differ from a blank one.
    written: Vec<bool>,
    blank: i16,
}

impl<const N: usize> Rows<N> {
    /// So many rows of a value.
    pub fn new(len: usize, blank: i16) -> Self {
        let mut rows = Aligned::zeroed(len);
        if blank != 0 {
            rows.fill([blank; N]);
        }
        Self { rows, written: vec![false; len], blank }
    }

    /// All rows as they were in the beginning.
    pub fn clear(&mut self) {
        for (row, written) in self.rows.iter_mut().zip(&mut self.written) {
            if std::mem::take(written) {
                row.fill(self.blank);
            }
        }
    }

    /// A row to write to.
    #[inline(always)]
    pub fn write(&mut self, row: usize) -> &mut [i16; N] {
        self.written[row] = true;
        &mut self.rows[row]
    }
}

impl<const N: usize> Index<usize> for Rows<N> {
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
    fn what_was_written_is_blank_again() {
        let mut rows = Rows::<5>::new(7, -3);
        rows.write(2)[4] = 9;
        rows.write(6).fill(1);
        assert_eq!((rows[2], rows[6], rows[0]), ([-3, -3, -3, -3, 9], [1; 5], [-3; 5]));
        rows.clear();
        assert!((0..7).all(|row| rows[row] == [-3; 5]));
        assert!(rows.written.iter().all(|written| !written));
    }
}
