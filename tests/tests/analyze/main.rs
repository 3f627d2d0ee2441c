//! `monomi analyze`.

mod distributed;
mod drill;
mod game_records;
mod interruptions;
mod long_games;
mod other_programs;
mod positions;
mod shards;
mod stories;
mod verdicts;

use monomi_record::Record;
use serde_json::Value;
use std::path::PathBuf;
use tests::analysis::{analyze, code, rows, stderr};

fn folder(name: &str) -> PathBuf {
    tests::analysis::folder(env!("CARGO_TARGET_TMPDIR"), name)
}

/// The rows that `monomi analyze` prints.
fn jsonl(arguments: &[&str]) -> Vec<Value> {
    let output = analyze(&[&["-o", "-", "-f", "jsonl"], arguments].concat());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    rows(&String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The first record in a file.
fn one(bytes: &[u8]) -> Record {
    monomi_record::read(bytes).expect("a record").records.remove(0)
}
