//! The 16-bit move used in move lists and in the transposition table.

use crate::square::{Dense, SQUARES, square_at, square_of};
use shogi_core::{Color, Move, Piece, PieceKind, Square};
use std::num::NonZeroU16;

/// A move in 16 bits: bits 0..7 destination, 7..14 origin or dropped kind, 14 drop flag, 15
/// promotion flag. The colour is not stored; it is the side to move's.
///
/// The layout is that of `PackedSfenValue` training data except for the numbers of dropped golds,
/// bishops and rooks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct PackedMove(NonZeroU16);

/// Position of the origin or dropped kind.
pub const ORIGIN: u32 = 7;
pub const DROP: u16 = 1 << 14;
pub const PROMOTE: u16 = 1 << 15;

impl PackedMove {
    /// A move on the board.
    ///
    /// # Panics
    /// `from` and `to` are the same square.
    #[inline(always)]
    pub fn normal(from: Square, to: Square, promote: bool) -> Self {
        let (from, to) = (from.dense() as u16, to.dense() as u16);
        assert!(from != to, "a move must change the square");
        let bits = to | from << 7 | if promote { PROMOTE } else { 0 };
        // SAFETY: two different indices cannot both be zero, so `to | from << 7` is not zero.
        PackedMove(unsafe { NonZeroU16::new_unchecked(bits) })
    }

    /// A drop of a hand piece.
    ///
    /// # Panics
    /// Pieces of this kind are never in hand: kings and promoted ones.
    #[inline(always)]
    pub fn drop(kind: PieceKind, to: Square) -> Self {
        assert!((kind as u8) < PieceKind::King as u8, "this kind of piece is never in hand");
        let bits = to.dense() as u16 | (kind as u16) << 7 | DROP;
        // SAFETY: the drop flag is set.
        PackedMove(unsafe { NonZeroU16::new_unchecked(bits) })
    }

    /// Decodes 16 bits of unknown origin; `None` if they do not encode two different squares or a
    /// drop of a hand piece. The move need not be legal in any position.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<Self> {
        let to = bits as usize & 127;
        let from = bits as usize >> 7 & 127;
        let valid = to < SQUARES
            && if bits & DROP != 0 {
                (1..=7).contains(&from) && bits & PROMOTE == 0
            } else {
                from < SQUARES && from != to
            };
        if valid { NonZeroU16::new(bits).map(PackedMove) } else { None }
    }

    /// Decodes the bits of a move without checking them.
    ///
    /// # Safety
    /// The destination is a square, and either the drop flag is set or the origin is another square.
    #[inline(always)]
    pub(crate) unsafe fn from_bits_unchecked(bits: u16) -> Self {
        debug_assert!(Self::from_bits(bits).is_some());
        // SAFETY: the drop flag is set, or two different indices are not both zero.
        PackedMove(unsafe { NonZeroU16::new_unchecked(bits) })
    }

    /// The 16 bits.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    /// The destination square.
    #[inline(always)]
    pub fn to(self) -> Square {
        square_of(self.bits() as usize & 127)
    }

    /// The origin square; `None` for drops.
    #[inline(always)]
    pub fn from_square(self) -> Option<Square> {
        if self.is_drop() { None } else { Some(self.origin()) }
    }

    /// The origin of a move that is not a drop.
    #[inline(always)]
    pub(crate) fn origin(self) -> Square {
        debug_assert!(!self.is_drop());
        square_of(self.bits() as usize >> 7 & 127)
    }

    /// The dropped kind of piece; `None` for moves on the board.
    #[inline(always)]
    pub fn dropped(self) -> Option<PieceKind> {
        if self.is_drop() { PieceKind::from_u8((self.bits() >> 7 & 127) as u8) } else { None }
    }

    /// Whether the move is a drop.
    #[inline(always)]
    pub fn is_drop(self) -> bool {
        self.bits() & DROP != 0
    }

    /// Whether the move promotes.
    #[inline(always)]
    pub fn is_promotion(self) -> bool {
        self.bits() & PROMOTE != 0
    }

    /// Converts to `shogi_core`'s move, in which drops have a colour.
    pub fn to_core(self, mover: Color) -> Move {
        match self.dropped() {
            Some(kind) => Move::Drop { piece: Piece::new(kind, mover), to: self.to() },
            None => {
                Move::Normal { from: self.origin(), to: self.to(), promote: self.is_promotion() }
            }
        }
    }

    /// Converts from `shogi_core`'s move; `None` for a drop of a king or promoted piece and for a
    /// move whose two squares are the same.
    pub fn from_core(mv: Move) -> Option<Self> {
        match mv {
            Move::Normal { from, to, .. } if from == to => None,
            Move::Normal { from, to, promote } => Some(Self::normal(from, to, promote)),
            Move::Drop { piece, to } => {
                let kind = piece.piece_kind();
                if (kind as u8) < PieceKind::King as u8 { Some(Self::drop(kind, to)) } else { None }
            }
        }
    }

    /// The same move on a board rotated by 180 degrees.
    pub fn flipped(self) -> Self {
        let turn = |sq: Square| square_at(SQUARES - 1 - sq.dense()).unwrap_or(sq);
        match self.dropped() {
            Some(kind) => Self::drop(kind, turn(self.to())),
            None => Self::normal(turn(self.origin()), turn(self.to()), self.is_promotion()),
        }
    }
}

