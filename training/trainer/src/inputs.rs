//! From samples to lists of active inputs.

use crate::sample::{MAX_PLACES, Sample};
use monomi_eval::network::{FeatureMap, FeatureSet};

/// The active rows of one perspective: those of its inputs, and those that inputs share.
#[derive(Clone, Copy)]
pub struct InputList {
    inputs: [u32; 2 * MAX_PLACES],
    count: usize,
}

impl InputList {
    pub const EMPTY: Self = Self { inputs: [0; 2 * MAX_PLACES], count: 0 };

    #[inline]
    fn push(&mut self, row: u32) {
        self.inputs[self.count] = row;
        self.count += 1;
    }

    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        &self.inputs[..self.count]
    }
}

/// Rows that inputs share during training ("factorised features"): where features depend on the own
/// king's square (HalfKP, HalfKA), a piece on a square has one row for each king bucket and one for
/// all of them. So what is learnt for common king squares also applies to rare ones. The written
/// network holds the sums.
/// (Rows shared by kind of piece under K+P did not lower the held-out loss.)
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    /// Number of the first such row; they follow those of the inputs.
    pub first: usize,
    /// Number of rows, 0 if there are none: input `i` uses row `first + i % count`.
    pub count: usize,
}

impl Shared {
    pub fn new(features: FeatureSet) -> Self {
        Self { first: features.inputs(), count: features.block() }
    }

    /// The rows of missing pieces: number 0 of each king bucket. Training never uses them, and the
    /// engine adds them for boards with fewer pieces: they must stay zero.
    pub fn unused(self) -> impl Iterator<Item = usize> {
        let step = if self.count == 0 { self.first } else { self.count };
        (0..self.first + self.count).step_by(step)
    }

    /// The shared row of an input.
    pub fn row(self, input: usize) -> Option<usize> {
        Some(self.first + input.checked_rem(self.count)?)
    }
}

/// Turns samples into active rows for a set of features.
pub struct Expander {
    map: FeatureMap,
    shared: Shared,
}

impl Expander {
    pub fn new(features: FeatureSet) -> Self {
        Self { map: FeatureMap::new(features), shared: Shared::new(features) }
    }

    /// Leaves out the rows that inputs share: for finished networks.
    pub fn without_shared(features: FeatureSet) -> Self {
        let shared = Shared { first: features.inputs(), count: 0 };
        Self { map: FeatureMap::new(features), shared }
    }

    /// The active rows from the side to move's perspective, then from the opponent's.
    pub fn expand(&self, sample: &Sample) -> [InputList; 2] {
        [sample.side, sample.side.flip()].map(|view| {
            let block = self.map.block_at(sample.king_slot(view));
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
