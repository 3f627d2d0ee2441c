//! NegaScout as published, and as Monomi has it.
//!
//! A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA Journal 6/4 (1983),
//! 4-14; A. Reinefeld, "Spielbaum-Suchverfahren", Springer 1989.

use super::tree::{GameTree, INFINITE, Value};

/// NegaScout, fail-soft in the window `alpha`, `beta`.
///
/// The upper end of the window is `beta` for the first child and one above the best value for the
/// others. A child that fails high on the null window but stays below `beta` is searched again with
/// the window from its value to `beta`.
///
/// As published, nothing is searched again in the deepest two plies: if a fail-soft search fails
/// high there, it has visited every reply, so its value is exact.
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

/// NegaScout as Monomi has it, fail-soft in the window `alpha`, `beta`.
///
/// The second search starts from the best value before the move, not from the move's value on the
/// null window, and takes place at every depth. `visit` is called with each node and its window.
pub fn negascout_from_best<T: GameTree>(
    tree: &T,
    node: &T::Node,
    alpha: Value,
    beta: Value,
    visit: &mut impl FnMut(&T::Node, Value, Value),
) -> Value {
    visit(node, alpha, beta);
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    let mut upper = beta;
    for child in tree.children(node) {
        let lower = alpha.max(best);
        let mut value = -negascout_from_best(tree, &child, -upper, -lower, visit);
        let scouted = upper < beta;
        if scouted && lower < value && value < beta {
            value = -negascout_from_best(tree, &child, -beta, -lower, visit);
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
/// A null window only answers yes or no here. So children are searched again in the deepest two
/// plies too, and the new window starts at one above the best value.
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
