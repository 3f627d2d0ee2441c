//! The number of nodes that each textbook search needs on shogi, compared with the textbooks' claims.
//!
//! `cargo bench -p benches --bench search_algorithms [-- DEPTH]`, default 4 plies. All numbers and
//! verdicts are computed in the run; it stops if the searches of a position disagree on its value.
#![allow(clippy::print_stdout, reason = "a report for the terminal")]

mod claims;
mod field;
mod measured;

use field::{Order, POSITIONS};
use measured::Measured;
use std::time::Instant;
use tests::oracles::Algorithm;

fn main() -> Result<(), String> {
    let mut depth = 4;
    // Cargo adds an argument of its own.
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        depth = match argument.parse() {
            Ok(plies @ 1..=6) => plies,
            _ => return Err(format!("`{argument}` is no depth from 1 to 6 plies")),
        };
    }
    let start = Instant::now();
    let measured = Measured::new(depth);
    println!("The textbooks' searches on shogi: {} positions, {depth} plies.", POSITIONS.len());
    println!("Evaluation: material, 100 to a pawn, and 3 for each rank advanced. Order of moves:");
    for order in Order::ALL {
        println!("  {:9} {}", order.name(), order.meaning());
    }
    println!("What the orders cost is not counted. All searches agree on all values.\n");
    nodes_table(&measured);
    claims::report(&measured);
    println!("\n{:.0} seconds", start.elapsed().as_secs_f64());
    Ok(())
}

/// Nodes visited by algorithm and order, and what that is in percent of fail-soft alpha-beta.
fn nodes_table(measured: &Measured) {
    println!("Nodes visited in all positions, and percent of fail-soft alpha-beta in that order:");
    print!("{:22}", "");
    for order in Order::ALL {
        print!("{:>12}      %", order.name());
    }
    println!();
    for algorithm in Algorithm::ALL {
        print!("{:22}", algorithm.name());
        for order in Order::ALL {
            let nodes = measured.nodes(order, algorithm);
            let percent = 100.0 * nodes / measured.nodes(order, Algorithm::AlphaBetaFailSoft);
            print!("{nodes:12.0} {percent:6.0}");
        }
        println!();
    }
}
