//! SSS*: best-first search over solution trees.
//!
//! G. C. Stockman, "A Minimax Algorithm Better than Alpha-Beta?", Artificial Intelligence 12
//! (1979), 179-196; M. S. Campbell & T. A. Marsland, "A Comparison of Minimax Tree Search
//! Algorithms", Artificial Intelligence 20 (1983), 347-367, for the order of ties.

use super::tree::{GameTree, INFINITE, Value};
use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::rc::Rc;

/// SSS*: the minimax value of the root, where MAX is to move.
///
/// OPEN holds states (node, LIVE or SOLVED, merit). The merit is an upper bound of the value of the
/// solution trees through that node. Stockman's operator Γ replaces the state of highest merit,
/// leftmost among equals, until the root is solved:
///
/// | state taken from OPEN | is replaced by |
/// |---|---|
/// | LIVE leaf | itself, SOLVED, merit lowered to the leaf's value |
/// | LIVE inner MAX node | all its children, LIVE |
/// | LIVE inner MIN node | its first child, LIVE |
/// | SOLVED MAX node with a next sibling | that sibling, LIVE |
/// | SOLVED MAX node, the last of its siblings | its parent, SOLVED |
/// | SOLVED MIN node | its parent, SOLVED; all states below the parent are removed from OPEN |
pub fn sss<T: GameTree>(tree: &T) -> Value {
    let root = Rc::new(Vertex::<T>::new(tree.root(), None, 0));
    let mut open =
        BinaryHeap::from([State { merit: INFINITE, vertex: root, status: Status::Live }]);
    while let Some(State { merit, vertex, status }) = open.pop() {
        if vertex.is_purged() {
            continue;
        }
        let mut put = |vertex, status, merit| open.push(State { merit, vertex, status });
        match (status, vertex.player(), vertex.parent.clone()) {
            (Status::Live, player, _) => match (tree.leaf_value(&vertex.node), player) {
                (Some(value), Player::Max) => put(vertex, Status::Solved, merit.min(value)),
                (Some(value), Player::Min) => put(vertex, Status::Solved, merit.min(-value)),
                (None, Player::Max) => {
                    for (index, node) in tree.children(&vertex.node).enumerate() {
                        let child = Vertex::new(node, Some(vertex.clone()), index);
                        put(Rc::new(child), Status::Live, merit);
                    }
                }
                (None, Player::Min) => {
                    vertex.children.replace(Some(Box::new(tree.children(&vertex.node))));
                    if let Some(first) = next_child(&vertex) {
                        put(first, Status::Live, merit);
                    }
                }
            },
            (Status::Solved, _, None) => return merit,
            (Status::Solved, Player::Max, Some(parent)) => match next_child(&parent) {
                Some(sibling) => put(sibling, Status::Live, merit),
                None => put(parent, Status::Solved, merit),
            },
            (Status::Solved, Player::Min, Some(parent)) => {
                parent.solved.set(true);
                put(parent, Status::Solved, merit);
            }
        }
    }
    unreachable!("OPEN never runs empty before the root is solved")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Player {
    Max,
    Min,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Live,
    Solved,
}

/// A node visited by SSS*, and its state.
struct Vertex<'t, T: GameTree> {
    node: T::Node,
    parent: Option<Rc<Self>>,
    /// The child indices on the path from the root. They sort from left to right.
    path: Vec<usize>,
    /// The children not yet visited; below a MIN node they are visited one after another.
    children: RefCell<Option<Box<dyn Iterator<Item = T::Node> + 't>>>,
    /// Number of children visited.
    taken: Cell<usize>,
    /// A MAX node whose value is known. States below it are discarded when taken from OPEN.
    solved: Cell<bool>,
}

impl<T: GameTree> Vertex<'_, T> {
    fn new(node: T::Node, parent: Option<Rc<Self>>, index: usize) -> Self {
        let path = match &parent {
            Some(parent) => parent.path.iter().copied().chain([index]).collect(),
            None => Vec::new(),
        };
        let (children, taken, solved) = Default::default();
        Self { node, parent, path, children, taken, solved }
    }

    fn player(&self) -> Player {
        if self.path.len().is_multiple_of(2) { Player::Max } else { Player::Min }
    }

    fn is_purged(&self) -> bool {
        self.parent.as_ref().is_some_and(|parent| parent.solved.get() || parent.is_purged())
    }
}

fn next_child<'t, T: GameTree>(parent: &Rc<Vertex<'t, T>>) -> Option<Rc<Vertex<'t, T>>> {
    let node = parent.children.borrow_mut().as_mut()?.next()?;
    let index = parent.taken.replace(parent.taken.get() + 1);
    Some(Rc::new(Vertex::new(node, Some(parent.clone()), index)))
}

/// A member of OPEN. Ordered by merit; among equals the leftmost is the greatest.
struct State<'t, T: GameTree> {
    merit: Value,
    vertex: Rc<Vertex<'t, T>>,
    status: Status,
}

impl<T: GameTree> Ord for State<'_, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.merit.cmp(&other.merit);
        order.then_with(|| Reverse(&self.vertex.path).cmp(&Reverse(&other.vertex.path)))
    }
}

impl<T: GameTree> PartialOrd for State<'_, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: GameTree> PartialEq for State<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: GameTree> Eq for State<'_, T> {}
