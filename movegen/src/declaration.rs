//! Winning by declaration: the entering king rules (nyugyoku).

use crate::attacks::king_attacks;
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::HAND_KINDS;
use shogi_core::{Color, PieceKind, Square};

/// The rule by which an entering king wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EnteringKingRule {
    /// No win by declaration.
    None,
    /// 24-point rule: 31 points win.
    Csa24,
    /// The same, but in handicap games White needs fewer points: those of its missing pieces.
    Csa24Handicap,
    /// 27-point rule: Black wins with 28, White with 27.
    #[default]
    Csa27,
    /// The same, but in handicap games White needs fewer points: those of its missing pieces.
    Csa27Handicap,
    /// Try rule: the king wins by moving to the enemy king's initial square if it is not attacked
    /// there.
    Try,
}

impl EnteringKingRule {
    /// All rules with their names in USI, which rshogi's CSA servers use as well.
    pub const NAMES: [(Self, &str); 6] = [
        (Self::None, "NoEnteringKing"),
        (Self::Csa24, "CSARule24"),
        (Self::Csa24Handicap, "CSARule24H"),
        (Self::Csa27, "CSARule27"),
        (Self::Csa27Handicap, "CSARule27H"),
        (Self::Try, "TryRule"),
    ];

    /// The rule's name in USI.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(rule, _)| *rule == self).map_or("", |(_, name)| name)
    }

    /// The rule of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(rule, _)| *rule)
    }
}

/// How the side to move wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// By declaring, without a move.
    Declare,
    /// By the king move that the try rule asks for.
    Try(PackedMove),
}

/// The points of a full set without kings: four major pieces of 5 points, 34 others of 1.
const FULL_SET: i32 = 54;

const MAJOR: [PieceKind; 4] =
    [PieceKind::Bishop, PieceKind::Rook, PieceKind::ProBishop, PieceKind::ProRook];

impl Position {
    fn points(&self, set: Bitboard) -> i32 {
        let major: u32 = MAJOR.iter().map(|&kind| (self.kind(kind) & set).count()).sum();
        let all = set.without(self.kind(PieceKind::King)).count();
        (all + 4 * major) as i32
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

    /// The points missing from a full set: the handicap.
    fn missing_points(&self) -> i32 {
        let held: i32 = Color::all().iter().map(|&color| self.hand_points(color)).sum();
        FULL_SET - self.points(self.occupied()) - held
    }

    /// The win that the side to move can claim now, if any.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        let us = self.side_to_move();
        let king = self.king(us)?;
        let (needed, handicap) = match rule {
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
        // Ten pieces in addition to the king.
        if inside.count() < 11 {
            return None;
        }
        let missing = if handicap && us == Color::White { self.missing_points() } else { 0 };
        let points = self.points(inside) + self.hand_points(us);
        (points >= needed - missing).then_some(Declaration::Declare)
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

    // Black's king and ten other pieces are in the camp; the points are counted in the tests.
    const TEN_INSIDE: &str = "KSSSSGGGG/PP7/9/9/9/9/9/9/k8";

    #[test]
    fn the_number_of_points_decides() {
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
        // White needs one point less.
        let white = |hand: &str| format!("8K/9/9/9/9/9/9/7pp/ggggssssk w {hand} 1");
        assert!(declares(&white("2rb2p"), Csa27));
        assert!(!declares(&white("2rb1p"), Csa27));
    }

    #[test]
    fn handicaps_lower_the_points_that_white_needs() {
        use EnteringKingRule::*;
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
    fn no_declaration_in_check_or_with_nine_pieces() {
        use EnteringKingRule::*;
        assert!(!declares("KSSSSGGGG/P8/9/9/9/9/9/9/k8 b 2R2B9P 1", Csa27));
        assert!(!declares("KrSSSGGGG/P1P6/1P7/9/9/9/9/9/k8 b R2B9P 1", Csa27));
        assert!(declares("K1SSSGGGG/P1P6/1P6S/9/9/9/9/9/k8 b 2R2B9P 1", Csa27));
    }

    #[test]
    fn the_try_rule_needs_an_unattacked_goal() {
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
