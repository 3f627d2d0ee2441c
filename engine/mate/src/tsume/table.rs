//! The table of exact lengths and of lower bounds, of fixed size.
//!
//! Threads read and write it at the same time: an entry is two words, and the first one is the key
//! combined with the second one (Hyatt and Mann 2002), so words of different entries do not fit together.

use bytemuck::Zeroable;
use monomi_movegen::PackedMove;
use monomi_support::memory::Aligned;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Plies to mate from a position; [`NEVER`] where there is no mate.
pub type Plies = u16;

/// No mate at all.
pub const NEVER: Plies = Plies::MAX;

/// What is known of the length of the mate from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// It is this long.
    Exact(Plies),
    /// It is at least this long, or there is none; [`NEVER`]: there is none.
    AtLeast(Plies),
}

/// Sixteen bytes, four to a cache line.
#[repr(C)]
struct Slot {
    /// The key exclusive-or the value.
    check: AtomicU64,
    /// A [`Stored`]; 0 is an empty slot.
    value: AtomicU64,
}

// SAFETY: an atomic integer of zero is valid, and there is no padding (two times 8 bytes).
unsafe impl Zeroable for Slot {}

const _: () = assert!(size_of::<Slot>() == 16);

/// The value of a slot.
#[derive(Clone, Copy)]
struct Stored {
    /// The length; a lower bound unless `exact`.
    length: Plies,
    exact: bool,
    /// The move that decides: the shortest mate or the refutation; 0 for none.
    best: u16,
    /// The nodes searched below, as a logarithm, at least 1.
    work: u16,
}

impl Stored {
    fn of(bits: u64) -> Self {
        Self {
            length: bits as u16,
            exact: bits >> 16 & 1 != 0,
            best: (bits >> 32) as u16,
            work: (bits >> 48) as u16,
        }
    }

    fn bits(self) -> u64 {
        u64::from(self.length)
            | u64::from(self.exact) << 16
            | u64::from(self.best) << 32
            | u64::from(self.work) << 48
    }
}

impl Slot {
    /// The key and what is stored, if it is in use and not being written.
    fn read(&self) -> Option<(u64, Stored)> {
        let value = self.value.load(Relaxed);
        (value != 0).then(|| (self.check.load(Relaxed) ^ value, Stored::of(value)))
    }

    fn write(&self, key: u64, stored: Stored) {
        let value = stored.bits();
        self.check.store(key ^ value, Relaxed);
        self.value.store(value, Relaxed);
    }
}

/// Slots of a bucket.
const WAYS: usize = 4;

/// An entry found.
#[derive(Clone, Copy)]
pub struct Known {
    pub length: Length,
    pub best: Option<PackedMove>,
}

/// A hash table that grows up to a limit and then replaces entries. What it loses costs time, never
/// correctness.
pub struct Table {
    slots: Aligned<Slot>,
    /// Slots in use since the last growth, about.
    used: AtomicUsize,
    max_bytes: usize,
}

/// Slots of an empty table.
const FIRST_SLOTS: usize = 1 << 12;

impl Table {
    /// A table that never takes more than `bytes` (at least 64 KiB), the copy while it grows included.
    pub fn new(bytes: usize) -> Self {
        Self { slots: Aligned::zeroed(FIRST_SLOTS), used: AtomicUsize::new(0), max_bytes: bytes }
    }

    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// The used share of the memory, in permille.
    pub fn permille(&self) -> usize {
        self.used.load(Relaxed) * size_of::<Slot>() * 1_000 / self.max_bytes.max(1)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.slots.len() > FIRST_SLOTS {
            self.slots = Aligned::zeroed(FIRST_SLOTS);
        } else {
            self.slots.fill_with(Slot::zeroed);
        }
        *self.used.get_mut() = 0;
    }

    fn can_grow(&self) -> bool {
        self.slots.len() * 3 * size_of::<Slot>() <= self.max_bytes
    }

    /// Whether [`Table::grow`] is due.
    pub fn is_half_full(&self) -> bool {
        self.used.load(Relaxed) >= self.slots.len() / 2 && self.can_grow()
    }

