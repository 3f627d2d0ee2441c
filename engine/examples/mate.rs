//! Solves a mate problem: `cargo run --release -p monomi-engine --example mate -- SFEN`

#![allow(clippy::print_stdout)]

use monomi_engine::{MateAnswer, MateLimits, MateSolver, read_position};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let problem = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1".to_owned();
    let root = read_position(&if words.is_empty() { problem } else { words.join(" ") })?;

    let mut solver = MateSolver::new(64);
    let limits = MateLimits::default().with_nodes(1_000_000);
    let result = solver.solve(&root, &limits, &|| false);
    match result.answer {
        MateAnswer::Mate(line) => {
            let moves: Vec<String> = line.iter().map(ToString::to_string).collect();
            println!("mate in {}: {}", line.len(), moves.join(" "));
        }
        MateAnswer::NoMate => println!("no mate"),
        MateAnswer::Unknown => println!("unknown after {} nodes", result.nodes),
    }
    Ok(())
}
