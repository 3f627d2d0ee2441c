//! Verification of a mating line by the rules only.

use monomi_movegen::{PackedMove, Position};
use monomi_support::text::{error_message, messages};

messages! {
    /// Why a line is not a mating line.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MateLineError {
        /// The move with this number, from 1, is illegal.
        Illegal(ply: usize) => "move {ply} is illegal", "{ply} 手目は指せません";
        /// The attacker's move with this number, from 1, gives no check.
        NoCheck(ply: usize) => "move {ply} gives no check", "{ply} 手目は王手ではありません";
        /// The game ends by repetition after the move with this number, from 1.
        Repetition(ply: usize) =>
            "the game ends by repetition after move {ply}", "{ply} 手目で千日手になります";
        /// The line does not end in mate.
        NoMate => "the line does not end in mate", "手順の最後が詰みではありません";
    }
}
error_message!(MateLineError);

/// Plays a mating line from `root` and checks that every move is legal, every move of the attacker
/// (the side to move at the root) gives check, no position occurs for the fourth time, and the last
/// move mates.
///
/// # Errors
/// The first violation.
pub fn verify(root: &Position, line: &[PackedMove]) -> Result<(), MateLineError> {
    let mut position = root.clone();
    for (index, &mv) in line.iter().enumerate() {
        if !position.is_legal(mv) {
            return Err(MateLineError::Illegal(index + 1));
        }
        position.do_move(mv);
        if index % 2 == 0 && !position.in_check() {
            return Err(MateLineError::NoCheck(index + 1));
        }
        if position.repeated(4).is_some() {
            return Err(MateLineError::Repetition(index + 1));
        }
    }
    let attacked_last = line.len() % 2 == 1;
    if attacked_last && position.legal_moves().is_empty() {
        Ok(())
    } else {
        Err(MateLineError::NoMate)
    }
}
