//! Mate in one compared with its definition: a legal move after which the opponent is in check and has
//! no legal move.

use monomi_movegen::{PackedMove, Position};
use tests::data;
use tests::games::visit_random_positions;

fn mates(position: &mut Position, mv: PackedMove) -> bool {
    position.do_move(mv);
    let mate = position.in_check() && !position.has_legal_move();
    position.undo_move();
    mate
}

/// Compares with the definition and says whether there is a mate.
fn check(position: &mut Position) -> bool {
    let found = position.mate_in_one();
    let mut expected = position.legal_moves().to_vec();
    expected.retain(|&mv| mates(position, mv));
    match found {
        Some(mv) => assert!(expected.contains(&mv), "{mv} in {}", position.to_sfen()),
        None => assert!(expected.is_empty(), "{expected:?} in {}", position.to_sfen()),
    }
    found.is_some()
}

fn check_all(file: &str, expected: bool, lines: usize) {
    let Some(text) = data::shared(file) else { return };
    let mut count = 0;
    for line in data::lines(&text) {
        let mut position = Position::from_sfen(line).unwrap();
        assert_eq!(check(&mut position), expected, "{line}");
        count += 1;
    }
    assert_eq!(count, lines);
}

#[test]
fn every_shared_mate_is_found() {
    check_all("mate/mate1.sfen", true, 1568);
}

#[test]
fn no_mate_is_found_where_there_is_none() {
    check_all("mate/no_mate1.sfen", false, 1574);
}

/// Positions of one idea each, whether there is a mate decided by hand (and by `check`).
#[test]
fn ideas() {
    for (sfen, mate) in [
        // Gold on the head, protected by a pawn; without the pawn the king takes it.
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", true),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", false),
        // The same by white, and from a side without a king.
        ("4k4/9/9/9/9/9/4p4/9/4K4 w g 1", true),
        ("4k4/9/4P4/9/9/9/9/9/9 b G 1", true),
        // No king to mate.
        ("9/9/4P4/9/9/9/9/9/4K4 b G 1", false),
        // A pawn drop must not mate, a pawn's step may.
        ("3lkl3/3n1n3/4G4/9/9/9/9/9/4K4 b P 1", false),
        ("3lkl3/3n1n3/4P4/4L4/9/9/9/9/4K4 b - 1", true),
        // A smothered king, by the drop of a knight; a silver would take it.
        ("7nk/7nl/9/9/9/9/9/9/4K4 b N 1", true),
        ("7nk/7sl/9/9/9/9/9/9/4K4 b N 1", false),
        // From afar: nothing can come between, then a pawn can, then it must not: the file has one.
        ("k8/9/1G7/9/9/9/9/9/8K b R 1", true),
        ("k8/9/1G7/9/9/9/9/9/8K b Rp 1", false),
        ("k8/9/1G7/9/9/1p7/9/9/8K b Rp 1", true),
        // A dragon from afar covers the flight squares on both sides of its line; a rook does not.
        ("3lkl3/9/8R/9/9/9/9/9/4K4 b - 1", true),
        ("3lkl3/9/8+R/9/9/9/9/9/4K4 b - 1", true),
        ("3lkl3/9/9/4p4/8R/9/9/9/4K4 b - 1", false),
        ("4k4/9/9/9/9/9/8r/9/3LKL3 w - 1", true),
        // Only the unpromoted lance mates.
        ("3lkl3/3n1n3/4p4/4L4/9/9/9/9/4K4 b - 1", true),
        // A gold takes the dropped one, unless it is pinned.
        ("3gk4/9/4P4/9/9/9/9/9/4K4 b G 1", false),
        ("R2gk4/9/4P4/9/9/9/9/9/4K4 b G 1", true),
        // Out of check: the checker's capture mates.
        ("4k4/4b4/4P4/4L4/9/8K/9/9/9 b - 1", true),
        ("4k4/4b4/4P4/4L4/8r/8K/9/9/9 b - 1", false),
    ] {
        let mut position = Position::from_sfen(sfen).unwrap();
        let found = check(&mut position);
        assert_eq!(found, mate, "{sfen}");
    }
}

#[test]
fn random_games() {
    let starts = [
        "startpos",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/4S4/9/2B3R2/9/4L4/9/4K4 b 2G2Prbgsnlp 1",
        "8k/9/9/9/9/9/9/9/K8 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
        // Hands that cannot come between, so that mates from afar count.
        "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S 1",
        // Kings near each other: evasions that mate.
        "9/9/4k4/9/4K4/9/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "ln1gk1snl/1r1sg2b1/p1pppp1pp/9/9/9/PP1PPPP1P/1B5R1/LNSGKGSNL b 2P2p 1",
    ];
    let count = if data::full() { 400_000 } else { 20_000 };
    let (mut all, mut mates, mut evasions) = (0, 0, 0);
    for (seed, sfen) in (400..).zip(starts) {
        let start = Position::from_sfen(sfen).unwrap();
        visit_random_positions(&start, seed, 100, count / starts.len(), |position| {
            let found = check(position);
            all += 1;
            mates += usize::from(found);
            evasions += usize::from(found && position.in_check());
        });
    }
    tests::report(&format!("{all} positions, {mates} mates, {evasions} of them out of check"));
    assert!(mates > 500 && evasions > 0);
}
