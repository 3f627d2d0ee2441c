//! Perft: counts the leaves of the tree of legal moves, to test the move generator and its speed.

use crate::position::Position;

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
