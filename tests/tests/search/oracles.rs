//! The oracles compared with each other: every textbook search returns the minimax value, correct
//! bounds for its window, and visits the number of nodes that theorems state.

use monomi_movegen::{MoveList, PackedMove, Position};
use shogi_core::Square;
use std::cell::RefCell;
use std::collections::HashSet;
use tests::oracles::minimax::{alpha_beta_fail_hard, alpha_beta_fail_soft, best_children, negamax};
use tests::oracles::mtd::mtd;
use tests::oracles::negascout::{negascout_fail_hard, negascout_from_best};
use tests::oracles::pvs::null_window;
use tests::oracles::scout::exceeds;
use tests::oracles::{
    Algorithm, Counted, ExplicitTree, Game, GameTree, INFINITE, MATE, Material, Random, Reordered,
    RootMoves, ShogiTree, Value, WindowSearch, root_moves,
};

/// Value ranges: nothing but ties, many, some, hardly any, and all of one sign.
const VALUES: [(Value, Value); 6] =
    [(0, 0), (-1, 1), (-4, 4), (-10_000, 10_000), (5, 30), (-30, -5)];

/// Trees of all shapes and value ranges, the same ones in every run.
fn forest(count: u64) -> impl Iterator<Item = ExplicitTree> {
    (0..count).map(|seed| {
        let random = &mut Random::new(seed);
        let (low, high) = VALUES[random.within(0..=VALUES.len() as Value - 1) as usize];
        if random.within(0..=1) == 0 {
            let depth = random.within(0..=6) as u32;
            ExplicitTree::ragged(random, 6, depth, low..=high)
        } else {
            let branching = random.within(1..=6) as u32;
            let depth = random.within(0..=if branching > 3 { 4 } else { 6 }) as u32;
            ExplicitTree::uniform(random, branching, depth, low..=high)
        }
    })
}

/// Windows around and beside a value: minimal ones, wide ones, and open ends.
fn windows(value: Value, random: &mut Random) -> Vec<(Value, Value)> {
    let mut windows: Vec<_> = (-3..=2).map(|d| (value + d, value + d + 1)).collect();
    windows.extend([(-INFINITE, value), (value, INFINITE), (-INFINITE, INFINITE)]);
    windows.extend((0..4).map(|_| {
        let alpha = value + random.within(-12..=8);
        (alpha, alpha + random.within(1..=9))
    }));
    windows
}

fn fail_soft_searches<T: GameTree>() -> Vec<(&'static str, WindowSearch<T>)> {
    let named = |a: Algorithm| Some((a.name(), a.fail_soft()?));
    Algorithm::ALL.into_iter().filter_map(named).collect()
}

/// A tree that notes which leaves are evaluated, in order.
struct Watched<T: GameTree> {
    tree: T,
    leaves: RefCell<Vec<T::Key>>,
}

impl<T: GameTree> Watched<T> {
    fn leaves_of(tree: T, search: impl Fn(&Self) -> Value) -> Vec<T::Key> {
        let watched = Self { tree, leaves: RefCell::default() };
        search(&watched);
        watched.leaves.into_inner()
    }
}

impl<T: GameTree> GameTree for Watched<T> {
    type Node = T::Node;
    type Key = T::Key;

    fn root(&self) -> T::Node {
        self.tree.root()
    }

    fn leaf_value(&self, node: &T::Node) -> Option<Value> {
        let value = self.tree.leaf_value(node)?;
        self.leaves.borrow_mut().push(self.tree.key(node));
        Some(value)
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

/// The tree with the best move first everywhere.
fn perfectly_ordered(tree: &ExplicitTree) -> impl GameTree + Clone + use<'_> {
    Reordered::new(tree, move |node: &&ExplicitTree| negamax(&tree, node))
}

fn leaves(algorithm: Algorithm, tree: impl GameTree) -> u64 {
    let counted = Counted::new(tree);
    algorithm.search(&counted);
    counted.count().leaves
}

#[test]
fn all_return_the_minimax_value() {
    for (seed, tree) in forest(6000).enumerate() {
        let value = negamax(&&tree, &&tree);
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.search(&&tree), value, "{} on tree {seed}", algorithm.name());
        }
    }
}

