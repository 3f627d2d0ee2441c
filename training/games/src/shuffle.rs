//! Shuffles records of fixed size in bounded memory, and removes duplicates.
//!
//! Records are dealt to many buckets at random; then each bucket is shuffled in memory, and the buckets are written one
//! after the other. So every order is as likely as any other. When the memory is full, all buckets go to one temporary
//! file; a bucket is later read from its pieces there. To remove duplicates, the bucket is chosen by the position
//! instead of at random, so that equal positions meet in one bucket.

use crate::flat::FlatFormat;
use monomi_movegen::Random;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// With a GiB of memory, enough for 4 TB of records. Tests use few.
const BUCKETS: usize = if cfg!(test) { 8 } else { 4_096 };
/// Buckets that are shuffled at the same time are at most this part of the memory.
const GROUP: usize = 2;
/// Bytes of the packed position at the start of a record.
const POSITION: usize = 32;

/// Takes records, then writes them in random order. The order depends on the seed, the records and their order, but
/// not on the memory.
pub struct Shuffle {
    size: usize,
    seed: u64,
    random: Random,
    unique: bool,
    /// Most bytes of records in memory.
    memory: usize,
    folder: PathBuf,
    held: Vec<Vec<u8>>,
    held_bytes: usize,
    spilled: Option<File>,
    /// For each bucket, where its pieces are in the file.
    pieces: Vec<Vec<(u64, usize)>>,
    end: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shuffled {
    /// Records written.
    pub written: u64,
    /// Records left out because their position came earlier.
    pub duplicates: u64,
}

impl Shuffle {
    /// For records of a format. With `unique` only the first record of each position is kept. About `memory` bytes are
    /// used, and a temporary file in `folder` of the size of the records if they are more than that.
    pub fn new(format: FlatFormat, seed: u64, unique: bool, memory: usize, folder: &Path) -> Self {
        Self {
            size: format.size(),
            seed,
            random: Random::new(seed),
            unique,
            // A vector that grows takes up to twice its contents.
            memory: memory / 2,
            folder: folder.to_owned(),
            held: vec![Vec::new(); BUCKETS],
            held_bytes: 0,
            spilled: None,
            pieces: vec![Vec::new(); BUCKETS],
            end: 0,
        }
    }

    /// Adds records.
    ///
    /// # Errors
    /// The temporary file cannot be written.
    ///
    /// # Panics
    /// These are not whole records.
    pub fn add(&mut self, records: &[u8]) -> io::Result<()> {
        assert_eq!(records.len() % self.size, 0, "whole records");
        for record in records.chunks_exact(self.size) {
            let number = match self.unique {
                true => hash(&record[..POSITION], self.seed),
                false => self.random.next_u64(),
            };
            self.held[(number % BUCKETS as u64) as usize].extend_from_slice(record);
        }
        self.held_bytes += records.len();
        if self.held_bytes > self.memory { self.spill() } else { Ok(()) }
    }

    /// Writes all buckets to the temporary file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.spilled {
            Some(file) => file,
            None => self.spilled.insert(tempfile::tempfile_in(&self.folder)?),
        };
        let mut out = io::BufWriter::with_capacity(1 << 20, file);
        for (held, pieces) in self.held.iter_mut().zip(&mut self.pieces) {
            if !held.is_empty() {
                out.write_all(held)?;
                pieces.push((self.end, held.len()));
                self.end += held.len() as u64;
                // Most of the memory stays for the next records.
                held.clear();
            }
        }
        self.held_bytes = 0;
        out.flush()
    }

    /// Writes all records. `tell` is called with the number of bytes done now and then.
    ///
    /// # Errors
    /// The temporary file cannot be read, or the output cannot be written.
    pub fn finish(
        mut self,
        out: &mut impl Write,
        tell: &mut dyn FnMut(u64),
    ) -> io::Result<Shuffled> {
        if self.spilled.is_some() {
            self.spill()?;
            self.held = vec![Vec::new(); BUCKETS];
        }
        let (size, seed, unique) = (self.size, self.seed, self.unique);
        let (mut done, mut total) = (Shuffled::default(), 0);
        let mut next = 0;
        while next < BUCKETS {
            let (mut group, mut bytes) = (Vec::new(), 0);
            while next < BUCKETS && (group.is_empty() || bytes < self.memory / GROUP) {
                let (records, all) = self.bucket(next)?;
                bytes += records.len();
                group.push((next as u64, records));
                total += all;
                next += 1;
            }
            group.par_iter_mut().for_each(|(number, records)| {
                if unique {
                    keep_first(records, size);
                }
                shuffle(records, size, &mut Random::stream(seed, *number));
            });
            for (_, records) in &group {
                out.write_all(records)?;
                done.written += (records.len() / size) as u64;
            }
            tell(total);
        }
        done.duplicates = total / size as u64 - done.written;
        Ok(done)
    }

    /// The records of a bucket, in the order in which they were added, perhaps without some duplicates, and the number of
    /// bytes of all.
    fn bucket(&mut self, number: usize) -> io::Result<(Vec<u8>, u64)> {
        let Some(file) = &mut self.spilled else {
            let records = std::mem::take(&mut self.held[number]);
            let all = records.len() as u64;
            return Ok((records, all));
        };
        let mut records: Vec<u8> = Vec::new();
        let mut kept = 0;
        for &(at, length) in &self.pieces[number] {
            let from = records.len();
            records.resize(from + length, 0);
            file.seek(SeekFrom::Start(at))?;
            file.read_exact(&mut records[from..])?;
            // One position can fill the memory.
            if self.unique && records.len() > (2 * kept).max(self.memory / GROUP) {
                keep_first(&mut records, self.size);
                kept = records.len();
            }
        }
        let all = self.pieces[number].iter().map(|(_, length)| *length as u64).sum();
        Ok((records, all))
    }
}

