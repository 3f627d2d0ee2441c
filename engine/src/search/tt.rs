//! The transposition table: clusters of a cache line, written without locks.
//!
//! Every field is a relaxed atomic, so threads may read and write the same entry at once without a
//! data race; what they may see is a key that belongs to another write's data. Therefore moves are
//! checked for legality before use, and 32 bits of the key are kept: with five entries a cluster
//! a wrong hit is a matter of one probe in hundreds of millions.

use crate::search::score::{MATE_IN_MAX_PLY, Value};
use bytemuck::Zeroable;
use monomi_memory::{Aligned, prefetch};
use monomi_movegen::PackedMove;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// What the stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TtBound {
    /// Only an evaluation is stored.
    None = 0,
    /// The true value is at most this (all moves failed low).
    Upper = 1,
    /// The true value is at least this (a move failed high).
    Lower = 2,
    /// The true value.
    Exact = 3,
}

impl TtBound {
    #[inline(always)]
    fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            3 => TtBound::Exact,
            _ => TtBound::None,
        }
    }

    /// Whether the value bounds the true one from below.
    #[inline(always)]
    pub fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether the value bounds the true one from above.
    #[inline(always)]
    pub fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether the value settles the question on which side of `beta` the true one lies.
    #[inline(always)]
    pub fn settles(self, value: Value, beta: Value) -> bool {
        if value >= beta { self.is_lower() } else { self.is_upper() }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; not yet checked for legality.
    pub mv: Option<PackedMove>,
    /// Search value, mates counted from this node; `None` when only the evaluation is stored.
    pub value: Option<Value>,
    /// Static evaluation before correction; `None` for positions in check.
    pub eval: Option<Value>,
    /// Depth searched.
    pub depth: i32,
    /// What the value says.
    pub bound: TtBound,
    /// Whether the position was ever part of a principal variation.
    pub tt_pv: bool,
}

/// Depth of entries that hold an evaluation only.
pub const DEPTH_NONE: i32 = -4;
/// Stored depths are above this, so that an empty entry (raw depth 0) is told from all others.
const DEPTH_OFFSET: i32 = -5;
const NO_VALUE: i16 = i16::MIN;

const ENTRIES: usize = 5;
/// Clusters (64 bytes each) worth a thread for clearing them.
const PART: usize = 1 << 17;

#[repr(C, align(64))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    keys: [AtomicU32; ENTRIES],
    _rest: u32,
}

const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: integers and nothing else.
unsafe impl Zeroable for Cluster {}

/// The fields of a stored entry, in the bits of one word:
/// move 0..16, value 16..32, eval 32..48, depth 48..56, bound 56..58, pv 58, generation 59..64.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    #[inline(always)]
    fn new(mv: u16, value: i16, eval: i16, depth: u8, bound: TtBound, pv: bool, age: u8) -> Self {
        Word(
            u64::from(mv)
                | u64::from(value as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth) << 48
                | (bound as u64) << 56
                | u64::from(pv) << 58
                | u64::from(age) << 59,
        )
    }

    #[inline(always)]
    fn depth(self) -> u8 {
        (self.0 >> 48) as u8
    }

    #[inline(always)]
    fn bound(self) -> TtBound {
        TtBound::from_bits((self.0 >> 56) as u8)
    }

    #[inline(always)]
    fn pv(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    /// How many searches ago the entry was written or last used, in 0..32.
    #[inline(always)]
    fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub((self.0 >> 59) as u8) & 31
    }

    #[inline(always)]
    fn entry(self) -> TtEntry {
        let optional = |bits: u16| (bits as i16 != NO_VALUE).then_some(Value::from(bits as i16));
        TtEntry {
            mv: PackedMove::from_bits(self.0 as u16),
            value: optional((self.0 >> 16) as u16),
            eval: optional((self.0 >> 32) as u16),
            depth: i32::from(self.depth()) + DEPTH_OFFSET,
            bound: self.bound(),
            tt_pv: self.pv(),
        }
    }
}

/// The table.
pub struct TranspositionTable {
    clusters: Aligned<Cluster>,
    generation: u8,
}

/// The table's memory could not be had.
#[derive(Debug, thiserror::Error)]
#[error("no memory for a transposition table of {mib} MiB")]
pub struct TableTooLarge {
    mib: usize,
}

/// A place in the table, found by a probe, to write the node's result to.
#[derive(Clone, Copy)]
pub struct TtSlot {
    cluster: usize,
    entry: usize,
    key: u32,
}

impl TranspositionTable {
    /// An empty table of `mib` mebibytes (at least one).
    ///
    /// # Errors
    /// The memory cannot be had.
    pub fn new(mib: usize) -> Result<Self, TableTooLarge> {
        let clusters = mib.max(1).checked_mul((1 << 20) / size_of::<Cluster>());
        let clusters = clusters.and_then(Aligned::try_zeroed).ok_or(TableTooLarge { mib })?;
        Ok(Self { clusters, generation: 0 })
    }

    /// Forgets everything, on all cores.
    pub fn clear(&mut self) {
        self.generation = 0;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let chunk = self.clusters.len().div_ceil(threads).max(PART);
        if chunk >= self.clusters.len() {
            return bytemuck::fill_zeroes(&mut self.clusters);
        }
        std::thread::scope(|scope| {
            for part in self.clusters.chunks_mut(chunk) {
                scope.spawn(move || bytemuck::fill_zeroes(part));
            }
        });
    }

