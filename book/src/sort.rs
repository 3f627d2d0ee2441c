//! Sorting more items than fit into memory: sorted runs in temporary files, merged at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Result, Seek, Write};
use std::path::{Path, PathBuf};

/// Runs that are merged at once.
const OPEN_RUNS: usize = 64;
/// Bytes of the buffer of a run.
const BUFFER: usize = 1 << 16;

/// An item in the arena: where its key begins, and the lengths of key and value.
#[derive(Clone, Copy, Debug)]
struct Item {
    at: usize,
    key: u32,
    value: u32,
}

/// Sorts items by their keys, as bytes. Items with equal keys keep their order.
#[derive(Debug)]
pub struct Sorter {
    folder: PathBuf,
    /// Bytes that may be used before a run is written.
    memory: usize,
    arena: Vec<u8>,
    items: Vec<Item>,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that uses about `memory` bytes, and temporary files in `folder` if that is not
    /// enough.
    pub fn new(folder: &Path, memory: usize) -> Self {
        let (arena, items, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { folder: folder.to_owned(), memory, arena, items, runs }
    }

    /// Adds an item.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let more = key.len() + value.len() + size_of::<Item>();
        let used = self.arena.len() + self.items.len() * size_of::<Item>();
        if !self.items.is_empty() && used + more > self.memory {
            self.flush()?;
        }
        let at = self.arena.len();
        self.arena.extend_from_slice(key);
        self.arena.extend_from_slice(value);
        self.items.push(Item { at, key: key.len() as u32, value: value.len() as u32 });
        Ok(())
    }

    /// Sorts the items in memory.
    fn sort(&mut self) {
        let arena = &self.arena;
        let key = |item: &Item| &arena[item.at..item.at + item.key as usize];
        self.items.sort_unstable_by(|a, b| key(a).cmp(key(b)).then(a.at.cmp(&b.at)));
    }

    /// Writes the items in memory as a run.
    fn flush(&mut self) -> Result<()> {
        self.sort();
        let mut out = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(&self.folder)?);
        for item in &self.items {
            let (key, value) = (item.key as usize, item.value as usize);
            write_item(&mut out, &self.arena[item.at..item.at + key + value], key)?;
        }
        self.runs.push(finished(out)?);
        self.arena.clear();
        self.items.clear();
        if self.runs.len() >= OPEN_RUNS {
            let runs = std::mem::take(&mut self.runs);
            self.runs.push(merge_to_file(&self.folder, runs)?);
        }
        Ok(())
    }

    /// Ends the input: the items in order.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn finish(mut self) -> Result<Sorted> {
        if self.runs.is_empty() {
            self.sort();
            let source = Source::Memory { arena: self.arena, items: self.items, next: 0 };
            return Sorted::new(vec![source]);
        }
        if !self.items.is_empty() {
            self.flush()?;
        }
        Sorted::new(self.runs.into_iter().map(run).collect())
    }
}

/// A run that is read from its beginning.
fn run(file: File) -> Source {
    Source::Run(BufReader::with_capacity(BUFFER, file))
}

/// The file behind the buffer, at its beginning.
fn finished(out: BufWriter<File>) -> Result<File> {
    let mut file = out.into_inner().map_err(|error| error.into_error())?;
    file.rewind()?;
    Ok(file)
}

fn write_item(out: &mut impl Write, bytes: &[u8], key: usize) -> Result<()> {
    out.write_all(&(key as u32).to_le_bytes())?;
    out.write_all(&((bytes.len() - key) as u32).to_le_bytes())?;
    out.write_all(bytes)
}

fn merge_to_file(folder: &Path, runs: Vec<File>) -> Result<File> {
    let mut out = BufWriter::with_capacity(BUFFER, tempfile::tempfile_in(folder)?);
    let mut sorted = Sorted::new(runs.into_iter().map(run).collect())?;
    while let Some((key, value)) = sorted.next()? {
        let len = key.len();
        let mut bytes = key;
        bytes.extend_from_slice(&value);
        write_item(&mut out, &bytes, len)?;
    }
    finished(out)
}

type Pair = (Vec<u8>, Vec<u8>);
/// Key, number of the source and value.
type Head = (Vec<u8>, usize, Vec<u8>);

#[derive(Debug)]
enum Source {
    Memory { arena: Vec<u8>, items: Vec<Item>, next: usize },
    Run(BufReader<File>),
}

impl Source {
    fn next(&mut self) -> Result<Option<Pair>> {
        match self {
            Self::Memory { arena, items, next } => {
                let Some(item) = items.get(*next) else { return Ok(None) };
                *next += 1;
                let bytes = &arena[item.at..item.at + (item.key + item.value) as usize];
                let (key, value) = bytes.split_at(item.key as usize);
                Ok(Some((key.to_vec(), value.to_vec())))
            }
            Self::Run(file) => {
                let mut lengths = [0; 8];
                match file.read_exact(&mut lengths) {
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                    read => read?,
                }
                let [k0, k1, k2, k3, v0, v1, v2, v3] = lengths;
                let mut key = vec![0; u32::from_le_bytes([k0, k1, k2, k3]) as usize];
                let mut value = vec![0; u32::from_le_bytes([v0, v1, v2, v3]) as usize];
                file.read_exact(&mut key)?;
                file.read_exact(&mut value)?;
                Ok(Some((key, value)))
            }
        }
    }
}

/// Items in the order of their keys.
#[derive(Debug)]
pub struct Sorted {
    sources: Vec<Source>,
    /// The next item of each source; of equal keys the earlier source comes first.
    heads: BinaryHeap<Reverse<Head>>,
}

impl Sorted {
    fn new(sources: Vec<Source>) -> Result<Self> {
        let mut sorted = Self { sources, heads: BinaryHeap::new() };
        for source in 0..sorted.sources.len() {
            sorted.advance(source)?;
        }
        Ok(sorted)
    }

    fn advance(&mut self, source: usize) -> Result<()> {
        if let Some((key, value)) = self.sources[source].next()? {
            self.heads.push(Reverse((key, source, value)));
        }
        Ok(())
    }

    /// The next item: its key and its value.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn next(&mut self) -> Result<Option<Pair>> {
        let Some(Reverse((key, source, value))) = self.heads.pop() else { return Ok(None) };
        self.advance(source)?;
        Ok(Some((key, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Random;

    #[test]
    fn sorted_like_a_stable_sort_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut random = Random::new(5);
        for (count, memory) in [(0, 100), (1, 0), (500, 1 << 20), (3000, 300), (3000, 5000)] {
            let mut sorter = Sorter::new(folder.path(), memory);
            let mut expected = Vec::new();
            for number in 0..count {
                let len = random.below(4);
                let key: Vec<u8> = (0..len).map(|_| random.below(5) as u8).collect();
                let value = format!("{number}").into_bytes();
                sorter.add(&key, &value).unwrap();
                expected.push((key, value));
            }
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            let mut sorted = sorter.finish().unwrap();
            let mut found = Vec::new();
            while let Some(pair) = sorted.next().unwrap() {
                found.push(pair);
            }
            assert_eq!(found, expected, "{count} items in {memory} bytes");
        }
    }
}
