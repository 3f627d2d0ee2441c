//! From samples to lists of active inputs.

use crate::sample::{MAX_PLACES, Sample};
use monomi_eval::network::{FeatureMap, FeatureSet};
use monomi_movegen::square::{Dense, SQUARES};
use shogi_core::Color;

/// The active rows of one view: those of its inputs, and those that inputs share.
#[derive(Clone, Copy)]
pub(crate) struct InputList {
    inputs: [u32; 2 * MAX_PLACES],
    count: usize,
}

impl InputList {
    pub(crate) const EMPTY: Self = Self { inputs: [0; 2 * MAX_PLACES], count: 0 };

    #[inline]
    fn push(&mut self, row: u32) {
        self.inputs[self.count] = row;
        self.count += 1;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.inputs[..self.count]
    }
}

/// Rows that inputs share while they learn ("factorised features"): under HalfKP a piece on its
/// place has one row for all squares of the king, besides one for each. So what is known of a
/// piece serves for squares where the king is rarely seen. The finished network adds them up.
/// (Rows shared by kind of piece under K+P did not lower the held-out loss.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared {
    /// Number of the first such row, behind all inputs.
    pub(crate) first: usize,
    /// Number of rows, 0 for none: input `i` shares row `i % count`.
    pub(crate) count: usize,
}

impl Shared {
    pub(crate) fn new(features: FeatureSet) -> Self {
        let first = features.inputs();
        let count = match features {
            FeatureSet::KP => 0,
            FeatureSet::HalfKP => first / SQUARES,
        };
        Self { first, count }
    }

    /// The row that an input shares with others.
    pub(crate) fn row(self, input: usize) -> Option<usize> {
        Some(self.first + input.checked_rem(self.count)?)
    }
}

/// Expands samples for a set of features.
pub(crate) struct Expander {
    map: FeatureMap,
    shared: Shared,
}

impl Expander {
    pub(crate) fn new(features: FeatureSet) -> Self {
        Self { map: FeatureMap::new(features), shared: Shared::new(features) }
    }

    /// The rows of the side to move's view, and of the other's.
    pub(crate) fn expand(&self, sample: &Sample) -> [InputList; 2] {
        [sample.side, sample.side.flip()].map(|view| {
            let king = usize::from(sample.kings[view.dense()]);
            // As the engine does: without a king, as if it stood on the view's first square.
            let slot = match view {
                _ if king >= SQUARES => 0,
                Color::Black => king,
                Color::White => SQUARES - 1 - king,
            };
            let block = self.map.block_at(slot);
            let mut list = InputList::EMPTY;
            for &place in sample.places() {
                if let Some(input) = self.map.input_at(view, block, usize::from(place)) {
                    list.push(input);
                    if let Some(row) = self.shared.row(input as usize) {
                        list.push(row as u32);
                    }
                }
            }
            list
        })
    }
}