/// USI notation: `7g7f`, `8h2b+`, `P*5e`.
impl std::fmt::Display for PackedMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let square = |sq: Square| ((b'0' + sq.file()) as char, (b'a' + sq.rank() - 1) as char);
        let (file, rank) = square(self.to());
        match self.dropped() {
            Some(kind) => {
                let letter = [' ', 'P', 'L', 'N', 'S', 'G', 'B', 'R'][kind as usize & 7];
                write!(f, "{letter}*{file}{rank}")
            }
            None => {
                let (from_file, from_rank) = square(self.origin());
                let plus = if self.is_promotion() { "+" } else { "" };
                write!(f, "{from_file}{from_rank}{file}{rank}{plus}")
            }
        }
    }
}

impl std::fmt::Debug for PackedMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Parses USI notation strictly.
impl std::str::FromStr for PackedMove {
    type Err = ParseMoveError;

    fn from_str(token: &str) -> Result<Self, Self::Err> {
        use shogi_usi_parser::FromUsi;
        Move::from_usi_lite(token)
            .and_then(Self::from_core)
            .ok_or_else(|| ParseMoveError { token: token.to_owned() })
    }
}

/// A token that is not a move in USI notation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseMoveError {
    /// The text as it was given, not shortened.
    pub token: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::unpromoted;

    #[test]
    fn all_valid_bits_round_trip() {
        let mut valid = 0;
        // Miri is too slow for all of them.
        for bits in (0..=u16::MAX).step_by(if cfg!(miri) { 331 } else { 1 }) {
            let Some(mv) = PackedMove::from_bits(bits) else { continue };
            valid += 1;
            assert_eq!(mv.bits(), bits);
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(PackedMove::from_core(mv.to_core(Color::White)), Some(mv));
            assert_eq!(mv.flipped().flipped(), mv);
        }
        if !cfg!(miri) {
            assert_eq!(valid, 81 * 80 * 2 + 81 * 7);
        }
    }

    #[test]
    #[should_panic(expected = "must change the square")]
    fn a_move_from_1a_to_1a_is_rejected() {
        let corner = square_of(0);
        PackedMove::normal(corner, corner, false);
    }

    #[test]
    fn kings_and_promoted_pieces_are_not_dropped() {
        for kind in PieceKind::all() {
            let dropped = std::panic::catch_unwind(|| PackedMove::drop(kind, square_of(40)));
            let can_be_held = unpromoted(kind) == kind && kind != PieceKind::King;
            assert_eq!(dropped.is_ok(), can_be_held, "{kind:?}");
        }
    }

    #[test]
    fn errors_contain_the_token() {
        for token in ["", "7g", "7g7", "7g7f*", "K*5e", "p*5e", "0a1b", "7g7g", "1j1a", "7g7f++"] {
            let error = token.parse::<PackedMove>().unwrap_err();
            assert_eq!(error.token, token);
        }
    }
}
