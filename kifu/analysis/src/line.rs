//! Lines of moves as text.

use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{official, side_mark, western};
use monomi_support::text::Lang;
use shogi_core::PartialPosition;

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

impl Notation {
    /// The notation that readers of a language know.
    pub fn of(lang: Lang) -> Self {
        if lang == Lang::Ja { Self::Japanese } else { Self::Western }
    }

    /// A line of legal moves with a blank between moves; only Japanese has the symbols of the sides.
    pub fn line(self, start: &Position, moves: &[PackedMove]) -> String {
        self.words(start, &start.to_partial(), moves, false).join(" ")
    }

    /// A line of legal moves as it is shown beside other text, each move with the symbol of its side. `partial` is the
    /// same position as `start`.
    pub fn marked(
        self,
        start: &Position,
        partial: &PartialPosition,
        moves: &[PackedMove],
    ) -> String {
        let separator = if self == Self::Japanese { "" } else { " " };
        self.words(start, partial, moves, true).join(separator)
    }

    fn words(
        self,
        start: &Position,
        partial: &PartialPosition,
        moves: &[PackedMove],
        marks: bool,
    ) -> Vec<String> {
        let mut position = start.clone();
        let word = |&mv: &PackedMove| {
            let mut word = if marks { side_mark(&position).to_string() } else { String::new() };
            match self {
                Self::Western => word.push_str(&western(&position, mv)),
                _ => word.push_str(&mv.to_string()),
            }
            position.do_move(mv);
            word
        };
        match self {
            Self::Japanese => names(start, partial, moves),
            Self::Western | Self::Usi => moves.iter().map(word).collect(),
        }
    }
}

/// Moves in USI notation, with a blank between them.
pub fn usi(moves: &[PackedMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A line in official Japanese notation, each move with the symbol of its side. `partial` is the same
/// position as `start`.
pub fn names(start: &Position, partial: &PartialPosition, moves: &[PackedMove]) -> Vec<String> {
    let (mut position, mut partial) = (start.clone(), partial.clone());
    let mut names = Vec::new();
    for &mv in moves {
        let Some(name) = official(&position, &partial, mv) else { break };
        names.push(name);
        if partial.make_move(mv.to_core(position.side_to_move())).is_none() {
            break;
        }
        position.do_move(mv);
    }
    names
}

/// Whether the moves can be played one after the other.
pub fn is_legal(start: &Position, moves: &[PackedMove]) -> bool {
    let mut position = start.clone();
    moves.iter().all(|&mv| {
        let legal = position.is_legal(mv);
        if legal {
            position.do_move(mv);
        }
        legal
    })
}

/// Moves in the journal: as USI text.
pub mod as_text {
    use super::{PackedMove, usi};
    use serde::de::{Deserialize as _, Deserializer, Error as _};
    use serde::ser::Serializer;

    pub(crate) fn serialize<S: Serializer>(moves: &[PackedMove], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&usi(moves))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<PackedMove>, D::Error> {
        let text = String::deserialize(from)?;
        let word = |word: &str| word.parse().map_err(D::Error::custom);
        text.split_ascii_whitespace().map(word).collect()
    }
}
