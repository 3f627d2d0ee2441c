//! From samples to lists of active inputs.

use crate::sample::{MAX_PLACES, Sample};
use monomi_eval::network::{FeatureMap, FeatureSet};
use monomi_movegen::square::{Dense, SQUARES};
use shogi_core::Color;

/// The active inputs of one view.
#[derive(Clone, Copy)]
pub(crate) struct InputList {
    inputs: [u32; MAX_PLACES],
    count: usize,
}

impl InputList {
    pub(crate) const EMPTY: Self = Self { inputs: [0; MAX_PLACES], count: 0 };

    #[inline]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.inputs[..self.count]
    }
}

/// Expands samples for a set of features.
pub(crate) struct Expander {
    map: FeatureMap,
}

impl Expander {
    pub(crate) fn new(features: FeatureSet) -> Self {
        Self { map: FeatureMap::new(features) }
    }

    /// The inputs of the side to move's view, and of the other's.
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
                    list.inputs[list.count] = input;
                    list.count += 1;
                }
            }
            list
        })
    }
}
