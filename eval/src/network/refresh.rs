//! The accumulator refresh table ("finny table").
//!
//! When a king moves, all inputs of its perspective change, and the accumulator must be built from
//! forty rows. But usually the king was on the same square a few thousand nodes ago, in nearly the
//! same position. So the table keeps, for each perspective and king square, the last accumulator
//! with its active places, and a refresh applies only the difference
//! (<https://www.chessprogramming.org/NNUE#Accumulator_Refresh_Table>, by Koivisto's authors).

use super::Network;
use super::features::{FeatureMap, PIECES, king_slot};
use monomi_movegen::square::{Dense, HAND_KINDS, SQUARES};
use monomi_movegen::{Bitboard, Place, Position};
use monomi_support::memory::Aligned;
use shogi_core::{Color, Piece, PieceKind};

/// Kinds of pieces on the board.
const KINDS: usize = 14;

/// The pieces whose inputs an accumulator contains. Nothing at first: not even missing pieces.
#[derive(Clone)]
struct Held {
    kinds: [Bitboard; KINDS],
    black: Bitboard,
    /// By colour, in the order of `HAND_KINDS`.
    hands: [[u8; HAND_KINDS.len()]; 2],
    /// Number of pieces except the kings.
    pieces: usize,
    /// How often the input of a missing piece is contained.
    missing: usize,
}

impl Held {
    const NOTHING: Self = Self {
        kinds: [Bitboard::EMPTY; KINDS],
        black: Bitboard::EMPTY,
        hands: [[0; HAND_KINDS.len()]; 2],
        pieces: 0,
        missing: 0,
    };

    /// Changes to the pieces of a position, and names the places that go and come.
    #[inline]
    fn replace(&mut self, position: &Position, gone: impl FnMut(Place), come: impl FnMut(Place)) {
        let (mut gone, mut come) = (gone, come);
        let black = position.pieces(Color::Black);
        let other_side = black ^ self.black;
        let mut balance = 0_isize;
        for (kind, held) in PieceKind::all().into_iter().zip(&mut self.kinds) {
            let now = position.kind(kind);
            let changed = (now ^ *held) | (now & other_side);
            if changed.any() {
                let counted = isize::from(kind != PieceKind::King);
                let color = |black: bool| if black { Color::Black } else { Color::White };
                for square in changed {
                    if held.contains(square) {
                        let owner = color(self.black.contains(square));
                        gone(Place::board(Piece::new(kind, owner), square));
                        balance -= counted;
                    }
                    if now.contains(square) {
                        let owner = color(black.contains(square));
                        come(Place::board(Piece::new(kind, owner), square));
                        balance += counted;
                    }
                }
                *held = now;
            }
        }
        self.black = black;
        for (color, hand) in [Color::Black, Color::White].into_iter().zip(&mut self.hands) {
            for (kind, held) in HAND_KINDS.into_iter().zip(hand) {
                let now = position.hand_count(color, kind);
                (now..*held).for_each(|nth| gone(Place::hand(color, kind, nth)));
                (*held..now).for_each(|nth| come(Place::hand(color, kind, nth)));
                balance += now as isize - *held as isize;
                *held = now;
            }
        }
        self.pieces = self.pieces.saturating_add_signed(balance);
    }
}

/// The last accumulator of each perspective and king square.
pub struct RefreshTable {
    width: usize,
    /// Number of king squares with entries of their own.
    slots: usize,
    /// `[perspective][slot][width]`.
    values: Aligned<i16>,
    /// What each entry contains.
    held: Vec<Held>,
    gone: Vec<u32>,
    come: Vec<u32>,
}

impl RefreshTable {
    pub fn new(network: &Network) -> Self {
        let width = network.architecture.l1;
        let slots = if network.map.refreshes() { SQUARES } else { 1 };
        let mut values = Aligned::zeroed(2 * slots * width);
        for empty in values.chunks_exact_mut(width) {
            empty.copy_from_slice(&network.bias);
        }
        let held = vec![Held::NOTHING; 2 * slots];
        // At most forty places are active, or pieces missing.
        let list = || Vec::with_capacity(80);
        Self { width, slots, values, held, gone: list(), come: list() }
    }

    /// The accumulator of a perspective.
    pub fn refresh(&mut self, network: &Network, position: &Position, view: Color) -> &[i16] {
        let slot = if self.slots == 1 { 0 } else { king_slot(view, position) };
        let entry = view.dense() * self.slots + slot;
        let block = network.map.block(view, position);
        let input = |place| network.map.input(view, block, place);
        let Self { held, gone, come, .. } = self;
        let held = &mut held[entry];
        gone.clear();
        come.clear();
        held.replace(
            position,
            |place| gone.extend(input(place)),
            |place| come.extend(input(place)),
        );
        let missing = PIECES.saturating_sub(held.pieces);
        let nothing = FeatureMap::missing(block);
        gone.extend(std::iter::repeat_n(nothing, held.missing.saturating_sub(missing)));
        come.extend(std::iter::repeat_n(nothing, missing.saturating_sub(held.missing)));
        held.missing = missing;
        let accumulator = &mut self.values[entry * self.width..][..self.width];
        network.kernels.apply(network.rows(), accumulator, gone, come);
        accumulator
    }
}
