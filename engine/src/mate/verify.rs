//! A mate line checked by the rules alone.

use monomi_movegen::{PackedMove, Position};

/// What is wrong with a mate line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A move breaks the rules. Moves count from 1.
    #[error("move {0} is illegal")]
    Illegal(usize),
    /// The attacker's move gives no check.
    #[error("move {0} gives no check")]
    NoCheck(usize),
    /// The line ends without mate.
    #[error("the line does not end in mate")]
    NoMate,
}

/// Plays a mate line from `root`: every move legal, every move of the attacker (the side to move
/// at the root) a check, and mate at the end.
///
/// # Errors
/// The first flaw.
pub fn verify(root: &Position, line: &[PackedMove]) -> Result<(), Flaw> {
    let mut position = root.clone();
    for (index, &mv) in line.iter().enumerate() {
        if !position.is_legal(mv) {
            return Err(Flaw::Illegal(index + 1));
        }
        position.do_move(mv);
        if index % 2 == 0 && !position.in_check() {
            return Err(Flaw::NoCheck(index + 1));
        }
    }
    let attacked_last = line.len() % 2 == 1;
    if attacked_last && position.legal_moves().is_empty() { Ok(()) } else { Err(Flaw::NoMate) }
}
