//! The transposition table: clusters of a cache line, written without locks.
//!
//! Every field is a relaxed atomic, so threads may read and write the same entry at once without a
//! data race. A reader may see the key of one write with the data of another, so moves are checked
//! for legality before use. 32 bits of the key are kept: with five entries in a cluster about one
//! probe in a billion finds the entry of another position.

use crate::parallel::in_parallel;
use bytemuck::Zeroable;
use monomi_eval::score::{Bound, Value, is_loss, is_win};
use monomi_movegen::PackedMove;
use monomi_support::memory::{Aligned, Available, NotEnoughMemory, prefetch};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

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

    /// Whether the value tells if the true one reaches `beta`.
    #[inline(always)]
    pub fn settles(self, value: Value, beta: Value) -> bool {
        if value >= beta { self.is_lower() } else { self.is_upper() }
    }

    /// The bound as reported outside the search; `None` without a value.
    pub fn to_bound(self) -> Option<Bound> {
        match self {
            TtBound::None => None,
            TtBound::Upper => Some(Bound::Upper),
            TtBound::Lower => Some(Bound::Lower),
            TtBound::Exact => Some(Bound::Exact),
        }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TtEntry {
    /// Best or refuting move; not yet checked for legality.
    pub mv: Option<PackedMove>,
    /// Search value, mates counted from the root; `None` when only the evaluation is stored.
    pub value: Option<Value>,
    /// Static evaluation before correction; `None` for positions in check.
    pub eval: Option<Value>,
    /// Depth searched.
    pub depth: i32,
    /// What the value says of the true one.
    pub bound: TtBound,
    /// Whether the position was ever part of a principal variation.
    pub tt_pv: bool,
}

/// Depth of entries that hold an evaluation only.
pub const DEPTH_NONE: i32 = -4;
/// Stored depths are relative to this, so that 0 marks an empty entry.
const DEPTH_OFFSET: i32 = -5;
const NO_VALUE: i16 = i16::MIN;

const ENTRIES: usize = 5;
/// Number of clusters (64 bytes each) that a thread clears at a time.
const CLEAR_CHUNK: usize = if cfg!(miri) { 16 } else { 1 << 17 };
/// Number of clusters in a mebibyte. Miri looks at every cluster whenever one is used.
const CLUSTERS_PER_MIB: usize = if cfg!(miri) { 64 } else { (1 << 20) / size_of::<Cluster>() };

#[repr(C, align(64))]
struct Cluster {
    data: [AtomicU64; ENTRIES],
    keys: [AtomicU32; ENTRIES],
    _rest: u32,
}

const _: () = assert!(size_of::<Cluster>() == 64);

// SAFETY: the cluster consists of integers, for which all bits zero is a valid value.
unsafe impl Zeroable for Cluster {}

/// A stored entry packed into 64 bits:
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
    fn entry(self, ply: usize) -> TtEntry {
        let optional = |bits: u16| (bits as i16 != NO_VALUE).then_some(Value::from(bits as i16));
        TtEntry {
            mv: PackedMove::from_bits(self.0 as u16),
            value: optional((self.0 >> 16) as u16).map(|value| value_from_tt(value, ply)),
            eval: optional((self.0 >> 32) as u16),
            depth: i32::from(self.depth()) + DEPTH_OFFSET,
            bound: self.bound(),
            tt_pv: self.pv(),
        }
    }
}

/// The transposition table, shared by all threads.
pub struct TranspositionTable {
    clusters: Aligned<Cluster>,
    generation: AtomicU8,
}

/// Where a probed node's result is to be written.
#[derive(Clone, Copy, Debug, Default)]
pub struct TtSlot {
    cluster: usize,
    entry: u16,
    ply: u16,
    key: u32,
}