#[test]
fn mtd_converges_from_any_guess() {
    for (seed, tree) in forest(2000).enumerate() {
        let value = negamax(&&tree, &&tree);
        for guess in [value - 7, value - 1, value, value + 1, value + 7, -20_000, 20_000] {
            assert_eq!(mtd(&&tree, guess), value, "tree {seed}, first guess {guess}");
        }
    }
}

#[test]
fn fail_soft_bounds_hold_and_fail_hard_clamps() {
    let mut failed = [0, 0];
    for (seed, tree) in forest(3000).enumerate() {
        let (tree, root) = (&&tree, &&tree);
        let value = negamax(tree, root);
        for (alpha, beta) in windows(value, &mut Random::new(seed as u64)) {
            for search in [alpha_beta_fail_hard, negascout_fail_hard] {
                let clamped = search(tree, root, alpha, beta);
                assert_eq!(clamped, value.clamp(alpha, beta), "tree {seed}, ({alpha}, {beta})");
            }
            for (name, search) in fail_soft_searches() {
                let result = search(tree, root, alpha, beta);
                let sound = if result <= alpha {
                    failed[0] += 1;
                    value <= result
                } else if result >= beta {
                    failed[1] += 1;
                    value >= result
                } else {
                    value == result
                };
                assert!(sound, "{name} says {result} of {value} in ({alpha}, {beta}), tree {seed}");
            }
        }
    }
    assert!(failed.iter().all(|&n| n > 10_000), "windows that failed low and high: {failed:?}");
}

#[test]
fn null_window_searches_compare_with_the_value() {
    for (seed, tree) in forest(2000).enumerate() {
        let (tree, root) = (&&tree, &&tree);
        let value = negamax(tree, root);
        for bound in value - 3..=value + 3 {
            let answer = null_window(tree, root, bound);
            assert_eq!(answer >= bound, value >= bound, "tree {seed}, {bound}");
            assert!(if answer >= bound { answer <= value } else { answer >= value });
            assert_eq!(answer, alpha_beta_fail_soft(tree, root, bound - 1, bound));
            assert_eq!(exceeds(tree, root, bound), value > bound, "tree {seed}, {bound}");
        }
    }
}

/// Children worth +2 and +3, window (+5, +6).
#[test]
fn fail_soft_returns_tight_bounds() {
    let tree = &ExplicitTree::inner([ExplicitTree::Leaf(-2), ExplicitTree::Leaf(-3)]);
    for (name, search) in fail_soft_searches() {
        assert_eq!(search(&tree, &tree, 5, 6), 3, "{name}");
    }
    assert_eq!(null_window(&tree, &tree, 6), 3);
    assert_eq!(alpha_beta_fail_hard(&tree, &tree, 5, 6), 5);
    // The same one ply up, where it is a window that fails high.
    let tree = &ExplicitTree::inner([tree.clone()]);
    for (name, search) in fail_soft_searches() {
        assert_eq!(search(&tree, &tree, -6, -5), -3, "{name}");
    }
    assert_eq!(null_window(&tree, &tree, -5), -3);
    assert_eq!(alpha_beta_fail_hard(&tree, &tree, -6, -5), -5);
}

