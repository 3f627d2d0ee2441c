//! Game trees written down or drawn at random.

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
    /// The end of a line, and its value for the side to move there.
    Leaf(Value),
    /// A node with moves; [`ExplicitTree::inner`] makes it.
    Inner {
        /// At least one.
        children: Vec<ExplicitTree>,
        /// Plies to the farthest leaf.
        height: u32,
    },
}

impl ExplicitTree {
    /// A node with the given children.
    ///
    /// # Panics
    /// When there are none.
    pub fn inner(children: impl IntoIterator<Item = Self>) -> Self {
        let children: Vec<_> = children.into_iter().collect();
        let height = children.iter().map(Self::plies).max();
        let height = 1 + height.expect("an inner node needs children");
        Self::Inner { children, height }
    }

    /// Every inner node has `branching` children and every leaf is `depth` plies from the root.
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

    /// Inner nodes have 1 to `branching` children; below the root each line may end early, and
    /// all end after `depth` plies.
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
    /// Every node is its own, however alike two look.
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

/// Pseudo-random numbers, the same on every machine: SplitMix64 (Steele, Lea & Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
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

    /// A number of the range, which must not be empty. The bias is below 2^-32.
    pub fn within(&mut self, range: RangeInclusive<Value>) -> Value {
        let (low, high) = (i64::from(*range.start()), i64::from(*range.end()));
        let width = (high - low + 1) as u64;
        (low + (self.bits() % width) as i64) as Value
    }
}