impl TranspositionTable {
    /// An empty table of `mib` mebibytes (at least one), in place of one of `old_mib`.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(mib: usize, old_mib: usize) -> Result<Self, NotEnoughMemory> {
        let mib = mib.max(1);
        let need = (mib as u64).saturating_mul(1 << 20);
        // The old table is given back before the new one is used.
        let more = need.saturating_sub((old_mib as u64) << 20);
        Available::now().check(need, more)?;
        let clusters = mib.checked_mul(CLUSTERS_PER_MIB);
        let clusters = clusters.and_then(Aligned::try_zeroed);
        let clusters = clusters.ok_or(NotEnoughMemory { need, left: None })?;
        Ok(Self { clusters, generation: AtomicU8::new(0) })
    }

    /// The size in mebibytes.
    pub fn mib(&self) -> usize {
        self.clusters.len() / CLUSTERS_PER_MIB
    }

    /// Clears the table, with as many threads as there are cores.
    pub fn clear(&mut self) {
        *self.generation.get_mut() = 0;
        if self.clusters.len() <= CLEAR_CHUNK {
            return bytemuck::fill_zeroes(&mut self.clusters);
        }
        in_parallel(self.clusters.chunks_mut(CLEAR_CHUNK), bytemuck::fill_zeroes);
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub fn new_search(&self) {
        self.generation.store((self.generation() + 1) & 31, Relaxed);
    }

    #[inline(always)]
    fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// Fill with entries of the current search, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(200)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|data| Word(data.load(Relaxed)))
            .filter(|word| word.depth() != 0 && word.age(self.generation()) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES).max(1)) as u32
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Prefetches the cluster of a position.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.clusters[self.index(key)]);
    }

    /// What is known of the position `ply` plies from the root, and where to write its result.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> (Option<TtEntry>, TtSlot) {
        let index = self.index(key);
        let cluster = &self.clusters[index];
        let short = key as u32;
        let slot = |entry: usize| TtSlot {
            cluster: index,
            entry: entry as u16,
            ply: ply as u16,
            key: short,
        };
        let mut victim = 0;
        let mut worst = i32::MAX;
        for entry in 0..ENTRIES {
            let word = Word(cluster.data[entry].load(Relaxed));
            if cluster.keys[entry].load(Relaxed) == short && word.depth() != 0 {
                return (Some(word.entry(ply)), slot(entry));
            }
            // Replace shallow and old entries first.
            let worth = i32::from(word.depth()) - 8 * i32::from(word.age(self.generation()));
            if worth < worst {
                worst = worth;
                victim = entry;
            }
        }
        (None, slot(victim))
    }

    /// Depth of the deepest entry.
    #[cfg(test)]
    pub fn deepest(&self) -> i32 {
        let words = self.clusters.iter().flat_map(|cluster| &cluster.data);
        let deepest = words.map(|data| Word(data.load(Relaxed)).depth()).max().unwrap_or(0);
        i32::from(deepest) + DEPTH_OFFSET
    }

    /// Writes a node's result, unless the entry there is from this search and much deeper.
    #[inline]
    pub fn store(&self, slot: TtSlot, new: TtEntry) {
        let cluster = &self.clusters[slot.cluster];
        let (key, data) =
            (&cluster.keys[usize::from(slot.entry)], &cluster.data[usize::from(slot.entry)]);
        let old = Word(data.load(Relaxed));
        let same = key.load(Relaxed) == slot.key && old.depth() != 0;
        let depth = (new.depth - DEPTH_OFFSET).clamp(1, 255);
        let keep = same
            && new.bound != TtBound::Exact
            && depth + 2 * i32::from(new.tt_pv) + 4 <= i32::from(old.depth())
            && old.age(self.generation()) == 0;
        let mv = match new.mv {
            Some(mv) => mv.bits(),
            None if same => old.0 as u16,
            None => 0,
        };
        let word = if keep {
            // Keep the old value, but take the new move.
            Word(old.0 & !0xFFFF | u64::from(mv))
        } else {
            let narrow = |value: Option<Value>| value.map_or(NO_VALUE, |v| v as i16);
            Word::new(
                mv,
                narrow(new.value.map(|value| value_to_tt(value, usize::from(slot.ply)))),
                narrow(new.eval),
                depth as u8,
                new.bound,
                new.tt_pv,
                self.generation(),
            )
        };
        key.store(slot.key, Relaxed);
        data.store(word.0, Relaxed);
    }
}

/// The distance of mates and of wins by repetition is counted from the node in the table and from
/// the root in the search.
#[inline(always)]
fn value_to_tt(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value + ply as Value
    } else if is_loss(value) {
        value - ply as Value
    } else {
        value
    }
}

