//! Computes the value of every position.

use crate::minimax::check_loops::CheckLoops;
use crate::minimax::graph::{Graph, Next};
use crate::minimax::value::{LOST, MAX, MAX_DEPTH, REPETITION, Value};

/// How often the positions with repetitions are computed, at most.
const PASSES: usize = 356;

/// The values of all positions.
pub struct Values {
    /// The value of each position for the move that leads there.
    pub values: Vec<Value>,
    /// Positions with repetitions.
    pub cyclic: u64,
    /// Positions of perpetual checks.
    pub loops: CheckLoops,
    /// Passes over the positions that can repeat.
    pub passes: usize,
    /// Positions that still changed in the last pass.
    pub unsettled: u64,
}

/// The positions before each position.
struct Parents {
    first: Vec<u32>,
    nodes: Vec<u32>,
}

impl Parents {
    fn of(graph: &Graph) -> Self {
        let mut first = vec![0u32; graph.len() + 1];
        for node in 0..graph.len() {
            graph.children(node).for_each(|next| first[next + 1] += 1);
        }
        for node in 0..graph.len() {
            first[node + 1] += first[node];
        }
        let mut free = first.clone();
        let mut nodes = vec![0; first.last().copied().unwrap_or(0) as usize];
        for node in 0..graph.len() {
            for next in graph.children(node) {
                nodes[free[next] as usize] = node as u32;
                free[next] += 1;
            }
        }
        Self { first, nodes }
    }

    fn of_node(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let range = self.first[node] as usize..self.first[node + 1] as usize;
        self.nodes[range].iter().map(|&parent| parent as usize)
    }
}

/// The value of a position for its parent, from those of its moves.
fn from_moves(graph: &Graph, values: &[Value], node: usize) -> Value {
    let mut best = Value { value: LOST, depth: REPETITION };
    for edge in graph.moves(node) {
        let value = match edge.next {
            Next::Leaf(value) => Value { value, depth: 0 },
            Next::Node(next) => values[next as usize],
        };
        if value.is_better(best) {
            best = value;
        }
    }
    best.for_parent()
}

/// Computes all values. `draw(node)` is the value of a draw for the side that moves to a position.
pub fn propagate(graph: &Graph, draw: impl Fn(usize) -> i16) -> Values {
    let parents = Parents::of(graph);
    let count = graph.len();
    let mut values = vec![Value { value: 0, depth: REPETITION }; count];
    let fixed = settle_acyclic(graph, &parents, &mut values);
    let loops = CheckLoops::find(graph, &fixed);
    for node in (0..count).filter(|&node| !fixed[node]) {
        values[node].value = match (loops.member[node], graph.checked[node]) {
            (false, _) => draw(node),
            (true, true) => -MAX,
            (true, false) => MAX,
        };
    }
    let cyclic = fixed.iter().filter(|&&known| !known).count() as u64;
    let mut cycles = Cycles {
        due: fixed.iter().map(|known| !known).collect(),
        loops_due: !loops.nodes.is_empty(),
        graph,
        parents,
        fixed,
        values,
        loops,
    };
    let (mut passes, mut unsettled) = (0, 0);
    while passes < PASSES {
        passes += 1;
        unsettled = cycles.pass();
        let changed = cycles.search_loops();
        if unsettled == 0 && !changed {
            break;
        }
    }
    let Cycles { values, loops, .. } = cycles;
    Values { values, cyclic, loops, passes, unsettled }
}

/// Computes the positions from which no repetition can be reached, and returns which they are.
fn settle_acyclic(graph: &Graph, parents: &Parents, values: &mut [Value]) -> Vec<bool> {
    let count = graph.len();
    let mut open: Vec<u32> = (0..count).map(|node| graph.children(node).count() as u32).collect();
    let mut fixed = vec![false; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| open[node] == 0).collect();
    while let Some(node) = ready.pop() {
        values[node] = from_moves(graph, values, node);
        fixed[node] = true;
        for parent in parents.of_node(node) {
            open[parent] -= 1;
            if open[parent] == 0 {
                ready.push(parent);
            }
        }
    }
    fixed
}

/// The positions with repetitions while they are computed.
struct Cycles<'a> {
    graph: &'a Graph,
    parents: Parents,
    fixed: Vec<bool>,
    values: Vec<Value>,
    loops: CheckLoops,
    /// A position after this one has changed.
    due: Vec<bool>,
    /// A position after one of perpetual checks has changed.
    loops_due: bool,
}

impl Cycles<'_> {
    /// Computes the positions that are due, in the order of the book; each at once uses those before it.
    /// The others would not change, so the result is that of computing all. Returns how many changed.
    fn pass(&mut self) -> u64 {
        let mut changed = 0;
        for node in 0..self.graph.len() {
            if !self.due[node] || self.loops.member[node] {
                continue;
            }
            self.due[node] = false;
            let mut value = from_moves(self.graph, &self.values, node);
            if value.depth > MAX_DEPTH {
                value.depth = REPETITION;
            }
            changed += u64::from(self.set(node, value));
        }
        changed
    }

    /// Searches the positions of perpetual checks if one may have changed. Returns whether one has.
    fn search_loops(&mut self) -> bool {
        if !std::mem::take(&mut self.loops_due) {
            return false;
        }
        let mut changed = false;
        for node in self.loops.nodes.clone() {
            if !self.loops.member[node] {
                continue;
            }
            match self.loops.search(self.graph, &self.values, node) {
                Some(value) => changed |= self.set(node, value),
                None => {
                    // Like a usual position from now on.
                    self.loops.given_up += 1;
                    self.loops.member[node] = false;
                    self.due[node] = true;
                    (changed, self.loops_due) = (true, true);
                }
            }
        }
        changed
    }

    /// Stores a value. Returns whether it has changed.
    fn set(&mut self, node: usize, value: Value) -> bool {
        if self.values[node] == value {
            return false;
        }
        self.values[node] = value;
        for parent in self.parents.of_node(node) {
            if self.loops.member[parent] {
                // Positions of perpetual checks search each other.
                self.loops_due |= !self.loops.member[node];
            } else if !self.fixed[parent] {
                self.due[parent] = true;
            }
        }
        true
    }
}
