//! Places: a piece on a square of the board, or the n-th piece of a kind in a hand.
//!
//! Everything that is updated incrementally (Zobrist keys, piece-square sums, network features) is a
//! sum over the active places, so all of them share one dense index. A move removes at most two
//! places and adds at most two; [`DirtyPiece`] lists them.

use crate::square::{Dense, SQUARES};
use shogi_core::{Color, Piece, PieceKind, Square};

/// A dense index of a piece on a square, or of the n-th piece of a kind in a hand.
///
/// With `n` pieces of a kind in hand the places of the first, second, ... n-th are all active, so a
/// position with all 40 pieces has 40 active places, including the kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(transparent)]
pub struct Place(u16);

/// The number of pieces of each kind in a set, indexed by `PieceKind as usize`.
pub const SET_COUNT: [u8; 9] = [0, 18, 4, 4, 4, 4, 2, 2, 2];

/// The first hand place of each kind within a colour's block of 38.
const HAND_OFFSET: [u16; 8] = [0, 0, 18, 22, 26, 30, 34, 36];
const HAND_BASE: u16 = 28 * SQUARES as u16;
const HAND_BLOCK: u16 = 38;

impl Place {
    /// The number of places.
    pub const COUNT: usize = (HAND_BASE + 2 * HAND_BLOCK) as usize;
    /// A length for tables that are indexed by the places of a [`DirtyPiece`]: the compiler sees that
    /// the indices are smaller and leaves the check out.
    pub const TABLE: usize = 1 << PLACE_BITS;

    /// The place of a piece on the board.
    #[inline(always)]
    pub fn board(piece: Piece, square: Square) -> Self {
        Place((piece.dense() * SQUARES + square.dense()) as u16)
    }

    /// The place of the `nth` piece (from zero) of `kind` in the hand of `color`.
    /// `nth` must be less than the number of such pieces in a set (18 pawns, 4 golds, ...).
    #[inline(always)]
    pub fn hand(color: Color, kind: PieceKind, nth: u8) -> Self {
        debug_assert!(nth < SET_COUNT[kind as usize & 7]);
        Place(
            HAND_BASE
                + color.dense() as u16 * HAND_BLOCK
                + HAND_OFFSET[kind as usize & 7]
                + nth as u16,
        )
    }

    /// The index, in `0..Place::COUNT`.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// All places with their meaning, ordered by index.
    pub fn all() -> impl Iterator<Item = (Place, PlaceKind)> {
        let colors = [Color::Black, Color::White];
        let kinds = || PieceKind::all().into_iter();
        let board = colors.into_iter().flat_map(move |color| {
            kinds().flat_map(move |kind| {
                let piece = Piece::new(kind, color);
                Square::all().map(move |sq| (Place::board(piece, sq), PlaceKind::Board(piece, sq)))
            })
        });
        let hand = colors.into_iter().flat_map(|color| {
            crate::square::HAND_KINDS.into_iter().flat_map(move |kind| {
                (0..SET_COUNT[kind as usize])
                    .map(move |n| (Place::hand(color, kind, n), PlaceKind::Hand(color, kind, n)))
            })
        });
        board.chain(hand)
    }
}

/// The meaning of a [`Place`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    /// A piece on a square.
    Board(Piece, Square),
    /// The n-th piece (from zero) of a kind in a hand.
    Hand(Color, PieceKind, u8),
}

/// What a move changed, for incremental updates.
///
/// Packed into one word so that it stays in a register; a struct written field by field and then
/// copied as a whole would stall on store forwarding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirtyPiece(u64);

/// Bits of a place in a [`DirtyPiece`].
const PLACE_BITS: u32 = 12;
const _: () = assert!(Place::COUNT <= Place::TABLE);
const CAPTURE: u64 = 1 << (4 * PLACE_BITS);
const BLACK_KING: u64 = 2 * CAPTURE;
const WHITE_KING: u64 = 4 * CAPTURE;

impl DirtyPiece {
    /// `moved`: the moving piece's places before and after the move. `captured`: the captured
    /// piece's places on the board and in the mover's hand. `king`: the side whose king moved.
    #[inline(always)]
    pub(crate) fn new(
        moved: (Place, Place),
        captured: Option<(Place, Place)>,
        king: Option<Color>,
    ) -> Self {
        let pair = |(before, after): (Place, Place)| {
            before.index() as u64 | (after.index() as u64) << PLACE_BITS
        };
        let captured = captured.map_or(0, |places| pair(places) << (2 * PLACE_BITS) | CAPTURE);
        let king = match king {
            None => 0,
            Some(Color::Black) => BLACK_KING,
            Some(Color::White) => WHITE_KING,
        };
        Self(pair(moved) | captured | king)
    }

    #[inline(always)]
    fn pair(self, first: u32) -> (Place, Place) {
        let place = |nth| Place((self.0 >> (nth * PLACE_BITS)) as u16 & ((1 << PLACE_BITS) - 1));
        (place(first), place(first + 1))
    }

    /// The moving piece's places before and after the move.
    #[inline(always)]
    pub fn moved(self) -> (Place, Place) {
        self.pair(0)
    }

    /// The captured piece's places on the board and in the mover's hand.
    #[inline(always)]
    pub fn captured(self) -> Option<(Place, Place)> {
        (self.0 & CAPTURE != 0).then(|| self.pair(2))
    }

    /// The side whose king moved, if the moved piece is a king.
    #[inline(always)]
    pub fn king(self) -> Option<Color> {
        match self.0 & (BLACK_KING | WHITE_KING) {
            0 => None,
            BLACK_KING => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_dense_and_ordered() {
        let mut n = 0;
        for (place, _) in Place::all() {
            assert_eq!(place.index(), n);
            n += 1;
        }
        assert_eq!(n, Place::COUNT);
    }

    #[test]
    fn dirty_piece_round_trips() {
        let places: Vec<Place> = Place::all().map(|(place, _)| place).collect();
        let kings = [None, Some(Color::Black), Some(Color::White)];
        let step = if cfg!(miri) { 50 } else { 1 };
        let pairs = places.iter().zip(places.iter().rev()).enumerate();
        for (i, (&first, &second)) in pairs.step_by(step) {
            let other = (places[i / 2], places[Place::COUNT - 1 - i / 3]);
            for captured in [None, Some(other)] {
                let king = kings[i % 3];
                let dirty = DirtyPiece::new((first, second), captured, king);
                assert_eq!(dirty.moved(), (first, second));
                assert_eq!((dirty.captured(), dirty.king()), (captured, king));
            }
        }
    }
}
