//! The predecessors of PVS: after the first move, test only whether each other move is better.
//!
//! J. Pearl, "SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties", AAAI 1980,
//! 143-145; J. P. Fishburn & R. A. Finkel, "Parallel Alpha-Beta Search on Arachne", Technical
//! Report 394, University of Wisconsin-Madison 1980, and R. A. Finkel & J. P. Fishburn,
//! "Parallelism in Alpha-Beta Search", Artificial Intelligence 19 (1982), 89-106, for
//! "palphabeta"; T. A. Marsland, "Relative Efficiency of Alpha-Beta Implementations", IJCAI 1983,
//! 763-766, who compares them.

use super::minimax::alpha_beta_fail_soft;
use super::tree::{GameTree, INFINITE, Value};

/// Scout: finds the minimax value with a yes/no test. Moves that pass the test are searched again
/// from scratch.
pub fn scout<T: GameTree>(tree: &T, node: &T::Node) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut best = -INFINITE;
    for child in tree.children(node) {
        // The move is better than `best` when the child is worth less than `-best`.
        if best == -INFINITE || !exceeds(tree, &child, -best - 1) {
            best = -scout(tree, &child);
        }
    }
    best
}

/// Pearl's TEST: whether the node's minimax value is greater than `bound`.
pub fn exceeds<T: GameTree>(tree: &T, node: &T::Node, bound: Value) -> bool {
    match tree.leaf_value(node) {
        Some(value) => value > bound,
        // Some child must be worth less than `-bound`. Values are integers.
        None => tree.children(node).any(|child| !exceeds(tree, &child, -bound - 1)),
    }
}

/// PAB, principal-variation alpha-beta ("palphabeta"): the first line is searched without a
/// window. Every other move is searched with a minimal window and, if it is better, again by
/// alpha-beta with the value found as a bound.
pub fn pab<T: GameTree>(tree: &T, node: &T::Node) -> Value {
    if let Some(value) = tree.leaf_value(node) {
        return value;
    }
    let mut children = tree.children(node);
    let mut best = match children.next() {
        Some(first) => -pab(tree, &first),
        None => -INFINITE,
    };
    for child in children {
        let value = -alpha_beta_fail_soft(tree, &child, -best - 1, -best);
        if value > best {
            best = -alpha_beta_fail_soft(tree, &child, -INFINITE, -value);
        }
    }
    best
}
