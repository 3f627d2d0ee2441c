//! A book that grows by searched positions.

use crate::convert::{Converted, check_output, extend};
use crate::entry::{BookEntry, Faults};
use crate::minimax::graph::Draft;
use crate::minimax::leaves::{BestLine, LeafChoice, Valued, canonical};
use crate::minimax::output::{Minimax, MinimaxError, read};
use monomi_movegen::Layout;
use monomi_movegen::Position;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A book that is being extended: what the file has, and the positions searched since.
pub struct Mine {
    book: PathBuf,
    how: Minimax,
    /// All positions.
    draft: Draft,
    /// Those that the file does not have yet.
    unsaved: Vec<BookEntry>,
    /// Positions that were handed out and are not in the book: they are being searched, or have no moves.
    handed_out: HashSet<[u8; 32]>,
}

/// What to search next.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Round {
    /// The positions, the most important ones first.
    pub positions: Vec<Position>,
    /// The best line from the first starting position, if the book has it.
    pub best: Option<BestLine>,
}

impl Mine {
    /// Reads a book (`.db` or `.ybb`); without a file it is empty. Returns what is wrong with it too:
    /// saving leaves that out.
    ///
    /// # Errors
    /// The book cannot be read or is too large.
    pub fn open(book: &Path, how: Minimax) -> Result<(Self, Faults), MinimaxError> {
        check_output(book)?;
        let (draft, faults) = if book.exists() { read(book)? } else { Default::default() };
        let (unsaved, handed_out) = (Vec::new(), HashSet::new());
        Ok((Self { book: book.to_owned(), how, draft, unsaved, handed_out }, faults))
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.draft.len()
    }

