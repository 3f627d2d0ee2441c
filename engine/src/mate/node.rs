//! A node on the search's stack: its moves, what is known of them, and what follows for the node.

use super::hand::MateHand;
use super::leaf::{all_in_hands, needed_against_drops};
use super::value::{INFINITE, NO_PLY, Plies, UNLIMITED, Value, longer};
use monomi_movegen::{PackedMove, Position};

/// A move of a node with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) mv: PackedMove,
    pub(super) value: Value,
    /// Waits, not looked at, for another one to fail.
    pub(super) locked: bool,
    /// Never searched so far.
    pub(super) fresh: bool,
    /// Which child, counted from this one, waits for this one to fail; 0 for none.
    pub(super) leads_to: u16,
}

/// A node of the current path.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// The attacker is to move.
    pub(super) attacking: bool,
    pub(super) board: u64,
    /// The attacker's hand.
    pub(super) hand: MateHand,
    /// The mate must be no longer.
    pub(super) len: Plies,
    pub(super) max_pn: u32,
    pub(super) max_dn: u32,
    /// Its children are the arena's from here on.
    pub(super) first: usize,
    /// The child being searched.
    pub(super) current: usize,
    /// The node counter when the node was entered.
    pub(super) entered_at: u64,
}

/// What a node's children say.
pub(super) struct Summary {
    pub(super) pn: u32,
    pub(super) dn: u32,
    /// The child to search next, and its thresholds.
    pub(super) best: usize,
    pub(super) child_pn: u32,
    pub(super) child_dn: u32,
}

impl Node {
    /// The number that this node's side makes small: it needs one move to succeed.
    #[inline]
    pub(super) fn own(&self, value: &Value) -> u32 {
        if self.attacking { value.pn } else { value.dn }
    }

    /// The other number: all moves must fail.
    #[inline]
    pub(super) fn others(&self, value: &Value) -> u32 {
        if self.attacking { value.dn } else { value.pn }
    }

    /// Sums up the children. `max_pn` and `max_dn` are the thresholds in force.
    ///
    /// The number that asks for all children is not their sum: lines that meet again would be
    /// counted twice and more, exploding in long mates. The largest, plus one for each other child
    /// left, is free of that (weak proof numbers, Ueda et al. 2008).
    #[inline]
    pub(super) fn summary(&self, children: &[Child], max_pn: u32, max_dn: u32) -> Summary {
        let (mut best, mut best_key) = (0, (u32::MAX, u32::MAX));
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
            let key = (own, others);
            if key < best_key {
                second = best_key.0.min(second);
                (best, best_key) = (index, key);
            } else {
                second = second.min(own);
            }
        }
        let own = best_key.0.min(INFINITE);
        let extra = u32::saturating_sub(open, 1);
        let others = if own == 0 { INFINITE } else { (largest + extra).min(INFINITE) };
        let (max_own, max_others) =
            if self.attacking { (max_pn, max_dn) } else { (max_dn, max_pn) };
        // Leaving a child only when another is clearly better saves changing over (1 + epsilon).
        let child_own = max_own.min(second.saturating_add(1 + second / 8));
        let child_others = max_others.saturating_sub(extra);
        let (pn, dn, child_pn, child_dn) = if self.attacking {
            (own, others, child_own, child_others)
        } else {
            (others, own, child_others, child_own)
        };
        Summary { pn, dn, best, child_pn, child_dn }
    }

    /// The value of a node whose children decide it. `position` is the node's.
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
        let (mut len, mut rests_on) = (UNLIMITED, NO_PLY);
        for child in children {
            hand = hand.intersection(child.value.hand.before(position, child.mv));
            len = len.min(longer(child.value.len));
            rests_on = rests_on.min(child.value.rests_on);
        }
        // A kind that the attacker lacks might give other checks.
        Value::refuted(hand.kinds_of(self.hand, true), len, rests_on)
    }

    fn reply_escapes(&self, children: &[Child], position: &Position) -> Value {
        let refuted = children.iter().filter(|c| !c.locked && c.value.is_refuted());
        match refuted.max_by_key(|c| (c.value.rests_on, c.value.len)) {
            Some(best) => {
                let hand = best.value.hand.intersection(all_in_hands(position));
                Value::refuted(hand, longer(best.value.len), best.value.rests_on)
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
