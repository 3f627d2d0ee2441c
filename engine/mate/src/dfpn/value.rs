//! Proof and disproof numbers and the value of a node.

use super::hand::MateHand;

/// The proof or disproof number of what is impossible.
pub(super) const INFINITE: u32 = 1 << 30;

/// The length of a mate in plies; [`UNLIMITED`] for any.
pub(super) type Plies = u16;

pub(super) const UNLIMITED: Plies = Plies::MAX;

/// One ply longer.
#[inline]
pub(super) fn longer(len: Plies) -> Plies {
    len.saturating_add(1)
}

/// A limit one ply shorter.
#[inline]
pub(super) fn shorter(len: Plies) -> Plies {
    if len == UNLIMITED { len } else { len.saturating_sub(1) }
}

/// A ply of the current path, from 1 at the root, on which a refutation by repetition depends.
pub(super) type Ply = u16;

/// The root, on which everything depends.
pub(super) const FIRST_PLY: Ply = 1;
/// Depends on no ply: holds on every path.
pub(super) const NO_PLY: Ply = Ply::MAX;
/// Depends on the maximum length of paths, so it is never final.
pub(super) const LIMIT_PLY: Ply = 0;

/// The value of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// Proof number: 0 if mate is proven.
    pub(super) pn: u32,
    /// Disproof number: 0 if it is proven that there is no mate within `len` plies.
    pub(super) dn: u32,
    /// Proven: the smallest hand known to mate. Refuted: the largest hand known not to mate.
    /// Otherwise unused.
    pub(super) hand: MateHand,
    /// Proven: mate within this many plies. Refuted: no mate within this many plies.
    pub(super) len: Plies,
    /// Refuted: holds only on paths that contain the current path's position at this ply.
    pub(super) depends_on: Ply,
}

impl Value {
    pub(super) fn open(pn: u32, dn: u32) -> Self {
        let (pn, dn) = (pn.clamp(1, INFINITE - 1), dn.clamp(1, INFINITE - 1));
        Self { pn, dn, hand: MateHand::EMPTY, len: 0, depends_on: NO_PLY }
    }

    pub(super) fn proven(hand: MateHand, len: Plies) -> Self {
        Self { pn: 0, dn: INFINITE, hand, len, depends_on: NO_PLY }
    }

    pub(super) fn refuted(hand: MateHand, len: Plies, depends_on: Ply) -> Self {
        Self { pn: INFINITE, dn: 0, hand, len, depends_on }
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
