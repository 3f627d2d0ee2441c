//! The solver's transposition table: values by board and attacker's hand.
//!
//! Linear probing; the home slot increases with the key, and all entries of a board are adjacent.
//! The table starts small, so that easy problems stay in the processor's cache, and grows up to its
//! limit; then the entries with the smallest subtrees are removed. Growing and removing work the same
//! way: the entries to keep are inserted again in a new generation.

use super::hand::MateHand;
use super::slots::Slots;
use super::value::{INFINITE, NO_PLY, Plies, Ply, Value};

#[derive(Clone, Copy, Default)]
struct Slot {
    board: u64,
    hand: u32,
    pn: u32,
    dn: u32,
    /// The number of nodes searched below, saturating.
    effort: u32,
    len: Plies,
    /// The smallest ply at which the position was searched.
    ply: Ply,
    /// The slot is empty unless this is the table's generation.
    generation: u32,
}

const _: () = assert!(size_of::<Slot>() == 32);

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
    used: usize,
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
        Self { slots: Slots::new(bytes, 1 << 12, FIRST_SLOTS), used: 0 }
    }

    /// Clears the table, in constant time except once in four billion calls.
    pub(super) fn clear(&mut self) {
        self.used = 0;
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
        self.used * 1000 / self.slots.limit()
    }

    #[inline]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.slots.len() { 0 } else { index + 1 }
    }

    /// Looks up a position for a mate within `len` plies.
    #[inline]
    pub(super) fn probe(&self, board: u64, hand: MateHand, len: Plies) -> Known {
        let mut index = self.slots.home(board);
        let (mut pn, mut dn, mut ply) = (1, 1, None);
        let mut proven: Option<&Slot> = None;
        loop {
            let slot = &self.slots[index];
            if slot.generation != self.slots.generation() {
                break;
            }
            if slot.board == board {
                let other = MateHand::from_bits(slot.hand);
                if slot.pn == 0 {
                    let better = proven.is_none_or(|best| slot.len < best.len);
                    if slot.len <= len && better && hand.covers(other) {
                        proven = Some(slot);
                    }
                } else if slot.dn == 0 {
                    if slot.len >= len && other.covers(hand) && proven.is_none() {
                        let value = Value::refuted(other, slot.len, NO_PLY);
                        return Known { value, ply: None };
                    }
                } else {
                    // A larger hand is not harder to prove, a smaller one is not easier.
                    if other.covers(hand) {
                        pn = pn.max(slot.pn);
                    }
                    if hand.covers(other) {
                        dn = dn.max(slot.dn);
                    }
                    if other == hand {
                        ply = Some(slot.ply);
                    }
                }
            }
            index = self.next(index);
        }
        if let Some(slot) = proven {
            let value = Value::proven(MateHand::from_bits(slot.hand), slot.len);
            return Known { value, ply: None };
        }
        Known { value: Value::open(pn, dn), ply }
    }

    /// Stores the value of a position searched at `ply` with `effort` nodes. A refutation must not
    /// depend on the path.
    pub(super) fn store(
        &mut self,
        board: u64,
        hand: MateHand,
        value: &Value,
        ply: Ply,
        effort: u32,
    ) {
        let valid_for = if value.is_final() { value.hand } else { hand };
        let mut entry = Slot {
            board,
            hand: valid_for.bits(),
            pn: value.pn,
            dn: value.dn,
            effort,
            len: value.len,
            ply,
            generation: self.slots.generation(),
        };
        let mut index = self.slots.home(board);
        let mut replace = None;
        loop {
            let slot = self.slots[index];
            if slot.generation != self.slots.generation() {
                break;
            }
            if slot.board == board {
                let other = MateHand::from_bits(slot.hand);
                if value.is_proven() && slot.pn == 0 {
                    if valid_for.covers(other) && slot.len <= value.len {
                        return;
                    }
                    if other.covers(valid_for) && slot.len >= value.len {
                        replace = Some(index);
                    }
                } else if value.is_refuted() && slot.dn == 0 {
                    if other.covers(valid_for) && slot.len >= value.len {
                        return;
                    }
                    if valid_for.covers(other) && slot.len <= value.len {
                        replace = Some(index);
                    }
                } else if slot.pn != 0 && slot.dn != 0 && other == hand {
                    replace = Some(index);
                    entry.effort = effort.saturating_add(slot.effort);
                    if !value.is_final() {
                        entry.ply = ply.min(slot.ply);
                        break;
                    }
                }
            }
            index = self.next(index);
        }
        if let Some(at) = replace {
            self.slots[at] = entry;
        } else {
            self.slots[index] = entry;
            self.used += 1;
        }
    }

    /// Whether [`Table::make_room`] must be called.
    #[inline]
    pub(super) fn needs_room(&self) -> bool {
        self.used * 20 > self.slots.len() * 9
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
                self.slots.resize(step, Slot::default());
            }
        } else {
            least_kept = least;
        }
        let before = self.slots.generation();
        self.used = 0;
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
            let slot = self.slots[index];
            if slot.generation == before {
                self.slots[index].generation = 0;
                if slot.effort >= least_kept {
                    self.reinsert(slot, before, least_kept);
                }
            }
        }
        Ok(())
    }

    /// Inserts an entry of the old generation; a displaced entry is inserted in turn.
    fn reinsert(&mut self, mut entry: Slot, old_generation: u32, least_kept: u32) {
        loop {
            entry.generation = self.slots.generation();
            let mut index = self.slots.home(entry.board);
            while self.slots[index].generation == self.slots.generation() {
                index = self.next(index);
            }
            let displaced = std::mem::replace(&mut self.slots[index], entry);
            self.used += 1;
            if displaced.generation != old_generation || displaced.effort < least_kept {
                return;
            }
            entry = displaced;
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
            .filter(|slot| slot.generation == self.slots.generation())
            .map(|slot| slot.effort)
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
