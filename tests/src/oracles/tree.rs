//! The game tree that every oracle searches, and wrappers that count and reorder.

use std::cell::Cell;
use std::hash::Hash;

/// A value for the side to move at its node. Leaves stay strictly between
/// [`-INFINITE`](INFINITE) and [`INFINITE`].
pub type Value = i32;

/// Beyond every value, with room to add one.
pub const INFINITE: Value = 1_000_000_000;

/// A finite two-player zero-sum game in negamax form: what is good for a node's side to move is
/// as bad for that of its parent.
pub trait GameTree {
    /// A position in the tree.
    type Node: Clone;
    /// What two nodes must share to have the same subtree.
    type Key: Eq + Hash;

    /// Where play begins.
    fn root(&self) -> Self::Node;

    /// The value of a leaf for the side to move; `None` inside the tree. A search asks this once
    /// at each node that it visits, which is how [`Counted`] counts.
    fn leaf_value(&self, node: &Self::Node) -> Option<Value>;

    /// The successors of an inner node, at least one, in the order in which they are searched.
    fn children<'t>(
        &'t self,
        node: &Self::Node,
    ) -> impl Iterator<Item = Self::Node> + use<'t, Self>;

    /// Plies on the longest way down to a leaf, or more; 0 for leaves at the horizon.
    fn height(&self, node: &Self::Node) -> u32;

    /// The node's identity for searches with a memory.
    fn key(&self, node: &Self::Node) -> Self::Key;
}

/// Visits so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Nodes visited, leaves included, each as often as it was visited.
    pub nodes: u64,
    /// Leaves evaluated: the papers' "number of bottom positions".
    pub leaves: u64,
}

/// A tree that counts the visits to its nodes. What a search finds in its own memory is no visit.
#[derive(Clone, Debug)]
pub struct Counted<T> {
    tree: T,
    count: Cell<Count>,
}

impl<T> Counted<T> {
    /// Starts at zero.
    pub fn new(tree: T) -> Self {
        Self { tree, count: Cell::default() }
    }

    /// The visits since the start.
    pub fn count(&self) -> Count {
        self.count.get()
    }
}

impl<T: GameTree> GameTree for Counted<T> {
    type Node = T::Node;
    type Key = T::Key;

    fn root(&self) -> T::Node {
        self.tree.root()
    }

    fn leaf_value(&self, node: &T::Node) -> Option<Value> {
        let value = self.tree.leaf_value(node);
        let Count { nodes, leaves } = self.count.get();
        self.count.set(Count { nodes: nodes + 1, leaves: leaves + u64::from(value.is_some()) });
        value
    }

    fn children<'t>(&'t self, node: &T::Node) -> impl Iterator<Item = T::Node> + use<'t, T> {
        self.tree.children(node)
    }

    fn height(&self, node: &T::Node) -> u32 {
        self.tree.height(node)
    }

    fn key(&self, node: &T::Node) -> T::Key {
        self.tree.key(node)
    }
}

/// A tree whose children come sorted by a rank, lowest first; equal ranks keep their order.
///
/// As values are the side to move's, ranking each child by its own value puts the best move first.
#[derive(Clone, Debug)]
pub struct Reordered<T, F> {
    tree: T,
    rank: F,
}

impl<T, F> Reordered<T, F> {
    /// Sorts the children of `tree` by `rank`.
    pub fn new(tree: T, rank: F) -> Self {
        Self { tree, rank }
    }
}

impl<T: GameTree, R: Ord, F: Fn(&T::Node) -> R> GameTree for Reordered<T, F> {
    type Node = T::Node;
    type Key = T::Key;

    fn root(&self) -> T::Node {
        self.tree.root()
    }

    fn leaf_value(&self, node: &T::Node) -> Option<Value> {
        self.tree.leaf_value(node)
    }

    fn children<'t>(&'t self, node: &T::Node) -> impl Iterator<Item = T::Node> + use<'t, T, R, F> {
        let mut children: Vec<_> = self.tree.children(node).collect();
        children.sort_by_cached_key(&self.rank);
        children.into_iter()
    }

    fn height(&self, node: &T::Node) -> u32 {
        self.tree.height(node)
    }

    fn key(&self, node: &T::Node) -> T::Key {
        self.tree.key(node)
    }
}
