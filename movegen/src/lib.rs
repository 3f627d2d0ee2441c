//! The rules of shogi: bitboards, positions with make and unmake, legal move generation by class,
//! repetition (sennichite), declaration (nyugyoku), static exchange evaluation and mate in one.
//!
//! Squares, colours, pieces and hands are the types of [`shogi_core`]. The crate does not depend on
//! evaluation, search or protocols.
//!
//! ```
//! use monomi_movegen::{Position, perft};
//! let mut position = Position::startpos();
//! assert_eq!(position.legal_moves().len(), 30);
//! assert_eq!(perft(&mut position, 3), 25_470);
//! ```

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
mod packed_move;
mod packed_position;
mod perft;
mod place;
mod position;
mod position_error;
pub mod position_text;
mod random;
mod repetition;
mod see;
mod sfen;
pub mod square;
mod threats;
mod validate;
mod zobrist;

pub use bitboard::Bitboard;
pub use check_info::CheckInfo;
pub use declaration::{Declaration, EnteringKingRule};
pub use messages::{piece_name, side_name};
pub use moves::{BatchList, EachMove, MAX_MOVES, MoveBatch, MoveCounter, MoveList, MoveSink};
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
pub use threats::Threats;
pub use zobrist::place_key;
