//! Efficiently updatable neural networks (NNUE), as the shogi world keeps them in `nn.bin` files.
//!
//! | file | what |
//! |---|---|
//! | `architecture.rs` | the shapes that exist, their hashes and sizes |
//! | `file.rs` | reading and writing files |
//! | `features.rs` | from places to inputs |
//! | `accumulator.rs`, `refresh.rs` | the first layer along a line of moves |
//! | `layers.rs` | the other layers' weights, laid out for the kernels |
//! | `kernels/` | the arithmetic, by level of vector instructions |
//!
//! Arithmetic: an accumulator is a 16-bit sum of one row of weights for each active input. Clamped
//! to 0..=127, the side to move's half and then the other's go through two layers of 8-bit
//! weights, each followed by a shift by 6 and the clamp, and a last one, whose only output is the
//! raw value.

mod accumulator;
mod architecture;
mod features;
mod file;
mod kernels;
mod layers;
mod refresh;

pub(crate) use accumulator::AccumulatorStack;
pub use architecture::{Architecture, FeatureSet, SizeError, padded};
use features::VIEWS;
pub use features::{Block, FeatureMap};
pub use file::{Affine, NetworkError, NetworkFile};
pub use kernels::SimdLevel;
use kernels::{Kernels, Rows};
use layers::Layers;
use monomi_memory::Aligned;
use monomi_movegen::square::Dense;
use monomi_movegen::{Place, Position};
use shogi_core::Color;

/// A network ready to run.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) architecture: Architecture,
    pub(crate) level: SimdLevel,
    map: FeatureMap,
    bias: Aligned<i16>,
    weights: Aligned<i16>,
    layers: Layers,
    kernels: Kernels,
}

impl Network {
    /// Lays the parameters of a file out for a level of vector instructions.
    pub(crate) fn new(file: NetworkFile, level: SimdLevel) -> Self {
        let NetworkFile { architecture, transformer_bias, transformer_weights, layers } = file;
        let layers = Layers::new(architecture, &layers);
        Self {
            architecture,
            level,
            map: FeatureMap::new(architecture.features),
            bias: transformer_bias,
            weights: transformer_weights,
            kernels: Kernels::new(level, &layers),
            layers,
        }
    }

    /// The same network, something added to each weight of the first layer (not to its biases).
    pub(crate) fn with_noise(&self, noise: &mut dyn FnMut() -> i16) -> Self {
        let mut noisy = self.clone();
        for weight in noisy.weights.iter_mut() {
            *weight = weight.saturating_add(noise());
        }
        noisy
    }

    #[inline(always)]
    fn rows(&self) -> Rows<'_> {
        Rows::new(&self.weights, self.architecture.l1)
    }

    /// The accumulator of a view, from nothing.
    pub(crate) fn accumulator(&self, position: &Position, view: Color) -> Aligned<i16> {
        let mut accumulator = self.bias.clone();
        let block = self.map.block(view, position);
        let inputs: Vec<u32> =
            position.places().filter_map(|(place, _)| self.map.input(view, block, place)).collect();
        self.kernels.apply(self.rows(), &mut accumulator, &[], &inputs);
        accumulator
    }

    /// The raw values of a position with each of these places empty in turn, and with all full
    /// for `None`. None of the places may be a king's.
    pub(crate) fn raw_without(
        &self,
        position: &Position,
        places: impl IntoIterator<Item = Option<Place>>,
    ) -> Vec<i32> {
        let full = VIEWS.map(|view| self.accumulator(position, view));
        let us = position.side_to_move();
        let raw = |place: Option<Place>| {
            let mut reduced = full.clone();
            for view in VIEWS {
                let block = self.map.block(view, position);
                let input = place.and_then(|place| self.map.input(view, block, place));
                if let Some(gone) = input {
                    self.kernels.apply(self.rows(), &mut reduced[view.dense()], &[gone], &[]);
                }
            }
            let [ours, theirs] = [us, us.flip()].map(|view| &*reduced[view.dense()]);
            self.kernels.forward(&self.layers, ours, theirs)
        };
        places.into_iter().map(raw).collect()
    }
}

#[cfg(test)]
mod tests;
