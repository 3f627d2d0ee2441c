//! From places to a network's inputs.
//!
//! An accumulator belongs to a perspective: the side whose pieces are "own". A feature set is data:
//! for each perspective a table from places to inputs, for each square of the own king the start
//! of its block of inputs (king bucket), and for mirrored sets a second table for a king on files
//! 6 to 9. Sets without blocks never need a refresh.

use super::architecture::{ENEMY_KING, FeatureSet, PIECE_INPUTS};
use monomi_movegen::square::{Dense, SQUARES, unpromoted};
use monomi_movegen::{DirtyPiece, Place, PlaceKind, Position};
use shogi_core::{Color, PieceKind, Square};

/// Both perspectives, by dense colour.
pub const VIEWS: [Color; 2] = [Color::Black, Color::White];

/// Pieces except the kings in a complete set.
pub const PIECES: usize = 38;

/// Marks a place that is no input.
const NONE: u16 = u16::MAX;

/// First input of the pieces on the board.
const BOARD: usize = 90;

/// First file (0 = file 1) on which the own king causes mirroring.
const FIRST_MIRRORED_SQUARE: usize = 45;

/// The king bucket of a perspective: where its inputs start, and whether the board is mirrored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    start: u32,
    /// First table: 0, or 2 when mirrored.
    table: u32,
}

/// The inputs of a feature set.
#[derive(Clone, Debug)]
pub struct FeatureMap {
    /// `[mirrored][perspective]`, flattened; the second half is unused without mirroring.
    inputs: Box<[[u16; Place::TABLE]; 4]>,
    /// Inputs of one block, 0 if there are no blocks. Those of `inputs` are smaller, or smaller than
    /// the number of all inputs if there are no blocks.
    block: u32,
    mirrored: bool,
}

impl FeatureMap {
    /// The tables of a feature set.
    pub fn new(features: FeatureSet) -> Self {
        let mut inputs = Box::new([[NONE; Place::TABLE]; 4]);
        let bound = if features.block() == 0 { features.inputs() } else { features.block() };
        for view in VIEWS {
            for (place, what) in Place::all() {
                for mirrored in [false, true] {
                    if let Some(input) = input_of(features, view, what, mirrored) {
                        assert!(usize::from(input) < bound, "{what:?} is an input of the block");
                        let table = view.dense() + 2 * usize::from(mirrored);
                        inputs[table][place.index()] = input;
                    }
                }
            }
        }
        Self { inputs, block: features.block() as u32, mirrored: features.is_mirrored() }
    }

    /// Whether a perspective's accumulator must be refreshed after a move of that side's king.
    #[inline(always)]
    pub(crate) fn refreshes(&self) -> bool {
        self.block != 0
    }

    /// The block for a perspective of a position. A side without a king (mate problems) is treated
    /// as if its king were on the first square of its perspective.
    #[inline(always)]
    pub(crate) fn block(&self, view: Color, position: &Position) -> Block {
        if self.block == 0 {
            return Block { start: 0, table: 0 };
        }
        self.block_at(king_slot(view, position))
    }

    /// The block for a king on a square (`0..81`) as its side sees it.
    #[inline(always)]
    pub fn block_at(&self, king_slot: usize) -> Block {
        if self.mirrored && king_slot >= FIRST_MIRRORED_SQUARE {
            return Block { start: self.block * mirror(king_slot) as u32, table: 2 };
        }
        Block { start: self.block * king_slot as u32, table: 0 }
    }

    /// The input of a place, if it is one.
    #[inline(always)]
    pub(crate) fn input(&self, view: Color, block: Block, place: Place) -> Option<u32> {
        self.input_at(view, block, place.index())
    }

    /// The input of the place with an index.
    ///
    /// Under [`FeatureSet::KA2`] a king has two inputs; this is the one in `1629..1791`. The other
    /// is `FeatureMap::second_input` of it.
    #[inline(always)]
    pub fn input_at(&self, view: Color, block: Block, place: usize) -> Option<u32> {
        let input = self.inputs[view.dense() + block.table as usize][place];
        (input != NONE).then(|| block.start + u32::from(input))
    }

    /// The input that is active together with `input` under [`FeatureSet::KA2`]: a king's square
    /// among all pieces.
    pub(crate) fn second_input(features: FeatureSet, input: usize) -> Option<usize> {
        let king = features == FeatureSet::KA2 && input >= ENEMY_KING;
        king.then(|| PIECE_INPUTS + (input - ENEMY_KING) % SQUARES)
    }

    /// The input of a missing piece (number 0 of the block). YaneuraOu counts it once for each of
    /// the 38 pieces that are neither on the board nor in a hand.
    #[inline(always)]
    pub(crate) fn missing(block: Block) -> u32 {
        block.start
    }