/// The first move is worth +5, so the second gets the window (+5, +6).
#[test]
fn only_a_better_move_inside_the_window_is_searched_again() {
    let leaf = ExplicitTree::Leaf;
    // The value of the second move, the windows it gets in a root window (-20, +9), and the result.
    type Case = (Value, &'static [(Value, Value)], Value);
    const NULL: (Value, Value) = (-6, -5);
    const CASES: [Case; 6] = [
        (4, &[NULL], 5),
        (5, &[NULL], 5),
        (6, &[NULL, (-9, -5)], 6),
        (8, &[NULL, (-9, -5)], 8),
        (9, &[NULL], 9),
        (12, &[NULL], 12),
    ];
    for (second, windows, expected) in CASES {
        let tree = &ExplicitTree::inner([leaf(-5), leaf(-second), leaf(100)]);
        let mut visits = Vec::new();
        let value = negascout_from_best(&tree, &tree, -20, 9, &mut |node, alpha, beta| {
            visits.push(((*node).clone(), alpha, beta));
        });
        assert_eq!(value, expected, "second move {second}");
        let mut all = vec![(tree.clone(), -20, 9), (leaf(-5), -9, 20)];
        all.extend(windows.iter().map(|&(alpha, beta)| (leaf(-second), alpha, beta)));
        if expected < 9 {
            all.push((leaf(100), -expected - 1, -expected));
        }
        assert_eq!(visits, all, "second move {second}");
    }
}

#[test]
fn best_children_are_exactly_those_of_the_minimax_value() {
    for (seed, tree) in forest(3000).enumerate() {
        let ExplicitTree::Inner { children, .. } = &tree else { continue };
        let values: Vec<_> = children.iter().map(|child| -negamax(&&tree, &child)).collect();
        let (value, indices) = best_children(&&tree, &&tree);
        assert_eq!(Some(&value), values.iter().max(), "tree {seed}");
        let best: Vec<_> = (0..values.len()).filter(|&i| values[i] == value).collect();
        assert_eq!(indices, best, "tree {seed}");
    }
}

/// Knuth & Moore 1975: b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves, and no search needs fewer.
#[test]
fn perfect_order_gives_the_minimal_tree() {
    for depth in 0..=6_u32 {
        for branching in 1..=if depth > 4 { 4 } else { 6_u64 } {
            let minimal = branching.pow(depth.div_ceil(2)) + branching.pow(depth / 2) - 1;
            for (low, high) in VALUES {
                let random = &mut Random::new(branching << 8 | u64::from(depth));
                let tree = ExplicitTree::uniform(random, branching as u32, depth, low..=high);
                let ordered = perfectly_ordered(&tree);
                for algorithm in Algorithm::ALL {
                    let unordered = leaves(algorithm, &tree);
                    assert!(unordered >= minimal, "{}", algorithm.name());
                    let expected = match algorithm {
                        Algorithm::NegaMax => branching.pow(depth),
                        Algorithm::AlphaBetaFailHard
                        | Algorithm::AlphaBetaFailSoft
                        | Algorithm::Pab
                        | Algorithm::Pvs
                        | Algorithm::PvsOneFunction
                        | Algorithm::NegaScoutFailHard
                        | Algorithm::NegaScout
                        | Algorithm::MonomiNegaScout
                        | Algorithm::Scout
                        | Algorithm::Sss
                        | Algorithm::AbSss => minimal,
                        // These algorithms approach the value from afar: good order does not help.
                        Algorithm::MtdF | Algorithm::Dual => continue,
                    };
                    let name = algorithm.name();
                    assert_eq!(
                        leaves(algorithm, ordered.clone()),
                        expected,
                        "{name} {branching}^{depth}"
                    );
                }
            }
        }
    }
}

#[test]
fn negascout_needs_no_more_than_alpha_beta_in_perfect_order() {
    for (seed, tree) in forest(2000).enumerate() {
        let ordered = perfectly_ordered(&tree);
        let alpha_beta = leaves(Algorithm::AlphaBetaFailSoft, ordered.clone());
        for algorithm in [
            Algorithm::NegaScout,
            Algorithm::MonomiNegaScout,
            Algorithm::Pvs,
            Algorithm::PvsOneFunction,
        ] {
            assert!(
                leaves(algorithm, ordered.clone()) <= alpha_beta,
                "{} {seed}",
                algorithm.name()
            );
        }
    }
}

#[test]
fn both_forms_of_pvs_visit_the_same_nodes() {
    let mut spared = 0;
    for (seed, tree) in forest(3000).enumerate() {
        let visited =
            |algorithm: Algorithm| Watched::leaves_of(&tree, |tree| algorithm.search(tree));
        let [two, one] = [Algorithm::Pvs, Algorithm::PvsOneFunction].map(visited);
        assert_eq!(two, one, "PVS in its two forms, tree {seed}");
        let [hard, soft] =
            [Algorithm::AlphaBetaFailHard, Algorithm::AlphaBetaFailSoft].map(visited);
        assert_eq!(hard, soft, "fail-hard and fail-soft, tree {seed}");
        let negascout = visited(Algorithm::NegaScout);
        assert!(negascout.len() <= one.len(), "no re-search in the last two plies, tree {seed}");
        spared += one.len() - negascout.len();
    }
    assert!(spared > 0, "the exception must have spared some leaves");
}

/// Stockman 1979, Campbell & Marsland 1983: SSS* evaluates no leaf that alpha-beta does not.
/// Plaat et al. 1996: AB-SSS* evaluates the leaves of SSS* in the same order.
#[test]
fn sss_dominates_alpha_beta_and_is_alpha_beta() {
    let mut fewer = 0;
    for (seed, tree) in forest(3000).enumerate() {
        let visited =
            |algorithm: Algorithm| Watched::leaves_of(&tree, |tree| algorithm.search(tree));
        let [sss, ab_sss, alpha_beta] =
            [Algorithm::Sss, Algorithm::AbSss, Algorithm::AlphaBetaFailSoft].map(visited);
        assert_eq!(sss, ab_sss, "tree {seed}");
        let set: HashSet<_> = sss.iter().collect();
        assert_eq!(set.len(), sss.len(), "SSS* evaluates no leaf twice, tree {seed}");
        assert!(set.is_subset(&alpha_beta.iter().collect()), "tree {seed}");
        fewer += u32::from(sss.len() < alpha_beta.len());
    }
    assert!(fewer > 500, "SSS* was ahead on {fewer} trees only");
}

/// Positions to search, with a depth that leaves minimax some 100,000 leaves at most: openings and
/// middlegames with full hands, a king in the field, and tsume with one king.
const SHOGI: [(&str, u32); 8] = [
    ("startpos", 3),
    ("1n1gk2nl/1Bsr3s1/lp2ppgpp/p1pp2p2/7P1/P1P6/1PNPPPP1P/1SKG2SR1/L4G1NL w b 24", 3),
    ("2s3snl/l1rg2g2/p2+N1p3/1p2p1p1p/2pkb2p1/2P2PG2/PPRPP1PPP/LBG1K4/1N2S1SNL b P 43", 3),
    ("1ks2+P2b/4+Lg3/PN2sl+Bp+P/1p5RP/1ggP1p1N1/4PP2p/l1K3SPn/2PSR+p2L/4G3N b 4P 187", 3),
    ("1n1gk2nl/1r3sg2/2pppp1p1/sp4p1p/9/2P3P1P/1PSPPPSP1/7R1/1N1GKG1NL w BLPblp 24", 2),
    ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 2),
    ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 2),
    ("4k4/4G4/4P4/9/9/9/9/9/9 w 2r2b3g4s4n4l17p 2", 2),
];

