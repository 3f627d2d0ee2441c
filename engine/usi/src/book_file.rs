//! Opens the book named by the options, and answers searches from it.

use crate::job::Event;
use crate::notice::{BookFileError, Notice, UsiError};
use crate::options::BookSource;
use crate::random;
use monomi_book::{Book, BookOptions, BookProbe, Opened};
use monomi_eval::source::locate;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Info, Score, SearchResult};

/// The books that the options name.
pub struct Loaded {
    /// Those that can be used, in the order of their priority.
    pub books: Vec<Book>,
    /// Messages about them for the user.
    pub messages: Vec<Event>,
    /// Why the others cannot be used.
    pub errors: Vec<BookFileError>,
}

/// Opens the books.
pub fn load(source: &BookSource) -> Loaded {
    let mut loaded = Loaded { books: Vec::new(), messages: Vec::new(), errors: Vec::new() };
    for name in source.names() {
        let missing = || BookFileError::Missing { file: name.to_owned(), dir: source.dir.clone() };
        let paths = source.paths(name);
        let path = paths.iter().find_map(|path| locate(path)).ok_or_else(missing);
        let opened = path
            .and_then(|path| Book::open(&path, source.on_the_fly).map_err(BookFileError::Unusable));
        match opened {
            Ok((book, opened)) => {
                loaded.messages.extend(notes(&book, &opened));
                loaded.books.push(book);
            }
            Err(error) => loaded.errors.push(error),
        }
    }
    loaded
}

fn notes(book: &Book, opened: &Opened) -> Vec<Event> {
    let path = || book.path().to_owned();
    let mut notes: Vec<Event> = opened
        .faults
        .iter()
        .map(|fault| Event::Error(UsiError::BookLine { book: path(), fault: fault.clone() }))
        .collect();
    if opened.fault_count > opened.faults.len() {
        notes.push(Event::Error(UsiError::BookLines { book: path(), count: opened.fault_count }));
    }
    if opened.unsorted {
        notes.push(Event::Notice(Notice::UnsortedBook(path())));
    }
    let positions = book.positions();
    notes.push(Event::Notice(Notice::BookOpened { book: path(), positions }));
    notes
}

/// Looks a position up in the books.
pub fn ask(
    books: &[Book],
    root: &Position,
    options: &BookOptions,
    searchmoves: &[PackedMove],
) -> BookProbe {
    monomi_book::probe(books, root, options, searchmoves, &mut random::below)
}

/// Converts a hit into the info lines and the result of a search.
pub fn answer(hit: &monomi_book::BookHit) -> Option<(Vec<Info>, SearchResult)> {
    let count = hit.lines.len();
    let info = |(index, line): (usize, &monomi_book::BookLine)| {
        let mut info = Info::new(Score::Cp(line.found.eval), line.pv.clone());
        info.depth = line.found.depth;
        (info.multipv, info.multipv_count) = (index + 1, count);
        info
    };
    let infos: Vec<Info> = hit.lines.iter().enumerate().map(info).collect();
    let played = hit.lines.first()?.found;
    let mut result = SearchResult::new(BestMove::Move(played.mv), Score::Cp(played.eval));
    (result.ponder, result.depth) = (hit.ponder, played.depth);
    Some((infos, result))
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_support::text::Message as _;

    #[test]
    fn a_missing_book_takes_no_other_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("good.db");
        let sfen = Position::startpos().to_sfen();
        let text = format!("#YANEURAOU-DB2016 1.00\nsfen {sfen}\n7g7f none 0 1 1\n");
        std::fs::write(path, text).unwrap();
        let dir = folder.path().display().to_string();
        let load = |file: &str| {
            load(&BookSource { file: file.to_owned(), dir: dir.clone(), on_the_fly: false })
        };
        for file in ["missing.db;good.db", "good.db; missing.db"] {
            let loaded = load(file);
            assert_eq!((loaded.books.len(), loaded.errors.len()), (1, 1), "{file}");
            assert!(
                loaded.errors[0]
                    .in_lang(monomi_support::text::Lang::En)
                    .to_string()
                    .contains("missing.db")
            );
        }
        let loaded = load("a.db;b.db");
        assert_eq!((loaded.books.len(), loaded.errors.len()), (0, 2));
    }
}
