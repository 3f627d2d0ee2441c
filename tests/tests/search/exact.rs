//! The engine's NegaScout without anything selective is the textbook's: it returns the minimax value of
//! real positions, and searches the same nodes with the same windows as the oracle.

use monomi_eval::{EvalStack, Evaluation};
use monomi_movegen::{MoveList, PackedMove, Position};
use monomi_search::{INFINITE, Searcher, Visit};
use std::collections::HashMap;
use std::sync::Arc;
use tests::oracles::negascout::negascout_from_best;
use tests::oracles::{Algorithm, Game, GameTree, ShogiNode, ShogiTree, Value, root_moves};

/// The engine's moves and evaluation, computed from scratch at each node.
struct Engine {
    evaluation: Arc<Evaluation>,
    /// Moves to search first, by [`key`]; the others follow.
    orders: HashMap<(u64, u16), Vec<PackedMove>>,
}

impl Engine {
    fn new() -> Self {
        Self { evaluation: Evaluation::internal(), orders: HashMap::new() }
    }
}

impl Game for Engine {
    fn evaluate(&self, position: &Position, _ply: u32) -> Value {
        EvalStack::new(&self.evaluation, position).evaluate(position)
    }

    fn moves(&self, position: &Position) -> MoveList {
        let mut all = MoveList::new();
        position.generate_useful(&mut all);
        let mut moves = MoveList::new();
        let first = self.orders.get(&key(position)).into_iter().flatten();
        first.for_each(|&mv| moves.push(mv));
        all.into_iter().for_each(|mv| {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        });
        moves
    }
}

/// A position at a distance from the root.
fn key(position: &Position) -> (u64, u16) {
    (position.key(), position.ply())
}

/// Positions and the depth that the oracle can search in reasonable time.
const POSITIONS: [(&str, u32); 7] = [
    ("startpos", 4),
    ("1n1gk2nl/1r4g2/1sppppspp/L5p2/1p5P1/2P6/1PSPPPPSP/7R1/1N1GKG1NL w BLPbp 24", 3),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 2),
    ("1ks2+P2b/4+Lg3/PN2sl+Bp+P/1p5RP/1ggP1p1N1/4PP2p/l1K3SPn/2PSR+p2L/4G3N b 4P 187", 3),
    // A mate in three, and one in one for the side to move.
    ("s2R1S1Sl/2k3G2/3ppp3/p+B4p2/3s1P2p/1P1N2P2/PKG6/5+r3/LN2+b3L b GPg2nl7p 125", 3),
    ("Kbg4nl/3sk1gs1/2n4pp/1G1p5/1pP4P1/4S4/P2PPG2P/1L7/LNS4NL w 7P2Rpb 1", 2),
    // In check.
    ("2s3snl/l1rg2g2/p2+N1p3/1p2p1p1p/2pkb2p1/2P2PG2/PPRPP1PPP/LBG1K4/1N2S1SNL b P 43", 3),
];

fn searcher() -> Searcher {
    Searcher::new(16, Evaluation::internal()).expect("16 MiB can be had")
}

#[test]
fn negascout_without_pruning_is_minimax() {
    for (sfen, deepest) in POSITIONS {
        let position = Position::from_sfen(sfen).expect("a valid sfen");
        for depth in 1..=deepest {
            let expected = if depth <= 2 {
                root_moves(&position, depth, Engine::new()).value
            } else {
                let tree = ShogiTree::new(position.clone(), depth, Engine::new());
                Algorithm::AlphaBetaFailSoft.search(&tree)
            };
            let value = searcher().search_exactly(&position, depth, OPEN, &mut |_| {});
            assert_eq!(value, expected, "depth {depth} of {sfen}");
        }
    }
}

/// The window of all values.
const OPEN: (Value, Value) = (-INFINITE, INFINITE);

/// A node with its remaining depth and window.
#[derive(Debug, PartialEq)]
struct Visited {
    position: (u64, u16),
    depth: u32,
    window: (Value, Value),
}

