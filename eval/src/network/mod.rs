//! Efficiently updatable neural networks (NNUE) from `nn.bin` files.
//!
//! | file | contents |
//! |---|---|
//! | `architecture.rs` | feature sets, sizes, hashes |
//! | `format.rs`, `affine.rs`, `file.rs`, `read.rs`, `detect.rs`, `leb128.rs` | files, and what they hold |
//! | `error.rs`, `reason.rs` | messages: why a file was not read, or taken for what it is |
//! | `features.rs` | from places to inputs |
//! | `routing.rs` | which layer stack a position uses |
//! | `accumulator.rs`, `refresh.rs` | the first layer along a line of moves |
//! | `layers.rs` | the other layers' weights in the kernels' order |
//! | `kernels/` | the arithmetic, by level of vector instructions |
//!
//! **Plain networks.** An accumulator is a 16-bit sum of one row of weights for each active input.
//! Clamped to 0..=127, the side to move's and then the other side's pass two layers of 8-bit
//! weights, each followed by a shift by 6 and the clamp, and a last one with one output.
//!
//! **SFNN.** The halves of each clamped accumulator are multiplied number by number and shifted
//! right by 7. The first affine layer's output is used twice: squared and shifted by 19, and
//! shifted by 6; one more output may be added to the network's. The affine layers exist once for
//! each stack.

mod accumulator;
mod affine;
mod architecture;
mod detect;
mod error;
mod features;
mod file;
mod format;
mod kernels;
mod layers;
mod leb128;
mod read;
mod reason;
mod refresh;
mod routing;

pub(crate) use accumulator::AccumulatorStack;
pub use affine::Affine;
pub use architecture::{Architecture, Family, FeatureSet, SizeError, padded};
pub use error::{NetworkError, ProgressFault, Unsupported};
pub use features::{Block, FeatureMap};
use features::{VIEWS, missing_pieces};
pub use file::{DEFAULT_FV_SCALE, FileInfo, NetworkFile, Psqt, WriteOptions};
pub use kernels::SimdLevel;
use kernels::{Kernels, Rows};
use layers::Layers;
pub use leb128::Leb128Error;
use monomi_movegen::square::Dense;
use monomi_movegen::{Place, Position};
use monomi_support::memory::Aligned;
pub use read::ReadOptions;
pub use reason::{Reason, RoutingReason};
use routing::Router;
pub use routing::{HandPart, KingPart, ProgressPart, ProgressWeights, Routing, UnknownRouting};
use shogi_core::Color;

/// A network ready to run.
#[derive(Clone)]
pub(crate) struct Network {
    pub(crate) architecture: Architecture,
    pub(crate) routing: Routing,
    pub(crate) level: SimdLevel,
    map: FeatureMap,
    bias: Aligned<i16>,
    weights: Aligned<i16>,
    stacks: Vec<Layers>,
    router: Router,
    psqt: Option<Psqt>,
    kernels: Kernels,
}

impl Network {
    /// Memory of the first layer's weights.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&self.weights[..]) as u64
    }

    /// Arranges the parameters of a file for a level of vector instructions.
    pub(crate) fn new(file: NetworkFile, level: SimdLevel) -> Self {
        let NetworkFile {
            architecture, routing, bias, mut weights, stacks, psqt, progress, ..
        } = file;
        let l1 = architecture.l1;
        // A king's two inputs become one: the sum of both rows.
        for input in 0..architecture.features.inputs() {
            if let Some(other) = FeatureMap::second_input(architecture.features, input) {
                for neuron in 0..l1 {
                    let second = weights[other * l1 + neuron];
                    let first = &mut weights[input * l1 + neuron];
                    *first = first.wrapping_add(second);
                }
            }
        }
        let stacks: Vec<_> =
            stacks.iter().map(|layers| Layers::new(architecture, layers)).collect();
        assert_eq!(stacks.len(), architecture.stacks(), "one set of layers for each stack");
        // Unsafe code relies on these: see `AccumulatorStack::follow`.
        assert!(l1.is_multiple_of(32) && weights.len() == architecture.features.inputs() * l1);
        Self {
            architecture,
            routing,
            level,
            map: FeatureMap::new(architecture.features),
            bias,
            weights,
            kernels: Kernels::new(level, &stacks[0]),
            stacks,
            router: Router::new(routing, progress.as_ref()),
            psqt,
        }
    }

    /// The same network with something added to each weight of the first layer (not to its
    /// biases).
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

    /// The stack that a position uses; 0 where there is only one.
    #[inline]
    pub(crate) fn stack(&self, position: &Position) -> usize {
        if self.stacks.len() == 1 { 0 } else { self.router.stack(position) }
    }

    /// The output for a position with these accumulators, before the division by FV_SCALE.
    #[inline(always)]
    fn output(&self, position: &Position, ours: &[i16], theirs: &[i16]) -> i32 {
        let stack = self.stack(position);
        let raw = self.kernels.forward(&self.stacks[stack], ours, theirs);
        match &self.psqt {
            None => raw,
            Some(psqt) => raw.wrapping_add(self.psqt_term(psqt, position, stack)),
        }
    }

    /// Half the difference of both perspectives' sums.
    #[cold]
    fn psqt_term(&self, psqt: &Psqt, position: &Position, stack: usize) -> i32 {
        let us = position.side_to_move();
        let [ours, theirs] = [us, us.flip()].map(|view| {
            let block = self.map.block(view, position);
            let weight = |input: u32| psqt.weights[input as usize * self.stacks.len() + stack];
            let inputs =
                position.places().filter_map(|(place, _)| self.map.input(view, block, place));
            let missing = missing_pieces(position) as i32;
            let start = weight(FeatureMap::missing(block)).wrapping_mul(missing);
            inputs.fold(start.wrapping_add(psqt.bias[stack]), |sum, input| {
                let second = FeatureMap::second_input(self.architecture.features, input as usize);
                let second = second.map_or(0, |second| weight(second as u32));
                sum.wrapping_add(weight(input)).wrapping_add(second)
            })
        });
        ours.wrapping_sub(theirs) / 2
    }

    /// The accumulator of a perspective, computed from nothing.
    pub(crate) fn accumulator(&self, position: &Position, view: Color) -> Aligned<i16> {
        let mut accumulator = self.bias.clone();
        let block = self.map.block(view, position);
        let inputs = position.places().filter_map(|(place, _)| self.map.input(view, block, place));
        let missing = std::iter::repeat_n(FeatureMap::missing(block), missing_pieces(position));
        let inputs: Vec<u32> = inputs.chain(missing).collect();
        self.kernels.apply(self.rows(), &mut accumulator, &[], &inputs);
        accumulator
    }

    /// The outputs for a position without the piece at each of these places, and with all pieces
    /// for `None`. None of the places may be a king's. All use the stack of the whole position.
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
                    let missing = FeatureMap::missing(block);
                    let reduced = &mut reduced[view.dense()];
                    self.kernels.apply(self.rows(), reduced, &[gone], &[missing]);
                }
            }
            let [ours, theirs] = [us, us.flip()].map(|view| &*reduced[view.dense()]);
            self.output(position, ours, theirs)
        };
        places.into_iter().map(raw).collect()
    }
}

#[cfg(test)]
mod tests;
