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
use std::io::Write;
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
    let found = Found { args, book, positions: Vec::new(), known: HashMap::new() };
    let positions = found.collect(position).with_context(|| Doing::File(args.book.clone()))?;
    let count = positions_text(positions.len() as u64, lang);
    let page = book_page(&BookPage { name, start: position.to_sfen(), positions })?;
    files::replace(path, |file| file.write_all(page.as_bytes()))
        .with_context(|| Doing::Writing(path.to_owned()))?;
    say!(lang, out, "{count} written to {}\n", "{count}を {} に書きました\n", path.display())?;
    Ok(())
}

struct Found<'a> {
    args: &'a Show,
    book: &'a Book,
    /// The positions with their moves in the book.
    positions: Vec<(Position, Vec<PlayedMove>)>,
    /// Their numbers by their keys.
    known: HashMap<u64, usize>,
}

impl Found<'_> {
    fn moves(&self, position: &Position) -> std::io::Result<Vec<PlayedMove>> {
        let lookup = Lookup { ignore_ply: self.args.ignore_ply, flipped: true };
        let mut moves = self.book.find_played(position, lookup)?;
        moves.retain(|played| position.is_legal(played.found.mv));
        moves.truncate(self.args.moves);
        Ok(moves)
    }

    fn add(&mut self, position: &Position, moves: Vec<PlayedMove>) -> usize {
        self.known.insert(position.key(), self.positions.len());
        self.positions.push((position.clone(), moves));
        self.positions.len() - 1
    }

    fn collect(mut self, start: &Position) -> std::io::Result<Vec<PagePosition>> {
        let moves = self.moves(start)?;
        self.add(start, moves);
        let mut pages: Vec<PagePosition> = Vec::new();
        let (plies, mut left, mut in_ply) = (self.args.tree.unwrap_or(PLIES), 0, 1);
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
                    let moves = self.moves(&after)?;
                    cut = !moves.is_empty() && (depth >= plies || self.positions.len() >= MOST);
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
