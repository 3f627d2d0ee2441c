//! The refresh cache ("finny table").
//!
//! When a king moves, all inputs of its view change, and the accumulator must be built up anew
//! from forty rows. But a king that comes to a square has often been there a few thousand nodes
//! ago, in nearly the same position. So for each view and king square the last accumulator is
//! kept with its active places, and a refresh applies only the difference
//! (<https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table>, by Koivisto's authors).

use super::Network;
use super::features::king_slot;
use monomi_memory::Aligned;
use monomi_movegen::square::{Dense, SQUARES};
use monomi_movegen::{Place, Position};
use shogi_core::Color;

const WORDS: usize = Place::COUNT.div_ceil(64);

/// Places whose inputs an accumulator holds.
type ActivePlaces = [u64; WORDS];

/// The last accumulator of each view and king square.
pub(crate) struct RefreshCache {
    width: usize,
    /// King squares told apart.
    slots: usize,
    /// `[view][slot][width]`.
    values: Aligned<i16>,
    active: Vec<ActivePlaces>,
    gone: Vec<u32>,
    come: Vec<u32>,
}

impl RefreshCache {
    pub(crate) fn new(network: &Network) -> Self {
        let width = network.architecture.l1;
        let slots = if network.map.refreshes() { SQUARES } else { 1 };
        let mut values = Aligned::zeroed(2 * slots * width);
        for empty in values.chunks_exact_mut(width) {
            empty.copy_from_slice(&network.bias);
        }
        let active = vec![[0; WORDS]; 2 * slots];
        // No more than forty places are active.
        let list = || Vec::with_capacity(40);
        Self { width, slots, values, active, gone: list(), come: list() }
    }

    /// The accumulator of a view.
    pub(crate) fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        view: Color,
    ) -> &[i16] {
        let slot = if self.slots == 1 { 0 } else { king_slot(view, position) };
        let entry = view.dense() * self.slots + slot;
        let mut now = [0; WORDS];
        for (place, _) in position.places() {
            now[place.index() / 64] |= 1 << (place.index() % 64);
        }
        let block = network.map.block(view, position);
        let input = |index| network.map.input_at(view, block, index);
        let held = std::mem::replace(&mut self.active[entry], now);
        collect(&mut self.gone, &held, &now, input);
        collect(&mut self.come, &now, &held, input);
        let accumulator = &mut self.values[entry * self.width..][..self.width];
        network.kernels.apply(network.rows(), accumulator, &self.gone, &self.come);
        accumulator
    }
}

/// The inputs of the places in one set and not in the other.
fn collect(
    inputs: &mut Vec<u32>,
    here: &ActivePlaces,
    there: &ActivePlaces,
    input: impl Fn(usize) -> Option<u32>,
) {
    inputs.clear();
    for (word, (here, there)) in here.iter().zip(there).enumerate() {
        let mut rest = here & !there;
        while rest != 0 {
            let index = 64 * word + rest.trailing_zeros() as usize;
            inputs.extend(input(index));
            rest &= rest - 1;
        }
    }
}