/// A hash of bytes, another one for each seed.
fn hash(bytes: &[u8], seed: u64) -> u64 {
    let words =
        bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or([0; 8])));
    words.fold(seed, |state, word| Random::new(state ^ word).next_u64())
}

/// Removes all but the first record of each position.
fn keep_first(records: &mut Vec<u8>, size: usize) {
    let position = |&at: &usize| &records[at * size..at * size + POSITION];
    let mut order: Vec<usize> = (0..records.len() / size).collect();
    order.sort_unstable_by(|a, b| position(a).cmp(position(b)).then(a.cmp(b)));
    let mut first = vec![true; order.len()];
    for pair in order.windows(2) {
        first[pair[1]] = position(&pair[0]) != position(&pair[1]);
    }
    let mut end = 0;
    for at in (0..first.len()).filter(|&at| first[at]) {
        records.copy_within(at * size..(at + 1) * size, end);
        end += size;
    }
    records.truncate(end);
}

fn shuffle(records: &mut [u8], size: usize, random: &mut Random) {
    for end in (2..=records.len() / size).rev() {
        let (a, b) = (random.below(end), end - 1);
        if a < b {
            let (left, right) = records.split_at_mut(b * size);
            left[a * size..(a + 1) * size].swap_with_slice(&mut right[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    const FORMAT: FlatFormat = FlatFormat::Hcpe;

    /// A record with this position; the rest is its number.
    fn record(position: u8, number: usize) -> Vec<u8> {
        let mut record = vec![position; FORMAT.size()];
        record[POSITION..POSITION + 4].copy_from_slice(&(number as u32).to_le_bytes());
        record
    }

    fn run(
        records: &[Vec<u8>],
        seed: u64,
        unique: bool,
        memory: usize,
    ) -> (Vec<Vec<u8>>, Shuffled) {
        let folder = tempfile::tempdir().unwrap();
        let mut shuffle = Shuffle::new(FORMAT, seed, unique, memory, folder.path());
        for some in records.chunks(3) {
            shuffle.add(&some.concat()).unwrap();
        }
        let (mut out, mut told) = (Vec::new(), 0);
        let done = shuffle.finish(&mut out, &mut |bytes| told = bytes).unwrap();
        assert_eq!(told, (records.len() * FORMAT.size()) as u64);
        (out.chunks(FORMAT.size()).map(<[u8]>::to_vec).collect(), done)
    }

    proptest! {
        /// Every record exactly once, in an order that depends on the seed and not on the memory.
        #[test]
        fn nothing_is_lost_or_added(positions in prop::collection::vec(any::<u8>(), 0..300), seed: u64, kib in 1..20_usize) {
            let records: Vec<_> = positions.iter().enumerate().map(|(n, &position)| record(position, n)).collect();
            let (found, done) = run(&records, seed, false, kib << 10);
            prop_assert_eq!(done, Shuffled { written: records.len() as u64, duplicates: 0 });
            prop_assert_eq!(&run(&records, seed, false, 1 << 30).0, &found);
            if records.len() > 20 {
                prop_assert_ne!(&run(&records, seed ^ 1, false, 1 << 30).0, &found);
                prop_assert_ne!(&records, &found);
            }
            let (mut sorted, mut given) = (found, records);
            sorted.sort();
            given.sort();
            prop_assert_eq!(sorted, given);
        }

        /// The first record of each position stays, and no other.
        #[test]
        fn duplicates_are_removed(positions in prop::collection::vec(0..60_u8, 0..300), seed: u64, kib in 1..20_usize) {
            let records: Vec<_> = positions.iter().enumerate().map(|(n, &position)| record(position, n)).collect();
            let (mut found, done) = run(&records, seed, true, kib << 10);
            prop_assert_eq!(&run(&records, seed, true, 1 << 30).0, &found);
            let mut seen = HashSet::new();
            let mut first: Vec<_> = records.iter().filter(|record| seen.insert(record[0])).cloned().collect();
            prop_assert_eq!(done.written, first.len() as u64);
            prop_assert_eq!(done.duplicates, (records.len() - first.len()) as u64);
            found.sort();
            first.sort();
            prop_assert_eq!(found, first);
        }
    }

    /// Each record comes to each place about equally often.
    #[test]
    fn all_orders_are_equally_likely() {
        let records: Vec<_> = (0..6).map(|n| record(n, 0)).collect();
        let mut counts = [[0; 6]; 6];
        for seed in 0..6_000 {
            for (place, record) in run(&records, seed, false, 1 << 20).0.iter().enumerate() {
                counts[place][usize::from(record[0])] += 1;
            }
        }
        // A thousand each, within five standard deviations.
        assert!(counts.iter().flatten().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
