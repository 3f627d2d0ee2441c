//! The formats of books.

use std::path::Path;

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// YaneuraOu's text format.
    Db,
    /// YaneuraOu's binary format.
    Ybb,
    /// Apery's format.
    Apery,
    /// ShogiGUI's format, which is only converted.
    Sbk,
}

impl Format {
    /// The format by the end of the file's name: `.ybb`, `.bin`, `.sbk`, or any other for `.db`.
    pub fn of(path: &Path) -> Self {
        let ends_with = |wanted: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
        };
        match () {
            () if ends_with("ybb") => Self::Ybb,
            () if ends_with("bin") => Self::Apery,
            () if ends_with("sbk") => Self::Sbk,
            () => Self::Db,
        }
    }
}
