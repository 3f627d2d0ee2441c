//! Proof and disproof numbers, and what is known of a node.

use super::hand::MateHand;

/// No finite effort will do.
pub(super) const INFINITE: u32 = 1 << 30;

/// The length of a mate in plies; [`UNLIMITED`] for any.
pub(super) type Plies = u16;

pub(super) const UNLIMITED: Plies = Plies::MAX;

/// One ply more.
#[inline]
pub(super) fn longer(len: Plies) -> Plies {
    len.saturating_add(1)
}

/// One ply less of a limit.
#[inline]
pub(super) fn shorter(len: Plies) -> Plies {
    if len == UNLIMITED { len } else { len.saturating_sub(1) }
}

/// A ply of the current path, counted from 1 at the root; what a refutation by repetition rests on.
pub(super) type Ply = u16;

/// Rests on nothing: true on every path.
pub(super) const NO_PLY: Ply = Ply::MAX;
/// Rests on the limit of the search itself, so it is never final.
pub(super) const LIMIT_PLY: Ply = 0;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// Proof number: 0 when the mate is proven.
    pub(super) pn: u32,
    /// Disproof number: 0 when there is none (within the limit of plies).
    pub(super) dn: u32,
    /// Proven: with which hand already. Refuted: up to which hand. Otherwise without meaning.
    pub(super) hand: MateHand,
    /// Proven: within so many plies. Refuted: no mate within so many.
    pub(super) len: Plies,
    /// Refuted: true only on paths through the current path's positions from this ply on.
    pub(super) rests_on: Ply,
}

impl Value {
    pub(super) fn open(pn: u32, dn: u32) -> Self {
        let (pn, dn) = (pn.clamp(1, INFINITE - 1), dn.clamp(1, INFINITE - 1));
        Self { pn, dn, hand: MateHand::EMPTY, len: 0, rests_on: NO_PLY }
    }

    pub(super) fn proven(hand: MateHand, len: Plies) -> Self {
        Self { pn: 0, dn: INFINITE, hand, len, rests_on: NO_PLY }
    }

    pub(super) fn refuted(hand: MateHand, len: Plies, rests_on: Ply) -> Self {
        Self { pn: INFINITE, dn: 0, hand, len, rests_on }
    }

    #[inline]
    pub(super) fn is_proven(&self) -> bool {
        self.pn == 0
    }

    #[inline]
    pub(super) fn is_refuted(&self) -> bool {
        self.dn == 0
    }

    #[inline]
    pub(super) fn is_final(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }
}
