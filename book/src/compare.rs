//! The differences between two books.

use crate::book_move::BookMove;
use crate::convert::ConvertError;
use crate::entry::BookEntry;
use crate::reader::BookReader;
use monomi_movegen::PackedMove;
use monomi_movegen::PackedPosition;
use std::collections::HashMap;
use std::path::Path;

/// A position for which two books have different best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The position.
    pub position: PackedPosition,
    /// The move number in the second book; 0 if unknown.
    pub ply: u16,
    /// The best moves of both books.
    pub best: [BookMove; 2],
}

impl Difference {
    /// How far the values of the best moves are apart, in centipawns.
    pub fn distance(&self) -> u32 {
        self.best[0].eval.abs_diff(self.best[1].eval)
    }
}

/// What two books have in common.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Comparison {
    /// Positions only in the first book.
    pub only_first: u64,
    /// Positions only in the second book.
    pub only_second: u64,
    /// Positions in both.
    pub both: u64,
    /// Positions in both whose best moves have different values.
    pub other_value: u64,
    /// Positions in both with different best moves, the most distant values first.
    pub differences: Vec<Difference>,
}

/// Compares two books (`.db` or `.ybb`) by their positions, without move numbers.
///
/// # Errors
/// A book cannot be read.
pub fn compare(first: &Path, second: &Path) -> Result<Comparison, ConvertError> {
    let mut known: HashMap<[u8; 32], Option<BookMove>> = HashMap::new();
    each(first, |entry| {
        known.insert(entry.position.0, best(&entry));
    })?;
    let mut found = Comparison::default();
    each(second, |entry| {
        let Some(former) = known.remove(&entry.position.0) else {
            found.only_second += 1;
            return;
        };
        found.both += 1;
        let (Some(a), Some(b)) = (former, best(&entry)) else { return };
        found.other_value += u64::from(a.eval != b.eval);
        if a.mv != b.mv {
            let (position, ply) = (entry.position, entry.ply);
            found.differences.push(Difference { position, ply, best: [a, b] });
        }
    })?;
    found.only_first = known.len() as u64;
    found.differences.sort_by_key(|difference| std::cmp::Reverse(difference.distance()));
    Ok(found)
}

fn best(entry: &BookEntry) -> Option<BookMove> {
    let moves = entry.moves.iter().map(|played| played.found);
    moves.min_by_key(|found| {
        let mv: PackedMove = found.mv;
        (std::cmp::Reverse((found.eval, found.count)), mv)
    })
}

fn each(path: &Path, mut take: impl FnMut(BookEntry)) -> Result<(), ConvertError> {
    let mut reader = BookReader::open(path)?;
    let reading = |error| ConvertError::Reading(path.to_owned(), error);
    while let Some(entry) = reader.read().map_err(reading)? {
        take(entry);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_best_moves_are_compared() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let reply = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let first =
            format!("{start}\n7g7f none 30 1 1\n2g2f none 20 1 1\n{reply}\n3c3d none 0 1 1");
        let second = format!("{start}\n7g7f none 30 1 1\n2g2f none 55 1 1\n");
        let (first, second) = (write("a.db", &first), write("b.db", &second));
        let found = compare(&first, &second).unwrap();
        assert_eq!((found.only_first, found.only_second, found.both), (1, 0, 1));
        assert_eq!((found.other_value, found.differences.len()), (1, 1));
        let [a, b] = found.differences[0].best;
        assert_eq!((a.mv.to_string(), b.mv.to_string()), ("7g7f".into(), "2g2f".into()));
        assert_eq!(found.differences[0].distance(), 25);
        let same = compare(&first, &first).unwrap();
        assert_eq!((same.only_first, same.both, same.differences.len()), (0, 2, 0));
    }
}
