//! The table of exact lengths and of lower bounds, of fixed size.

use bytemuck::Zeroable;
use monomi_memory::Aligned;
use monomi_movegen::PackedMove;

/// Plies to mate from a position; [`NEVER`] where there is no mate.
pub(crate) type Plies = u16;

/// No mate at all.
pub(crate) const NEVER: Plies = Plies::MAX;

/// What is known of the length of the mate from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// It is this long.
    Exact(Plies),
    /// It is at least this long, or there is none; [`NEVER`]: there is none.
    AtLeast(Plies),
}

/// Sixteen bytes, four to a cache line. A key of zero is an empty slot.
#[derive(Clone, Copy)]
#[repr(C)]
struct Slot {
    key: u64,
    /// The length; a lower bound without [`EXACT`].
    length: Plies,
    flags: u16,
    /// The move that decides: the shortest mate or the refutation; 0 for none.
    best: u16,
    /// The nodes searched below, as a logarithm.
    work: u16,
}

const EXACT: u16 = 1;

// SAFETY: all fields are integers, and there is no padding (8 + 4 * 2 bytes).
unsafe impl Zeroable for Slot {}

const _: () = assert!(size_of::<Slot>() == 16);

/// Slots of a bucket.
const WAYS: usize = 4;

/// An entry found.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) length: Length,
    pub(crate) best: Option<PackedMove>,
}

/// A hash table that grows up to a limit and then replaces entries. What it loses costs time, never
/// correctness.
pub(crate) struct Table {
    slots: Aligned<Slot>,
    /// Slots in use since the last growth, about.
    used: usize,
    max_bytes: usize,
}

/// Slots of an empty table.
const FIRST_SLOTS: usize = 1 << 12;

impl Table {
    /// A table that never takes more than `bytes` (at least 64 KiB), the copy while it grows included.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { slots: Aligned::zeroed(FIRST_SLOTS), used: 0, max_bytes: bytes }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.len() * size_of::<Slot>()
    }

    /// The used share of the memory, in permille.
    pub(crate) fn permille(&self) -> usize {
        self.used * size_of::<Slot>() * 1_000 / self.max_bytes.max(1)
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        if self.slots.len() > FIRST_SLOTS {
            self.slots = Aligned::zeroed(FIRST_SLOTS);
        } else {
            self.slots.fill(Slot::zeroed());
        }
        self.used = 0;
    }

    fn grow(&mut self) {
        let len = self.slots.len() * 2;
        if (len + self.slots.len()) * size_of::<Slot>() > self.max_bytes {
            return;
        }
        let Some(larger) = Aligned::try_zeroed(len) else { return };
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for slot in old.iter().filter(|slot| slot.key != 0) {
            let bucket = self.bucket(slot.key);
            if let Some(free) = bucket.iter_mut().find(|free| free.key == 0) {
                *free = *slot;
                self.used += 1;
            }
        }
    }

    fn bucket(&mut self, key: u64) -> &mut [Slot] {
        let buckets = self.slots.len() / WAYS;
        let first = (key as usize & (buckets - 1)) * WAYS;
        &mut self.slots[first..first + WAYS]
    }

    pub(crate) fn probe(&mut self, key: u64) -> Option<Known> {
        let slot = self.bucket(key).iter().find(|slot| slot.key == key)?;
        let length = match slot.flags & EXACT {
            0 => Length::AtLeast(slot.length),
            _ => Length::Exact(slot.length),
        };
        Some(Known { length, best: PackedMove::from_bits(slot.best) })
    }

    /// Stores what is known, instead of what was known of the same position or of the position with
    /// the least work below.
    pub(crate) fn store(&mut self, key: u64, known: Known, nodes: u64) {
        let (length, flags) = match known.length {
            Length::Exact(length) => (length, EXACT),
            Length::AtLeast(length) => (length, 0),
        };
        let best = known.best.map_or(0, PackedMove::bits);
        if self.used >= self.slots.len() / 2 {
            self.grow();
        }
        let bucket = self.bucket(key);
        let same = bucket.iter().position(|slot| slot.key == key);
        let least = || (0..WAYS).min_by_key(|&way| bucket[way].work).unwrap_or(0);
        let way = same.unwrap_or_else(least);
        let before = if same.is_some() { bucket[way].work } else { 0 };
        let work = before.max(nodes.max(1).ilog2() as u16 + 1);
        // Old entries of much work must not stay for ever.
        for slot in bucket.iter_mut() {
            slot.work = slot.work.saturating_sub(u16::from(same.is_none() && slot.work > work));
        }
        let new = bucket[way].key == 0;
        bucket[way] = Slot { key, length, flags, best, work };
        self.used += usize::from(new);
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
        let mut table = Table::new(1 << 16);
        for n in 1..=100_000 {
            table.store(n * 64, known(Length::AtLeast(NEVER)), n);
            assert_eq!(table.probe(n * 64).map(|known| known.length), Some(Length::AtLeast(NEVER)));
        }
        assert_eq!(table.bytes(), 1 << 16);
        assert!(table.probe(64).is_none());
    }
}
