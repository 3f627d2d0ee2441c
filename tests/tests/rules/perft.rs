//! Perft: the number of legal move sequences compared with counts computed by two other libraries.
//!
//! By default only depths of at most two million nodes are counted; `MONOMI_FULL=1 cargo test
//! --release -p tests --test rules perft` counts all of them.

use monomi_movegen::{Position, perft};
use tests::data;

const TABLE: &str = include_str!("../../data/perft.tsv");
const CHEAP: u64 = 2_000_000;

fn table() -> Vec<(&'static str, Vec<u64>)> {
    data::lines(TABLE)
        .map(|line| {
            let (sfen, counts) = line.split_once('\t').expect("sfen, tab, counts");
            (sfen, counts.split(' ').map(|n| n.parse().expect("a count")).collect())
        })
        .collect()
}

#[test]
fn counts_agree_with_the_table() {
    let table = table();
    assert_eq!(table.len(), 37);
    let mut checked = 0;
    for (sfen, counts) in &table {
        let mut position = Position::from_sfen(sfen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            if count <= CHEAP || data::full() {
                assert_eq!(perft(&mut position, depth), count, "depth {depth} of {sfen}");
                checked += 1;
            }
        }
        assert_eq!(&position.to_sfen(), sfen, "perft left the position as it was");
    }
    assert!(checked >= 100, "only {checked} counts");
}

#[test]
fn the_table_agrees_with_the_shared_table() {
    let Some(shared) = data::shared("perft/perft.jsonl") else { return };
    for (line, (sfen, counts)) in shared.lines().zip(table()) {
        let numbers: Vec<String> = counts.iter().map(u64::to_string).collect();
        let expected = format!("{{\"sfen\": \"{sfen}\", \"nodes\": [{}]}}", numbers.join(", "));
        assert_eq!(line, expected);
    }
    assert_eq!(shared.lines().count(), table().len());
}
