//! From places to a network's inputs.
//!
//! An accumulator belongs to a view, a side whose pieces are the friends. All that a feature set
//! has to say here is data: for each view a table from places to inputs, and for each square of
//! the view's king where its block of inputs starts. Feature sets without blocks never need a
//! refresh. (Half-mirrored sets such as HalfKA_hm fit in as a second table for mirrored kings and
//! 45 blocks.)

use super::architecture::{FeatureSet, PIECE_INPUTS};
use monomi_movegen::square::{Dense, SQUARES, unpromoted};
use monomi_movegen::{DirtyPiece, Place, PlaceKind, Position};
use shogi_core::{Color, PieceKind, Square};

/// Both views, by dense colour.
pub(crate) const VIEWS: [Color; 2] = [Color::Black, Color::White];

/// Marks a place that is no input.
const NONE: u16 = u16::MAX;

/// First input of the pieces on the board.
const BOARD: usize = 90;

/// Where the block of inputs of a king's square starts; 0 where there are no blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block(u32);

/// The inputs of a feature set.
#[derive(Clone)]
pub struct FeatureMap {
    inputs: Box<[[u16; Place::COUNT]; 2]>,
    /// Inputs of one block, 0 if there are no blocks.
    block: u32,
}

impl FeatureMap {
    /// The tables of a feature set.
    pub fn new(features: FeatureSet) -> Self {
        let mut inputs = Box::new([[NONE; Place::COUNT]; 2]);
        for view in VIEWS {
            for (place, what) in Place::all() {
                if let Some(input) = input_of(features, view, what) {
                    inputs[view.dense()][place.index()] = input;
                }
            }
        }
        let block = match features {
            FeatureSet::KP => 0,
            FeatureSet::HalfKP => PIECE_INPUTS as u32,
        };
        Self { inputs, block }
    }

    /// Whether a view's accumulator is worthless once that side's king has moved.
    #[inline(always)]
    pub fn refreshes(&self) -> bool {
        self.block != 0
    }

    /// The block for a view of a position. A side without a king (tsume) is treated as if its king
    /// stood on the first square of its view.
    #[inline(always)]
    pub(crate) fn block(&self, view: Color, position: &Position) -> Block {
        if self.block == 0 {
            return Block(0);
        }
        self.block_at(king_slot(view, position))
    }

    /// The block for a king on a square (`0..81`) as its side sees it.
    #[inline(always)]
    pub fn block_at(&self, king_slot: usize) -> Block {
        Block(self.block * king_slot as u32)
    }

    /// The input of a place, if it is one.
    #[inline(always)]
    pub(crate) fn input(&self, view: Color, block: Block, place: Place) -> Option<u32> {
        self.input_at(view, block, place.index())
    }

    /// The input of the place with an index.
    #[inline(always)]
    pub fn input_at(&self, view: Color, block: Block, place: usize) -> Option<u32> {
        let input = self.inputs[view.dense()][place];
        (input != NONE).then(|| block.0 + u32::from(input))
    }

    /// What a move replaces: pairs of an input that goes and one that comes.
    ///
    /// A move that replaces no input (the enemy king's under HalfKP) gives no pair.
    #[inline(always)]
    pub(crate) fn changes(&self, view: Color, block: Block, dirty: DirtyPiece) -> Changes {
        let pair = |(before, after)| {
            Some((self.input(view, block, before)?, self.input(view, block, after)?))
        };
        let (moved, captured) = (pair(dirty.moved()), dirty.captured().and_then(pair));
        match (moved, captured) {
            (Some(moved), Some(captured)) => Changes { pairs: [moved, captured], len: 2 },
            (Some(one), None) | (None, Some(one)) => Changes { pairs: [one, (0, 0)], len: 1 },
            (None, None) => Changes { pairs: [(0, 0); 2], len: 0 },
        }
    }
}

/// At most two replacements of one input by another.
pub(crate) struct Changes {
    pairs: [(u32, u32); 2],
    len: usize,
}

impl std::ops::Deref for Changes {
    type Target = [(u32, u32)];

    #[inline(always)]
    fn deref(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }
}

/// The square of the view's king as that side sees it, `0..81`.
#[inline(always)]
pub(crate) fn king_slot(view: Color, position: &Position) -> usize {
    position.king(view).map_or(0, |square| seen(view, square))
}

/// A square as a side sees it: White turns the board.
#[inline(always)]
fn seen(view: Color, square: Square) -> usize {
    match view {
        Color::Black => square.dense(),
        Color::White => SQUARES - 1 - square.dense(),
    }
}

fn input_of(features: FeatureSet, view: Color, what: PlaceKind) -> Option<u16> {
    let input = match what {
        PlaceKind::Hand(owner, kind, nth) => {
            // First inputs of a friend's and of an enemy's hand.
            let (friend, enemy) = match kind {
                PieceKind::Pawn => (1, 20),
                PieceKind::Lance => (39, 44),
                PieceKind::Knight => (49, 54),
                PieceKind::Silver => (59, 64),
                PieceKind::Gold => (69, 74),
                PieceKind::Bishop => (79, 82),
                PieceKind::Rook => (85, 88),
                _ => return None,
            };
            usize::from(nth) + if owner == view { friend } else { enemy }
        }
        PlaceKind::Board(piece, square) => {
            let (kind, owner) = piece.to_parts();
            let square = seen(view, square);
            let enemy = usize::from(owner != view);
            if kind == PieceKind::King {
                return match features {
                    FeatureSet::KP => Some((PIECE_INPUTS + SQUARES * enemy + square) as u16),
                    FeatureSet::HalfKP => None,
                };
            }
            // Pawn, lance, knight, silver, gold, bishop, horse, rook, dragon.
            let row = match kind {
                PieceKind::ProBishop => 6,
                PieceKind::Rook => 7,
                PieceKind::ProRook => 8,
                PieceKind::Gold
                | PieceKind::ProPawn
                | PieceKind::ProLance
                | PieceKind::ProKnight
                | PieceKind::ProSilver => 4,
                other => unpromoted(other) as usize - 1,
            };
            BOARD + SQUARES * (2 * row + enemy) + square
        }
    };
    Some(input as u16)
}
