//! Shows the three best lines of a position: `cargo run --release -p monomi-engine --example analyse -- startpos`

#![allow(clippy::print_stdout)]

use monomi_engine::{Evaluation, Info, Limits, SearchOptions, Searcher, Signals, read_position};
use std::error::Error;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = if words.is_empty() { "startpos".to_owned() } else { words.join(" ") };
    let root = read_position(&text)?;

    let mut searcher = Searcher::new(64, Evaluation::internal())?;
    let limits = Limits::new().with_nodes(300_000);
    let options = SearchOptions::default().with_multi_pv(3);
    // Each line as soon as its iteration is complete.
    let mut show = |info: &Info| {
        let moves: Vec<String> = info.pv.iter().map(ToString::to_string).collect();
        println!("depth {:2}  {}. {}  {}", info.depth, info.multipv, info.score, moves.join(" "));
        ControlFlow::Continue(())
    };
    searcher.go(&root, &limits, &options, &Signals::default(), &mut show);
    Ok(())
}
