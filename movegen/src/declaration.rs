//! Winning by declaration (nyugyoku): the entering king.

use crate::attacks::king_attacks;
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::HAND_KINDS;
use shogi_core::{Color, PieceKind, Square};

/// By which rule a king that has entered the enemy camp wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum EnteringKingRule {
    /// There is no such win.
    None,
    /// 24-point rule: 31 points win.
    Csa24,
    /// The same; in handicap games White needs less by the points it gave.
    Csa24Handicap,
    /// 27-point rule: Black wins with 28, White with 27.
    #[default]
    Csa27,
    /// The same; in handicap games White needs less by the points it gave.
    Csa27Handicap,
    /// Try rule: the king wins by reaching the enemy king's first square unattacked.
    Try,
}

/// A win by the rule in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// Declared without a move.
    Declare,
    /// The king steps to the goal of the try rule.
    Try(PackedMove),
}

/// Points of a full set without kings: four big pieces of five and 34 of one.
const FULL_SET: i32 = 54;

const BIG: [PieceKind; 4] =
    [PieceKind::Bishop, PieceKind::Rook, PieceKind::ProBishop, PieceKind::ProRook];

impl Position {
    fn points(&self, set: Bitboard) -> i32 {
        let big: u32 = BIG.iter().map(|&kind| (self.kind(kind) & set).count()).sum();
        let all = set.without(self.kind(PieceKind::King)).count();
        (all + 4 * big) as i32
    }

    fn hand_points(&self, color: Color) -> i32 {
        HAND_KINDS
            .iter()
            .map(|&kind| {
                let worth = if kind as u8 >= PieceKind::Bishop as u8 { 5 } else { 1 };
                worth * i32::from(self.hand_count(color, kind))
            })
            .sum()
    }

    /// Points missing from a full set: what the handicap's giver left out.
    fn missing_points(&self) -> i32 {
        let held: i32 = Color::all().iter().map(|&color| self.hand_points(color)).sum();
        FULL_SET - self.points(self.occupied()) - held
    }

    /// The win that the side to move may claim now, if any.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        let us = self.side_to_move();
        let king = self.king(us)?;
        let (even_need, gives) = match rule {
            EnteringKingRule::None => return None,
            EnteringKingRule::Try => return self.try_move(king).map(Declaration::Try),
            EnteringKingRule::Csa24 => (31, false),
            EnteringKingRule::Csa24Handicap => (31, true),
            EnteringKingRule::Csa27 => (if us == Color::Black { 28 } else { 27 }, false),
            EnteringKingRule::Csa27Handicap => (if us == Color::Black { 28 } else { 27 }, true),
        };
        let camp = Bitboard::far_ranks(us, 3);
        if !camp.contains(king) || self.in_check() {
            return None;
        }
        let inside = self.pieces(us) & camp;
        // Ten pieces beside the king.
        if inside.count() < 11 {
            return None;
        }
        let given = if gives && us == Color::White { self.missing_points() } else { 0 };
        let points = self.points(inside) + self.hand_points(us);
        (points >= even_need - given).then_some(Declaration::Declare)
    }

    fn try_move(&self, king: Square) -> Option<PackedMove> {
        let us = self.side_to_move();
        let goal = Square::new_relative(5, 1, us)?;
        let reachable = king_attacks(king) & Bitboard::single(goal);
        let safe = self.safe_squares(king, us, reachable.without(self.pieces(us)));
        safe.first().map(|to| PackedMove::normal(king, to, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declares(sfen: &str, rule: EnteringKingRule) -> bool {
        Position::from_sfen(sfen).unwrap().declaration(rule).is_some()
    }

    // Black: king and ten golds, silvers and the like inside, points counted by hand below.
    const TEN_INSIDE: &str = "KSSSSGGGG/PP7/9/9/9/9/9/9/k8";

    #[test]
    fn points_decide() {
        use EnteringKingRule::*;
        // Ten pieces inside (10), two rooks in hand (10): 20. One bishop more: 25.
        // Three pawns more make 28.
        for (hand, b27, b24) in [
            ("2RB2P", false, false),
            ("2RB3P", true, false),
            ("2RB5P", true, false),
            ("2RB6P", true, true),
        ] {
            let sfen = format!("{TEN_INSIDE} b {hand} 1");
            assert_eq!(declares(&sfen, Csa27), b27, "{hand}");
            assert_eq!(declares(&sfen, Csa24), b24, "{hand}");
            assert!(!declares(&sfen, None));
        }
        // White needs one less.
        let white = |hand: &str| format!("8K/9/9/9/9/9/9/7pp/ggggssssk w {hand} 1");
        assert!(declares(&white("2rb2p"), Csa27));
        assert!(!declares(&white("2rb1p"), Csa27));
    }

    #[test]
    fn handicap_lowers_whites_need() {
        use EnteringKingRule::*;
        // A set without White's rook and bishop (10 points) and all else present: White has 17.
        let sfen = "9/1+R1+B4K/9/9/9/9/9/7pp/ggggssssk w 4l3n11p4PN 1";
        let points = 10 + 4 + 3 + 11;
        assert_eq!(points, 28);
        assert!(declares(sfen, Csa27));
        let fewer = "9/1+R1+B4K/9/9/9/9/9/7pp/ggggssssk w 4l3p12PNNNN 1";
        assert!(!declares(fewer, Csa27));
        assert!(declares(fewer, Csa27Handicap));
        assert!(!declares(fewer, Csa24Handicap));
    }

    #[test]
    fn check_or_nine_pieces_forbid() {
        use EnteringKingRule::*;
        assert!(!declares("KSSSSGGGG/P8/9/9/9/9/9/9/k8 b 2R2B9P 1", Csa27));
        assert!(!declares("KrSSSGGGG/P1P6/1P7/9/9/9/9/9/k8 b R2B9P 1", Csa27));
        assert!(declares("K1SSSGGGG/P1P6/1P6S/9/9/9/9/9/k8 b 2R2B9P 1", Csa27));
    }

    #[test]
    fn try_rule() {
        let goal = |sfen: &str| match Position::from_sfen(sfen)
            .unwrap()
            .declaration(EnteringKingRule::Try)
        {
            Some(Declaration::Try(mv)) => Some(mv.to_string()),
            _ => None,
        };
        assert_eq!(goal("9/3K5/9/9/9/9/9/9/4k4 b - 1").as_deref(), Some("6b5a"));
        assert_eq!(goal("8r/3K5/9/9/9/9/9/9/4k4 b - 1"), None);
        assert_eq!(goal("9/3K5/9/9/9/9/9/3k5/9 w - 1").as_deref(), Some("6h5i"));
        assert_eq!(goal("4G4/3K5/9/9/9/9/9/9/4k4 b - 1"), None);
    }
}
