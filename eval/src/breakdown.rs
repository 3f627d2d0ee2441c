//! Parts of a position's value, for display.

use crate::evaluation::{Evaluation, Kind};
use crate::piece_square::{PieceSquareTable, material};
use crate::score::MAX_EVAL;
use monomi_movegen::{Place, Position};
use shogi_core::{Color, Piece, PieceKind, Square};

/// A position's value and its parts, in internal units (90 for a pawn), for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Breakdown {
    /// The side to move.
    pub side_to_move: Color,
    /// Material by the usual piece values, hands included.
    pub material: i32,
    /// The value by the piece-square tables.
    pub piece_square: i32,
    /// The network's integer output, before FV_SCALE.
    pub raw: Option<i32>,
    /// The value that the search uses.
    pub value: i32,
    /// The value without each piece on the board except the kings.
    pub removals: Vec<Removal>,
}

/// A piece on the board and the value of the position without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Removal {
    /// Its square.
    pub square: Square,
    /// The piece removed; never a king.
    pub piece: Piece,
    /// The value without it, for the side to move.
    pub value: i32,
}

impl Breakdown {
    pub(crate) fn new(evaluation: &Evaluation, position: &Position) -> Self {
        let side_to_move = position.side_to_move();
        let removable: Vec<(Square, Piece)> = position
            .occupied()
            .into_iter()
            .filter_map(|square| Some((square, position.piece_at(square)?)))
            .filter(|(_, piece)| piece.piece_kind() != PieceKind::King)
            .collect();
        let places = removable.iter().map(|&(square, piece)| Some(Place::board(piece, square)));
        // The first is the value with nothing removed.
        let places = std::iter::once(None).chain(places);
        let table = PieceSquareTable::internal();
        let mut raw = None;
        let values: Vec<i32> = match &evaluation.kind {
            Kind::PieceSquare(table) => {
                places.map(|place| table.value_without(position, place)).collect()
            }
            Kind::Network { network, fv_scale } => {
                let raws = network.raw_without(position, places);
                raw = raws.first().copied();
                raws.into_iter().map(|raw| raw / fv_scale).collect()
            }
        };
        let mut values = values.into_iter().map(|value| value.clamp(-MAX_EVAL, MAX_EVAL));
        Self {
            side_to_move,
            material: material(position),
            piece_square: table.value_without(position, None),
            raw,
            value: values.next().unwrap_or(0),
            removals: removable
                .into_iter()
                .zip(values)
                .map(|((square, piece), value)| Removal { square, piece, value })
                .collect(),
        }
    }
}

impl Evaluation {
    /// The parts of a position's value.
    pub fn breakdown(&self, position: &Position) -> Breakdown {
        Breakdown::new(self, position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stack::EvalStack;

    #[test]
    fn start_position_is_even_and_every_piece_counts() {
        let breakdown = Evaluation::piece_square().breakdown(&Position::startpos());
        assert_eq!((breakdown.material, breakdown.piece_square, breakdown.value), (0, 0, 0));
        assert_eq!(breakdown.raw, None);
        assert_eq!(breakdown.removals.len(), 38);
        for removal in breakdown.removals {
            assert_eq!(removal.value < 0, removal.piece.color() == Color::Black, "{removal:?}");
        }
    }

    #[test]
    fn removals_are_the_values_of_the_positions_without_the_piece() {
        let sfen = "4k4/4g4/4p4/9/9/9/2P6/1R7/4K4 w 2Pb 1";
        let position = Position::from_sfen(sfen).unwrap();
        let evaluation = Evaluation::piece_square();
        let breakdown = evaluation.breakdown(&position);
        let mut stack = EvalStack::new(&evaluation, &position);
        assert_eq!(breakdown.value, stack.evaluate(&position));
        assert_eq!(breakdown.material, 540 + 90 + 855 - 90 - 990 - 180);
        let without_rook = Position::from_sfen("4k4/4g4/4p4/9/9/9/2P6/9/4K4 w 2Pb 1").unwrap();
        stack.reset(&without_rook);
        let rook = breakdown.removals.iter().find(|r| r.piece.piece_kind() == PieceKind::Rook);
        assert_eq!(rook.unwrap().value, stack.evaluate(&without_rook));
    }
}
