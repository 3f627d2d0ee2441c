//! Moves of a book.

use monomi_movegen::PackedMove;
use std::fmt;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move; it may be illegal.
    pub mv: PackedMove,
    /// The expected reply.
    pub ponder: Option<PackedMove>,
    /// The evaluation for the side to move in centipawns; 0 if the book has none.
    pub eval: i32,
    /// The depth of the search that computed the evaluation, in plies; 0 if unknown.
    pub depth: u32,
    /// How often the move was played; 0 if unknown.
    pub count: u32,
}

/// A move of a book with its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub found: BookMove,
    /// The results of the games in which it was played, if the book has them.
    pub results: Option<Results>,
}

/// Games in which a move was played, by their result for the side that played it.
///
/// The format has no field for them. They are written as a comment after the move, `# won drawn lost:
/// 3 1 2`: YaneuraOu skips lines that begin with `#`, and the move's count stays readable for all
/// programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// The start of the comment.
const RESULTS: &str = "# won drawn lost:";

impl Results {
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut numbers = line.strip_prefix(RESULTS)?.split_ascii_whitespace();
        let mut number = || numbers.next()?.parse().ok();
        Some(Self { won: number()?, drawn: number()?, lost: number()? })
    }

    /// Whether no game has a result.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

impl std::ops::AddAssign for Results {
    fn add_assign(&mut self, more: Self) {
        let Self { won, drawn, lost } = more;
        self.won = self.won.saturating_add(won);
        self.drawn = self.drawn.saturating_add(drawn);
        self.lost = self.lost.saturating_add(lost);
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{RESULTS} {} {} {}", self.won, self.drawn, self.lost)
    }
}
