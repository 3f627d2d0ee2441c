//! The solver's transposition table: values by board and attacker's hand.
//!
//! Linear probing; the home slot increases with the key, and all entries of a board are adjacent.
//! The table starts small, so that easy problems stay in the processor's cache, and grows up to its
//! limit; then the entries with the smallest subtrees are removed. Growing and removing work the same
//! way: the entries to keep are inserted again in a new generation.
//!
//! Threads share the table: see [`slot`](super::slot).

use super::hand::MateHand;
use super::slot::{Entry, Seen, Slot};
use super::slots::Slots;
use super::value::{INFINITE, NO_PLY, Plies, Ply, Value};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The result of a lookup.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    /// The smallest ply at which this position was searched; `None` if the value is final or the
    /// position was not searched (then the numbers come from entries with other hands).
    pub(super) ply: Option<Ply>,
}

pub(super) struct Table {
    slots: Slots<Slot>,
    used: AtomicUsize,
}

/// The initial number of slots: half a mebibyte.
const FIRST_SLOTS: usize = 1 << 14;
/// Slots between two calls of `stop`.
const CHUNK: usize = 1 << 15;

/// The search was stopped; the table is empty now.
#[derive(Debug)]
pub(super) struct Interrupted;

impl Table {
    /// A table of at most `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: Slots::new(bytes, 1 << 12, FIRST_SLOTS), used: AtomicUsize::new(0) }
    }

    /// Clears the table, in constant time except once in 65,535 calls.
    pub(super) fn clear(&mut self) {
        *self.used.get_mut() = 0;
        // Small again, for the processor's cache. The capacity stays allocated.
        self.slots.truncate(FIRST_SLOTS);
        self.slots.next_generation();
    }

    /// The memory allocated, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// The used share of the limit, in permille.
    pub(super) fn permille(&self) -> usize {
        self.used() * 1000 / self.slots.limit()
    }

    #[inline]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.slots.len() { 0 } else { index + 1 }
    }

    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Looks up a position for a mate within `len` plies.
    #[inline]
    pub(super) fn probe(&self, board: u64, hand: MateHand, len: Plies) -> Known {
        let generation = self.slots.generation();
        let mut index = self.slots.home(board);
        let (mut pn, mut dn, mut ply) = (1, 1, None);
        let mut proven: Option<(MateHand, Plies)> = None;
        loop {
            let entry = match self.slots[index].see(board, generation) {
                Seen::Empty(_) => break,
                Seen::Other | Seen::Busy => {
                    index = self.next(index);
                    continue;
                }
                Seen::Entry(entry, _) => entry,
            };
            if entry.pn == 0 {
                let better = proven.is_none_or(|best| entry.len < best.1);
                if entry.len <= len && better && hand.covers(entry.hand) {
                    proven = Some((entry.hand, entry.len));
                }
            } else if entry.dn == 0 {
                if entry.len >= len && entry.hand.covers(hand) && proven.is_none() {
                    let value = Value::refuted(entry.hand, entry.len, NO_PLY);
                    return Known { value, ply: None };
                }
            } else {
                // A larger hand is not harder to prove, a smaller one is not easier.
                if entry.hand.covers(hand) {
                    pn = pn.max(entry.pn);
                }
                if hand.covers(entry.hand) {
                    dn = dn.max(entry.dn);
                }
                if entry.hand == hand {
                    ply = Some(entry.ply);
                }
            }
            index = self.next(index);
        }
        if let Some((hand, len)) = proven {
            return Known { value: Value::proven(hand, len), ply: None };
        }
        Known { value: Value::open(pn, dn), ply }
    }

    /// Stores the value of a position searched at `ply` with `effort` nodes. A refutation must not
    /// depend on the path.
    pub(super) fn store(&self, board: u64, hand: MateHand, value: &Value, ply: Ply, effort: u32) {
        while !self.try_store(board, hand, value, ply, effort) {
            std::hint::spin_loop();
        }
    }

    /// As [`Table::store`]; false if another thread has changed the slot in the meantime.
    fn try_store(&self, board: u64, hand: MateHand, value: &Value, ply: Ply, effort: u32) -> bool {
        let generation = self.slots.generation();
        let valid_for = if value.is_final() { value.hand } else { hand };
        let (pn, dn, len) = (value.pn, value.dn, value.len);
        let mut entry = Entry { hand: valid_for, pn, dn, effort, len, ply };
        let mut index = self.slots.home(board);
        let mut replace = None;
        let end = loop {
            match self.slots[index].see(board, generation) {
                Seen::Empty(state) => break state,
                Seen::Other => {}
                Seen::Busy => return false,
                Seen::Entry(old, state) if value.is_proven() && old.pn == 0 => {
                    if valid_for.covers(old.hand) && old.len <= len {
                        return true;
                    }
                    if old.hand.covers(valid_for) && old.len >= len {
                        replace = Some((index, state));
                    }
                }
                Seen::Entry(old, state) if value.is_refuted() && old.dn == 0 => {
                    if old.hand.covers(valid_for) && old.len >= len {
                        return true;
                    }
                    if valid_for.covers(old.hand) && old.len <= len {
                        replace = Some((index, state));
                    }
                }
                Seen::Entry(old, state) if old.pn != 0 && old.dn != 0 && old.hand == hand => {
                    replace = Some((index, state));
                    entry.effort = effort.saturating_add(old.effort);
                    if !value.is_final() {
                        entry.ply = ply.min(old.ply);
                        break state;
                    }
                }
                Seen::Entry(..) => {}
            }
            index = self.next(index);
        };
        if let Some((at, state)) = replace {
            return self.slots[at].write(state, board, &entry, generation);
        }
        let filled = self.slots[index].write(end, board, &entry, generation);
        if filled {
            self.used.fetch_add(1, Ordering::Relaxed);
        }
        filled
    }

    /// Whether [`Table::make_room`] must be called.
    #[inline]
    pub(super) fn needs_room(&self) -> bool {
        self.used() * 20 > self.slots.len() * 9
    }

    /// Grows, or removes the entries with the smallest subtrees. Calls `stop` regularly.
    ///
    /// # Errors
    /// `stop` returned true; then the table is empty.
    pub(super) fn make_room(&mut self, stop: &dyn Fn() -> bool) -> Result<(), Interrupted> {
        let (old, least) = (self.slots.len(), self.least_effort_kept());
        let mut least_kept = 0;
        if old < self.slots.limit() {
            let new = self.slots.next_len();
            self.slots.reserve_exact(new - old);
            while self.slots.len() < new {
                if stop() {
                    self.clear();
                    return Err(Interrupted);
                }
                let step = (self.slots.len() + CHUNK).min(new);
                self.slots.resize_with(step, Slot::default);
            }
        } else {
            least_kept = least;
        }
        let before = self.slots.generation();
        *self.used.get_mut() = 0;
        self.slots.next_generation();
        if self.slots.generation() < before {
            // The generation counter wrapped around and the entries are lost.
            return Ok(());
        }
        for index in (0..old).rev() {
            if index % CHUNK == 0 && stop() {
                self.clear();
                return Err(Interrupted);
            }
            if let Some((board, entry)) = self.slots[index].take(before)
                && entry.effort >= least_kept
            {
                self.reinsert(board, entry, before, least_kept);
            }
        }
        Ok(())
    }

    /// Inserts an entry of the old generation; a displaced entry is inserted in turn.
    fn reinsert(&mut self, mut board: u64, mut entry: Entry, before: u16, least_kept: u32) {
        let generation = self.slots.generation();
        loop {
            let mut index = self.slots.home(board);
            while self.slots[index].generation() == generation {
                index = self.next(index);
            }
            let displaced = self.slots[index].take(before);
            self.slots[index].put(board, &entry, generation);
            *self.used.get_mut() += 1;
            match displaced {
                Some((old_board, old)) if old.effort >= least_kept => {
                    (board, entry) = (old_board, old)
                }
                _ => return,
            }
        }
    }

    /// An effort that about half of the entries do not reach.
    fn least_effort_kept(&self) -> u32 {
        const SAMPLE: usize = 20_000;
        let step = (self.slots.len() / SAMPLE).max(1);
        let mut efforts: Vec<u32> = self
            .slots
            .iter()
            .step_by(step)
            .filter_map(|slot| slot.effort(self.slots.generation()))
            .collect();
        if efforts.is_empty() {
            return INFINITE;
        }
        let middle = efforts.len() / 2;
        // Keep entries from the median on, unless that would remove none.
        let least = *efforts.iter().min().unwrap_or(&0);
        let median = *efforts.select_nth_unstable(middle).1;
        median.max(least.saturating_add(1))
    }
}
