//! From the book that the options name to the book itself, and to an answer.

use crate::book::{self, Book, BookError, BookOptions, BookProbe, Opened};
use crate::search::{BestMove, Bound, Info, Score, SearchResult};
use crate::usi::chance;
use crate::usi::eval_file::find;
use crate::usi::options::BookSource;
use monomi_movegen::{PackedMove, Position};
use std::time::Duration;

/// Why a book was not taken over.
#[derive(Debug, thiserror::Error)]
pub enum BookFileError {
    /// In none of the folders.
    #[error("BookFile {file}: there is no such file, neither in {dir:?} nor elsewhere")]
    Missing {
        /// The file asked for.
        file: String,
        /// The folder asked for.
        dir: String,
    },
    /// There, but not to be used.
    #[error("BookFile {0}")]
    Unusable(#[from] BookError),
}

/// Opens the book, and says what is good to know about it.
///
/// # Errors
/// It cannot be found or read.
pub fn load(source: &BookSource) -> Result<(Book, Vec<String>), BookFileError> {
    let missing = || BookFileError::Missing { file: source.file.clone(), dir: source.dir.clone() };
    let path = source.paths().iter().find_map(|path| find(path)).ok_or_else(missing)?;
    let (book, opened) = Book::open(&path, source.on_the_fly)?;
    let notes = notes(&book, &opened);
    Ok((book, notes))
}

fn notes(book: &Book, opened: &Opened) -> Vec<String> {
    let path = book.path().display();
    let mut notes: Vec<String> =
        opened.faults.iter().map(|fault| format!("Error! book {path}: {fault}")).collect();
    if opened.fault_count > opened.faults.len() {
        notes.push(format!("Error! book {path}: {} broken lines in all", opened.fault_count));
    }
    if opened.unsorted {
        notes.push(format!("book {path} is not sorted and was read into memory"));
    }
    notes.push(match book.positions() {
        Some(positions) => format!("book {path}: {positions} positions"),
        None => format!("book {path}: searched on disk"),
    });
    notes
}

/// Asks a book about a position.
pub fn ask(
    book: &Book,
    root: &Position,
    options: &BookOptions,
    searchmoves: &[PackedMove],
) -> BookProbe {
    book::probe(book, root, options, searchmoves, &mut chance::below)
}

/// A hit as the lines and the result of a search that took no time.
pub fn answer(hit: &book::BookHit) -> Option<(Vec<Info>, SearchResult)> {
    let count = hit.lines.len();
    let info = |(index, line): (usize, &book::BookLine)| Info {
        depth: line.found.depth,
        seldepth: 0,
        multipv: index + 1,
        multipv_count: count,
        score: Score::Cp(line.found.eval),
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        pv: line.pv.clone(),
    };
    let infos: Vec<Info> = hit.lines.iter().enumerate().map(info).collect();
    let played = hit.lines.first()?.found;
    let result = SearchResult {
        best: BestMove::Move(played.mv),
        ponder: hit.ponder,
        score: Score::Cp(played.eval),
        depth: played.depth,
        nodes: 0,
    };
    Some((infos, result))
}
