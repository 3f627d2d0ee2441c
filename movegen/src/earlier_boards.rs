//! Which boards have occurred in a line, approximately.

use std::fmt;

/// How many earlier positions of a line have each value of the board key's lowest bits. A zero says
/// that none has the same board and side to move, so the history need not be scanned. (It is a Bloom
/// filter with one hash function whose counters allow removal.)
#[derive(Clone)]
pub struct EarlierBoards([u16; EarlierBoards::SIZE]);

impl EarlierBoards {
    /// With 100 earlier positions one counter in ten is not 0.
    const SIZE: usize = 1024;

    pub const fn new() -> Self {
        Self([0; Self::SIZE])
    }

    #[inline(always)]
    const fn index(board_key: u64) -> usize {
        board_key as usize % Self::SIZE
    }

    /// A position becomes an earlier one.
    #[inline(always)]
    pub fn add(&mut self, board_key: u64) {
        // With 65,536 equal indices in one line the counter would be 0 again. The worst that follows
        // is that a repetition is overlooked.
        let counter = &mut self.0[Self::index(board_key)];
        *counter = counter.wrapping_add(1);
    }

    /// The last position added is the current one again.
    #[inline(always)]
    pub fn remove(&mut self, board_key: u64) {
        let counter = &mut self.0[Self::index(board_key)];
        *counter = counter.wrapping_sub(1);
    }

    /// How many earlier positions have this board key, at most.
    #[inline(always)]
    pub fn count(&self, board_key: u64) -> u16 {
        self.0[Self::index(board_key)]
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; Self::SIZE]
    }
}

impl fmt::Debug for EarlierBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: u64 = self.0.iter().copied().map(u64::from).sum();
        f.debug_tuple("EarlierBoards").field(&positions).finish()
    }
}
