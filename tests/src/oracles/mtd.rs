//! MTD(f): null-window searches with a memory. Includes SSS* and DUAL* as alpha-beta searches.
//!
//! A. Plaat, J. Schaeffer, W. Pijls & A. de Bruin, "Best-First Fixed-Depth Minimax Algorithms",
//! Artificial Intelligence 87 (1996), 255-293.

use super::tree::{GameTree, INFINITE, Value};
use std::collections::HashMap;
use std::hash::Hash;

/// MTD(f): finds the minimax value by null-window searches, starting from a first guess.
///
/// With the guess [`INFINITE`] this is AB-SSS*, which evaluates the leaves of SSS* in the same
/// order; with `-INFINITE` it is DUAL*. Nothing is removed from the memory, so no leaf is
/// evaluated twice.
pub fn mtd<T: GameTree>(tree: &T, guess: Value) -> Value {
    let root = tree.root();
    let mut memory = Memory(HashMap::new());
    converge(guess, |beta| memory.test(tree, &root, beta))
}

/// The driver of all MTD searches: calls `test`, which returns whether the value reaches `beta`,
/// until its fail-soft bounds meet.
pub fn converge(guess: Value, mut test: impl FnMut(Value) -> Value) -> Value {
    let (mut lower, mut upper) = (-INFINITE, INFINITE);
    let mut value = guess;
    while lower < upper {
        let beta = if value == lower { value + 1 } else { value };
        value = test(beta);
        if value < beta {
            upper = value;
        } else {
            lower = value;
        }
    }
    value
}

/// The known bounds of a node: `lower <= minimax value <= upper`.
#[derive(Clone, Copy)]
struct Bounds {
    lower: Value,
    upper: Value,
}

/// The bounds of all visited nodes, by key.
struct Memory<K>(HashMap<K, Bounds>);

impl<K: Eq + Hash> Memory<K> {
    /// MT, the memory-enhanced test: fail-soft alpha-beta with the window `beta - 1`, `beta`.
    fn test<T: GameTree<Key = K>>(&mut self, tree: &T, node: &T::Node, beta: Value) -> Value {
        let key = tree.key(node);
        let mut bounds = Bounds { lower: -INFINITE, upper: INFINITE };
        if let Some(&known) = self.0.get(&key) {
            bounds = known;
        }
        if bounds.lower >= beta {
            return bounds.lower;
        }
        if bounds.upper < beta {
            return bounds.upper;
        }
        let value = match tree.leaf_value(node) {
            Some(value) => {
                bounds = Bounds { lower: value, upper: value };
                value
            }
            None => {
                let mut best = -INFINITE;
                for child in tree.children(node) {
                    best = best.max(-self.test(tree, &child, -(beta - 1)));
                    if best >= beta {
                        break;
                    }
                }
                if best >= beta {
                    bounds.lower = best;
                } else {
                    bounds.upper = best;
                }
                best
            }
        };
        self.0.insert(key, bounds);
        value
    }
}
