//! The options of the opening book.

use super::{Kind, Options, Spec, check, spec, spin};
use std::path::PathBuf;

/// The value of `BookFile` for no book.
pub const NO_BOOK: &str = "no_book";

/// Which book to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookSource {
    /// The file as given by the user.
    pub file: String,
    /// The folder that is searched first; may be empty.
    pub dir: String,
    /// Leave the book on disk.
    pub on_the_fly: bool,
}

impl BookSource {
    /// The paths to try, in order.
    pub fn paths(&self) -> Vec<PathBuf> {
        let file = PathBuf::from(&self.file);
        let mut paths = Vec::new();
        if !self.dir.is_empty() {
            paths.push(PathBuf::from(&self.dir).join(&file));
        }
        paths.push(file);
        paths
    }
}

impl Options {
    /// The book that the options name.
    pub fn book_source(&self) -> Option<BookSource> {
        if !self.own_book || self.book_file.is_empty() || self.book_file == NO_BOOK {
            return None;
        }
        Some(BookSource {
            file: self.book_file.clone(),
            dir: self.book_dir.clone(),
            on_the_fly: self.book_on_the_fly,
        })
    }

    /// Sets the options that name the book.
    pub fn set_book_source(&mut self, source: Option<&BookSource>) {
        match source {
            None => NO_BOOK.clone_into(&mut self.book_file),
            Some(source) => {
                self.book_file.clone_from(&source.file);
                self.book_dir.clone_from(&source.dir);
                self.book_on_the_fly = source.on_the_fly;
            }
        }
    }
}

/// As in `options.rs`.
pub static TABLE: [Spec; 15] = [
    check("USI_OwnBook", true, |o, on| o.own_book = on).or(&["OwnBook"]).native(),
    spec(
        "BookFile",
        Kind::Text { file: true, default: NO_BOOK, set: |o, s| s.clone_into(&mut o.book_file) },
    )
    .native(),
    spec(
        "BookDir",
        Kind::Text { file: false, default: "book", set: |o, s| s.clone_into(&mut o.book_dir) },
    )
    .native(),
    check("BookOnTheFly", false, |o, on| o.book_on_the_fly = on).native(),
    spin("BookMoves", 16, 0, 10_000, |o, n| o.book.moves = n as u16).native(),
    spin("BookIgnoreRate", 0, 0, 100, |o, n| o.book.ignore_rate = n as u32).native(),
    check("NarrowBook", false, |o, on| o.book.narrow = on).native(),
    spin("BookEvalDiff", 30, 0, 99_999, |o, n| o.book.eval_diff = n as i32).native(),
    spin("BookEvalBlackLimit", 0, -99_999, 99_999, |o, n| o.book.eval_limit[0] = n as i32).native(),
    spin("BookEvalWhiteLimit", -140, -99_999, 99_999, |o, n| o.book.eval_limit[1] = n as i32)
        .native(),
    spin("BookDepthLimit", 16, 0, 99_999, |o, n| o.book.depth_limit = n as u32).native(),
    check("ConsiderBookMoveCount", false, |o, on| o.book.consider_count = on).native(),
    spin("BookPvMoves", 8, 1, 246, |o, n| o.book.pv_moves = n as usize).native(),
    check("IgnoreBookPly", false, |o, on| o.book.lookup.ignore_ply = on).native(),
    check("FlippedBook", true, |o, on| o.book.lookup.flipped = on).native(),
];
