//! Hands as text.

use crate::lang::Lang;
use monomi_movegen::square::HAND_KINDS;
use monomi_record::notation::board_letter;
use shogi_core::{Hand, ToUsi};

/// A hand as in an sfen, but empty if there is nothing: `G2P`.
pub fn hand_in_sfen(hand: Hand) -> String {
    if hand == Hand::new() { String::new() } else { [hand, Hand::new()].to_usi_owned() }
}

/// A hand for people: `G2P`, 金歩2.
pub fn hand_text(hand: Hand, lang: Lang) -> String {
    if lang == Lang::En {
        return hand_in_sfen(hand);
    }
    let text = |kind| {
        let name = board_letter(kind);
        match hand.count(kind).unwrap_or(0) {
            0 => String::new(),
            1 => name.to_string(),
            number => format!("{name}{number}"),
        }
    };
    HAND_KINDS.into_iter().rev().map(text).collect()
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
