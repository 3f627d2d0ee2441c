//! Hands as text.

use crate::lang::Lang;
use monomi_record::notation::letter;
use shogi_core::{Hand, PieceKind};

/// The kinds in the order of a hand in an sfen, with their Japanese names.
const KINDS: [(PieceKind, char); 7] = [
    (PieceKind::Rook, '飛'),
    (PieceKind::Bishop, '角'),
    (PieceKind::Gold, '金'),
    (PieceKind::Silver, '銀'),
    (PieceKind::Knight, '桂'),
    (PieceKind::Lance, '香'),
    (PieceKind::Pawn, '歩'),
];

/// A hand as in an sfen, but empty if there is nothing: `G2P`.
pub fn hand_in_sfen(hand: Hand) -> String {
    let text = |(kind, _)| {
        let number = hand.count(kind).unwrap_or(0);
        match number {
            0 => String::new(),
            1 => letter(kind),
            _ => format!("{number}{}", letter(kind)),
        }
    };
    KINDS.into_iter().map(text).collect()
}

/// A hand for people: `G2P`, 金歩2.
pub fn hand_text(hand: Hand, lang: Lang) -> String {
    if lang == Lang::En {
        return hand_in_sfen(hand);
    }
    let text = |(kind, name)| {
        let number = hand.count(kind).unwrap_or(0);
        match number {
            0 => String::new(),
            1 => format!("{name}"),
            _ => format!("{name}{number}"),
        }
    };
    KINDS.into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;
    use shogi_core::Color;

    #[test]
    fn hands() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G2P 1").unwrap();
        assert_eq!(hand_text(position.hand(Color::Black), Lang::En), "G2P");
        assert_eq!(hand_text(position.hand(Color::Black), Lang::Ja), "金歩2");
        assert_eq!(hand_in_sfen(Hand::default()), "");
    }
}
