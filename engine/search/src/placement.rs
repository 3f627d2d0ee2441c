//! On machines with several NUMA nodes: each helper thread stays on one node and reads a copy of the network
//! that lies in the memory of this node, because large networks do not fit into the caches.
//!
//! The first thread is the caller's. It is not bound, and uses the original. What this gains has not been
//! measured: no machine with several nodes was at hand.

use monomi_eval::Evaluation;
use monomi_support::host::numa::Node;
use monomi_support::memory::Available;
use std::sync::Arc;

/// Where the threads of a search run.
pub struct Placement {
    /// The nodes; none where there is only one.
    nodes: Vec<Arc<Node>>,
    /// All nodes as one.
    everywhere: Arc<Node>,
    /// Whether threads are bound to nodes.
    bound: bool,
    /// The places of the threads; none where there is only one node.
    places: Vec<Place>,
}

/// Where one thread runs.
#[derive(Clone)]
pub struct Place {
    pub node: Arc<Node>,
    /// The network of the node.
    pub evaluation: Arc<Evaluation>,
}

impl Placement {
    /// On these nodes, without threads.
    pub fn new(nodes: Vec<Node>) -> Self {
        let everywhere = Arc::new(Node::all(&nodes));
        let nodes = if nodes.len() > 1 { nodes } else { Vec::new() };
        let nodes = nodes.into_iter().map(Arc::new).collect();
        Self { nodes, everywhere, bound: true, places: Vec::new() }
    }

    /// Chooses the places of `threads` threads and copies the network to the nodes. Few threads are left
    /// to the system. Without memory for the copies all use the original.
    pub fn place(&mut self, threads: usize, evaluation: &Arc<Evaluation>) {
        self.places.clear();
        let Some(largest) = self.nodes.iter().map(|node| node.processors()).max() else { return };
        if !self.bound || threads <= largest / 2 {
            let (node, evaluation) = (Arc::clone(&self.everywhere), Arc::clone(evaluation));
            self.places = vec![Place { node, evaluation }; threads];
            return;
        }
        let sizes: Vec<usize> = self.nodes.iter().map(|node| node.processors()).collect();
        let counts = shares(threads, &sizes);
        let copies = copies(&self.nodes, evaluation);
        for ((node, evaluation), count) in self.nodes.iter().zip(copies).zip(counts) {
            let place = Place { node: Arc::clone(node), evaluation };
            self.places.extend(std::iter::repeat_n(place, count));
        }
    }

    /// Whether threads are bound to nodes, from the next [`Self::place`] on.
    pub fn bind(&mut self, bound: bool) {
        self.bound = bound;
    }

    /// The place of a thread. That of thread 0, which is not bound, is on the first node. `None` where there is
    /// only one node.
    pub fn of(&self, id: usize) -> Option<&Place> {
        self.places.get(id)
    }
}

/// The network in the memory of each node; the original is that of the first one.
fn copies(nodes: &[Arc<Node>], evaluation: &Arc<Evaluation>) -> Vec<Arc<Evaluation>> {
    let mut all = vec![Arc::clone(evaluation); nodes.len()];
    let need = evaluation.bytes() * (nodes.len() as u64 - 1);
    if Available::now().check(need, need).is_err() {
        return all;
    }
    for (copy, node) in all.iter_mut().zip(nodes).skip(1) {
        std::thread::scope(|scope| {
            // Without a thread, or where it cannot be bound, the original is as good.
            let copied = std::thread::Builder::new()
                .spawn_scoped(scope, || node.bind().is_ok().then(|| evaluation.copied()));
            if let Ok(Ok(Some(copied))) = copied.map(std::thread::ScopedJoinHandle::join) {
                *copy = copied;
            }
        });
    }
    all
}

/// Divides threads in the ratio of the nodes' sizes. The first node has at least one.
fn shares(threads: usize, sizes: &[usize]) -> Vec<usize> {
    let all: usize = sizes.iter().sum();
    let mut before = 0;
    let mut given = 0;
    let share = |&size: &usize| {
        before += size;
        // Rounded up, so that the first one is not left out.
        let end = (threads * before).div_ceil(all);
        let count = end - given;
        given = end;
        count
    };
    sizes.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_divided_by_the_sizes_of_the_nodes() {
        for (threads, sizes, expected) in [
            (8, &[4, 4][..], &[4, 4][..]),
            (7, &[4, 4], &[4, 3]),
            (1, &[4, 4], &[1, 0]),
            (96, &[64, 32], &[64, 32]),
            (6, &[8, 8, 8, 8], &[2, 1, 2, 1]),
        ] {
            assert_eq!(shares(threads, sizes), expected, "{threads} {sizes:?}");
        }
    }

    #[test]
    fn few_threads_run_everywhere_and_one_node_is_no_place() {
        let evaluation = Evaluation::piece_square();
        let node = |from: usize, to: usize| Node::new((from..to).collect());
        for (nodes, threads) in [(vec![node(0, 4)], 4), (vec![], 9)] {
            let mut placement = Placement::new(nodes);
            placement.place(threads, &evaluation);
            assert!((0..threads).all(|id| placement.of(id).is_none()));
        }
        let mut placement = Placement::new(vec![node(0, 8), node(8, 16)]);
        for (threads, expected) in [(4, node(0, 16)), (9, node(0, 8))] {
            placement.place(threads, &evaluation);
            assert_eq!(*placement.of(1).unwrap().node, expected);
            assert!(placement.of(threads).is_none());
        }
    }
}
