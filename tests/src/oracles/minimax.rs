//! Minimax in negamax form, and alpha-beta.
//!
//! D. E. Knuth & R. W. Moore, "An Analysis of Alpha-Beta Pruning", Artificial Intelligence 6
//! (1975), 293-326; J. P. Fishburn, "Another Optimization of Alpha-Beta Search", SIGART Newsletter
//! 84 (1983), 37-38, for fail-soft ("falphabeta").

use super::tree::{GameTree, INFINITE, Value};
use std::cmp::Ordering;

/// The minimax value by visiting every node: procedure F of Knuth & Moore.
pub fn negamax<T: GameTree>(tree: &T, node: &T::Node) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    for child in tree.children(node) {
        best = best.max(-negamax(tree, &child));
    }
    best
}

/// Alpha-beta, fail-hard: the minimax value clamped to `alpha..=beta`.
pub fn alpha_beta_fail_hard<T: GameTree>(
    tree: &T,
    node: &T::Node,
    mut alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value.clamp(alpha, beta);
    }
    for child in tree.children(node) {
        alpha = alpha.max(-alpha_beta_fail_hard(tree, &child, -beta, -alpha));
        if alpha >= beta {
            return beta;
        }
    }
    alpha
}

/// Alpha-beta, fail-soft: a result inside the window is the minimax value, one at or below `alpha`
/// is an upper bound of it, one at or above `beta` a lower bound. Visits the same nodes as
/// fail-hard.
pub fn alpha_beta_fail_soft<T: GameTree>(
    tree: &T,
    node: &T::Node,
    alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    for child in tree.children(node) {
        best = best.max(-alpha_beta_fail_soft(tree, &child, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// The minimax value of an inner node and the indices of all children that reach it.
///
/// Each child is searched by fail-soft alpha-beta with a lower bound of one below the best value so
/// far: worse children are only refuted, equal ones get exact values.
pub fn best_children<T: GameTree>(tree: &T, node: &T::Node) -> (Value, Vec<usize>) {
    let mut best = -INFINITE;
    let mut indices = Vec::new();
    for (index, child) in tree.children(node).enumerate() {
        let value = -alpha_beta_fail_soft(tree, &child, -INFINITE, -(best - 1));
        match value.cmp(&best) {
            Ordering::Less => {}
            Ordering::Equal => indices.push(index),
            Ordering::Greater => {
                best = value;
                indices = vec![index];
            }
        }
    }
    (best, indices)
}