    /// Doubles the table, if its limit allows that.
    pub fn grow(&mut self) {
        if !self.can_grow() {
            return;
        }
        let Some(larger) = Aligned::try_zeroed(self.slots.len() * 2) else {
            // No more memory: stay as it is.
            self.max_bytes = self.bytes();
            return;
        };
        let old = std::mem::replace(&mut self.slots, larger);
        let mut used = 0;
        for (key, stored) in old.iter().filter_map(Slot::read) {
            if let Some(free) = self.bucket(key).iter().find(|free| free.read().is_none()) {
                free.write(key, stored);
                used += 1;
            }
        }
        *self.used.get_mut() = used;
    }

    fn bucket(&self, key: u64) -> &[Slot] {
        let buckets = self.slots.len() / WAYS;
        let first = (key as usize & (buckets - 1)) * WAYS;
        &self.slots[first..first + WAYS]
    }

    pub fn probe(&self, key: u64) -> Option<Known> {
        let mut found = self.bucket(key).iter().filter_map(Slot::read);
        let (_, stored) = found.find(|&(other, _)| other == key)?;
        let length = match stored.exact {
            false => Length::AtLeast(stored.length),
            true => Length::Exact(stored.length),
        };
        Some(Known { length, best: PackedMove::from_bits(stored.best) })
    }

    /// Stores what is known, instead of what was known of the same position or of the position with
    /// the least work below.
    pub fn store(&self, key: u64, known: Known, nodes: u64) {
        let (length, exact) = match known.length {
            Length::Exact(length) => (length, true),
            Length::AtLeast(length) => (length, false),
        };
        let best = known.best.map_or(0, PackedMove::bits);
        let bucket = self.bucket(key);
        let mut work = nodes.max(1).ilog2() as u16 + 1;
        let (mut way, mut least, mut same) = (0, u16::MAX, false);
        for (index, slot) in bucket.iter().enumerate() {
            match slot.read() {
                Some((other, stored)) if other == key => {
                    work = work.max(stored.work);
                    (way, same) = (index, true);
                    break;
                }
                seen => {
                    let work = seen.map_or(0, |(_, stored)| stored.work);
                    if work < least {
                        (way, least) = (index, work);
                    }
                }
            }
        }
        if !same {
            // Old entries of much work must not stay for ever.
            for slot in bucket {
                if let Some((other, stored)) = slot.read().filter(|(_, stored)| stored.work > work)
                {
                    slot.write(other, Stored { work: stored.work - 1, ..stored });
                }
            }
            if least == 0 {
                self.used.fetch_add(1, Relaxed);
            }
        }
        bucket[way].write(key, Stored { length, exact, best, work });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(length: Length) -> Known {
        Known { length, best: None }
    }

    #[test]
    fn a_table_grows_and_keeps_its_entries() {
        let mut table = Table::new(1 << 20);
        let key = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for n in 1..=10_000 {
            table.store(key(n), known(Length::Exact(n as Plies)), 1);
            if table.is_half_full() {
                table.grow();
            }
        }
        let kept = |n: &u64| {
            let found = table.probe(key(*n)).map(|known| known.length);
            assert!(found.is_none_or(|length| length == Length::Exact(*n as Plies)));
            found.is_some()
        };
        // A full bucket loses some.
        let kept = (1..=10_000).filter(kept).count();
        assert!(kept > 9_000, "{kept}");
        assert!(table.bytes() > FIRST_SLOTS * size_of::<Slot>() && table.bytes() <= 1 << 20);
        table.clear();
        assert!(table.probe(key(1)).is_none());
    }

    #[test]
    fn a_table_at_its_limit_replaces_entries() {
        let table = Table::new(1 << 16);
        for n in 1..=100_000 {
            table.store(n * 64, known(Length::AtLeast(NEVER)), n);
            assert!(!table.is_half_full());
            assert_eq!(table.probe(n * 64).map(|known| known.length), Some(Length::AtLeast(NEVER)));
        }
        assert_eq!(table.bytes(), 1 << 16);
        assert!(table.probe(64).is_none());
    }
}
