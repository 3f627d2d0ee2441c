//! Static exchange evaluation (SEE): the value of a sequence of captures on one square.
//!
//! The swap algorithm with a threshold
//! (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>). The promotion of the first move
//! counts, promotions of recaptures do not.

use crate::attacks::{bishop_attacks, bishop_rays, line, rook_attacks, rook_rays};
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::promoted;
use shogi_core::{Color, PieceKind, Square};

/// Exchange values by kind, 90 for a pawn: the piece values published with Apery, from which most
/// shogi engines started.
pub const SEE_VALUE: [i32; 16] =
    [0, 90, 315, 405, 495, 540, 855, 990, 15_000, 540, 540, 540, 540, 945, 1395, 0];

/// By kind, the place in the order in which pieces recapture, cheapest first; 13 for a king.
/// Promoted minor pieces have a gold's value but go to the hand unpromoted, so they recapture before
/// golds.
const RECAPTURE_ORDER: [u8; 16] = {
    use PieceKind::*;
    let cheapest_first = [
        Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop,
        ProBishop, Rook, ProRook,
    ];
    let mut order = [LAST; 16];
    let mut i = 0;
    while i < cheapest_first.len() {
        order[cheapest_first[i] as usize] = i as u8;
        i += 1;
    }
    order
};

/// Place of a king in [`RECAPTURE_ORDER`].
const LAST: u8 = 13;

/// The gain of capturing a piece of this kind.
#[inline(always)]
fn value(kind: PieceKind) -> i32 {
    SEE_VALUE[kind as usize & 15]
}

impl Position {
    /// Whether the exchange that a legal move starts on its destination gains the side to move at
    /// least `threshold`, in the unit of [`SEE_VALUE`].
    pub fn see_ge(&self, mv: PackedMove, threshold: i32) -> bool {
        let us = self.side_to_move();
        let to = mv.to();
        let gain = self.piece_at(to).map_or(0, |victim| value(victim.piece_kind()));
        let (from, moving) = match mv.from_square() {
            Some(from) => (Some(from), self.moving_kind(mv)),
            None => (None, mv.dropped().unwrap_or(PieceKind::Pawn)),
        };
        let arrived = if mv.is_promotion() { promoted(moving) } else { moving };
        let promotion = value(arrived) - value(moving);
        // The balance if the opponent does not recapture.
        let mut balance = gain + promotion - threshold;
        if balance < 0 {
            return false;
        }
        // The balance if the piece is lost without compensation.
        balance -= value(arrived);
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.occupied() | Bitboard::single(to);
        if let Some(from) = from {
            occupied = occupied.without(Bitboard::single(from));
        }
        self.exchange_holds(to, us, balance, occupied)
    }

    /// The rest of the exchange: `us` has a piece on `to`, the balance after its loss is
    /// `balance < 0`, and the other side is to recapture.
    fn exchange_holds(
        &self,
        to: Square,
        us: Color,
        mut balance: i32,
        mut occupied: Bitboard,
    ) -> bool {
        let mut attackers = self.all_attackers_to(to, occupied) & occupied;
        let them = us.flip();
        if !attackers.intersects(self.pieces(them)) {
            return true;
        }
        let mut side = us;
        let mut holds = true;
        let mut their_pins = None;
        loop {
            side = side.flip();
            let mut own = attackers & self.pieces(side);
            own = self.able(own, side, to, &mut their_pins);
            if own.is_empty() {
                break;
            }
            holds = !holds;
            let Some((kind, square)) = self.cheapest(own) else {
                // Only the king is left: it captures if it cannot be captured then.
                let theirs = attackers & self.pieces(side.flip());
                return if theirs.any() { !holds } else { holds };
            };
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                break;
            }
            occupied = occupied.without(Bitboard::single(square));
            attackers |= self.uncovered(to, square, occupied);
            attackers &= occupied;
        }
        holds
    }

    /// The attackers without those whose pin forbids capturing on `to`. `their_pins`, the pinned
    /// pieces of the side that is not to move, is computed when needed.
    #[inline]
    fn able(
        &self,
        own: Bitboard,
        side: Color,
        to: Square,
        their_pins: &mut Option<Bitboard>,
    ) -> Bitboard {
        let Some(king) = self.king(side) else { return own };
        let stuck = if side == self.side_to_move() {
            own & self.pinned()
        } else if own.intersects(rook_rays(king) | bishop_rays(king)) {
            own & *their_pins.get_or_insert_with(|| self.blockers(king, side.flip()))
        } else {
            return own;
        };
        if stuck.is_empty() {
            return own;
        }
        stuck
            .into_iter()
            .filter(|&sq| !line(king, sq).contains(to))
            .fold(own, |set, sq| set.without(Bitboard::single(sq)))
    }

    /// The attacker that recaptures first; `None` if only the king is left.
    #[inline]
    fn cheapest(&self, own: Bitboard) -> Option<(PieceKind, Square)> {
        let (mut cheapest, mut least) = (None, LAST);
        for square in own {
            let Some(piece) = self.piece_at(square) else { continue };
            let kind = piece.piece_kind();
            let order = RECAPTURE_ORDER[kind as usize & 15];
            if order < least {
                (cheapest, least) = (Some((kind, square)), order);
            }
        }
        cheapest
    }

    /// Sliders that attack `to` through `square`, which has just been vacated (X-ray attackers).
    #[inline]
    fn uncovered(&self, to: Square, square: Square, occupied: Bitboard) -> Bitboard {
        let vacated = Bitboard::single(square);
        if rook_rays(to).intersects(vacated) {
            rook_attacks(to, occupied) & line(to, square) & self.rook_like(to)
        } else if bishop_rays(to).intersects(vacated) {
            let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop);
            bishop_attacks(to, occupied) & line(to, square) & bishops
        } else {
            Bitboard::EMPTY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_attackers_are_the_attackers_of_both_sides() {
        let mut position = Position::startpos();
        let mut seed = 7u64;
        for _ in 0..if cfg!(miri) { 20 } else { 2_000 } {
            let moves = position.legal_moves();
            if moves.is_empty() || position.ply() > 200 {
                position = Position::startpos();
                continue;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.do_move(moves[(seed >> 33) as usize % moves.len()]);
            for square in Square::all() {
                let occupied = position.occupied();
                let each = position.attackers_to(square, Color::Black, occupied)
                    | position.attackers_to(square, Color::White, occupied);
                assert_eq!(position.all_attackers_to(square, occupied), each);
            }
        }
    }
}
