//! Counting the leaves of the game tree: the measure of a generator's truth and speed.

use crate::packed_move::PackedMove;
use crate::position::Position;

/// Number of lines of `depth` legal moves, useless non-promotions included. The last ply is
/// counted without unpacking its moves.
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

/// The share of each move in `perft(position, depth)`, in the order of generation.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(PackedMove, u64)> {
    let mut shares = Vec::new();
    for mv in position.legal_moves() {
        position.do_move(mv);
        shares.push((mv, perft(position, depth.saturating_sub(1))));
        position.undo_move();
    }
    shares
}
