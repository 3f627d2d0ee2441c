//! Training samples: positions with a score and the game's result.

use monomi_eval::score::Bound;
use monomi_movegen::square::{Dense, SQUARES, square_at};
use monomi_movegen::{Place, PlaceKind, Position};
use shogi_core::Color;

/// Largest number of active places in a position.
pub(crate) const MAX_PLACES: usize = 40;

/// A position reduced to the inputs of networks, with its score and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Indices of the active places; `count` of them.
    pub(crate) places: [u16; MAX_PLACES],
    pub(crate) count: u8,
    /// By colour: the king's square, [`NO_KING`] where there is none.
    pub(crate) kings: [u8; 2],
    /// The side to move; score and result are from its point of view.
    pub side: Color,
    /// The score in internal units (90 to a pawn).
    pub score: i16,
    /// Whether the score is exact; scores of positions from search trees may be bounds.
    pub bound: Bound,
    /// The game's result: 1 won, 0 drawn, -1 lost; `None` for a position that is not from a game.
    pub result: Option<i8>,
}

/// Stands for a missing king.
pub(crate) const NO_KING: u8 = u8::MAX;

impl Sample {
    /// A position from a game; score and result are those of the side to move.
    pub fn new(position: &Position, score: i16, result: i8) -> Self {
        Self { result: Some(result), ..Self::of_tree(position, score, Bound::Exact) }
    }

    /// A position from a search tree; the score is that of the side to move.
    pub(crate) fn of_tree(position: &Position, score: i16, bound: Bound) -> Self {
        let mut places = [0; MAX_PLACES];
        let mut count = 0;
        for ((place, _), slot) in position.places().zip(&mut places) {
            *slot = place.index() as u16;
            count += 1;
        }
        let king = |color| position.king(color).map_or(NO_KING, |square| square.dense() as u8);
        Self {
            places,
            count,
            kings: [king(Color::Black), king(Color::White)],
            side: position.side_to_move(),
            score,
            bound,
            result: None,
        }
    }

    /// The square of a side's king as that side sees it. Without a king, as in the engine: the
    /// first square.
    pub(crate) fn king_slot(&self, view: Color) -> usize {
        let king = usize::from(self.kings[view.dense()]);
        match view {
            _ if king >= SQUARES => 0,
            Color::Black => king,
            Color::White => SQUARES - 1 - king,
        }
    }

    /// The active places' indices.
    pub(crate) fn places(&self) -> &[u16] {
        &self.places[..usize::from(self.count)]
    }
}

/// Mirrors samples left to right. The rules are symmetric.
pub struct Mirror {
    places: Box<[u16; Place::COUNT]>,
}

/// The square mirrored at the middle file.
fn mirrored(square: usize) -> usize {
    let (file, rank) = (square / 9, square % 9);
    (8 - file) * 9 + rank
}

impl Mirror {
    /// Computes the table of all places.
    #[expect(clippy::new_without_default, reason = "takes time to compute")]
    pub fn new() -> Self {
        let mut places = Box::new([0; Place::COUNT]);
        for (place, what) in Place::all() {
            let image = match what {
                PlaceKind::Board(piece, square) => square_at(mirrored(square.dense()))
                    .map_or(place, |square| Place::board(piece, square)),
                PlaceKind::Hand(..) => place,
            };
            places[place.index()] = image.index() as u16;
        }
        Self { places }
    }

    /// The mirror image of a place, by index.
    pub(crate) fn place(&self, index: usize) -> usize {
        usize::from(self.places[index])
    }

    /// Replaces a sample by its mirror image.
    pub fn apply(&self, sample: &mut Sample) {
        for place in &mut sample.places[..usize::from(sample.count)] {
            *place = self.places[usize::from(*place)];
        }
        for king in &mut sample.kings {
            if usize::from(*king) < SQUARES {
                *king = mirrored(usize::from(*king)) as u8;
            }
        }
    }
}

/// Why samples could not be read.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// A set of samples, read in passes.
pub trait Samples: Send {
    /// Starts a pass. The same number always gives the same order.
    ///
    /// # Errors
    /// When the data cannot be read; the error names the file.
    fn start(&mut self, pass: u64) -> Result<(), SourceError>;

    /// The next sample, `None` at the end of the pass.
    ///
    /// # Errors
    /// As [`Samples::start`].
    fn next(&mut self) -> Result<Option<Sample>, SourceError>;

    /// The part of the pass that is done, from 0 to 1. Never decreases within a pass.
    fn done(&self) -> f64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Expander;
    use ::tests::games::visit_random_positions;
    use monomi_eval::network::FeatureSet;

    /// The same position with left and right exchanged, by its text.
    fn mirrored_text(sfen: &str) -> String {
        let (board, rest) = sfen.split_once(' ').unwrap();
        let rows = board.split('/').map(|row| {
            let mut pieces: Vec<String> = Vec::new();
            for c in row.chars() {
                match pieces.last_mut() {
                    Some(last) if last == "+" => last.push(c),
                    _ => pieces.push(c.to_string()),
                }
            }
            pieces.reverse();
            pieces.concat()
        });
        format!("{} {rest}", rows.collect::<Vec<_>>().join("/"))
    }

    #[test]
    fn mirroring_matches_the_mirrored_diagram() {
        let mirror = Mirror::new();
        let sorted = |sample: &Sample| {
            let mut places = sample.places().to_vec();
            places.sort_unstable();
            (places, sample.kings)
        };
        visit_random_positions(&Position::startpos(), 3, 150, 500, |position| {
            let sample = Sample::new(position, 5, 1);
            let image = Position::from_sfen(&mirrored_text(&position.to_sfen())).unwrap();
            let expected = Sample::new(&image, 5, 1);
            let mut found = sample;
            mirror.apply(&mut found);
            assert_eq!(sorted(&found), sorted(&expected));
            for features in [FeatureSet::KP, FeatureSet::HalfKP] {
                let expander = Expander::new(features);
                let inputs = |sample: &Sample| {
                    expander.expand(sample).map(|list| {
                        let mut inputs = list.as_slice().to_vec();
                        inputs.sort_unstable();
                        inputs
                    })
                };
                assert_eq!(inputs(&found), inputs(&expected));
            }
            mirror.apply(&mut found);
            assert_eq!(found, sample);
        });
    }
}
