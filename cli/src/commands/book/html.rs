//! `monomi book show --html`.

use crate::commands::book::Show;
use crate::commands::records::positions_text;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_analysis::names;
use monomi_analysis::output::{BookPage, PageMove, PagePosition, book_page};
use monomi_book::{Book, BookMove, Lookup, PlayedMove, Results};
use monomi_movegen::Position;
use monomi_support::batch::files;
use monomi_support::text::say;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

/// Plies of the page if `--tree` does not give them.
const PLIES: usize = 30;
/// The greatest number of positions of a page.
const MOST: usize = 20_000;

/// Writes the positions that are reached by the best moves of each position, nearest ones first, as a page.
pub(super) fn write(
    book: &Book,
    args: &Show,
    position: &Position,
    (path, lang): (&Path, Lang),
    out: &mut impl Write,
) -> Result<(), Failure> {
    let name = args.book.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let lookup = Lookup { ignore_ply: args.ignore_ply, flipped: true };
    let moves = |position: &Position| {
        let mut moves = book.find_played(position, lookup)?;
        moves.retain(|played| position.is_legal(played.found.mv));
        moves.truncate(args.moves);
        Ok(moves)
    };
    let plies = args.tree.unwrap_or(PLIES);
    let (page, positions) =
        page(name, position, plies, moves).with_context(|| Doing::File(args.book.clone()))?;
    let count = positions_text(positions as u64, lang);
    files::replace(path, |file| file.write_all(page.as_bytes()))
        .with_context(|| Doing::Writing(path.to_owned()))?;
    say!(lang, out, "{count} written to {}\n", "{count}を {} に書きました\n", path.display())?;
    Ok(())
}

/// A page of the positions that follow a start, nearest ones first, and their number. `moves` gives the moves of a
/// position, best first; all must be legal.
///
/// # Errors
/// `moves` fails.
pub(super) fn page(
    name: String,
    start: &Position,
    plies: usize,
    moves: impl FnMut(&Position) -> io::Result<Vec<PlayedMove>>,
) -> io::Result<(String, usize)> {
    let found = Found { moves, plies, positions: Vec::new(), known: HashMap::new() };
    let positions = found.collect(start)?;
    let count = positions.len();
    Ok((book_page(&BookPage { name, start: start.to_sfen(), positions })?, count))
}

struct Found<M> {
    moves: M,
    plies: usize,
    /// The positions with their moves in the book.
    positions: Vec<(Position, Vec<PlayedMove>)>,
    /// Their numbers by their keys.
    known: HashMap<u64, usize>,
}

impl<M: FnMut(&Position) -> io::Result<Vec<PlayedMove>>> Found<M> {
    fn add(&mut self, position: &Position, moves: Vec<PlayedMove>) -> usize {
        self.known.insert(position.key(), self.positions.len());
        self.positions.push((position.clone(), moves));
        self.positions.len() - 1
    }

    fn collect(mut self, start: &Position) -> io::Result<Vec<PagePosition>> {
        let moves = (self.moves)(start)?;
        self.add(start, moves);
        let mut pages: Vec<PagePosition> = Vec::new();
        let (mut left, mut in_ply) = (0, 1);
        let mut depth = 0;
        while let Some((position, moves)) = self.positions.get(pages.len()).cloned() {
            let partial = position.to_partial();
            let mut page = PagePosition::default();
            for PlayedMove { found, results } in moves {
                let BookMove { mv, eval, depth: searched, count, .. } = found;
                let name = names(&position, &partial, &[mv]).concat();
                let mut after = position.clone();
                after.do_move(mv);
                let (mut next, mut cut) = (self.known.get(&after.key()).copied(), false);
                if next.is_none() {
                    let moves = (self.moves)(&after)?;
                    cut =
                        !moves.is_empty() && (depth >= self.plies || self.positions.len() >= MOST);
                    if !moves.is_empty() && !cut {
                        next = Some(self.add(&after, moves));
                        left += 1;
                    }
                }
                let results = results.map(|Results { won, drawn, lost }| [won, drawn, lost]);
                let usi = mv.to_string();
                let (value, depth) = (eval, searched);
                page.moves.push(PageMove { usi, name, value, depth, count, results, next, cut });
            }
            pages.push(page);
            in_ply -= 1;
            if in_ply == 0 {
                (depth, in_ply, left) = (depth + 1, left, 0);
            }
        }
        Ok(pages)
    }
}