fn shogi() -> impl Iterator<Item = (Position, u32)> {
    SHOGI.into_iter().map(|(sfen, depth)| (Position::from_sfen(sfen).expect(sfen), depth))
}

#[test]
fn all_agree_on_shogi() {
    for (position, horizon) in shogi() {
        for depth in 0..=horizon {
            let tree = ShogiTree::new(position.clone(), depth, Material);
            let value = negamax(&tree, &tree.root());
            for algorithm in Algorithm::ALL {
                let name = algorithm.name();
                assert_eq!(algorithm.search(&tree), value, "{name}, {position:?}, depth {depth}");
            }
            for (name, search) in fail_soft_searches() {
                let low = search(&tree, &tree.root(), value, value + 1);
                let high = search(&tree, &tree.root(), value - 1, value);
                assert_eq!((low, high), (value, value), "{name}, {position:?}, depth {depth}");
            }
        }
    }
}

/// The memory must distinguish hands and heights: here a pawn may be dropped, lost and passed by, and
/// kings come to the same place by ways of different length.
#[test]
fn the_memory_of_mtd_distinguishes_positions() {
    let sfen = "4k4/4g4/9/9/9/9/PPPP1PPPP/9/4K4 b P 1";
    let position = Position::from_sfen(sfen).expect(sfen);
    for seed in 0..8 {
        let noise = |position: &Position| Random::new(position.key() ^ seed).within(-1000..=1000);
        let tree = ShogiTree::new(position.clone(), 4, noise);
        let value = alpha_beta_fail_soft(&tree, &tree.root(), -INFINITE, INFINITE);
        for guess in [-INFINITE, 0, INFINITE] {
            assert_eq!(mtd(&tree, guess), value, "seed {seed}, first guess {guess}");
        }
    }
}

