//! The attacker's hand in 32 bits, compared with one subtraction.
//!
//! Pieces that are neither on the board nor in the attacker's hand are in the defender's hand, so
//! the board and the attacker's hand identify a position. On the same board more pieces in the
//! attacker's hand are never worse for the attacker.

use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Color, PieceKind};

/// A hand: a bit field for each kind, each with a guard bit on top from which a comparison borrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct MateHand(u32);

/// The lowest bit of each kind's field, by `PieceKind as usize`.
const SHIFT: [u32; 8] = [0, 0, 6, 10, 14, 18, 22, 25];
/// The mask of each kind's field, shifted to bit 0.
const FIELD: [u32; 8] = [0, 31, 7, 7, 7, 7, 3, 3];
const GUARDS: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 24 | 1 << 27;

impl MateHand {
    pub(super) const EMPTY: Self = MateHand(0);

    pub(super) fn of(position: &Position, color: Color) -> Self {
        let field =
            |kind: PieceKind| u32::from(position.hand_count(color, kind)) << SHIFT[kind as usize];
        MateHand(HAND_KINDS.into_iter().map(field).sum())
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        MateHand(bits)
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) fn count(self, kind: PieceKind) -> u32 {
        self.0 >> SHIFT[kind as usize & 7] & FIELD[kind as usize & 7]
    }

    /// Whether this hand has at least as many pieces of every kind.
    #[inline]
    pub(super) fn covers(self, other: Self) -> bool {
        (self.0 | GUARDS).wrapping_sub(other.0) & GUARDS == GUARDS
    }

    #[inline]
    pub(super) fn with(self, kind: PieceKind) -> Self {
        debug_assert!(self.count(kind) < FIELD[kind as usize & 7]);
        MateHand(self.0 + (1 << SHIFT[kind as usize & 7]))
    }

    /// The hand with one piece less, or unchanged if it has none of the kind.
    #[inline]
    pub(super) fn without(self, kind: PieceKind) -> Self {
        let one = u32::from(self.count(kind) > 0);
        MateHand(self.0 - (one << SHIFT[kind as usize & 7]))
    }

    fn field_by_field(self, other: Self, pick: impl Fn(u32, u32) -> u32) -> Self {
        let field =
            |kind: PieceKind| pick(self.count(kind), other.count(kind)) << SHIFT[kind as usize & 7];
        MateHand(HAND_KINDS.into_iter().map(field).sum())
    }

    /// The maximum of each kind.
    pub(super) fn union(self, other: Self) -> Self {
        self.field_by_field(other, u32::max)
    }

    /// The minimum of each kind.
    pub(super) fn intersection(self, other: Self) -> Self {
        self.field_by_field(other, u32::min)
    }

    /// The sum of each kind.
    pub(super) fn plus(self, other: Self) -> Self {
        MateHand(self.0 + other.0)
    }

    /// The part of this hand with the kinds that `other` has (`held`) or does not have.
    pub(super) fn kinds_of(self, other: Self, held: bool) -> Self {
        self.field_by_field(other, |own, others| if (others > 0) == held { own } else { 0 })
    }

    /// The attacker's hand after its move `mv` in `position`.
    #[inline]
    pub(super) fn after(self, position: &Position, mv: PackedMove) -> Self {
        match (mv.dropped(), position.piece_at(mv.to())) {
            (Some(kind), _) => self.without(kind),
            (None, Some(victim)) => self.with(unpromoted(victim.piece_kind())),
            (None, None) => self,
        }
    }

    /// The hand that the attacker needs before its move `mv` in `position` to have this one after
    /// it.
    pub(super) fn before(self, position: &Position, mv: PackedMove) -> Self {
        match (mv.dropped(), position.piece_at(mv.to())) {
            (Some(kind), _) => self.with(kind),
            (None, Some(victim)) => self.without(unpromoted(victim.piece_kind())),
            (None, None) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(counts: [u32; 7]) -> MateHand {
        MateHand(HAND_KINDS.iter().zip(counts).map(|(&k, n)| n << SHIFT[k as usize]).sum())
    }

    #[test]
    fn hands_are_compared_kind_by_kind() {
        let most = [18, 4, 4, 4, 4, 2, 2];
        assert!(hand(most).covers(MateHand::EMPTY) && hand(most).covers(hand(most)));
        for (i, kind) in HAND_KINDS.into_iter().enumerate() {
            let mut fewer = most;
            fewer[i] -= 1;
            assert!(hand(most).covers(hand(fewer)) && !hand(fewer).covers(hand(most)));
            assert_eq!(hand(most).without(kind), hand(fewer));
            assert_eq!(hand(fewer).with(kind), hand(most));
            // More of one kind does not replace another.
            let mut one = [0; 7];
            one[i] = 1;
            for (j, _) in HAND_KINDS.iter().enumerate().filter(|&(j, _)| j != i) {
                let mut other = [0; 7];
                other[j] = 2;
                assert!(!hand(one).covers(hand(other)) && !hand(other).covers(hand(one)));
                let both = hand(one).union(hand(other));
                assert_eq!(both, hand(one).plus(hand(other)));
                assert_eq!(both.intersection(hand(one)), hand(one));
                assert_eq!(both.kinds_of(hand(one), true), hand(one));
                assert_eq!(both.kinds_of(hand(one), false), hand(other));
            }
        }
        assert_eq!(MateHand::EMPTY.without(PieceKind::Rook), MateHand::EMPTY);
    }
}