    /// Computes all values and chooses the next positions. None is chosen twice.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub fn choose(&mut self, choice: &LeafChoice) -> Result<Round, MinimaxError> {
        let valued = Valued::of(self.draft.clone(), &self.how)
            .map_err(|error| MinimaxError::reading(&self.book, error))?;
        let positions = valued.choose(choice, &mut self.handed_out);
        let best = choice.starts.first().and_then(|start| valued.best_line(start));
        Ok(Round { positions, best })
    }

    /// Adds a searched position.
    pub fn add(&mut self, entry: BookEntry) {
        // Without moves the game is over there.
        if entry.moves.is_empty() {
            return;
        }
        if let Ok(position) = entry.position.unpack(Layout::Sfen, entry.ply) {
            canonical(&position).map(|packed| self.handed_out.remove(&packed));
            self.draft.add(&entry);
            self.unsaved.push(entry);
        }
    }

    /// Replaces the file by a book with all positions, if there are new ones.
    ///
    /// # Errors
    /// The file cannot be read or written; the old one remains, and the positions are kept.
    pub fn save(&mut self) -> Result<Option<Converted>, MinimaxError> {
        if self.unsaved.is_empty() {
            return Ok(None);
        }
        let old = if self.book.exists() { vec![self.book.clone()] } else { Vec::new() };
        let written = extend(&old, &self.unsaved, &self.book, &self.how.conversion)?;
        self.unsaved.clear();
        Ok(Some(written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book_move::BookMove;
    use crate::minimax::entry_of;
    use crate::minimax::tests::how;
    use crate::reader::BookReader;
    use monomi_movegen::PackedMove;
    use monomi_movegen::Random;
    use std::collections::BTreeSet;

    fn choice(count: usize) -> LeafChoice {
        LeafChoice {
            starts: vec![Position::startpos()],
            games: Vec::new(),
            margin: 30,
            plies: 40,
            eval: 2000,
            change: 50,
            count,
        }
    }

    /// What a search of the position finds here: three moves with values that follow from the position.
    fn search(position: &Position) -> BookEntry {
        let legal = position.legal_moves();
        let mut random = Random::new(position.key());
        let mut moves: Vec<PackedMove> = (0..3).filter_map(|_| random.choose(&legal)).collect();
        moves.sort_unstable();
        moves.dedup();
        let value = |mv| {
            let eval = random.below(21) as i32 * 10 - 100;
            BookMove { mv, ponder: None, eval, depth: 5, count: 1 }
        };
        entry_of(position, moves.into_iter().map(value)).unwrap()
    }

    fn sfens(positions: &[Position]) -> BTreeSet<String> {
        positions.iter().map(Position::to_sfen).collect()
    }

    #[test]
    fn mining_searches_each_position_once_and_resumes() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["mined.ybb", "mined.db"] {
            let book = folder.path().join(name);
            let open = || Mine::open(&book, how(folder.path(), 0)).unwrap().0;
            let mut mine = open();
            let first = mine.choose(&choice(9)).unwrap();
            assert_eq!(sfens(&first.positions), sfens(&[Position::startpos()]));
            assert_eq!(first.best, None);
            mine.add(search(&first.positions[0]));
            let mut searched = BTreeSet::from([canonical(&first.positions[0])]);
            while mine.positions() < 80 {
                // Some results come after the next choice.
                let now = mine.choose(&choice(4)).unwrap().positions;
                let later = mine.choose(&choice(2)).unwrap().positions;
                assert!(!now.is_empty());
                for position in now.iter().chain(&later) {
                    assert!(searched.insert(canonical(position)), "{}", position.to_sfen());
                    mine.add(search(position));
                }
                if mine.positions() % 3 == 0 {
                    mine.save().unwrap();
                }
            }
            mine.save().unwrap();
            assert!(mine.save().unwrap().is_none());
            let mut reader = BookReader::open(&book).unwrap();
            let mut written = 0;
            while let Some(entry) = reader.read().unwrap() {
                let position = entry.position.unpack(Layout::Sfen, entry.ply).unwrap();
                assert!(searched.contains(&canonical(&position)));
                written += 1;
            }
            assert_eq!((written, searched.len()), (mine.positions(), mine.positions()));
            // As if it had not been interrupted.
            let (there, here) =
                (open().choose(&choice(999)).unwrap(), mine.choose(&choice(999)).unwrap());
            assert_eq!(sfens(&there.positions), sfens(&here.positions));
            assert_eq!(there.best, here.best);
            let line = here.best.unwrap();
            let mut position = Position::startpos();
            for mv in line.moves {
                assert!(position.is_legal(mv));
                position.do_move(mv);
            }
        }
    }

    #[test]
    fn results_without_moves_and_failed_saves_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("no/such/mined.ybb");
        let mut mine = Mine::open(&missing, how(folder.path(), 0)).unwrap().0;
        let start = mine.choose(&choice(9)).unwrap().positions.remove(0);
        mine.add(entry_of(&start, []).unwrap());
        // It is not searched again, and there is nothing to save.
        assert!(mine.choose(&choice(9)).unwrap().positions.is_empty());
        assert!(mine.save().unwrap().is_none());
        mine.add(search(&start));
        mine.save().unwrap_err();
        std::fs::create_dir_all(missing.parent().unwrap()).unwrap();
        assert_eq!(mine.save().unwrap().unwrap().positions, 1);
    }

    #[test]
    fn games_and_starting_positions_outside_the_book_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut mine = Mine::open(&folder.path().join("x.ybb"), how(folder.path(), 0)).unwrap().0;
        let start = Position::startpos();
        let played = |moves: &[&str]| {
            let mut game = vec![start.clone()];
            for mv in moves {
                let mut next = game.last().unwrap().clone();
                next.do_move(mv.parse().unwrap());
                game.push(next);
            }
            game
        };
        mine.add(search(&start));
        let (left, beside) = (played(&["9g9f", "9c9d"]), played(&["1g1f", "9c9d"])[1..].to_vec());
        let other = played(&["7g7f", "3c3d"]).pop().unwrap();
        let mut choice = choice(2);
        choice.starts.push(other.clone());
        choice.games = vec![left.clone(), beside];
        let found = mine.choose(&choice).unwrap().positions;
        assert_eq!(sfens(&found), sfens(&[other, left[1].clone()]));
    }
}