#[test]
fn root_moves_are_exactly_those_of_the_minimax_value() {
    for (position, depth) in shogi() {
        let tree = ShogiTree::new(position.clone(), depth, Material);
        let values = tree.children(&tree.root()).map(|child| -negamax(&tree, &child));
        let values: Vec<_> = position.legal_moves().into_iter().zip(values).collect();
        // Without a move the side to move is mated.
        let value = values.iter().map(|&(_, value)| value).max().unwrap_or(-MATE);
        let best = values.into_iter().filter(|&(_, v)| v == value).map(|(mv, _)| mv).collect();
        assert_eq!(root_moves(&position, depth, Material), RootMoves { value, best });
    }
}

#[test]
fn mate_values_depend_on_the_distance() {
    let tsume = |index: usize, depth| {
        let (sfen, _) = SHOGI[index];
        root_moves(&Position::from_sfen(sfen).expect(sfen), depth, Material)
    };
    let mate: PackedMove = "G*5b".parse().expect("a move");
    assert_eq!(tsume(6, 2), RootMoves { value: MATE - 1, best: vec![mate] });
    assert_eq!(tsume(7, 2), RootMoves { value: -MATE, best: vec![] });
    // At the horizon mate is not checked.
    assert_ne!(tsume(6, 1).value, MATE - 1);
}

/// A game with another evaluation, another order of moves, and an end of its own: who pushes the
/// pawn before the bishop loses.
struct Odd;

impl Game for Odd {
    fn evaluate(&self, position: &Position, ply: u32) -> Value {
        (position.key() % 1000) as Value + ply as Value
    }

    fn adjudicate(&self, position: &Position, ply: u32) -> Option<Value> {
        position.piece_at(Square::SQ_7F).map(|_| 500 - ply as Value)
    }

    fn moves(&self, position: &Position) -> MoveList {
        let mut moves = position.legal_moves().to_vec();
        moves.reverse();
        let mut list = MoveList::new();
        moves.into_iter().for_each(|mv| list.push(mv));
        list
    }
}

#[test]
fn evaluation_and_rules_can_be_replaced() {
    let position = Position::startpos();
    let by_hand = |mv: PackedMove| {
        let mut position = position.clone();
        position.do_move(mv);
        let value = Odd.adjudicate(&position, 1).unwrap_or_else(|| Odd.evaluate(&position, 1));
        (-value, mv)
    };
    let values: Vec<_> = position.legal_moves().into_iter().map(by_hand).collect();
    let (value, best) = *values.iter().max().expect("30 moves");
    assert_eq!(values.iter().filter(|(v, _)| *v == value).count(), 1, "no tie, by luck");
    assert_eq!(root_moves(&position, 1, Odd), RootMoves { value, best: vec![best] });
    let pushed = values.iter().find(|(_, mv)| mv.to_string() == "7g7f");
    assert_eq!(pushed.map(|(value, _)| *value), Some(-499));

    let tree = ShogiTree::new(position.clone(), 3, Odd);
    let value = Algorithm::NegaMax.search(&tree);
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.search(&tree), value, "{}", algorithm.name());
    }
    let closure = root_moves(&position, 2, |position: &Position| (position.key() % 7) as Value);
    assert!((0..=6).contains(&closure.value) && !closure.best.is_empty());
}
