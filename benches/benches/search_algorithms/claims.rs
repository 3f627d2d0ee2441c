//! Claims of the textbooks and measurements.

use crate::field::{Field, Order, tree};
use crate::measured::{Measured, minimax, positions};
use monomi_movegen::Position;
use tests::oracles::Algorithm::{
    AlphaBetaFailHard, AlphaBetaFailSoft, MtdF, NegaScout, NegaScoutFailHard, Pvs, PvsOneFunction,
    Sss,
};
use tests::oracles::minimax::{alpha_beta_fail_hard, alpha_beta_fail_soft};
use tests::oracles::mtd::converge;
use tests::oracles::{
    Algorithm, Count, Counted, GameTree, INFINITE, Material, ShogiTree, WindowSearch,
};

/// Prints each claim with its measurement.
pub fn report(measured: &Measured) {
    minimal_tree(measured);
    negascout_below_alpha_beta(measured);
    fail_soft_costs_nothing(measured);
    fail_soft_bounds_are_closer(measured.depth.min(3));
    fail_soft_helps(measured);
    pvs_in_two_forms(measured);
    sss_below_alpha_beta(measured);
    mtd_below_negascout(measured);
    depth_in_minimax_nodes(measured.depth);
}

fn claim(text: &str) {
    println!("\n{text}");
}

/// Compares what two algorithms visited, order by order: the first's nodes as percent of the
/// second's, and in how many runs it needed no more.
fn compare(measured: &Measured, orders: &[Order], pair: [Algorithm; 2]) {
    for &order in orders {
        let runs: Vec<_> = measured.side_by_side(order, pair).collect();
        let no_more = runs.iter().filter(|[a, b]| a.nodes <= b.nodes).count();
        let all = 100.0 * measured.nodes(order, pair[0]) / measured.nodes(order, pair[1]);
        let ratios = runs.iter().map(|[a, b]| (a.nodes as f64 / b.nodes as f64).ln());
        let typical = 100.0 * (ratios.sum::<f64>() / runs.len() as f64).exp();
        let (name, runs) = (order.name(), runs.len());
        println!(
            "  {name:9} {all:4.0}% of all nodes, {typical:4.0}% in the geometric mean, \
             no more in {no_more} of {runs} runs"
        );
    }
}

fn minimal_tree(measured: &Measured) {
    claim("Knuth & Moore: in perfect order alpha-beta evaluates b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves.");
    let depth = measured.depth;
    let mut expected = 0.0;
    for position in positions() {
        let branching = (minimax(&position, depth).leaves as f64).powf(1.0 / f64::from(depth));
        expected += minimal(branching, depth);
    }
    for order in Order::ALL {
        let runs: Vec<_> = measured.side_by_side(order, [AlphaBetaFailSoft; 2]).collect();
        let seeds = order.with_seeds().count() as f64;
        let leaves = runs.iter().map(|[a, _]| a.leaves as f64).sum::<f64>() / seeds;
        let name = order.name();
        println!("  {name:9} {leaves:9.0} leaves, {:6.2} times the formula's", leaves / expected);
    }
    println!("  (b is the d-th root of each position's leaves: its tree is not uniform.)");
}

fn negascout_below_alpha_beta(measured: &Measured) {
    let pair = [NegaScout, AlphaBetaFailSoft];
    claim("Reinefeld: NegaScout visits no more than alpha-beta when moves are well ordered.");
    compare(measured, &[Order::Perfect, Order::Shallow], pair);
    claim("When they are not, searching again may cost more than null windows save.");
    compare(measured, &[Order::Captures, Order::Shuffled], pair);
}

fn fail_soft_costs_nothing(measured: &Measured) {
    claim("Fishburn: fail-soft alpha-beta visits exactly what fail-hard visits.");
    same_counts(measured, [AlphaBetaFailSoft, AlphaBetaFailHard]);
}

fn pvs_in_two_forms(measured: &Measured) {
    claim("Marsland: PVS in one function visits exactly what it visits in two.");
    same_counts(measured, [PvsOneFunction, Pvs]);
}

fn same_counts(measured: &Measured, pair: [Algorithm; 2]) {
    let runs = Order::ALL.into_iter().flat_map(|order| measured.side_by_side(order, pair));
    let same: Vec<_> = runs.map(|[a, b]| a == b).collect();
    println!("  the same in {} of {} runs", same.iter().filter(|&&same| same).count(), same.len());
}

