//! Takes back a reply and the check before it.

use super::Below;
use monomi_movegen::attacks::attacks;
use monomi_movegen::square::{HAND_KINDS, in_promotion_zone, promoted, unpromoted};
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

/// A random position from which a check and a reply lead to a position with the attacker to move;
/// `None` if the random choices do not fit.
pub fn earlier(position: &Position, below: Below<'_>) -> Option<Position> {
    let attacker = position.side_to_move();
    let defender = attacker.flip();
    let mut partial = position.to_partial();
    let replied = match below(4) {
        0 => choose(position.pieces(defender), below)?,
        _ => position.king(defender)?,
    };
    let reply = take_back(&mut partial, position.occupied(), replied, below)?;
    partial.side_to_move_set(defender);
    let checked = Position::from_partial(&partial).ok()?;
    if !checked.in_check() || !checked.is_legal(reply) {
        return None;
    }
    // Mostly the piece that gives check; another one may have uncovered it.
    let moved = match below(4) {
        0 => choose(checked.pieces(attacker), below)?,
        _ => choose(checked.checkers(), below)?,
    };
    let check = take_back(&mut partial, checked.occupied(), moved, below)?;
    partial.side_to_move_set(attacker);
    let before = Position::from_partial(&partial).ok()?;
    before.is_legal(check).then_some(before)
}

/// Takes back a move of the piece on a square: a drop, a move, or a capture of a piece that is in the
/// hand of its side now.
fn take_back(
    partial: &mut PartialPosition,
    occupied: Bitboard,
    to: Square,
    below: Below<'_>,
) -> Option<PackedMove> {
    let (kind, color) = partial.piece_at(to)?.to_parts();
    if kind != PieceKind::King && unpromoted(kind) == kind && below(3) == 0 {
        partial.piece_set(to, None);
        let hand = partial.hand_of_a_player_mut(color);
        *hand = hand.added(kind)?;
        return Some(PackedMove::drop(kind, to));
    }
    let promotes = unpromoted(kind) != kind && below(2) == 0;
    let kind_before = if promotes { unpromoted(kind) } else { kind };
    let origins = attacks(kind_before, color.flip(), to, occupied).without(occupied);
    let from = choose(origins, below)?;
    if promotes && !in_promotion_zone(from, color) && !in_promotion_zone(to, color) {
        return None;
    }
    partial.piece_set(from, Some(Piece::new(kind_before, color)));
    let captured = if below(2) == 0 { captured(partial, color, below) } else { None };
    partial.piece_set(to, captured);
    Some(PackedMove::normal(from, to, promotes))
}

/// Takes a piece from a hand and makes it the opponent's.
fn captured(partial: &mut PartialPosition, color: Color, below: Below<'_>) -> Option<Piece> {
    let hand = partial.hand_of_a_player_mut(color);
    let kinds = HAND_KINDS.into_iter().filter(|&kind| hand.count(kind).is_some_and(|n| n > 0));
    let kinds: Vec<PieceKind> = kinds.collect();
    if kinds.is_empty() {
        return None;
    }
    let kind = kinds[below(kinds.len())];
    *hand = hand.removed(kind)?;
    let kind = if below(4) == 0 { promoted(kind) } else { kind };
    Some(Piece::new(kind, color.flip()))
}

fn choose(squares: Bitboard, below: Below<'_>) -> Option<Square> {
    let count = squares.count() as usize;
    if count == 0 { None } else { squares.into_iter().nth(below(count)) }
}
