//! Static exchange evaluation (SEE): the value of a sequence of captures on one square.
//!
//! The swap algorithm with a threshold
//! (<https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm>). The promotion of the first move
//! counts, promotions of recaptures do not.

use crate::attacks::{bishop_attacks, lance_attacks, line, rook_attacks};
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{Dense, promoted};
use shogi_core::{Color, PieceKind, Square};

/// Exchange values by kind, 90 for a pawn: the piece values published with Apery, from which most
/// shogi engines started.
pub const SEE_VALUE: [i32; 16] =
    [0, 90, 315, 405, 495, 540, 855, 990, 15_000, 540, 540, 540, 540, 945, 1395, 0];

/// The order in which pieces recapture, cheapest first. Promoted minor pieces have a gold's value
/// but go to the hand unpromoted, so they recapture before golds.
const CHEAPEST_FIRST: [PieceKind; 13] = {
    use PieceKind::*;
    [
        Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop,
        ProBishop, Rook, ProRook,
    ]
};

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
        let (from, moving) = match mv.from() {
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
        let mut pinned = [self.pinned(); 2];
        pinned[them.dense()] = match self.king(them) {
            Some(king) => self.blockers(king, us) & self.pieces(them),
            None => Bitboard::EMPTY,
        };
        loop {
            side = side.flip();
            let mut own = attackers & self.pieces(side);
            own = self.able(own, side, to, pinned[side.dense()]);
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

    /// The attackers without those whose pin forbids capturing on `to`.
    #[inline]
    fn able(&self, own: Bitboard, side: Color, to: Square, pinned: Bitboard) -> Bitboard {
        let stuck = own & pinned;
        if stuck.is_empty() {
            return own;
        }
        let Some(king) = self.king(side) else { return own };
        stuck
            .into_iter()
            .filter(|&sq| !line(king, sq).contains(to))
            .fold(own, |set, sq| set.without(Bitboard::single(sq)))
    }

    #[inline]
    fn cheapest(&self, own: Bitboard) -> Option<(PieceKind, Square)> {
        CHEAPEST_FIRST.iter().find_map(|&kind| Some((kind, (own & self.kind(kind)).first()?)))
    }

    /// Sliders that attack `to` through `square`, which has just been vacated (X-ray attackers).
    #[inline]
    fn uncovered(&self, to: Square, square: Square, occupied: Bitboard) -> Bitboard {
        let behind = line(to, square);
        if behind.is_empty() {
            return Bitboard::EMPTY;
        }
        let rooks = self.kind(PieceKind::Rook) | self.kind(PieceKind::ProRook);
        let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop);
        let lances = self.kind(PieceKind::Lance);
        let lance =
            |color: Color| lance_attacks(color.flip(), to, occupied) & lances & self.pieces(color);
        behind
            & (rook_attacks(to, occupied) & rooks
                | bishop_attacks(to, occupied) & bishops
                | lance(Color::Black)
                | lance(Color::White))
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
