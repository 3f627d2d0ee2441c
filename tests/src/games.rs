//! Random games, reproducible from a seed.

use monomi_movegen::{PackedMove, Position};
use shogi_core::PieceKind;

pub use monomi_movegen::Random;

/// A random legal move, or `None` if there is none. Half of the time it is chosen from a group that
/// is rare otherwise: captures, checks, double checks, promotions, king moves.
pub fn random_move(position: &mut Position, random: &mut Random) -> Option<PackedMove> {
    let moves = position.legal_moves();
    let group = random.below(10);
    let of_group = |mv: PackedMove, position: &mut Position| match group {
        0 | 1 => position.piece_at(mv.to()).is_some(),
        2 | 5 => {
            position.do_move(mv);
            let checkers = position.checkers();
            position.undo_move();
            if group == 2 { checkers.any() } else { checkers.more_than_one() }
        }
        3 => mv.is_promotion(),
        4 => {
            let piece = mv.from_square().and_then(|from| position.piece_at(from));
            piece.is_some_and(|piece| piece.piece_kind() == PieceKind::King)
        }
        _ => false,
    };
    let rare: Vec<PackedMove> =
        moves.iter().copied().filter(|&mv| of_group(mv, position)).collect();
    random.choose(&rare).or_else(|| random.choose(&moves))
}

/// Plays random games of at most `plies` moves from `start` and calls `visit` with every position,
/// including the last one of each game, until `count` positions have been visited.
pub fn visit_random_positions(
    start: &Position,
    seed: u64,
    plies: usize,
    count: usize,
    mut visit: impl FnMut(&mut Position),
) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    while seen < count {
        let mut position = start.clone();
        for _ in 0..plies {
            visit(&mut position);
            seen += 1;
            match random_move(&mut position, &mut random) {
                Some(mv) if seen < count => position.do_move(mv),
                _ => break,
            };
        }
    }
}

/// A game from the normal starting position that lasts this long, in USI: random moves after which
/// the other side has one too.
pub fn long_game(plies: usize) -> Vec<String> {
    let mut position = Position::startpos();
    let mut random = Random::new(1_000);
    let mut moves = Vec::new();
    while moves.len() < plies {
        let mv = random.choose(&position.legal_moves()).expect("a legal move");
        position.do_move(mv);
        if position.has_legal_move() {
            moves.push(mv.to_string());
        } else {
            position.undo_move();
        }
    }
    moves
}
