//! Shows a record of any format move by move, and as CSA:
//! `cargo run -p monomi-record --example convert -- game.kif`

#![allow(clippy::print_stdout)]

use monomi_record::{Encoding, notation, read, write};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let file = read(&std::fs::read(&path)?)?;
    for record in &file.records {
        let [black, white] = record.players();
        println!("{black} - {white}, {} moves", record.moves.len());
        for (position, played) in record.positions().zip(&record.moves) {
            let name = notation::name(&position, played.mv).unwrap_or_default();
            println!("{:4} {name} {}", position.ply(), notation::western(&position, played.mv));
        }
        for fault in &record.faults {
            println!("line {}: {}", fault.line, fault.reason);
        }
        println!("{}", write::csa(record, Encoding::Utf8));
    }
    Ok(())
}
