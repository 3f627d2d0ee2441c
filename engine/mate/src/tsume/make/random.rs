//! Random positions.

use super::Below;
use monomi_movegen::square::{HAND_KINDS, promoted};
use monomi_movegen::{Position, SET_COUNT};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

/// Black's pieces at most, those in the hand included; at least two.
const ATTACKERS: usize = 5;
/// White's pieces on the board at most, without the king.
const DEFENDERS: usize = 4;
/// How far pieces are from the king, in files and in ranks.
const FAR: usize = 3;

/// White's king, a few pieces around it, some in Black's hand, the rest in White's; Black is to move.
/// `None` if the pieces do not fit, or give check already.
pub fn position(below: Below<'_>) -> Option<Position> {
    let mut partial = PartialPosition::empty();
    let mut left = SET_COUNT;
    let king = Square::new(1 + below(9) as u8, 1 + below(9) as u8)?;
    partial.piece_set(king, Some(Piece::new(PieceKind::King, Color::White)));
    let attackers = 2 + below(ATTACKERS - 1);
    let defenders = below(DEFENDERS + 1);
    for number in 0..attackers + defenders {
        let kind = HAND_KINDS[below(HAND_KINDS.len())];
        let count = left.get_mut(kind as usize).filter(|count| **count > 0)?;
        let color = if number < attackers { Color::Black } else { Color::White };
        let in_hand = color == Color::Black && below(3) == 0;
        if in_hand {
            let hand = partial.hand_of_a_player_mut(color);
            *hand = hand.added(kind)?;
        } else {
            let square = near(king, below)?;
            let kind = if below(3) == 0 { promoted(kind) } else { kind };
            if partial.piece_at(square).is_some() {
                return None;
            }
            partial.piece_set(square, Some(Piece::new(kind, color)));
        }
        *count -= 1;
    }
    let hand = partial.hand_of_a_player_mut(Color::White);
    for kind in HAND_KINDS {
        for _ in 0..left[kind as usize] {
            *hand = hand.added(kind)?;
        }
    }
    Position::from_partial(&partial).ok()
}

fn near(king: Square, below: Below<'_>) -> Option<Square> {
    let mut along = |from: u8| {
        let at = usize::from(from) + below(2 * FAR + 1);
        at.checked_sub(FAR).and_then(|at| u8::try_from(at).ok())
    };
    Square::new(along(king.file())?, along(king.rank())?)
}
