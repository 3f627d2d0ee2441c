//! Why a position is rejected.

use shogi_core::{Color, PieceKind};

/// Why a position is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError {
    /// The text is not sfen.
    Syntax {
        /// The part of the text that could not be read.
        token: String,
        /// What is wrong with it.
        fault: SyntaxFault,
    },
    /// A field is missing.
    Missing(Field),
    /// There are more pieces of a kind than in a set.
    TooMany {
        /// The kind, unpromoted.
        kind: PieceKind,
        /// How many there are.
        count: u8,
        /// How many a set has.
        max: u8,
    },
    /// A side has two kings.
    TwoKings(Color),
    /// There is no king.
    NoKing,
    /// A side has two unpromoted pawns in a file (nifu).
    TwoPawns {
        /// The side that has them.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
    },
    /// A pawn, lance or knight that could never move again.
    DeadPiece {
        /// The piece's side.
        color: Color,
        /// The kind.
        kind: PieceKind,
        /// Its file, 1 to 9.
        file: u8,
        /// Its rank, `a` to `i`.
        rank: char,
    },
    /// The side that is not to move is in check.
    KingCanBeTaken(Color),
}

/// A field of sfen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// The pieces on the board.
    Board,
    /// `b` or `w`.
    SideToMove,
    /// The pieces in hand.
    Hands,
}

/// What is wrong with a part of sfen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxFault {
    /// A move number was expected.
    MoveNumber,
    /// Something follows the move number.
    Extra,
    /// A board of another number of rows than nine.
    Rows(usize),
    /// A row of another number of squares than nine.
    Width(u32),
    /// A number of pieces in hand starts with 0.
    LeadingZero,
    /// A king in hand.
    KingInHand,
    /// The parser did not get to this part.
    Unread,
    /// As the parser describes it, in English.
    Parser(&'static str),
}
