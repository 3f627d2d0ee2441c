//! Perft: counts the leaves of the tree of legal moves, to test the move generator and its speed.

use crate::packed_move::PackedMove;
use crate::position::Position;
use std::ops::ControlFlow;

/// The number of sequences of `depth` legal moves, including pointless non-promotions. The last ply
/// is counted without listing its moves.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            for mv in position.legal_moves() {
                position.do_move(mv);
                nodes += perft(position, depth - 1);
                position.undo_move();
            }
            nodes
        }
    }
}

/// Up to this depth counting takes milliseconds and is not interrupted.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// As [`perft`], but can be stopped: counts the sequences of `depth` legal moves and reports the count below each root move, in
/// order of generation. `None` if `stopped` returned true before the end.
pub fn divide(
    position: &Position,
    depth: u32,
    stopped: &dyn Fn() -> bool,
    mut share: impl FnMut(PackedMove, u64),
) -> Option<u64> {
    let mut position = position.clone();
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for mv in position.legal_moves() {
        position.do_move(mv);
        let nodes = count(&mut position, depth - 1, stopped);
        position.undo_move();
        let ControlFlow::Continue(nodes) = nodes else { return None };
        share(mv, nodes);
        total += nodes;
    }
    Some(total)
}

fn count(position: &mut Position, depth: u32, stopped: &dyn Fn() -> bool) -> ControlFlow<(), u64> {
    if depth <= UNINTERRUPTED_DEPTH {
        return ControlFlow::Continue(perft(position, depth));
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if stopped() {
            return ControlFlow::Break(());
        }
        position.do_move(mv);
        let below = count(position, depth - 1, stopped);
        position.undo_move();
        nodes += below?;
    }
    ControlFlow::Continue(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_plain_count() {
        let position = Position::startpos();
        for depth in 0..=5 {
            let mut shares = 0;
            let total = divide(&position, depth, &|| false, |_, nodes| shares += nodes);
            assert_eq!(total, Some(perft(&mut position.clone(), depth)));
            assert_eq!(Some(shares), total.filter(|_| depth > 0).or(Some(0)));
        }
    }

    #[test]
    fn stops() {
        assert_eq!(divide(&Position::startpos(), 20, &|| true, |_, _| {}), None);
    }
}
