//! NegaScout.
//!
//! A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA Journal 6/4 (1983),
//! 4-14; A. Reinefeld, "Spielbaum-Suchverfahren", Springer 1989.

use super::tree::{GameTree, INFINITE, Value};

/// NegaScout, fail-soft in the window `alpha`, `beta`.
///
/// One loop serves all children: the upper end of the window is `beta` for the first and one above
/// the best for the others. A child that fails high against the null window, yet not against
/// `beta`, is searched again with all that is open above it.
///
/// As published, nothing is searched again in the deepest two plies: there a fail-soft search that
/// finds a move better than expected has looked at every reply, so that the value is exact.
pub fn negascout<T: GameTree>(tree: &T, node: &T::Node, alpha: Value, beta: Value) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    let mut upper = beta;
    for child in tree.children(node) {
        let lower = alpha.max(best);
        let mut value = -negascout(tree, &child, -upper, -lower);
        let scouted = upper < beta;
        if scouted && lower < value && value < beta && tree.height(node) > 2 {
            value = -negascout(tree, &child, -beta, -value);
        }
        best = best.max(value);
        if best >= beta {
            break;
        }
        upper = alpha.max(best) + 1;
    }
    best
}

/// NegaScout, fail-hard: the minimax value clamped to `alpha..=beta`.
///
/// A null window answers only yes or no here. So the deepest two plies are no exception, and what
/// must be searched again starts with nothing better than one above the best.
pub fn negascout_fail_hard<T: GameTree>(
    tree: &T,
    node: &T::Node,
    mut alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value.clamp(alpha, beta);
    }
    let mut upper = beta;
    for child in tree.children(node) {
        let mut value = -negascout_fail_hard(tree, &child, -upper, -alpha);
        let scouted = upper < beta;
        if scouted && alpha < value && value < beta {
            value = -negascout_fail_hard(tree, &child, -beta, -value);
        }
        alpha = alpha.max(value);
        if alpha >= beta {
            return beta;
        }
        upper = alpha + 1;
    }
    alpha
}
