//! Positions of perpetual checks: cycles in which one side is in check at every turn.

use crate::minimax::graph::{Graph, Next};
use crate::minimax::value::{LOST, MAX, PERPETUAL_CHECK, PERPETUALLY_CHECKED, Value};

/// Positions that the search from one position may visit before it is given up.
const BUDGET: u32 = 1 << 18;
/// Positions on one path, at most.
const LONGEST: usize = 500;

/// The positions on lines of checks that never end within the book.
#[derive(Debug, Default)]
pub struct CheckLoops {
    /// Whether a position is on such a line, by node.
    pub member: Vec<bool>,
    /// The positions, in order.
    pub nodes: Vec<usize>,
    /// Positions whose search was given up; they are computed like other positions.
    pub given_up: u64,
}

impl CheckLoops {
    /// Finds them: positions in check from which two moves lead to another one, and so on, and the
    /// positions between. `fixed` are the positions from which no repetition can be reached.
    pub fn find(graph: &Graph, fixed: &[bool]) -> Self {
        let count = graph.len();
        let mut inside: Vec<bool> =
            (0..count).map(|node| graph.checked[node] && !fixed[node]).collect();
        let mut candidates: Vec<usize> = (0..count).filter(|&node| inside[node]).collect();
        loop {
            let before = candidates.len();
            candidates.retain(|&node| {
                let mut later = graph.children(node).flat_map(|next| graph.children(next));
                let stays = later.any(|node| inside[node]);
                inside[node] = stays;
                stays
            });
            if candidates.len() == before {
                break;
            }
        }
        let mut member = inside.clone();
        for &node in &candidates {
            for between in graph.children(node) {
                member[between] |= graph.children(between).any(|later| inside[later]);
            }
        }
        let nodes = (0..count).filter(|&node| member[node]).collect();
        Self { member, nodes, given_up: 0 }
    }

    /// The value of a position for its parent, searched to the first repetition on each line of checks.
    /// `None` if that takes too long.
    pub fn search(&self, graph: &Graph, values: &[Value], node: usize) -> Option<Value> {
        let mut search = Search { loops: self, graph, values, on_path: Vec::new(), budget: BUDGET };
        search.value(node)
    }
}

struct Search<'a> {
    loops: &'a CheckLoops,
    graph: &'a Graph,
    values: &'a [Value],
    on_path: Vec<usize>,
    budget: u32,
}

impl Search<'_> {
    fn value(&mut self, node: usize) -> Option<Value> {
        if !self.loops.member[node] {
            return Some(self.values[node]);
        }
        if self.on_path.contains(&node) {
            // Perpetual check loses, here for the side that moved last if it gives check.
            return Some(if self.graph.checked[node] {
                Value { value: -MAX, depth: PERPETUAL_CHECK }
            } else {
                Value { value: MAX, depth: PERPETUALLY_CHECKED }
            });
        }
        self.budget = self.budget.checked_sub(1)?;
        if self.on_path.len() >= LONGEST {
            return None;
        }
        self.on_path.push(node);
        let mut best = Value { value: LOST, depth: 0 };
        let graph = self.graph;
        for edge in graph.moves(node) {
            let value = match edge.next {
                Next::Leaf(value) => Value { value, depth: 0 },
                Next::Node(next) => self.value(next as usize)?,
            };
            if value.is_better(best) {
                best = value;
            }
        }
        self.on_path.pop();
        Some(best.for_parent())
    }
}
