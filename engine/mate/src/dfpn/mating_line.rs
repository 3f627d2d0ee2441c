//! The mating line of a proven mate: the attacker's shortest proven moves against the longest
//! defence.

use super::hand::MateHand;
use super::leaf;
use super::search::Dfpn;
use super::value::{Plies, UNLIMITED, shorter};
use monomi_movegen::attacks::between;
use monomi_movegen::{Bitboard, MoveList, PackedMove};

/// A move of the mating line with the number of plies to mate after it.
#[derive(Clone, Copy)]
struct Step {
    mv: PackedMove,
    len: Plies,
}

impl Dfpn<'_> {
    /// The mating line from the root, which is proven within `len` plies; `None` if the search was
    /// stopped or the proof was overwritten in the table and could not be found again.
    pub(super) fn mating_line(&mut self, hand: MateHand, len: Plies) -> Option<Vec<PackedMove>> {
        let made = self.position.moves_made();
        let moves = self.walk(hand, len);
        while self.position.moves_made() > made {
            self.position.undo_move();
        }
        moves
    }

    fn walk(&mut self, mut hand: MateHand, mut len: Plies) -> Option<Vec<PackedMove>> {
        let mut moves = Vec::new();
        loop {
            let step = self.mating_step(hand, len)?;
            hand = hand.after(&self.position, step.mv);
            self.position.do_move(step.mv);
            moves.push(step.mv);
            let Some(reply) = self.longest_reply(hand, step.len)? else { return Some(moves) };
            self.position.do_move(reply.mv);
            moves.push(reply.mv);
            // The length must decrease, so that the loop ends.
            if reply.len >= len {
                return None;
            }
            len = reply.len;
        }
    }

    /// The attacker's move with the shortest proven mate within `len` plies.
    fn mating_step(&mut self, hand: MateHand, len: Plies) -> Option<Step> {
        if let Some(step) = self.known_mating_step(hand, len) {
            return Some(step);
        }
        // The proof was replaced in the table: search again.
        let again = self.search(true, hand, len);
        if again.is_proven() { self.known_mating_step(hand, len) } else { None }
    }

    fn known_mating_step(&mut self, hand: MateHand, len: Plies) -> Option<Step> {
        let mut checks = MoveList::new();
        self.position.generate_all_checks(&mut checks);
        let mut best: Option<Step> = None;
        for &mv in checks.iter() {
            let after = hand.after(&self.position, mv);
            self.position.do_move(mv);
            let found = self.proven_len(false, after, shorter(len));
            self.position.undo_move();
            if let Some(found) = found
                && best.is_none_or(|best| found < best.len)
            {
                best = Some(Step { mv, len: found });
            }
        }
        best
    }

    /// The proven length of the mate if it is known to be at most `len`.
    fn proven_len(&mut self, attacking: bool, hand: MateHand, len: Plies) -> Option<Plies> {
        let board = self.position.board_key();
        let known = self.table.probe(board, hand, len).value;
        if known.is_proven() {
            return Some(known.len);
        }
        let seen = if attacking {
            leaf::attacker(&mut self.position, hand, len)
        } else {
            leaf::defender(&self.position, hand, len)
        };
        seen.is_proven().then_some(seen.len)
    }

    /// The defender's reply with the longest mate; futile interpositions (muda-ai) only if there is
    /// no other reply. `Some(None)` if it is mate.
    fn longest_reply(&mut self, hand: MateHand, len: Plies) -> Option<Option<Step>> {
        let mut replies = MoveList::new();
        self.position.generate_all(&mut replies);
        let mut steps = Vec::with_capacity(replies.len());
        for &mv in replies.iter() {
            self.position.do_move(mv);
            let len = self.proven_again(hand, shorter(len));
            self.position.undo_move();
            steps.push(Step { mv, len: len? });
        }
        let without_drops = longest(steps.iter().filter(|step| !step.mv.is_drop()));
        let mut best: Option<(bool, Step)> = None;
        for &step in &steps {
            let counts = !step.mv.is_drop()
                || !self.is_futile(step.mv, hand, without_drops.map_or(0, |s| s.len + 1));
            let key = |(counts, step): (bool, Step)| (counts, step.len);
            if best.is_none_or(|best| key((counts, step)) > key(best)) {
                best = Some((counts, step));
            }
        }
        Some(best.map(|best| best.1))
    }

    /// The proven length with the attacker to move; searches again if the table no longer has it.
    fn proven_again(&mut self, hand: MateHand, len: Plies) -> Option<Plies> {
        if let Some(found) = self.proven_len(true, hand, len) {
            return Some(found);
        }
        let again = self.search(true, hand, len);
        if again.is_proven() {
            return Some(again.len);
        }
        let again = self.search(true, hand, UNLIMITED);
        again.is_proven().then_some(again.len)
    }

    /// Whether an interposed drop is futile (muda-ai): the checking piece captures it, and the mate
    /// then takes at most `len` plies, counted from the defender's move, as it would without drops.
    fn is_futile(&mut self, drop: PackedMove, hand: MateHand, len: Plies) -> bool {
        let checkers = self.position.checkers();
        let defender = self.position.side_to_move();
        let (Some(checker), Some(king)) = (checkers.first(), self.position.king(defender)) else {
            return false;
        };
        if !between(king, checker).contains(drop.to()) {
            return false;
        }
        self.position.do_move(drop);
        let mut checks = MoveList::new();
        self.position.generate_all_checks(&mut checks);
        let mut futile = false;
        for &mv in checks.iter() {
            if mv.from_square() == Some(checker) && mv.to() == drop.to() && !futile {
                let after = hand.after(&self.position, mv);
                self.position.do_move(mv);
                futile = self.is_mated_within(after, len);
                self.position.undo_move();
            }
        }
        self.position.undo_move();
        futile
    }

    /// Whether all replies lead to mate within `len` plies, not counting futile interpositions.
    fn is_mated_within(&mut self, hand: MateHand, len: Plies) -> bool {
        let mut replies = MoveList::new();
        self.position.generate_all(&mut replies);
        let mut squares = Bitboard::EMPTY;
        for &mv in replies.iter() {
            if mv.is_drop() {
                squares |= Bitboard::single(mv.to());
                continue;
            }
            self.position.do_move(mv);
            let found = self.proven_len(true, hand, len);
            self.position.undo_move();
            if found.is_none_or(|found| found + 1 > len) {
                return false;
            }
        }
        // One drop per square is enough, since they differ only in the captured piece.
        replies.iter().filter(|mv| mv.is_drop()).all(|&mv| {
            let first = squares.contains(mv.to());
            squares = squares.without(Bitboard::single(mv.to()));
            !first || self.is_futile(mv, hand, len)
        })
    }
}

fn longest<'a>(steps: impl Iterator<Item = &'a Step>) -> Option<Step> {
    steps.copied().max_by_key(|step| step.len)
}
