//! Small random positions.

use super::oracle::may_stand;
use monomi_movegen::Position;
use monomi_movegen::Random;
use monomi_movegen::square::{HAND_KINDS, promoted};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};

/// Positions with White's king near a corner, two to four pieces of Black near it or far on its
/// lines, some of White's, and small hands. Black is to move and gives no check.
pub fn small_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        found.extend(small_position(&mut random));
    }
    found
}

fn small_position(random: &mut Random) -> Option<Position> {
    let mut partial = PartialPosition::empty();
    let king = Square::new(1 + random.below(3) as u8, 1 + random.below(3) as u8)?;
    partial.piece_set(king, Some(Piece::new(PieceKind::King, Color::White)));
    let attackers = 2 + random.below(3);
    let others = random.below(3);
    for number in 0..attackers + others {
        let color = if number < attackers { Color::Black } else { Color::White };
        // Sliders more often, for interpositions.
        let sliders = [PieceKind::Lance, PieceKind::Bishop, PieceKind::Rook];
        let slider = color == Color::Black && random.below(2) == 0;
        let kind = if slider { random.choose(&sliders)? } else { random.choose(&HAND_KINDS)? };
        let kind = if random.below(3) == 0 { promoted(kind) } else { kind };
        let size = if slider { 9 } else { 4 };
        let square = Square::new(1 + random.below(size) as u8, 1 + random.below(size) as u8)?;
        if partial.piece_at(square).is_some() || !may_stand(kind, color, square) {
            continue;
        }
        partial.piece_set(square, Some(Piece::new(kind, color)));
    }
    for (color, most) in [(Color::Black, 2), (Color::White, 3)] {
        for _ in 0..random.below(most) {
            let kind = random.choose(&HAND_KINDS)?;
            let hand = partial.hand_of_a_player_mut(color);
            *hand = hand.added(kind)?;
        }
    }
    Position::from_partial(&partial).ok()
}
