use super::*;
use crate::evaluation::Evaluation;
use crate::stack::EvalStack;
use shogi_core::Piece;

/// A small xorshift generator: the same playouts in every run.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 32) as usize
}

#[test]
fn file_layout_reaches_the_places() {
    let table = PieceSquareTable::internal();
    let term = |kind, color, square: Square| {
        table.terms[Place::board(Piece::new(kind, color), square).index()]
    };
    let square = |file, rank| Square::new(file, rank).unwrap();
    // An unmoved pawn is the unit; the turned board has the opposite sign.
    let pawn = term(PieceKind::Pawn, Color::Black, square(1, 7));
    assert_eq!((pawn.opening, pawn.endgame), (90, 90));
    let pawn = term(PieceKind::Pawn, Color::White, square(9, 3));
    assert_eq!((pawn.opening, pawn.endgame), (-90, -90));
    // Promoted rook in the far rank: the last board; first pawn and last rook in hand.
    let dragon = term(PieceKind::ProRook, Color::Black, square(5, 9));
    assert_eq!((dragon.opening, dragon.endgame), (1405, 1405));
    let hand = |kind, nth| table.terms[Place::hand(Color::Black, kind, nth).index()];
    assert_eq!((hand(PieceKind::Pawn, 0).opening, hand(PieceKind::Pawn, 17).endgame), (110, 90));
    assert_eq!((hand(PieceKind::Rook, 0).opening, hand(PieceKind::Rook, 1).endgame), (1090, 1085));
}

#[test]
fn mirrored_positions_have_opposite_sums() {
    let table = PieceSquareTable::internal();
    for (place, what) in Place::all() {
        let mirrored = match what {
            PlaceKind::Board(piece, square) => {
                Place::board(Piece::new(piece.piece_kind(), piece.color().flip()), square.flip())
            }
            PlaceKind::Hand(color, kind, nth) => Place::hand(color.flip(), kind, nth),
        };
        let (a, b) = (table.terms[place.index()], table.terms[mirrored.index()]);
        assert_eq!((a.opening, a.endgame, a.phase), (-b.opening, -b.endgame, b.phase));
    }
}

#[test]
fn incremental_sums_equal_recomputed_ones() {
    let evaluation = Evaluation::piece_square();
    let table = PieceSquareTable::internal();
    let mut random = 0x9E37_79B9_7F4A_7C15;
    for _ in 0..if cfg!(miri) { 1 } else { 60 } {
        let mut position = Position::startpos();
        let mut stack = EvalStack::new(&evaluation, &position);
        let mut pushed = 0;
        for _ in 0..if cfg!(miri) { 60 } else { 400 } {
            let moves = position.legal_moves();
            if moves.is_empty() || (pushed > 0 && next(&mut random).is_multiple_of(4)) {
                if pushed == 0 {
                    break;
                }
                position.undo_move();
                stack.pop();
                pushed -= 1;
            } else {
                let mv = moves[next(&mut random) % moves.len()];
                stack.push(position.do_move(mv));
                pushed += 1;
            }
            // Leave gaps, so that several moves are brought forward at once.
            if next(&mut random).is_multiple_of(3) {
                let view = position.side_to_move();
                assert_eq!(stack.evaluate(&position), table.sum(&position).value(view));
            }
        }
    }
}
