//! Lines of moves as text.

use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::official;
use shogi_core::PartialPosition;

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
pub(crate) fn is_legal(start: &Position, moves: &[PackedMove]) -> bool {
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
pub(crate) mod as_text {
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
