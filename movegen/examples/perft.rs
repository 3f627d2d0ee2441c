//! Counts the positions below each move: `cargo run --release -p monomi-movegen --example perft -- 5 startpos`

#![allow(clippy::print_stdout)]

use monomi_movegen::{Position, perft};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let depth: u32 = words.next().map_or(Ok(4), |word| word.parse())?;
    let text = words.collect::<Vec<_>>().join(" ");
    let mut position: Position = if text.is_empty() { Position::default() } else { text.parse()? };
    println!("{position}");
    let mut total = 0;
    for mv in position.legal_moves() {
        position.do_move(mv);
        let count = if depth > 1 { perft(&mut position, depth - 1) } else { 1 };
        position.undo_move();
        println!("{mv}: {count}");
        total += count;
    }
    println!("{total}");
    Ok(())
}
