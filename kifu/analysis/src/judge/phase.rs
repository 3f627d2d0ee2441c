//! The phases of a game.

use monomi_movegen::{PackedMove, Position};
use monomi_support::text::{Lang, Message, say};
use serde::Serialize;
use shogi_core::{Color, PieceKind, Square};
use std::fmt::{Formatter, Result};

/// The opening ends at this ply at the latest.
const LAST_OF_OPENING: usize = 60;
/// So many enemy pieces near a king begin the endgame.
const ATTACKERS: usize = 2;
/// Files or ranks between a king and a piece near it, at most.
const NEAR: u8 = 2;

/// A phase of a game. Phases follow one another; none comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// 序盤: nothing but pawns and bishops has been captured.
    Opening,
    /// 中盤.
    Middle,
    /// 終盤: a king has been attacked by two pieces near it.
    Endgame,
}

impl Phase {
    /// All phases, in the order of a game.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::Endgame];

    /// The name in data.
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle",
            Self::Endgame => "endgame",
        }
    }
}

impl Message for Phase {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Opening => say!(lang, f, "opening", "序盤"),
            Self::Middle => say!(lang, f, "middle game", "中盤"),
            Self::Endgame => say!(lang, f, "endgame", "終盤"),
        }
    }
}

/// The phase of a position that follows one of phase `phase` by a move, or that begins a game.
pub fn next(
    phase: Phase,
    (before, mv): (&Position, PackedMove),
    after: &Position,
    ply: usize,
) -> Phase {
    let captured = before.piece_at(mv.to()).map(|piece| piece.piece_kind());
    let fights = captured.is_some_and(|kind| !matches!(kind, PieceKind::Pawn | PieceKind::Bishop));
    match phase {
        Phase::Opening if fights || ply > LAST_OF_OPENING => {
            Phase::Middle.max(if is_endgame(after) { Phase::Endgame } else { Phase::Middle })
        }
        Phase::Middle if is_endgame(after) => Phase::Endgame,
        phase => phase,
    }
}

/// Whether a king has two enemy pieces near it, unpromoted pawns aside.
fn is_endgame(position: &Position) -> bool {
    Color::all().into_iter().any(|color| {
        let Some(king) = position.king(color) else { return false };
        let attacks = |square: Square| {
            let near = square.file().abs_diff(king.file()) <= NEAR
                && square.rank().abs_diff(king.rank()) <= NEAR;
            let piece = position.piece_at(square).filter(|piece| piece.color() != color);
            near && piece.is_some_and(|piece| {
                !matches!(piece.piece_kind(), PieceKind::Pawn | PieceKind::King)
            })
        };
        Square::all().filter(|&square| attacks(square)).count() >= ATTACKERS
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phases(sfen: &str, moves: &str) -> Vec<Phase> {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mut phase = Phase::Opening;
        let words = moves.split(' ').enumerate();
        words
            .map(|(ply, word)| {
                let (before, mv) = (position.clone(), word.parse().unwrap());
                position.do_move(mv);
                phase = next(phase, (&before, mv), &position, ply + 1);
                phase
            })
            .collect()
    }

    #[test]
    fn an_exchange_of_bishops_belongs_to_the_opening() {
        use Phase::{Middle, Opening};
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        // 8h2b+ takes the bishop, 3a2b the horse.
        assert_eq!(phases(start, "7g7f 3c3d 8h2b+"), [Opening; 3]);
        assert_eq!(phases(start, "7g7f 3c3d 8h2b+ 3a2b").last(), Some(&Middle));
    }

    #[test]
    fn attackers_near_a_king_begin_the_endgame_and_it_stays() {
        let sfen = "4k4/9/4s4/9/4R4/9/9/9/4K4 b 2G 1";
        let found = phases(sfen, "5e5c+ 5a6a G*6b 6a7a G*1i 7a8a");
        assert_eq!(found[0], Phase::Middle, "one piece near the king");
        assert_eq!(found[2..], [Phase::Endgame; 4]);
    }
}
