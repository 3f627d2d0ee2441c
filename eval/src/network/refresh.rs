//! The accumulator refresh table ("finny table").
//!
//! When a king moves, all inputs of its perspective change, and the accumulator must be built from
//! forty rows. But usually the king was on the same square a few thousand nodes ago, in nearly the
//! same position. So the table keeps, for each perspective and king square, the last accumulator
//! with its active places, and a refresh applies only the difference
//! (<https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table>, by Koivisto's authors).

use super::Network;
use super::features::{FeatureMap, PIECES, king_slot};
use monomi_memory::Aligned;
use monomi_movegen::square::{Dense, SQUARES};
use monomi_movegen::{Place, PlaceKind, Position};
use shogi_core::{Color, PieceKind};

const WORDS: usize = Place::COUNT.div_ceil(64);

/// Places whose inputs an accumulator contains.
type ActivePlaces = [u64; WORDS];

/// The last accumulator of each perspective and king square.
pub(crate) struct RefreshTable {
    width: usize,
    /// Number of king squares with entries of their own.
    slots: usize,
    /// `[perspective][slot][width]`.
    values: Aligned<i16>,
    /// Places that each entry contains, and its number of missing pieces.
    active: Vec<(ActivePlaces, usize)>,
    gone: Vec<u32>,
    come: Vec<u32>,
}

impl RefreshTable {
    pub(crate) fn new(network: &Network) -> Self {
        let width = network.architecture.l1;
        let slots = if network.map.refreshes() { SQUARES } else { 1 };
        let mut values = Aligned::zeroed(2 * slots * width);
        for empty in values.chunks_exact_mut(width) {
            empty.copy_from_slice(&network.bias);
        }
        let active = vec![([0; WORDS], 0); 2 * slots];
        // At most forty places are active, or pieces missing.
        let list = || Vec::with_capacity(80);
        Self { width, slots, values, active, gone: list(), come: list() }
    }

    /// The accumulator of a perspective.
    pub(crate) fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        view: Color,
    ) -> &[i16] {
        let slot = if self.slots == 1 { 0 } else { king_slot(view, position) };
        let entry = view.dense() * self.slots + slot;
        let mut now = [0; WORDS];
        let mut missing = PIECES;
        for (place, what) in position.places() {
            now[place.index() / 64] |= 1 << (place.index() % 64);
            let is_king = matches!(what,
                PlaceKind::Board(piece, _) if piece.piece_kind() == PieceKind::King);
            missing = missing.saturating_sub(usize::from(!is_king));
        }
        let block = network.map.block(view, position);
        let input = |index| network.map.input_at(view, block, index);
        let (held, held_missing) = std::mem::replace(&mut self.active[entry], (now, missing));
        collect(&mut self.gone, &held, &now, input);
        collect(&mut self.come, &now, &held, input);
        let nothing = FeatureMap::missing(block);
        self.gone.extend(std::iter::repeat_n(nothing, held_missing.saturating_sub(missing)));
        self.come.extend(std::iter::repeat_n(nothing, missing.saturating_sub(held_missing)));
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
