//! The formats of records.

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// KIF (`.kif`, `.kifu`): one move per line, with its origin.
    Kif,
    /// KI2 (`.ki2`, `.ki2u`): moves as printed in newspapers.
    Ki2,
    /// The format of the Computer Shogi Association, versions 1 to 3.
    Csa,
    /// JSON Kifu Format.
    Jkf,
    /// USI `position` lines and SFENs.
    Usi,
}

impl Format {
    /// Extensions of files that hold records and nothing else, in lower case.
    pub const EXTENSIONS: [&str; 6] = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf"];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Kif => "KIF",
            Format::Ki2 => "KI2",
            Format::Csa => "CSA",
            Format::Jkf => "JKF",
            Format::Usi => "USI",
        }
    }
}
