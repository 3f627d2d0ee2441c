//! Affine layers as they are stored, and shards of the first.

use super::architecture::{Architecture, padded};
use std::fmt;

/// An affine layer as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// One for each output.
    pub bias: Vec<i32>,
    /// By output, then by input, the latter padded to a multiple of 32.
    pub weights: Vec<i8>,
}

impl Affine {
    pub(crate) fn all_zeroed(architecture: Architecture) -> [Self; 3] {
        architecture.affine_sizes().map(|(inputs, outputs)| Affine {
            bias: vec![0; outputs],
            weights: vec![0; outputs * padded(inputs)],
        })
    }
}

/// Common inputs and shards of the first affine layer (`cC_sSxG`): each of `count` groups of outputs
/// uses the common inputs and its own `size` of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shards {
    pub common: usize,
    pub size: usize,
    pub count: usize,
}

impl Shards {
    /// Whether they divide the first affine layer of a network exactly.
    pub fn fit(self, shape: Architecture) -> bool {
        let (inputs, outputs) = shape.affine_sizes()[0];
        let all = self.size.checked_mul(self.count).and_then(|all| all.checked_add(self.common));
        self.size > 0 && self.count > 0 && all == Some(inputs) && outputs % self.count == 0
    }

    /// Sets the weights that a group does not use to zero. The shards must fit.
    pub fn clear_outside(self, shape: Architecture, layer: &mut Affine) {
        let Self { common, size, count } = self;
        let (inputs, outputs) = shape.affine_sizes()[0];
        for (output, row) in layer.weights.chunks_exact_mut(padded(inputs)).enumerate() {
            let start = common + output / (outputs / count) * size;
            row[common..start].fill(0);
            row[start + size..].fill(0);
        }
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { common, size, count } = self;
        write!(f, "c{common}_s{size}x{count}")
    }
}
