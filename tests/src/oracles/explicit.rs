//! Game trees in memory, written by hand or generated at random.

use super::tree::{GameTree, Value};
use std::ops::RangeInclusive;

/// A game tree in memory. A reference to one is a [`GameTree`].
///
/// ```
/// use tests::oracles::{ExplicitTree, GameTree, minimax::negamax};
/// // Two moves, worth +2 and +3 to the side that chooses.
/// let tree = ExplicitTree::inner([ExplicitTree::Leaf(-2), ExplicitTree::Leaf(-3)]);
/// assert_eq!(negamax(&&tree, &&tree), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplicitTree {
    /// A leaf with its value for the side to move.
    Leaf(Value),
    /// An inner node, created by [`ExplicitTree::inner`].
    Inner {
        /// At least one.
        children: Vec<ExplicitTree>,
        /// Plies to the deepest leaf.
        height: u32,
    },
}

impl ExplicitTree {
    /// A node with the given children.
    ///
    /// # Panics
    /// There are none.
    pub fn inner(children: impl IntoIterator<Item = Self>) -> Self {
        let children: Vec<_> = children.into_iter().collect();
        let height = children.iter().map(Self::plies).max();
        let height = 1 + height.expect("an inner node needs children");
        Self::Inner { children, height }
    }

    /// A random tree in which every inner node has `branching` children and every leaf is `depth`
    /// plies from the root.
    pub fn uniform(
        random: &mut Random,
        branching: u32,
        depth: u32,
        values: RangeInclusive<Value>,
    ) -> Self {
        if depth == 0 {
            return Self::Leaf(random.within(values));
        }
        let child = |_| Self::uniform(random, branching, depth - 1, values.clone());
        Self::inner((0..branching).map(child))
    }

    /// A random tree whose inner nodes have 1 to `branching` children. Leaves are at most `depth`
    /// plies from the root; below the root, lines may end earlier.
    pub fn ragged(
        random: &mut Random,
        branching: u32,
        depth: u32,
        values: RangeInclusive<Value>,
    ) -> Self {
        if depth == 0 {
            return Self::Leaf(random.within(values));
        }
        let width = random.within(1..=branching as Value);
        Self::inner((0..width).map(|_| {
            let stops = random.within(0..=5) == 0;
            Self::ragged(random, branching, if stops { 0 } else { depth - 1 }, values.clone())
        }))
    }

    /// Plies to the farthest leaf.
    pub fn plies(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Inner { height, .. } => *height,
        }
    }
}

impl<'n> GameTree for &'n ExplicitTree {
    type Node = &'n ExplicitTree;
    /// Nodes are identified by address, not by content.
    type Key = *const ExplicitTree;

    fn root(&self) -> Self::Node {
        self
    }

    fn leaf_value(&self, node: &Self::Node) -> Option<Value> {
        match node {
            ExplicitTree::Leaf(value) => Some(*value),
            ExplicitTree::Inner { .. } => None,
        }
    }

    fn children<'t>(&'t self, node: &Self::Node) -> impl Iterator<Item = Self::Node> + use<'t, 'n> {
        match node {
            ExplicitTree::Leaf(_) => [].iter(),
            ExplicitTree::Inner { children, .. } => children.iter(),
        }
    }

    fn height(&self, node: &Self::Node) -> u32 {
        node.plies()
    }

    fn key(&self, node: &Self::Node) -> Self::Key {
        *node
    }
}

/// Pseudo-random number generator, the same on every machine: SplitMix64 (Steele, Lea & Flood
/// 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with the given seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in the range, which must not be empty. The bias is below 2^-32.
    pub fn within(&mut self, range: RangeInclusive<Value>) -> Value {
        let (low, high) = (i64::from(*range.start()), i64::from(*range.end()));
        let width = (high - low + 1) as u64;
        (low + (self.bits() % width) as i64) as Value
    }
}
