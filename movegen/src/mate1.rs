//! Mate in one.
//!
//! A checking move mates only if it covers every square that the enemy king could still flee to.
//! These flights are computed once; nearly all checks fail to cover them, and only the few that do
//! are looked at closely. No move is made on the board.

use crate::attacks::{attacks, between, bishop_attacks, king_attacks, lance_attacks, rook_attacks};
use crate::bitboard::Bitboard;
use crate::moves::EachMove;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{HAND_KINDS, relative_rank};
use shogi_core::{Color, PieceKind, Square};

impl Position {
    /// A move that mates at once, if there is one.
    ///
    /// Exact but for one thing: a reply that interposes a pawn is taken to be possible even in the
    /// freak case that this drop would itself be a mate by pawn drop.
    pub fn mate_in_one(&self) -> Option<PackedMove> {
        let us = self.side_to_move();
        let king = self.king(us.flip())?;
        let flights = self.flights(king, us);
        let mut slider_reach = None;
        let mut mate = None;
        self.generate_checks(&mut EachMove(|mv: PackedMove| {
            if mate.is_some() {
                return;
            }
            let to = mv.to();
            let arrived = self.arriving_kind(mv);
            let lifted = (self.occupied() | Bitboard::single(to)).without(Bitboard::single(king));
            let left =
                flights.without(attacks(arrived, us, to, lifted)).without(Bitboard::single(to));
            if left.any() {
                // Only a slider's line that the move opens could cover the rest.
                let Some(from) = mv.from() else { return };
                let reach = *slider_reach.get_or_insert_with(|| self.slider_reach(us));
                if !reach.contains(from) {
                    return;
                }
            }
            if self.is_mate_after(mv, arrived, king) {
                mate = Some(mv);
            }
        }));
        mate
    }

    /// Squares next to the king, not held by its own side, that `us` does not attack.
    fn flights(&self, king: Square, us: Color) -> Bitboard {
        self.safe_squares(king, us.flip(), king_attacks(king).without(self.pieces(us.flip())))
    }

    /// All squares that sliders of `us` attack.
    fn slider_reach(&self, us: Color) -> Bitboard {
        let occupied = self.occupied();
        let own = self.pieces(us);
        let rooks = own & (self.kind(PieceKind::Rook) | self.kind(PieceKind::ProRook));
        let bishops = own & (self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop));
        let lances = own & self.kind(PieceKind::Lance);
        let rooks = rooks.into_iter().map(|sq| rook_attacks(sq, occupied));
        let bishops = bishops.into_iter().map(|sq| bishop_attacks(sq, occupied));
        let lances = lances.into_iter().map(|sq| lance_attacks(us, sq, occupied));
        rooks.chain(bishops).chain(lances).fold(Bitboard::EMPTY, |a, b| a | b)
    }

    /// Whether a legal checking move leaves the enemy king, on `king`, without an answer.
    fn is_mate_after(&self, mv: PackedMove, arrived: PieceKind, king: Square) -> bool {
        let us = self.side_to_move();
        let to = mv.to();
        let moved = Bitboard::single(to);
        let vacated = mv.from().map_or(Bitboard::EMPTY, Bitboard::single);
        let after = After {
            position: self,
            us,
            arrived,
            to,
            occupied: (self.occupied() | moved).without(vacated),
            stayed: self.pieces(us).without(vacated),
            defenders: self.pieces(us.flip()).without(moved | Bitboard::single(king)),
            king,
        };
        after.is_mate()
    }
}

/// The board after a checking move, as far as the question of mate needs it.
struct After<'a> {
    position: &'a Position,
    us: Color,
    arrived: PieceKind,
    to: Square,
    occupied: Bitboard,
    /// Our pieces that did not move.
    stayed: Bitboard,
    /// Their pieces, without the king and what was captured.
    defenders: Bitboard,
    king: Square,
}

impl After<'_> {
    fn is_mate(&self) -> bool {
        if self.king_escapes() {
            return false;
        }
        let checkers = self.attackers(self.king, self.occupied);
        let Some(checker) = checkers.first() else { return false };
        if checkers.more_than_one() {
            return true;
        }
        // Taking the checker, or stepping or dropping in between.
        let gap = between(self.king, checker);
        if self.defender_reaches(checker) {
            return false;
        }
        gap.into_iter().all(|square| !self.can_drop(square) && !self.defender_reaches(square))
    }

    /// Our pieces that attack a square.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let stayed = self.position.attackers_to(square, self.us, occupied) & self.stayed;
        if attacks(self.arrived, self.us, self.to, occupied).contains(square) {
            stayed | Bitboard::single(self.to)
        } else {
            stayed
        }
    }

    fn king_escapes(&self) -> bool {
        let lifted = self.occupied.without(Bitboard::single(self.king));
        king_attacks(self.king)
            .without(self.defenders)
            .into_iter()
            .any(|square| self.attackers(square, lifted).is_empty())
    }

    /// Whether a piece other than the king can move there without exposing the king.
    fn defender_reaches(&self, square: Square) -> bool {
        let target = Bitboard::single(square);
        let them = self.us.flip();
        let reaching = self.position.attackers_to(square, them, self.occupied) & self.defenders;
        reaching.into_iter().any(|defender| {
            let occupied = self.occupied.without(Bitboard::single(defender)) | target;
            // What is taken attacks no more.
            self.attackers(self.king, occupied).without(target).is_empty()
        })
    }

    fn can_drop(&self, square: Square) -> bool {
        let them = self.us.flip();
        let rank = relative_rank(square, them);
        HAND_KINDS.into_iter().any(|kind| {
            self.position.hand_count(them, kind) > 0
                && match kind {
                    PieceKind::Pawn => {
                        let pawns = self.position.kind(PieceKind::Pawn) & self.defenders;
                        rank >= 2 && pawns.files_without().contains(square)
                    }
                    PieceKind::Lance => rank >= 2,
                    PieceKind::Knight => rank >= 3,
                    _ => true,
                }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::promoted;

    /// Makes every legal move and looks whether the opponent has an answer.
    fn brute_force(position: &Position) -> Vec<PackedMove> {
        let mut board = position.clone();
        let mut mates = Vec::new();
        for mv in position.legal_moves() {
            board.do_move(mv);
            if board.in_check() && !board.has_legal_move() {
                mates.push(mv);
            }
            board.undo_move();
        }
        mates
    }

    #[test]
    fn agrees_with_brute_force_on_random_games() {
        let mut seed = 1u64;
        let mut random = move |n: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let (mut mates, mut others) = (0, 0);
        for _ in 0..150 {
            let mut position = Position::startpos();
            for _ in 0..250 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let expected = brute_force(&position);
                match position.mate_in_one() {
                    Some(mv) => assert!(expected.contains(&mv), "{mv} in {}", position.to_sfen()),
                    None => assert!(expected.is_empty(), "{expected:?} in {}", position.to_sfen()),
                }
                if expected.is_empty() {
                    others += 1
                } else {
                    mates += 1
                }
                let mv = moves[random(moves.len())];
                position.do_move(mv);
            }
        }
        assert!(mates > 300 && others > 10_000, "{mates} {others}");
    }

    #[test]
    fn promotion_never_loses_a_mate() {
        // The generator leaves useless non-promotions out; `promoted` covers all they attack.
        for kind in [PieceKind::Pawn, PieceKind::Bishop, PieceKind::Rook] {
            for square in Square::all() {
                let plain = attacks(kind, Color::Black, square, Bitboard::EMPTY);
                let more = attacks(promoted(kind), Color::Black, square, Bitboard::EMPTY);
                assert!(plain.without(more).is_empty());
            }
        }
    }
}
