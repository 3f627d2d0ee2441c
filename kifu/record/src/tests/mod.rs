//! Whole files: what other programs write, and damaged games.

mod damage;
mod other_programs;
mod spellings;

use crate::read::read_text;
use crate::record::Record;

fn moves(record: &Record) -> String {
    let moves: Vec<String> = record.moves.iter().map(|played| played.mv.to_string()).collect();
    moves.join(" ")
}

fn games(text: &str) -> Vec<Record> {
    read_text(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn one(text: &str) -> Record {
    let mut records = games(text);
    assert_eq!(records.len(), 1, "{text}");
    records.remove(0)
}

/// The only game of a text, read without a fault.
fn good(text: &str) -> Record {
    let record = one(text);
    assert!(record.faults.is_empty(), "{}: {text}", record.faults[0]);
    record
}
