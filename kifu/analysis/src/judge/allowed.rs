//! Mates that a move allows.

use crate::judge::context::MoveContext;
use monomi_search::Score;

/// Plies of the mate that a move allows and the best one does not.
pub fn allowed_mate(context: &MoveContext<'_>) -> Option<usize> {
    let (before, after) = (context.before.result, context.after.result);
    let best = &before.searched;
    let avoidable = best.best() != Some(context.played)
        && !matches!(best.score(), Score::Mate(plies) if plies <= 0)
        && !before.proofs.checked_to_mate;
    let mate = match (after.proofs.mate(), after.searched.score()) {
        (Some(line), _) => Some(line.len()),
        (None, Score::Mate(plies)) if plies > 0 => usize::try_from(plies).ok(),
        _ => None,
    };
    mate.filter(|_| avoidable)
}
