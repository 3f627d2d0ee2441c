//! The game tree that every oracle searches, and wrappers that count and reorder.

use std::cell::Cell;
use std::hash::Hash;

/// A value for the side to move. Values of leaves are strictly between [`-INFINITE`](INFINITE) and
/// [`INFINITE`].
pub type Value = i32;

/// Greater than every value; adding one does not overflow.
pub const INFINITE: Value = 1_000_000_000;

/// A finite two-player zero-sum game in negamax form: the value of a node for its parent's side to
/// move is its value negated.
pub trait GameTree {
    /// A position in the tree.
    type Node: Clone;
    /// Nodes with equal keys have equal subtrees.
    type Key: Eq + Hash;

    /// The root.
    fn root(&self) -> Self::Node;

    /// The value of a leaf for the side to move; `None` for inner nodes. A search calls this
    /// once for each node that it visits; [`Counted`] relies on it.
    fn leaf_value(&self, node: &Self::Node) -> Option<Value>;

    /// The children of an inner node, at least one, in search order.
    fn children<'t>(
        &'t self,
        node: &Self::Node,
    ) -> impl Iterator<Item = Self::Node> + use<'t, Self>;

    /// An upper bound of the plies to the deepest leaf; 0 for leaves at the horizon.
    fn height(&self, node: &Self::Node) -> u32;

    /// The node's key for searches with a memory.
    fn key(&self, node: &Self::Node) -> Self::Key;
}

/// Number of visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Visits to nodes, including leaves; repeated visits count.
    pub nodes: u64,
    /// Leaves evaluated: the papers' "number of bottom positions".
    pub leaves: u64,
}

/// A tree that counts visits to its nodes. Results that a search takes from its own memory are not
/// counted.
#[derive(Clone, Debug)]
pub struct Counted<T> {
    tree: T,
    count: Cell<Count>,
}

impl<T> Counted<T> {
    /// Starts counting at zero.
    pub fn new(tree: T) -> Self {
        Self { tree, count: Cell::default() }
    }

    /// The visits so far.
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

/// A tree whose children are sorted by rank, lowest first; equal ranks keep their order.
///
/// Values are for the side to move, so ranking each child by its own value puts the best move
/// first.
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
