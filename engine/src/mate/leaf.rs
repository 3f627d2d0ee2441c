//! What a look at a position tells without searching it: mates, dead ends, and first numbers.

use super::hand::MateHand;
use super::value::{NO_PLY, Plies, UNLIMITED, Value};
use monomi_movegen::attacks::between;
use monomi_movegen::square::unpromoted;
use monomi_movegen::{Bitboard, MoveSink, PackedMove, Position};
use shogi_core::{Color, PieceKind, Square};

/// Counts the replies that have to be answered one by one: promoting or not is one, and so are all
/// drops on one square, for what refutes one of them mostly refutes all.
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

/// Counts checks, promoting or not as one.
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

/// The defender is to move, in check. `hand` is the attacker's.
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

/// The attacker is to move. `hand` is the attacker's.
pub(super) fn attacker(position: &mut Position, hand: MateHand, len: Plies) -> Value {
    if len == 0 {
        return Value::refuted(all_in_hands(position), 0, NO_PLY);
    }
    let mut checks = CheckCounter::default();
    position.generate_checks(&mut checks);
    if checks.0 == 0 {
        return Value::refuted(helpless(position, hand), UNLIMITED, NO_PLY);
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

/// What a check adds to the first proof and disproof numbers behind it. `position` is the one
/// before it, the attacker to move. A check on a square that the attacker's pieces outnumber is not
/// refuted soon; one that the defender guards well, or that gives a piece away, proves late (the
/// idea is that of GPS Shogi's estimates; first numbers of this kind make df-pn+, Nagai 2002).
pub(super) fn prospects(position: &Position, mv: PackedMove) -> (u32, u32) {
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

/// The attacker's pieces that must not be in the defender's hand, lest they be dropped in between:
/// all of the kinds that the defender has none of. `position` has the defender to move, in check.
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

/// What both sides hold together: the attacker cannot have more.
pub(super) fn all_in_hands(position: &Position) -> MateHand {
    MateHand::of(position, Color::Black).plus(MateHand::of(position, Color::White))
}

/// An attacker without checks has none either with more of the kinds held already.
pub(super) fn helpless(position: &Position, hand: MateHand) -> MateHand {
    all_in_hands(position).kinds_of(hand, true)
}