/// Null windows that miss the value by a pawn, a silver and a rook on either side.
fn fail_soft_bounds_are_closer(depth: u32) {
    claim("Fishburn: when the window misses the value, fail-soft's bound is closer to it.");
    println!("  {depth} plies, captures; the bound is off, in the mean of all positions, by");
    for distance in [100, 500, 1000] {
        let mut off = [0; 2];
        for position in positions() {
            let tree = tree(&position, depth, Field::new(Order::Captures, 0));
            let root = &tree.root();
            let value = alpha_beta_fail_soft(&tree, root, -INFINITE, INFINITE);
            for alpha in [value + distance, value - distance - 1] {
                let bounds = [alpha_beta_fail_hard, alpha_beta_fail_soft]
                    .map(|search| search(&tree, root, alpha, alpha + 1));
                off = [0, 1].map(|i| off[i] + bounds[i].abs_diff(value));
            }
        }
        let [hard, soft] = off.map(|sum| f64::from(sum) / (2 * positions().count()) as f64);
        println!("  {hard:6.1} fail-hard, {soft:6.1} fail-soft when the window is {distance} off");
    }
}

fn fail_soft_helps(measured: &Measured) {
    claim("So NegaScout fail-soft visits no more than fail-hard,");
    compare(measured, &Order::ALL, [NegaScout, NegaScoutFailHard]);
    println!("and null windows from 0 reach the value in fewer tests (material only, 3 plies):");
    for (name, search) in [
        ("fail-hard", alpha_beta_fail_hard as WindowSearch<_>),
        ("fail-soft", alpha_beta_fail_soft),
    ] {
        let [mut tests, mut nodes] = [0, 0];
        for position in positions() {
            let tree = Counted::new(ShogiTree::new(position, 3, Material));
            converge(0, |beta| {
                tests += 1;
                search(&tree, &tree.root(), beta - 1, beta)
            });
            nodes += tree.count().nodes;
        }
        println!("  {name} {tests:5} tests, {nodes:9} nodes");
    }
}

fn sss_below_alpha_beta(measured: &Measured) {
    claim("Stockman; Campbell & Marsland: SSS* evaluates no more leaves than alpha-beta.");
    for order in Order::ALL {
        let runs: Vec<_> = measured.side_by_side(order, [Sss, AlphaBetaFailSoft]).collect();
        let no_more = runs.iter().filter(|[sss, ab]| sss.leaves <= ab.leaves).count();
        let sum = |which: usize| runs.iter().map(|run| run[which].leaves as f64).sum::<f64>();
        let percent = 100.0 * sum(0) / sum(1);
        let (name, runs) = (order.name(), runs.len());
        println!("  {name:9} {percent:4.0}% of all leaves, no more in {no_more} of {runs} runs");
    }
}

fn mtd_below_negascout(measured: &Measured) {
    claim("Plaat et al.: MTD(f) visits fewer nodes than NegaScout.");
    compare(measured, &Order::ALL, [MtdF, NegaScout]);
    println!("  (First guess 0. Only MTD(f) has a memory here, which finds transpositions too.)");
}

/// Positions are left out where minimax visits more.
const AFFORDABLE: u64 = 1_000_000;

/// How deep alpha-beta comes with the nodes that minimax needs for so many plies.
fn depth_in_minimax_nodes(depth: u32) {
    claim("Knuth & Moore: with as many nodes alpha-beta sees about twice as deep as minimax.");
    println!(
        "  plies of alpha-beta in shallow order (and by the formula), one position after another"
    );
    for plies in 1..=depth {
        let affordable = positions().filter(|p| minimax(p, plies).nodes <= AFFORDABLE);
        let reached: Vec<_> = affordable.map(|position| reached(&position, plies)).collect();
        let times = |sum: u32| f64::from(sum) / (reached.len() as u32 * plies) as f64;
        let (measured, ideal) = reached.iter().fold((0, 0), |(a, b), &(c, d)| (a + c, b + d));
        let each: Vec<_> = reached.iter().map(|(a, b)| format!("{a} ({b})")).collect();
        println!(
            "  minimax {plies}: {} = {:.2} ({:.2}) times as deep",
            each.join(" "),
            times(measured),
            times(ideal)
        );
    }
    println!("  (Of shallow trees the formula promises less than twice the depth.)");
}

/// The plies that alpha-beta searches with the nodes of minimax, and those whose minimal tree has
/// no more leaves than that.
fn reached(position: &Position, plies: u32) -> (u32, u32) {
    let Count { nodes: limit, leaves } = minimax(position, plies);
    let measured = (plies..).take_while(|&depth| {
        let field = Field::new(Order::Shallow, 0).limited(limit);
        let tree = Counted::new(tree(position, depth, field));
        alpha_beta_fail_soft(&tree, &tree.root(), -INFINITE, INFINITE);
        tree.count().nodes <= limit
    });
    let branching = (leaves as f64).powf(1.0 / f64::from(plies));
    let ideal = (plies..).take_while(|&depth| minimal(branching, depth) <= limit as f64);
    (measured.last().unwrap_or(0), ideal.last().unwrap_or(0))
}

/// The leaves of the minimal tree.
fn minimal(branching: f64, depth: u32) -> f64 {
    let power = |plies: u32| branching.powi(plies as i32);
    power(depth.div_ceil(2)) + power(depth / 2) - 1.0
}