    /// A new search begins: what it does not use grows old.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) & 31;
    }

    /// Fill with entries of the current search, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(200)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|data| Word(data.load(Relaxed)))
            .filter(|word| word.depth() != 0 && word.age(self.generation) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES).max(1)) as u32
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Asks for the cluster's cache line ahead of the probe.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.index(key)]);
    }

    /// What is known of the position, and where its result is to be written.
    #[inline]
    pub fn probe(&self, key: u64) -> (Option<TtEntry>, TtSlot) {
        let index = self.index(key);
        let cluster = &self.clusters[index];
        let short = key as u32;
        let mut victim = 0;
        let mut worst = i32::MAX;
        for entry in 0..ENTRIES {
            let word = Word(cluster.data[entry].load(Relaxed));
            if cluster.keys[entry].load(Relaxed) == short && word.depth() != 0 {
                return (Some(word.entry()), TtSlot { cluster: index, entry, key: short });
            }
            // Shallow and old ones go first.
            let worth = i32::from(word.depth()) - 8 * i32::from(word.age(self.generation));
            if worth < worst {
                worst = worth;
                victim = entry;
            }
        }
        (None, TtSlot { cluster: index, entry: victim, key: short })
    }

    /// Depth of the deepest entry.
    #[cfg(test)]
    pub(super) fn deepest(&self) -> i32 {
        let words = self.clusters.iter().flat_map(|cluster| &cluster.data);
        let deepest = words.map(|data| Word(data.load(Relaxed)).depth()).max().unwrap_or(0);
        i32::from(deepest) + DEPTH_OFFSET
    }

    /// Writes a node's result, unless what is there is worth more.
    #[inline]
    pub fn store(&self, slot: TtSlot, new: TtEntry) {
        let cluster = &self.clusters[slot.cluster];
        let old = Word(cluster.data[slot.entry].load(Relaxed));
        let same = cluster.keys[slot.entry].load(Relaxed) == slot.key && old.depth() != 0;
        let depth = (new.depth - DEPTH_OFFSET).clamp(1, 255);
        let keep = same
            && new.bound != TtBound::Exact
            && depth + 2 * i32::from(new.tt_pv) + 4 <= i32::from(old.depth())
            && old.age(self.generation) == 0;
        let mv = match new.mv {
            Some(mv) => mv.bits(),
            None if same => old.0 as u16,
            None => 0,
        };
        let word = if keep {
            // A new move is worth having even where the old value is.
            Word(old.0 & !0xFFFF | u64::from(mv))
        } else {
            let narrow = |value: Option<Value>| value.map_or(NO_VALUE, |v| v as i16);
            Word::new(
                mv,
                narrow(new.value),
                narrow(new.eval),
                depth as u8,
                new.bound,
                new.tt_pv,
                self.generation,
            )
        };
        cluster.keys[slot.entry].store(slot.key, Relaxed);
        cluster.data[slot.entry].store(word.0, Relaxed);
    }
}

/// Mates are stored by distance from the node, searched by distance from the root.
#[inline(always)]
pub fn value_to_tt(value: Value, ply: usize) -> Value {
    if value >= MATE_IN_MAX_PLY {
        value + ply as Value
    } else if value <= -MATE_IN_MAX_PLY {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`value_to_tt`].
#[inline(always)]
pub fn value_from_tt(value: Value, ply: usize) -> Value {
    if value >= MATE_IN_MAX_PLY {
        value - ply as Value
    } else if value <= -MATE_IN_MAX_PLY {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: Value, depth: i32) -> TtEntry {
        TtEntry {
            mv: "7g7f".parse().ok(),
            value: Some(value),
            eval: Some(-value),
            depth,
            bound: TtBound::Lower,
            tt_pv: true,
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = TranspositionTable::new(1).unwrap();
        for (n, value) in (-32_000..=32_000).step_by(777).enumerate() {
            let key = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let (found, slot) = table.probe(key);
            assert_eq!(found, None);
            let new = entry(value, n as i32 % 100 - 3);
            table.store(slot, new);
            assert_eq!(table.probe(key).0, Some(new));
        }
    }

    #[test]
    fn deeper_results_survive_shallow_ones_until_they_are_old() {
        let mut table = TranspositionTable::new(1).unwrap();
        let (_, slot) = table.probe(42);
        table.store(slot, entry(100, 20));
        table.store(slot, TtEntry { mv: "2g2f".parse().ok(), ..entry(-50, 3) });
        let kept = table.probe(42).0.unwrap();
        assert_eq!((kept.value, kept.depth), (Some(100), 20));
        assert_eq!(kept.mv, "2g2f".parse().ok());
        table.new_search();
        table.store(slot, entry(-50, 3));
        assert_eq!(table.probe(42).0.unwrap().depth, 3);
    }

    #[test]
    fn a_full_cluster_gives_up_its_shallowest() {
        let table = TranspositionTable::new(1).unwrap();
        // One cluster: equal high bits, different low ones.
        for n in 1..=6u64 {
            let (_, slot) = table.probe(n);
            table.store(slot, entry(n as Value, 10 + n as i32));
        }
        let held: Vec<bool> = (1..=6).map(|n| table.probe(n).0.is_some()).collect();
        assert_eq!(held, [false, true, true, true, true, true]);
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        for ply in [0, 1, 17, 200] {
            for value in [31_999, 31_800, 500, 0, -500, -31_800, -31_999] {
                let stored = value_to_tt(value, ply);
                assert_eq!(value_from_tt(stored, ply), value);
            }
        }
        assert_eq!(value_to_tt(31_990, 4), 31_994);
    }
}