/// The inverse of [`value_to_tt`].
#[inline(always)]
fn value_from_tt(value: Value, ply: usize) -> Value {
    if is_win(value) {
        value - ply as Value
    } else if is_loss(value) {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_eval::score::{MAX_EVAL, SUPERIOR};

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
    fn stored_entries_are_found_again() {
        let table = TranspositionTable::new(1, 0).unwrap();
        for (n, value) in (-32_000..=32_000).step_by(777).enumerate() {
            let key = (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let (found, slot) = table.probe(key, 0);
            assert_eq!(found, None);
            let new = entry(value, n as i32 % 100 - 3);
            table.store(slot, new);
            assert_eq!(table.probe(key, 0).0, Some(new));
        }
    }

    #[test]
    fn deeper_results_survive_shallow_ones_until_they_are_old() {
        let table = TranspositionTable::new(1, 0).unwrap();
        let (_, slot) = table.probe(42, 0);
        table.store(slot, entry(100, 20));
        table.store(slot, TtEntry { mv: "2g2f".parse().ok(), ..entry(-50, 3) });
        let kept = table.probe(42, 0).0.unwrap();
        assert_eq!((kept.value, kept.depth), (Some(100), 20));
        assert_eq!(kept.mv, "2g2f".parse().ok());
        table.new_search();
        table.store(slot, entry(-50, 3));
        assert_eq!(table.probe(42, 0).0.unwrap().depth, 3);
    }

    #[test]
    fn a_full_cluster_replaces_its_shallowest_entry() {
        let table = TranspositionTable::new(1, 0).unwrap();
        // One cluster: equal high bits, different low ones.
        for n in 1..=6u64 {
            let (_, slot) = table.probe(n, 0);
            table.store(slot, entry(n as Value, 10 + n as i32));
        }
        let held: Vec<bool> = (1..=6).map(|n| table.probe(n, 0).0.is_some()).collect();
        assert_eq!(held, [false, true, true, true, true, true]);
    }

    #[test]
    fn clearing_empties_every_chunk() {
        // More than one chunk, so that several threads clear.
        let mut table = TranspositionTable::new(if cfg!(miri) { 1 } else { 17 }, 0).unwrap();
        let chunks = table.clusters.len().div_ceil(CLEAR_CHUNK) as u64;
        assert!(chunks > 1);
        let key = |n: u64| n << 58 | 7;
        for n in 0..64 {
            let (_, slot) = table.probe(key(n), 0);
            table.store(slot, entry(n as Value, 10));
        }
        assert!((0..64).all(|n| table.probe(key(n), 0).0.is_some()));
        table.clear();
        assert!((0..64).all(|n| table.probe(key(n), 0).0.is_none()));
    }

    /// Every entry found was written as a whole by one of the threads. Miri and ThreadSanitizer
    /// look for data races here.
    #[test]
    fn threads_that_use_one_cluster_find_whole_entries() {
        let table = TranspositionTable::new(1, 0).unwrap();
        let rounds = if cfg!(miri) { 60 } else { 20_000 };
        let run = |thread: i32| {
            let mut found = 0;
            for round in 0..rounds {
                // One cluster: equal high bits. There are more keys than entries.
                let (known, slot) = table.probe(1 + (round % 7) as u64, 0);
                if let Some(known) = known {
                    found += 1;
                    assert_eq!(known.eval, known.value.map(|value| -value));
                    assert_eq!(known.mv, "7g7f".parse().ok());
                }
                table.store(slot, entry(1_000 * thread + round % 1_000, round % 50));
                table.prefetch(1);
                if round % 20 == 0 {
                    table.new_search();
                    assert!(table.hashfull() <= 1_000);
                }
            }
            found
        };
        let found: i32 = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..4).map(|thread| scope.spawn(move || run(thread))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        // How many depends on how the threads take turns.
        assert!(found > rounds / 20, "{found}");
    }

    #[test]
    fn mates_and_wins_by_repetition_are_stored_relative_to_the_node() {
        for ply in [0, 1, 17, 200] {
            let by_rule = [SUPERIOR, SUPERIOR - 246, SUPERIOR + 500, -SUPERIOR, -SUPERIOR - 500];
            let limits = [MAX_EVAL, -MAX_EVAL];
            let others = [31_999, 31_800, 500, 0, -500, -31_800, -31_999];
            for value in others.into_iter().chain(by_rule).chain(limits) {
                let stored = value_to_tt(value, ply);
                assert_eq!(value_from_tt(stored, ply), value);
            }
        }
        assert_eq!(value_to_tt(31_990, 4), 31_994);
        assert_eq!(value_to_tt(SUPERIOR - 10, 4), SUPERIOR - 6);
        assert_eq!(value_to_tt(MAX_EVAL, 4), MAX_EVAL);
        // Mate 10 plies from the root, stored at ply 4, is mate 12 plies from the root at ply 6.
        let table = TranspositionTable::new(1, 0).unwrap();
        let (_, slot) = table.probe(42, 4);
        table.store(slot, entry(31_990, 3));
        assert_eq!(table.probe(42, 6).0.unwrap().value, Some(31_988));
    }
}
