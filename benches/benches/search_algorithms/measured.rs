//! Node counts of all searches on all positions in all orders.

use crate::field::{Field, Order, POSITIONS, tree};
use monomi_movegen::{Position, perft};
use tests::oracles::{Algorithm, Count, Counted, Value};

/// The measurements.
pub struct Measured {
    /// Plies searched.
    pub depth: u32,
    runs: Vec<Run>,
}

/// One search of one position.
pub struct Run {
    position: usize,
    seed: u64,
    order: Order,
    algorithm: Algorithm,
    /// The number of nodes visited.
    pub count: Count,
}

/// The positions themselves.
pub fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.into_iter().map(|sfen| Position::from_sfen(sfen).expect(sfen))
}

/// Visits of a search without pruning: every node of the full tree. Perft counts them much faster,
/// and [`Measured::new`] checks that NegaMax does visit so many.
pub fn minimax(position: &Position, depth: u32) -> Count {
    let at = |plies| perft(&mut position.clone(), plies);
    Count { nodes: (0..=depth).map(at).sum(), leaves: at(depth) }
}

impl Measured {
    /// Runs all searches.
    ///
    /// # Panics
    /// Two searches of a position disagree on its value.
    pub fn new(depth: u32) -> Self {
        let mut runs = Vec::new();
        for (index, position) in positions().enumerate() {
            let mut truth: Option<Value> = None;
            for (order, seed) in Order::ALL.into_iter().flat_map(Order::with_seeds) {
                let tree = tree(&position, depth, Field::new(order, seed));
                for algorithm in Algorithm::ALL {
                    let count = if algorithm == Algorithm::NegaMax {
                        minimax(&position, depth)
                    } else {
                        let counted = Counted::new(tree.clone());
                        let value = algorithm.search(&counted);
                        assert_eq!(*truth.get_or_insert(value), value, "{}", algorithm.name());
                        counted.count()
                    };
                    runs.push(Run { position: index, seed, order, algorithm, count });
                }
            }
            check_minimax(&position, depth.min(2));
        }
        Self { depth, runs }
    }

    /// The nodes visited in all positions together; shuffled, the mean over the seeds.
    pub fn nodes(&self, order: Order, algorithm: Algorithm) -> f64 {
        let seeds = order.with_seeds().count() as f64;
        self.runs(order, algorithm).map(|run| run.count.nodes as f64).sum::<f64>() / seeds
    }

    /// The runs of an algorithm in an order, always in the same sequence of positions and seeds.
    fn runs(&self, order: Order, algorithm: Algorithm) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.order == order && run.algorithm == algorithm)
    }

    /// What two algorithms visited, run by run.
    pub fn side_by_side(
        &self,
        order: Order,
        [one, other]: [Algorithm; 2],
    ) -> impl Iterator<Item = [Count; 2]> {
        self.runs(order, one).zip(self.runs(order, other)).map(|(a, b)| {
            assert_eq!((a.position, a.seed), (b.position, b.seed));
            [a.count, b.count]
        })
    }
}

fn check_minimax(position: &Position, depth: u32) {
    let counted = Counted::new(tree(position, depth, Field::new(Order::Captures, 0)));
    Algorithm::NegaMax.search(&counted);
    assert_eq!(counted.count(), minimax(position, depth), "perft counts what NegaMax visits");
}
