//! The solver's table: what is known of boards, by the attacker's hand.
//!
//! Linear probing from a home that grows with the key, all entries of a board in one run. The
//! table starts small, so that easy problems stay in the processor's cache, and grows up to its
//! limit; then the entries with the smallest subtrees make room. Growing and clearing out are the
//! same walk: entries of the old era are seated anew, those left out are empty for the new one.

use super::hand::MateHand;
use super::slots::Slots;
use super::value::{INFINITE, NO_PLY, Plies, Ply, Value};

#[derive(Clone, Copy, Default)]
struct Slot {
    board: u64,
    hand: u32,
    pn: u32,
    dn: u32,
    /// Nodes searched below, saturating.
    effort: u32,
    len: Plies,
    /// The least ply at which the position was met.
    ply: Ply,
    /// The slot is empty unless this is the table's.
    era: u32,
}

const _: () = assert!(size_of::<Slot>() == 32);

/// What the table knows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) value: Value,
    /// The least ply at which this very position was met; `None` when it is final, or was never
    /// searched (then the numbers are what entries with other hands say).
    pub(super) ply: Option<Ply>,
}

pub(super) struct Table {
    slots: Slots<Slot>,
    used: usize,
}

/// The table's first size in slots: half a mebibyte.
const FIRST_SLOTS: usize = 1 << 14;
/// Slots between two questions whether to stop.
const CHUNK: usize = 1 << 15;

/// The outside wants the search to end; the table has been emptied.
#[derive(Debug)]
pub(super) struct Interrupted;

impl Table {
    /// A table of at most so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { slots: Slots::new(bytes, 1 << 12, FIRST_SLOTS), used: 0 }
    }

    /// Forgets everything. Costs nothing but once in four billion times.
    pub(super) fn clear(&mut self) {
        self.used = 0;
        // Small again, for the processor's cache; the memory stays at hand.
        self.slots.truncate(FIRST_SLOTS);
        self.slots.next_era();
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.slots.bytes()
    }

    /// Share of the limit that is filled, in permille.
    pub(super) fn permille(&self) -> usize {
        self.used * 1000 / self.slots.limit()
    }

    #[inline]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.slots.len() { 0 } else { index + 1 }
    }

    /// What is known of a position, for a mate within `len` plies.
    #[inline]
    pub(super) fn probe(&self, board: u64, hand: MateHand, len: Plies) -> Known {
        let mut index = self.slots.home(board);
        let (mut pn, mut dn, mut ply) = (1, 1, None);
        let mut proven: Option<&Slot> = None;
        loop {
            let slot = &self.slots[index];
            if slot.era != self.slots.era() {
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
                    // More in hand cannot be harder to prove, nor less easier.
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

    /// Remembers what was found out about a position: at `ply`, with `effort` nodes. A refutation
    /// must rest on nothing.
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
            era: self.slots.era(),
        };
        let mut index = self.slots.home(board);
        let mut replace = None;
        loop {
            let slot = self.slots[index];
            if slot.era != self.slots.era() {
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

    /// Whether [`Table::make_room`] is due.
    #[inline]
    pub(super) fn is_crowded(&self) -> bool {
        self.used * 20 > self.slots.len() * 9
    }

    /// Grows, or drops the entries with the smallest subtrees. `stop` is asked every now and then.
    ///
    /// # Errors
    /// `stop` said yes; then the table is empty.
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
        let before = self.slots.era();
        self.used = 0;
        self.slots.next_era();
        if self.slots.era() < before {
            // All eras were used up, and with them went the entries.
            return Ok(());
        }
        for index in (0..old).rev() {
            if index % CHUNK == 0 && stop() {
                self.clear();
                return Err(Interrupted);
            }
            let slot = self.slots[index];
            if slot.era == before {
                self.slots[index].era = 0;
                if slot.effort >= least_kept {
                    self.seat(slot, before, least_kept);
                }
            }
        }
        Ok(())
    }

    /// Seats an entry of the old era; whom it displaces is seated in turn.
    fn seat(&mut self, mut entry: Slot, old_era: u32, least_kept: u32) {
        loop {
            entry.era = self.slots.era();
            let mut index = self.slots.home(entry.board);
            while self.slots[index].era == self.slots.era() {
                index = self.next(index);
            }
            let displaced = std::mem::replace(&mut self.slots[index], entry);
            self.used += 1;
            if displaced.era != old_era || displaced.effort < least_kept {
                return;
            }
            entry = displaced;
        }
    }

    /// An effort below which about half of the entries lie.
    fn least_effort_kept(&self) -> u32 {
        const SAMPLE: usize = 20_000;
        let step = (self.slots.len() / SAMPLE).max(1);
        let mut efforts: Vec<u32> = self
            .slots
            .iter()
            .step_by(step)
            .filter(|slot| slot.era == self.slots.era())
            .map(|slot| slot.effort)
            .collect();
        if efforts.is_empty() {
            return INFINITE;
        }
        let middle = efforts.len() / 2;
        // All from the median on stay, unless that would free nothing.
        let least = *efforts.iter().min().unwrap_or(&0);
        let median = *efforts.select_nth_unstable(middle).1;
        median.max(least.saturating_add(1))
    }
}
