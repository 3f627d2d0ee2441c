//! Complete lists of legal moves, written by another library (cshogi): forty in every run, all
//! 2,500 where `../shared` is at hand.

use monomi_movegen::Position;
use std::collections::BTreeSet;
use tests::data;

const SAMPLE: &str = include_str!("../../data/legal_moves.tsv");

fn check(line: &str) {
    let (sfen, list) = line.split_once('\t').expect("sfen, tab, moves");
    let position = Position::from_sfen(sfen).unwrap();
    let expected: BTreeSet<String> = list.split_whitespace().map(str::to_owned).collect();
    let moves = position.legal_moves();
    let found: BTreeSet<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{sfen}");
    assert_eq!(moves.len(), found.len(), "a move twice in {sfen}");
    assert_eq!(position.count_legal_moves(), expected.len() as u64, "{sfen}");
    assert_eq!(position.has_legal_move(), !expected.is_empty(), "{sfen}");
}

#[test]
fn sample() {
    assert!(data::lines(SAMPLE).count() >= 40);
    data::lines(SAMPLE).for_each(check);
}

#[test]
fn all_shared_lists() {
    let Some(shared) = data::shared("perft/legal_moves.tsv") else { return };
    assert_eq!(data::lines(&shared).count(), 2500);
    data::lines(&shared).for_each(check);
}
