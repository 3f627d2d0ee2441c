//! `monomi book show --tree`.

use crate::commands::book::Show;
use crate::failure::{Context as _, Doing, Failure};
use monomi_book::{Book, BookMove, Lookup};
use monomi_movegen::Position;
use std::io::Write;

/// Writes the book's moves as a tree: the best `moves` of each position, up to `plies` deep. Of a position that
/// was shown before only a reference is written.
pub(super) fn show(
    book: &Book,
    args: &Show,
    position: &Position,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let lookup = Lookup { ignore_ply: args.ignore_ply, flipped: true };
    let mut tree = Tree { book, args, lookup, shown: Vec::new() };
    tree.write(&mut position.clone(), 0, out)
}

struct Tree<'a> {
    book: &'a Book,
    args: &'a Show,
    lookup: Lookup,
    /// The keys of the positions that were shown.
    shown: Vec<u64>,
}

impl Tree<'_> {
    fn write(
        &mut self,
        position: &mut Position,
        depth: usize,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if depth >= self.args.tree.unwrap_or(0) {
            return Ok(());
        }
        let file = || Doing::File(self.args.book.clone());
        let mut moves = self.book.find(position, self.lookup).with_context(file)?;
        moves.retain(|found| position.is_legal(found.mv));
        for BookMove { mv, eval, depth: searched, .. } in moves.into_iter().take(self.args.moves) {
            position.do_move(mv);
            let again = self.shown.contains(&position.key());
            let mark = if again { " ..." } else { "" };
            writeln!(out, "{:indent$}{mv} {eval:+} ({searched}){mark}", "", indent = 2 * depth)?;
            if !again {
                self.shown.push(position.key());
                self.write(position, depth + 1, out)?;
            }
            position.undo_move();
        }
        Ok(())
    }
}
