//! The rules as implemented by `shogi_legality_lite`, an independent and slow implementation without
//! tables, used as an oracle.

use shogi_core::{Hand, LegalityChecker, Move, PartialPosition, Piece, PieceKind, Square};
use shogi_legality_lite::LiteLegalityChecker;
use shogi_legality_lite::prelegality::will_king_be_captured;

/// Whether the side to move is in check.
pub fn in_check(position: &PartialPosition) -> bool {
    let mut passed = position.clone();
    passed.side_to_move_set(position.side_to_move().flip());
    will_king_be_captured(&passed) == Some(true)
}

/// The legal moves according to `shogi_legality_lite`. For pawn drops it might not terminate in
/// reasonable time (to detect mate by a pawn drop it tries all replies, including pawn drops,
/// recursively), so these are checked here with its other functions. Such a check comes from the
/// square next to the king, so only board moves can answer it.
pub fn plain_legal_moves(position: &PartialPosition) -> Vec<Move> {
    let us = position.side_to_move();
    let mut moves = board_moves(position);
    for kind in Hand::all_hand_pieces() {
        let piece = Piece::new(kind, us);
        if position.hand(piece).unwrap_or(0) == 0 {
            continue;
        }
        let drops = Square::all().map(|to| Move::Drop { piece, to });
        if kind == PieceKind::Pawn {
            moves.extend(drops.filter(|&mv| is_legal_pawn_drop(position, mv)));
        } else {
            moves.extend(
                drops.filter(|&mv| LiteLegalityChecker.is_legal_partial_lite(position, mv)),
            );
        }
    }
    moves
}

fn board_moves(position: &PartialPosition) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::all() {
        for to in LiteLegalityChecker.normal_from_candidates(position, from) {
            moves.extend(
                [false, true]
                    .map(|promote| Move::Normal { from, to, promote })
                    .into_iter()
                    .filter(|&mv| LiteLegalityChecker.is_legal_partial_lite(position, mv)),
            );
        }
    }
    moves
}

fn is_legal_pawn_drop(position: &PartialPosition, mv: Move) -> bool {
    let us = position.side_to_move();
    let pawn = Piece::new(PieceKind::Pawn, us);
    let to = mv.to();
    let file = || Square::all().filter(|square| square.file() == to.file());
    let allowed = position.piece_at(to).is_none()
        && to.relative_rank(us) > 1
        && file().all(|square| position.piece_at(square) != Some(pawn));
    if !allowed {
        return false;
    }
    let mut next = position.clone();
    next.make_move(mv).expect("the pawn is in hand");
    if will_king_be_captured(&next) == Some(true) {
        return false;
    }
    // A drop cannot discover a check, so the pawn gives it.
    !in_check(&next) || !board_moves(&next).is_empty()
}
