//! Squares attacked by the opponent's less valuable pieces. A piece that stands there should
//! usually leave: defending it does not help, since even an exchange loses material.

use crate::attacks::{lance_attacks, step_attacks};
use crate::bitboard::Bitboard;
use crate::position::Position;
use shogi_core::PieceKind;

/// The squares that the opponent attacks with pieces of little value, in three steps.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    /// Attacked by pawns.
    pawns: Bitboard,
    /// Attacked by pawns, lances or knights.
    minor: Bitboard,
    /// Attacked by these, silvers, golds or pieces that move like golds.
    generals: Bitboard,
}

impl Threats {
    /// The threats against the side to move.
    pub fn new(position: &Position) -> Self {
        use PieceKind::*;
        let them = position.side_to_move().flip();
        let occupied = position.occupied();
        let pawns = position.pieces_of(them, Pawn).forward(them);
        let mut minor = pawns;
        for from in position.pieces_of(them, Lance) {
            minor |= lance_attacks(them, from, occupied);
        }
        for from in position.pieces_of(them, Knight) {
            minor |= step_attacks(Knight, them, from);
        }
        let mut generals = minor;
        for from in position.pieces_of(them, Silver) {
            generals |= step_attacks(Silver, them, from);
        }
        for from in position.pieces(them) & position.gold_movers() {
            generals |= step_attacks(Gold, them, from);
        }
        Self { pawns, minor, generals }
    }

    /// The squares where a less valuable piece attacks a piece of this kind: pawns attack a lance,
    /// knight or promoted pawn; pawns, lances and knights attack a silver, gold or other promoted
    /// minor piece; these, silvers and all pieces that move like golds attack a bishop or rook,
    /// promoted or not. Empty for pawns and kings.
    #[inline(always)]
    pub fn against(&self, kind: PieceKind) -> Bitboard {
        use PieceKind::*;
        match kind {
            Pawn | King => Bitboard::EMPTY,
            Lance | Knight | ProPawn => self.pawns,
            Silver | Gold | ProLance | ProKnight | ProSilver => self.minor,
            Bishop | Rook | ProBishop | ProRook => self.generals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi_core::Square;

    /// The kinds whose attacks threaten a piece of this kind.
    fn lesser(kind: PieceKind) -> Vec<PieceKind> {
        use PieceKind::*;
        let pawns = vec![Pawn];
        let minor = vec![Pawn, Lance, Knight];
        let generals =
            vec![Pawn, Lance, Knight, Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver];
        match kind {
            Pawn | King => vec![],
            Lance | Knight | ProPawn => pawns,
            Silver | Gold | ProLance | ProKnight | ProSilver => minor,
            Bishop | Rook | ProBishop | ProRook => generals,
        }
    }

    #[test]
    fn threats_are_attacks_by_lesser_pieces() {
        let mut seed = 5u64;
        let mut found = 0;
        for _ in 0..10 {
            let mut position = Position::startpos();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.do_move(moves[(seed >> 33) as usize % moves.len()]);
                let threats = Threats::new(&position);
                let them = position.side_to_move().flip();
                for square in Square::all() {
                    let attackers = position.attackers_to(square, them, position.occupied());
                    let kinds: Vec<PieceKind> = attackers
                        .into_iter()
                        .filter_map(|from| position.piece_at(from))
                        .map(|piece| piece.piece_kind())
                        .collect();
                    for kind in PieceKind::all() {
                        let expected = lesser(kind).iter().any(|lesser| kinds.contains(lesser));
                        let sfen = position.to_sfen();
                        assert_eq!(threats.against(kind).contains(square), expected, "{sfen}");
                        found += usize::from(expected);
                    }
                }
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
