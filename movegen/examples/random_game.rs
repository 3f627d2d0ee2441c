//! Plays a game of random moves by the rules, to its end or 1,000 moves:
//! `cargo run --release -p monomi-movegen --example random_game -- 7`

#![allow(clippy::print_stdout)]

use monomi_movegen::{EnteringKingRule, Position, Random};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |word| word.parse())?;
    let mut random = Random::new(seed);
    let mut position = Position::startpos();
    while position.ply() <= 1_000 {
        if let Some(outcome) = position.outcome() {
            println!("{position}\n{outcome:?}");
            return Ok(());
        }
        if position.declaration(EnteringKingRule::Csa27).is_some() {
            println!("{position}\nthe side to move can declare a win");
            return Ok(());
        }
        // There is a legal move, or the game would have ended.
        let Some(mv) = random.choose(&position.legal_moves()) else { break };
        position.play(mv)?;
    }
    println!("{position}\n1,000 moves");
    Ok(())
}
