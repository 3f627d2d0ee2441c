//! Table slots that grow up to a limit and can be cleared in constant time.
//!
//! Each slot stores the generation in which it was filled. Slots of other generations are empty, so
//! starting a new generation clears the table.

use std::ops::{Deref, DerefMut};

/// The slots of a table. The generation of the default slot must be 0.
pub(super) struct Slots<S> {
    slots: Vec<S>,
    limit: usize,
    generation: u16,
}

impl<S: Default> Slots<S> {
    /// Starts with `first` slots. The limit is `bytes`, but at least `least` slots.
    pub(super) fn new(bytes: usize, least: usize, first: usize) -> Self {
        let limit = (bytes / size_of::<S>()).max(least);
        let mut slots = Vec::new();
        slots.resize_with(first.min(limit), S::default);
        Self { slots, limit, generation: 1 }
    }

    /// The current generation: its slots are filled, all others are empty.
    #[inline(always)]
    pub(super) fn generation(&self) -> u16 {
        self.generation
    }

    /// Empties all slots, in constant time except once in 65,535 calls.
    pub(super) fn next_generation(&mut self) {
        if self.generation == u16::MAX {
            self.slots.fill_with(S::default);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<S>()
    }

    /// The maximum number of slots.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// The number of slots after the next growth.
    pub(super) fn next_len(&self) -> usize {
        (self.slots.len() * 4).min(self.limit)
    }

    /// The first slot to probe for a key; it increases with the key.
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
