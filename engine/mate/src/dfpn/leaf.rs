//! Static evaluation of leaves: mates, positions without checks, and initial proof and disproof
//! numbers.

use super::hand::MateHand;
use super::value::{NO_PLY, Plies, UNLIMITED, Value};
use monomi_movegen::attacks::between;
use monomi_movegen::square::unpromoted;
use monomi_movegen::{Bitboard, MoveSink, PackedMove, Position};
use shogi_core::{Color, PieceKind, Square};

/// Counts the defender's replies. A move with and without promotion counts once, and so do all drops
/// on one square, because the same move usually refutes all of them.
#[derive(Default)]
struct ReplyCounter {
    moves: u32,
    drops: Bitboard,
}

impl MoveSink for ReplyCounter {
    fn piece(&mut self, _: Square, promotions: Bitboard, plain: Bitboard) {
        self.moves += (promotions | plain).count();
    }
    fn pawns(&mut self, _: Color, promotions: Bitboard, plain: Bitboard) {
        self.moves += (promotions | plain).count();
    }
    fn drops(&mut self, _: PieceKind, targets: Bitboard) {
        self.drops |= targets;
    }
}

/// Counts checks. A move with and without promotion counts once.
#[derive(Default)]
struct CheckCounter(u32);

impl MoveSink for CheckCounter {
    fn piece(&mut self, _: Square, promotions: Bitboard, plain: Bitboard) {
        self.0 += (promotions | plain).count();
    }
    fn pawns(&mut self, _: Color, promotions: Bitboard, plain: Bitboard) {
        self.0 += (promotions | plain).count();
    }
    fn drops(&mut self, _: PieceKind, targets: Bitboard) {
        self.0 += targets.count();
    }
}

/// Evaluates a leaf with the defender to move, in check. `hand` is the attacker's.
pub(super) fn defender(position: &Position, hand: MateHand, len: Plies) -> Value {
    let mut replies = ReplyCounter::default();
    position.generate_useful(&mut replies);
    let count = replies.moves + replies.drops.count();
    if count == 0 {
        Value::proven(needed_against_drops(position, hand), 0)
    } else if len == 0 {
        Value::refuted(all_in_hands(position), 0, NO_PLY)
    } else {
        Value::open(count, 1)
    }
}

/// Evaluates a leaf with the attacker to move. `hand` is the attacker's.
pub(super) fn attacker(position: &mut Position, hand: MateHand, len: Plies) -> Value {
    if len == 0 {
        return Value::refuted(all_in_hands(position), 0, NO_PLY);
    }
    let mut checks = CheckCounter::default();
    position.generate_checks(&mut checks);
    if checks.0 == 0 {
        return Value::refuted(largest_hand_without_checks(position, hand), UNLIMITED, NO_PLY);
    }
    if let Some(mate) = position.mate_in_one() {
        let after = hand.after(position, mate);
        position.do_move(mate);
        let needed = needed_against_drops(position, after);
        position.undo_move();
        return Value::proven(needed.before(position, mate), 1);
    }
    if len <= 2 {
        return Value::refuted(hand, 2, NO_PLY);
    }
    Value::open(1, checks.0)
}

/// What a check adds to the initial proof and disproof numbers of the position after it. `position`
/// is the one before it, with the attacker to move. A check on a square with more attackers than
/// defenders is harder to refute; a check on a well-defended square, or one that loses a piece, is
/// harder to prove (an idea of GPS Shogi; df-pn with such estimates is df-pn+, Nagai 2002).
pub(super) fn initial_number_bonus(position: &Position, mv: PackedMove) -> (u32, u32) {
    let us = position.side_to_move();
    let around = position.all_attackers_to(mv.to(), position.occupied());
    let attackers = (around & position.pieces(us)).count() + u32::from(mv.is_drop());
    let defenders = (around & position.pieces(us.flip())).count();
    let harder = u32::from(defenders >= 2);
    let victim = position.piece_at(mv.to()).map(|piece| unpromoted(piece.piece_kind()));
    if attackers > defenders || matches!(victim, Some(PieceKind::Gold | PieceKind::Silver)) {
        (harder, 1)
    } else {
        (harder + 1, 0)
    }
}

/// The attacker's pieces that the defender could interpose if they were in its hand: those of the
/// kinds that the defender's hand lacks. The defender is to move, in check.
pub(super) fn needed_against_drops(position: &Position, hand: MateHand) -> MateHand {
    let checkers = position.checkers();
    let (Some(checker), Some(king)) = (checkers.first(), position.king(position.side_to_move()))
    else {
        return MateHand::EMPTY;
    };
    if checkers.more_than_one() || between(king, checker).is_empty() {
        return MateHand::EMPTY;
    }
    let defenders = MateHand::of(position, position.side_to_move());
    hand.kinds_of(defenders, false)
}

/// The pieces of both hands: the largest hand the attacker can have on this board.
pub(super) fn all_in_hands(position: &Position) -> MateHand {
    MateHand::of(position, Color::Black).plus(MateHand::of(position, Color::White))
}

/// The largest hand with which the attacker still has no check, if it has none now: more pieces of
/// the kinds it already has give no further checks.
pub(super) fn largest_hand_without_checks(position: &Position, hand: MateHand) -> MateHand {
    all_in_hands(position).kinds_of(hand, true)
}