/// The visits of the engine, the orders in which it tried moves, and how often it searched a move
/// again.
#[derive(Default)]
struct Record {
    visits: Vec<Visited>,
    orders: HashMap<(u64, u16), Vec<PackedMove>>,
    /// The moves tried so far at the nodes on the way to the current one.
    line: Vec<((u64, u16), Vec<PackedMove>)>,
    searched_again: u32,
}

impl Record {
    fn add(&mut self, visit: &Visit<'_>, ply: usize) {
        let &Visit { position, depth, alpha, beta, .. } = visit;
        self.finish(ply);
        if let (Some((_, tried)), Some(mv)) = (self.line.last_mut(), position.last_move()) {
            if tried.last() == Some(&mv) {
                self.searched_again += 1;
            } else {
                tried.push(mv);
            }
        }
        self.line.push((key(position), Vec::new()));
        let (position, depth) = (key(position), depth as u32);
        self.visits.push(Visited { position, depth, window: (alpha, beta) });
    }

    /// Leaves the nodes from this ply on. The order of moves at a position is always the same; a cutoff
    /// only ends it earlier.
    fn finish(&mut self, ply: usize) {
        for (position, tried) in self.line.drain(ply..) {
            let known = self.orders.entry(position).or_default();
            let common = tried.len().min(known.len());
            assert_eq!(tried[..common], known[..common], "the order of moves changes");
            if tried.len() > known.len() {
                *known = tried;
            }
        }
    }
}

/// Compares visits and value of the engine with those of the oracle, which gets the engine's order of
/// moves. Returns the value and how often a move was searched again.
fn compare(position: &Position, depth: u32, (alpha, beta): (Value, Value)) -> (Value, u32) {
    let mut record = Record::default();
    let value = searcher().search_exactly(position, depth, (alpha, beta), &mut |visit| {
        record.add(visit, (depth as i32 - visit.depth) as usize);
    });
    record.finish(0);
    let Record { visits, orders, searched_again, .. } = record;
    let game = Engine { orders, ..Engine::new() };
    let tree = ShogiTree::new(position.clone(), depth, game);
    let mut next = visits.iter();
    let mut compare = |node: &ShogiNode, alpha: Value, beta: Value| {
        let (position, depth) = (key(&node.position), node.height);
        let expected = Visited { position, depth, window: (alpha, beta) };
        assert_eq!(next.next(), Some(&expected), "{}", node.position.to_sfen());
    };
    let expected = negascout_from_best(&tree, &tree.root(), alpha, beta, &mut compare);
    assert_eq!(next.next(), None, "the engine searches more nodes than the oracle");
    assert_eq!(value, expected);
    (value, searched_again)
}

#[test]
fn the_same_nodes_are_searched_with_the_same_windows() {
    let mut searched_again = 0;
    for (sfen, deepest) in POSITIONS {
        let position = Position::from_sfen(sfen).expect("a valid sfen");
        for depth in 0..=deepest.min(3) {
            let (value, again) = compare(&position, depth, OPEN);
            searched_again += again;
            // Windows beside and around the value; beside a mate there are none.
            for (below, above) in [(-100, -99), (-1, 0), (0, 1), (5, 6), (-50, 50)] {
                let (alpha, beta) = (value + below, value + above);
                if depth <= 2 && -INFINITE <= alpha && beta <= INFINITE {
                    searched_again += compare(&position, depth, (alpha, beta)).1;
                }
            }
        }
    }
    assert!(searched_again > 100, "moves were searched again {searched_again} times only");
}

/// Moves worth at most +2 or so, window (+5, +6): the value is not lifted to the window.
#[test]
fn values_outside_the_window_are_fail_soft() {
    let position = Position::startpos();
    let best = root_moves(&position, 1, Engine::new()).value;
    assert_eq!(compare(&position, 1, (best + 3, best + 4)), (best, 0));
    let (value, again) = compare(&position, 1, (best - 3000, best - 2999));
    assert!(value > best - 2999 && again == 0, "the first move's value, above the window");
}
