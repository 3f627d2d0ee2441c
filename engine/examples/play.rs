//! Plays a move in a position: `cargo run --release -p monomi-engine --example play -- startpos moves 7g7f`

#![allow(clippy::print_stdout)]

use monomi_engine::{
    BestMove, Evaluation, Limits, SearchOptions, Searcher, Signals, Silent, read_position,
};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
    let root = read_position(&text)?;

    // A table of 64 MiB, and the network that is built in.
    let mut searcher = Searcher::new(64, Evaluation::internal())?;
    let limits = Limits::new().with_movetime(Duration::from_secs(1));
    let options = SearchOptions::default();
    let result = searcher.go(&root, &limits, &options, &Signals::default(), &mut Silent);
    match result.best {
        BestMove::Move(best) => println!("{best} ({}, depth {})", result.score, result.depth),
        BestMove::Win => println!("the side to move wins by declaration"),
        BestMove::Resign => println!("the side to move has lost"),
    }
    Ok(())
}
