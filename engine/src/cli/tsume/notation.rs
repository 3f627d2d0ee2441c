//! Lines of moves in the notation that the user has chosen.

use crate::lang::Lang;
use monomi_analysis::{names, usi};
use monomi_movegen::square::unpromoted;
use monomi_movegen::{Bitboard, PackedMove, Position};
use monomi_text::{AnyMessage, Message, say};
use shogi_core::{Hand, PieceKind};
use std::fmt;
use std::str::FromStr;

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// ▲２三銀成.
    Japanese,
    /// `S-2c+`.
    Western,
    /// `3b2c+`.
    Usi,
}

/// Not the name of a notation.
#[derive(Debug)]
pub struct NoNotation;

impl Message for NoNotation {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            lang,
            f,
            "expected japanese, western or usi",
            "japanese、western、usi のいずれかを指定してください"
        )
    }
}

impl FromStr for Notation {
    type Err = NoNotation;

    fn from_str(text: &str) -> Result<Self, NoNotation> {
        match text {
            "japanese" => Ok(Self::Japanese),
            "western" => Ok(Self::Western),
            "usi" => Ok(Self::Usi),
            _ => Err(NoNotation),
        }
    }
}

/// Parses the argument.
pub fn notation(text: &str) -> Result<Notation, AnyMessage> {
    text.parse::<Notation>().map_err(AnyMessage::new)
}

impl Notation {
    /// The notation that readers of a language know.
    pub fn of(lang: Lang) -> Self {
        if lang == Lang::Ja { Self::Japanese } else { Self::Western }
    }

    /// A line with a blank between moves.
    pub fn line(self, start: &Position, moves: &[PackedMove]) -> String {
        match self {
            Self::Japanese => names(start, &start.to_partial(), moves).join(" "),
            Self::Usi => usi(moves),
            Self::Western => {
                let mut position = start.clone();
                let text = |&mv: &PackedMove| {
                    let text = western(&position, mv);
                    position.do_move(mv);
                    text
                };
                moves.iter().map(text).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A move as English books write it: piece, origin if several pieces of the kind can go there, `-`,
/// `x` or `*`, destination, `+` or `=` where the piece may promote.
fn western(position: &Position, mv: PackedMove) -> String {
    let kind = position.moving_kind(mv);
    let words = mv.to_string();
    let piece = letter(kind);
    let Some(from) = mv.from() else { return words };
    let (origin, destination) = (&words[..2], &words[2..4]);
    let us = position.side_to_move();
    let rivals = position.attackers_to(mv.to(), us, position.occupied()) & position.kind(kind);
    let origin = if rivals.without(Bitboard::single(from)).any() { origin } else { "" };
    let how = if position.piece_at(mv.to()).is_some() { 'x' } else { '-' };
    let may_promote = !mv.is_promotion() && {
        let promoting = PackedMove::normal(from, mv.to(), true);
        position.is_legal(promoting)
    };
    let promotion = match (mv.is_promotion(), may_promote) {
        (true, _) => "+",
        (false, true) => "=",
        _ => "",
    };
    format!("{piece}{origin}{how}{destination}{promotion}")
}

fn letter(kind: PieceKind) -> String {
    let base = unpromoted(kind);
    let letter = [' ', 'P', 'L', 'N', 'S', 'G', 'B', 'R', 'K'][base as usize % 9];
    if base == kind { letter.to_string() } else { format!("+{letter}") }
}

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
    use shogi_core::Color;

    #[test]
    fn western_moves() {
        let position = Position::from_sfen("4p3k/3+B5/1S7/2+R1+R4/9/9/9/9/4K4 b G2P 1").unwrap();
        for (usi, expected) in [
            ("8c8b+", "S-8b+"),
            ("8c8b", "S-8b="),
            ("6b5a", "+Bx5a"),
            ("7d7e", "+R-7e"),
            ("7d6d", "+R7d-6d"),
            ("5i5h", "K-5h"),
            ("G*5b", "G*5b"),
        ] {
            assert_eq!(western(&position, usi.parse().unwrap()), expected, "{usi}");
        }
        assert_eq!(hand_text(position.hand(Color::Black), Lang::En), "G2P");
        assert_eq!(hand_text(position.hand(Color::Black), Lang::Ja), "金歩2");
        assert_eq!(hand_in_sfen(Hand::default()), "");
    }
}