    /// What a move on the way to `position` replaces: pairs of an input that goes and one that comes.
    /// The perspective's king has not moved since, or the features do not depend on it.
    ///
    /// A move that replaces no input (the enemy king's under HalfKP) gives no pair. All inputs are less
    /// than the feature set's number of inputs: unsafe code relies on it. (A king's square, as seen and
    /// mirrored, is less than the number of blocks, and the tables' inputs were checked when made.)
    #[inline(always)]
    pub(crate) fn changes(&self, view: Color, position: &Position, dirty: DirtyPiece) -> Changes {
        let block = self.block(view, position);
        let inputs = &self.inputs[view.dense() + block.table as usize];
        let mut changes = Changes { pairs: [(0, 0); 2], len: 0 };
        let mut add = |(before, after): (Place, Place)| {
            let (gone, come) = (inputs[before.index()], inputs[after.index()]);
            // Stored without a branch; what is no pair does not count and is overwritten.
            changes.pairs[changes.len & 1] =
                (block.start + u32::from(gone), block.start + u32::from(come));
            changes.len += usize::from(gone != NONE && come != NONE);
        };
        add(dirty.moved());
        if let Some(captured) = dirty.captured() {
            add(captured);
        }
        changes
    }
}

/// At most two replacements of one input by another.
pub struct Changes {
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

/// Pieces of the 38 that are neither on the board nor in a hand.
pub fn missing_pieces(position: &Position) -> usize {
    let kings = VIEWS.into_iter().filter(|&side| position.king(side).is_some()).count();
    let present = position.places().count() - kings;
    PIECES.saturating_sub(present)
}

/// The square of the perspective's king as that side sees it, `0..81`.
#[inline(always)]
pub fn king_slot(view: Color, position: &Position) -> usize {
    position.king(view).map_or(0, |square| seen(view, square))
}

/// A square as a side sees it: White turns the board.
#[inline(always)]
pub fn seen(view: Color, square: Square) -> usize {
    match view {
        Color::Black => square.dense(),
        Color::White => SQUARES - 1 - square.dense(),
    }
}

/// The square on the file that is as far from the other edge.
#[inline(always)]
const fn mirror(square: usize) -> usize {
    (8 - square / 9) * 9 + square % 9
}

/// The index "P" of a place with the kings at 1548 (own) and 1629 (enemy).
fn piece_index(view: Color, what: PlaceKind, mirrored: bool) -> Option<usize> {
    let (piece, square) = match what {
        PlaceKind::Hand(owner, kind, nth) => {
            // First indices of an own piece and of an enemy's.
            let (own, enemy) = match kind {
                PieceKind::Pawn => (1, 20),
                PieceKind::Lance => (39, 44),
                PieceKind::Knight => (49, 54),
                PieceKind::Silver => (59, 64),
                PieceKind::Gold => (69, 74),
                PieceKind::Bishop => (79, 82),
                PieceKind::Rook => (85, 88),
                _ => return None,
            };
            return Some(usize::from(nth) + if owner == view { own } else { enemy });
        }
        PlaceKind::Board(piece, square) => (piece, seen(view, square)),
    };
    let (kind, owner) = piece.to_parts();
    let square = if mirrored { mirror(square) } else { square };
    // Pawn, lance, knight, silver, gold, bishop, horse, rook, dragon, king.
    let row = match kind {
        PieceKind::ProBishop => 6,
        PieceKind::Rook => 7,
        PieceKind::ProRook => 8,
        PieceKind::King => 9,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => 4,
        other => unpromoted(other) as usize - 1,
    };
    Some(BOARD + SQUARES * (2 * row + usize::from(owner != view)) + square)
}

fn input_of(features: FeatureSet, view: Color, what: PlaceKind, mirrored: bool) -> Option<u16> {
    let index = piece_index(view, what, mirrored)?;
    let input = match features {
        FeatureSet::HalfKP | FeatureSet::HalfKPVm if index >= PIECE_INPUTS => return None,
        // Both kings share their indices: they are never on one square.
        FeatureSet::HalfKA2 | FeatureSet::HalfKAHm2 if index >= ENEMY_KING => index - SQUARES,
        FeatureSet::KA2 if index >= PIECE_INPUTS => index + SQUARES,
        _ => index,
    };
    Some(input as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `AccumulatorStack::follow` relies on it.
    #[test]
    fn every_input_is_less_than_their_number() {
        for features in FeatureSet::ALL {
            let map = FeatureMap::new(features);
            let blocks = (0..SQUARES).map(|slot| map.block_at(slot));
            let inputs = blocks.flat_map(|block| {
                let map = &map;
                VIEWS.into_iter().flat_map(move |view| {
                    Place::all().filter_map(move |(place, _)| map.input(view, block, place))
                })
            });
            let largest = inputs.max().map(|input| input as usize);
            // The last king square of a side is not one of the other's inputs everywhere.
            let room = features.inputs() - SQUARES..features.inputs();
            assert!(largest.is_some_and(|largest| room.contains(&largest)), "{features:?}");
        }
    }
}
