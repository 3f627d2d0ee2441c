//! The rules of shogi: bitboards, positions with make and unmake, legal move generation by class,
//! repetition (sennichite), declaration (nyugyoku), static exchange evaluation and mate in one.
//!
//! Squares, colours, pieces and hands are the types of [`shogi_core`]. The crate does not depend on
//! evaluation, search or protocols.
//!
//! ```
//! use monomi_movegen::{Position, perft};
//! let mut position: Position = "startpos moves 7g7f".parse()?;
//! let replies: Vec<String> = position.legal_moves().into_iter().map(|mv| mv.to_string()).collect();
//! assert!(replies.len() == 30 && replies.contains(&"3c3d".to_owned()));
//! position.play("3c3d".parse()?)?;
//! assert_eq!(perft(&mut Position::startpos(), 3), 25_470);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! *Bitboards* are 128-bit integers. Files 1 to 7 are in the low word, files 8 and 9 in the high word, so that no file is
//! split and a borrow still passes between the words. Attacks on ranks and diagonals use hyperbola quintessence (two
//! subtractions and a byte swap; adjacent squares of such a line are 8 to 10 bits apart, so no two share a byte). Attacks
//! on files are looked up by seven bits. There are no large magic tables and no PEXT.
//!
//! *All generators generate legal moves only.* Pins and checks are masks on the destinations, king moves are tested
//! against the enemy's attacks, and a pawn drop is examined for uchifuzume only if it gives check. Generators are compiled
//! for each class of moves and each colour and pass sets of destinations to a `MoveSink`: a list unpacks them, a counter
//! counts bits, which makes the last ply of perft cheap.
//!
//! *A place* (`Place`) is a piece on a square or the n-th piece of a kind in a hand; there are 2,344. A move removes at
//! most two places and adds at most two, and everything that is updated incrementally is a sum over the active places:
//! Zobrist keys, piece-square sums, network features. `Position::do_move` returns this change as a `DirtyPiece`; perft
//! ignores the change, the search passes it to the evaluation.
//!
//! *Keys* of board and hands are separate, to recognise positions that differ from an earlier one only in the hands
//! (superior and inferior positions).
//!
//! *Memory safety* rests on one invariant: a `Bitboard` contains only bits of squares, and a `PackedMove` only valid square
//! indices. All public functions preserve it (docs/verification.md).

#![warn(missing_debug_implementations)]

mod attack_tables;
pub mod attacks;
mod bitboard;
mod check_info;
mod declaration;
mod do_move;
mod earlier_boards;
mod legality;
mod mate1;
mod mate_check;
mod messages;
pub mod move_codes;
mod movegen;
mod moves;
mod outcome;
mod packed_move;
mod packed_position;
mod perft;
mod place;
mod position;
mod position_error;
pub mod position_text;
mod position_traits;
mod random;
mod repetition;
mod see;
#[cfg(feature = "serde")]
mod serialize;
mod sfen;
pub mod square;
mod threats;
mod validate;
mod zobrist;

pub use bitboard::Bitboard;
pub use check_info::CheckInfo;
pub use declaration::{Declaration, EnteringKingRule};
pub use do_move::IllegalMove;
pub use messages::{piece_name, side_name};
pub use moves::{BatchList, EachMove, MAX_MOVES, MoveBatch, MoveCounter, MoveList, MoveSink};
pub use outcome::Outcome;
pub use packed_move::{PackedMove, ParseMoveError};
pub use packed_position::{Layout, NotAFullSet, PackedPosition, UnpackError};
pub use perft::{divide, perft};
pub use place::{DirtyPiece, Place, PlaceKind, SET_COUNT};
pub use position::Position;
pub use position_error::{Field, PositionError, SyntaxFault};
pub use random::Random;
pub use repetition::Repetition;
pub use see::SEE_VALUE;
pub use sfen::rotated;
/// Squares, colours, pieces and hands.
pub use shogi_core;
pub use threats::Threats;
pub use zobrist::place_key;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
