//! Slots that grow up to a limit and are emptied all at once.
//!
//! A slot bears the era in which it was filled: those of other eras are empty, so that to begin a
//! new era is to forget everything.

use std::ops::{Deref, DerefMut};

/// The slots of a table of the solver. The blank slot's era must be 0.
pub(super) struct Slots<S> {
    slots: Vec<S>,
    limit: usize,
    era: u32,
}

impl<S: Clone + Default> Slots<S> {
    /// `first` slots to begin with, at most so many bytes of them, but at least `least`.
    pub(super) fn new(bytes: usize, least: usize, first: usize) -> Self {
        let limit = (bytes / size_of::<S>()).max(least);
        Self { slots: vec![S::default(); first.min(limit)], limit, era: 1 }
    }

    /// Slots of this era are filled, all others are empty.
    #[inline(always)]
    pub(super) fn era(&self) -> u32 {
        self.era
    }

    /// Empties all slots. Costs nothing but once in four billion times.
    pub(super) fn next_era(&mut self) {
        if self.era == u32::MAX {
            self.slots.fill(S::default());
            self.era = 0;
        }
        self.era += 1;
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<S>()
    }

    /// How many slots there may be.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// How many there are after the next growth.
    pub(super) fn next_len(&self) -> usize {
        (self.slots.len() * 4).min(self.limit)
    }

    /// The slot at which to look for a key first; it grows with the key.
    #[inline(always)]
    pub(super) fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }
}

impl<S> Deref for Slots<S> {
    type Target = Vec<S>;

    #[inline(always)]
    fn deref(&self) -> &Vec<S> {
        &self.slots
    }
}

impl<S> DerefMut for Slots<S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<S> {
        &mut self.slots
    }
}
