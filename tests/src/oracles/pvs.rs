//! Principal variation search, in two functions and in one. Both are fail-soft and visit exactly
//! the same nodes.
//!
//! T. A. Marsland & M. S. Campbell, "Parallel Search of Strongly Ordered Game Trees", Computing
//! Surveys 14 (1982), 533-551; T. A. Marsland, "Relative Efficiency of Alpha-Beta
//! Implementations", IJCAI 1983, 763-766.

use super::tree::{GameTree, INFINITE, Value};

/// PVS, two-function form: this function searches principal variations, [`null_window`] refutes the
/// other moves. Fail-soft in the window `alpha`, `beta`.
pub fn pvs<T: GameTree>(tree: &T, node: &T::Node, mut alpha: Value, beta: Value) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut children = tree.children(node);
    let mut best = match children.next() {
        Some(first) => -pvs(tree, &first, -beta, -alpha),
        None => -INFINITE,
    };
    for child in children {
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
        let mut value = -null_window(tree, &child, -alpha);
        if alpha < value && value < beta {
            value = -pvs(tree, &child, -beta, -value);
        }
        best = best.max(value);
    }
    best
}

/// Alpha-beta with the window `beta - 1`, `beta`: whether a node reaches `beta`. Fail-soft.
pub fn null_window<T: GameTree>(tree: &T, node: &T::Node, beta: Value) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    for child in tree.children(node) {
        best = best.max(-null_window(tree, &child, -(beta - 1)));
        if best >= beta {
            break;
        }
    }
    best
}

/// PVS, one-function form: the same function searches principal variations and null windows.
/// Fail-soft in the window `alpha`, `beta`.
pub fn pvs_one_function<T: GameTree>(
    tree: &T,
    node: &T::Node,
    mut alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut children = tree.children(node);
    let mut best = match children.next() {
        Some(first) => -pvs_one_function(tree, &first, -beta, -alpha),
        None => -INFINITE,
    };
    for child in children {
        if best >= beta {
            break;
        }
        alpha = alpha.max(best);
        let mut value = -pvs_one_function(tree, &child, -(alpha + 1), -alpha);
        if alpha < value && value < beta {
            value = -pvs_one_function(tree, &child, -beta, -value);
        }
        best = best.max(value);
    }
    best
}
