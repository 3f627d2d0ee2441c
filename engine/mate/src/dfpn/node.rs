//! A node on the search's stack, its children, and its value as a function of theirs.

use super::hand::MateHand;
use super::leaf::{all_in_hands, needed_against_drops};
use super::value::{INFINITE, NO_PLY, Plies, UNLIMITED, Value, longer};
use monomi_movegen::{PackedMove, Position};

/// For each other thread below a child, its number counts as larger by this constant ...
const CROWD_LEAST: u32 = 1;
/// ... and by this fraction of it: one part in so many.
const CROWD_SHARE: u32 = 4;

/// A move of a node and its value.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) mv: PackedMove,
    pub(super) value: Value,
    /// Not evaluated until another child has failed.
    pub(super) locked: bool,
    /// Not searched yet.
    pub(super) fresh: bool,
    /// The distance to the child to unlock when this one has failed; 0 for none.
    pub(super) leads_to: u16,
    /// The index of the counter of threads in its position ([`Team::mark`](super::team::Team::mark)).
    pub(super) mark: u16,
}

const _: () = assert!(size_of::<Child>() == 24);

/// A node of the current path.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The attacker is to move.
    pub(super) attacking: bool,
    pub(super) board: u64,
    /// The attacker's hand.
    pub(super) hand: MateHand,
    /// The maximum length of the mate.
    pub(super) len: Plies,
    pub(super) max_pn: u32,
    pub(super) max_dn: u32,
    /// The index of its first child; they extend to the end of the vector.
    pub(super) first: usize,
    /// The child being searched.
    pub(super) current: usize,
    /// The number of nodes when this one was entered.
    pub(super) entered_at: u64,
}

/// Proof and disproof numbers of a node computed from its children.
pub(super) struct Summary {
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The child to search next; its thresholds follow.
    pub(super) best: usize,
    pub(super) child_pn: u32,
    pub(super) child_dn: u32,
}

impl Node {
    /// The number that the side to move minimises: it needs one successful move.
    #[inline]
    pub(super) fn own(&self, value: &Value) -> u32 {
        if self.attacking { value.pn } else { value.dn }
    }

    /// The other number: all moves of the side to move must fail.
    #[inline]
    pub(super) fn others(&self, value: &Value) -> u32 {
        if self.attacking { value.dn } else { value.pn }
    }

    /// Summarises the children. `max_pn` and `max_dn` are the thresholds.
    ///
    /// The number for which all children must fail is not their sum, which would count transpositions
    /// several times and explode in long mates, but the maximum plus one for each other open child
    /// (weak proof-number search, Ueda et al. 2008).
    ///
    /// `crowd`: the number of other threads below a child. A child counts as harder for each of them
    /// when the next one is chosen, so that threads search different children. That changes neither the
    /// proof and disproof numbers of the node nor which children exceed the thresholds.
    #[inline]
    pub(super) fn summary(
        &self,
        children: &[Child],
        max_pn: u32,
        max_dn: u32,
        crowd: impl Fn(&Child) -> u32,
    ) -> Summary {
        let (max_own, max_others) =
            if self.attacking { (max_pn, max_dn) } else { (max_dn, max_pn) };
        let (mut best, mut best_key) = (0, (u32::MAX, u32::MAX));
        let mut least = INFINITE;
        let mut second = INFINITE;
        let (mut largest, mut open) = (0, 0);
        for (index, child) in children.iter().enumerate() {
            if child.locked {
                continue;
            }
            let (own, others) = (self.own(&child.value), self.others(&child.value));
            if others > 0 {
                largest = largest.max(others);
                open += 1;
            }
            least = least.min(own);
            let crowd = crowd(child);
            let crowded = own.saturating_add(crowd * (CROWD_LEAST + own / CROWD_SHARE));
            let key = (crowded, others);
            if key < best_key && own < max_own {
                second = best_key.0.min(second);
                (best, best_key) = (index, key);
            } else {
                second = second.min(crowded);
            }
        }
        let own = least;
        let extra = u32::saturating_sub(open, 1);
        let others = if own == 0 { INFINITE } else { (largest + extra).min(INFINITE) };
        // Leave a child only if another is clearly better, to switch less often (1 + epsilon trick).
        let child_own = max_own.min(second.saturating_add(1 + second / 8));
        let child_others = max_others.saturating_sub(extra);
        let (pn, dn, child_pn, child_dn) = if self.attacking {
            (own, others, child_own, child_others)
        } else {
            (others, own, child_others, child_own)
        };
        Summary { pn, dn, best, child_pn, child_dn }
    }

    /// The value of a node that its children decide. `position` is the node's.
    pub(super) fn conclusion(&self, children: &[Child], position: &Position) -> Value {
        match (self.attacking, children.iter().any(|c| self.own(&c.value) == 0 && !c.locked)) {
            (true, true) => self.mating_move(children, position),
            (true, false) => self.no_check_mates(children, position),
            (false, true) => self.reply_escapes(children, position),
            (false, false) => self.all_replies_mated(children, position),
        }
    }

    fn mating_move(&self, children: &[Child], position: &Position) -> Value {
        let proven = children.iter().filter(|c| !c.locked && c.value.is_proven());
        let Some(best) = proven.min_by_key(|c| c.value.len) else {
            return Value::open(1, 1);
        };
        let needed = best.value.hand.before(position, best.mv);
        Value::proven(needed, longer(best.value.len))
    }

    fn no_check_mates(&self, children: &[Child], position: &Position) -> Value {
        let mut hand = all_in_hands(position);
        let (mut len, mut depends_on) = (UNLIMITED, NO_PLY);
        for child in children {
            hand = hand.intersection(child.value.hand.before(position, child.mv));
            len = len.min(longer(child.value.len));
            depends_on = depends_on.min(child.value.depends_on);
        }
        // Kinds that the attacker's hand lacks could give other checks.
        Value::refuted(hand.kinds_of(self.hand, true), len, depends_on)
    }

    fn reply_escapes(&self, children: &[Child], position: &Position) -> Value {
        let refuted = children.iter().filter(|c| !c.locked && c.value.is_refuted());
        match refuted.max_by_key(|c| (c.value.depends_on, c.value.len)) {
            Some(best) => {
                let hand = best.value.hand.intersection(all_in_hands(position));
                Value::refuted(hand, longer(best.value.len), best.value.depends_on)
            }
            None => Value::open(1, 1),
        }
    }

    fn all_replies_mated(&self, children: &[Child], position: &Position) -> Value {
        let mut needed = needed_against_drops(position, self.hand);
        let mut len = 0;
        for child in children {
            needed = needed.union(child.value.hand);
            len = len.max(longer(child.value.len));
        }
        Value::proven(needed, len)
    }
}
