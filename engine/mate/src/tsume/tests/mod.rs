//! Comparisons with a plain AND-OR search that has no table, no deepening and its own code for
//! checks and captures.

mod checks;
mod made;
mod oracle;
mod positions;

use crate::MateLimits;
use crate::tsume::{Solution, TsumeAnswer, TsumeResult, TsumeRules, TsumeSolver};
use monomi_movegen::{PackedMove, Position};
use oracle::Oracle;
use positions::small_positions;

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn solve(sfen: &str, rules: TsumeRules, plies: Option<u16>) -> TsumeResult {
    let limits = MateLimits { plies, ..MateLimits::default() };
    TsumeSolver::new(16, rules).solve(&position(sfen), &limits, &|| false)
}

fn solution(sfen: &str) -> Solution {
    match solve(sfen, TsumeRules::default(), None).answer {
        TsumeAnswer::Mate(solution) => solution,
        other => panic!("{sfen}: {other:?}"),
    }
}

fn text(line: &[PackedMove]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Lengths of small random positions, by both rules, and the main line move by move: each of the
/// attacker's moves is a shortest mate, each reply a longest defence, and no other such line leaves
/// fewer pieces.
#[test]
fn lengths_and_lines_equal_those_of_a_plain_search() {
    const PLIES: u16 = 5;
    let (mut mates, mut useless) = (0, 0);
    for root in small_positions(1, 300) {
        let mut of_rules = [None, None];
        for (keep_useless, found) in [true, false].into_iter().zip(&mut of_rules) {
            let sfen = root.to_sfen();
            let oracle = Oracle::new(keep_useless);
            let expected = oracle.attack(&root, PLIES);
            *found = expected;
            let result = solve(&sfen, TsumeRules { keep_useless }, Some(PLIES));
            match (expected, &result.answer) {
                (Some(length), TsumeAnswer::Mate(solution)) => {
                    assert_eq!(solution.line.len(), length as usize, "{sfen}");
                    assert!(solution.shortest && result.at_least == length, "{sfen}");
                    let left = oracle.follow(&root, length, &solution.line);
                    let fewest = oracle.fewest_left(&root, true, length);
                    assert_eq!(left, fewest, "{sfen}: {}", text(&solution.line));
                    mates += 1;
                }
                (None, TsumeAnswer::NoMate) => assert!(result.at_least > PLIES, "{sfen}"),
                (expected, found) => panic!("{sfen}: {found:?}, not {expected:?}"),
            }
        }
        useless += u32::from(of_rules[0] != of_rules[1]);
    }
    assert!(mates > 50 && useless > 2, "{mates} mates, {useless} with useless interpositions");
}

/// The same with three threads from the first nodes on.
#[test]
fn lengths_of_threads_equal_those_of_a_plain_search() {
    let (mut mates, mut others) = (0, 0);
    let mut solver = TsumeSolver::with_threads(2, 3, TsumeRules::default());
    solver.first_nodes = 10;
    for root in small_positions(3, 120) {
        let sfen = root.to_sfen();
        let oracle = Oracle::new(false);
        // The search for any mate, which comes first, takes all nodes if there is none.
        let limits = MateLimits { plies: Some(5), nodes: Some(8_000), deadline: None };
        let result = solver.solve(&root, &limits, &|| false);
        let decided = match &result.answer {
            TsumeAnswer::Mate(solution) => solution.shortest,
            TsumeAnswer::NoMate => true,
            TsumeAnswer::Unknown => false,
        };
        if !decided {
            continue;
        }
        match (oracle.attack(&root, 5), &result.answer) {
            (Some(length), TsumeAnswer::Mate(solution)) => {
                assert_eq!(solution.line.len(), length as usize, "{sfen}");
                assert!(solution.shortest && result.at_least == length, "{sfen}");
                let left = oracle.follow(&root, length, &solution.line);
                assert_eq!(left, oracle.fewest_left(&root, true, length), "{sfen}");
                mates += 1;
            }
            (None, TsumeAnswer::NoMate) => others += 1,
            (expected, found) => panic!("{sfen}: {found:?}, not {expected:?}"),
        }
    }
    assert!(mates > 10 && others > 10, "{mates} mates, {others} without");
    // More nodes than a thread counts at a time, and limits.
    let root = position("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1");
    let result = solver.solve(&root, &MateLimits::default(), &|| false);
    assert!(matches!(&result.answer, TsumeAnswer::Mate(it) if it.line.len() == 11 && it.shortest));
    let limits = MateLimits { nodes: Some(2_000), ..MateLimits::default() };
    let result = solver.solve(&root, &limits, &|| false);
    assert!(result.at_least <= 11 && result.nodes < 5_000, "{result:?}");
    let result = solver.solve(&root, &MateLimits::default(), &|| true);
    assert_eq!(result.answer, TsumeAnswer::Unknown);
    assert!(solver.bytes() <= 2 << 20);
}

/// The same with the defender to move, and with a table of the smallest size.
#[test]
fn a_small_table_and_the_defender_to_move() {
    let mut mates = 0;
    for root in small_positions(2, 60) {
        let sfen = root.to_sfen();
        let oracle = Oracle::new(false);
        for check in oracle.checks(&root) {
            let mut after = root.clone();
            after.do_move(check);
            let expected = oracle.defend(&after, 4);
            let mut solver = TsumeSolver::new(1, TsumeRules::default());
            let limits = MateLimits { plies: Some(4), ..MateLimits::default() };
            let result = solver.solve(&after, &limits, &|| false);
            match (expected, result.answer) {
                (Some(length), TsumeAnswer::Mate(solution)) => {
                    assert_eq!(solution.line.len(), length as usize, "{sfen} {check}");
                    mates += 1;
                }
                (None, TsumeAnswer::NoMate) => {}
                (expected, found) => panic!("{sfen} {check}: {found:?}, not {expected:?}"),
            }
        }
    }
    assert!(mates > 10, "{mates}");
}

/// A problem of 11 plies: the search for any mate finds it, the limits end the exact search.
#[test]
fn a_mate_of_unproven_length_keeps_the_limit_of_plies() {
    let root = position("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1");
    let mut solver = TsumeSolver::new(2, TsumeRules::default());
    solver.first_nodes = 10;
    let mut unproven = 0;
    for nodes in (100..2_000).step_by(100) {
        let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
        let result = solver.solve(&root, &limits, &|| false);
        unproven += u32::from(matches!(result.answer, TsumeAnswer::Mate(it) if !it.shortest));
        let limits = MateLimits { plies: Some(9), ..limits };
        let result = solver.solve(&root, &limits, &|| false);
        assert!(!matches!(result.answer, TsumeAnswer::Mate(_)), "{nodes} nodes: {result:?}");
    }
    assert!(unproven > 0, "the exact search was always complete");
}

/// Positions that other programs have got wrong (komori-n/KomoringHeights issue 8,
/// sugyan/tsumeshogi-solver issues 13 and 20, hkijin/shtsume issues 14 to 16).
#[test]
fn useless_interpositions_that_people_have_reported() {
    for (sfen, plies) in [
        ("9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1", 3),
        ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1),
        ("1p4g+b1/3l2gks/4sn2s/3pn1S1g/2pn1pl1l/2n1p1p2/R6g1/KR7/B6L1 b 12p 1", 1),
        ("9/6Spk/9/5R1+B1/9/9/9/9/9 b Nrb4g3s3n4l17p 1", 5),
        ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1),
        ("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", 11),
        ("3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 1),
        ("3+R3nk/9/5p1G1/9/9/9/8p/9/8L b 16p3l3n4s3g2br 1", 1),
        ("8k/R8/g5N1b/5R3/6+b2/8L/9/9/9 b 3g4s3n3l18p 1", 1),
    ] {
        assert_eq!(solution(sfen).line.len(), plies, "{sfen}");
    }
    // An interposition far from the king that saves it.
    for sfen in [
        "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1",
        "4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s3n3l17p 1",
    ] {
        assert_eq!(solve(sfen, TsumeRules::default(), Some(3)).answer, TsumeAnswer::NoMate);
    }
}

#[test]
fn limits_are_kept_and_nothing_is_claimed() {
    let sfen = "6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1";
    let limits = MateLimits { nodes: Some(500), ..MateLimits::default() };
    let mut solver = TsumeSolver::new(1, TsumeRules::default());
    let result = solver.solve(&position(sfen), &limits, &|| false);
    assert_eq!(result.answer, TsumeAnswer::Unknown);
    assert!(result.nodes <= 500 && result.at_least <= 11, "{result:?}");
    // Long enough for a mate, too short for the proof that it is the shortest.
    let limits = MateLimits { nodes: Some(230_000), ..MateLimits::default() };
    let sfen = "l4gknl/3g2s2/pB2pp1pp/3P5/2P6/4s3P/P3sPPP1/1P4K2/L5GNL w RGN3Prbsn2p 84";
    let result = solver.solve(&position(sfen), &limits, &|| false);
    let TsumeAnswer::Mate(solution) = result.answer else { panic!("{result:?}") };
    assert!(!solution.shortest && result.at_least > 5, "{solution:?}");
    assert_eq!(crate::dfpn::verify(&position(sfen), &solution.line), Ok(()));
    // Stopped at once.
    let result = solver.solve(&position(sfen), &MateLimits::default(), &|| true);
    assert_eq!(result.answer, TsumeAnswer::Unknown);
    assert!(solver.bytes() <= 1 << 20);
}

/// The other first moves are those that mate by the plain search, with its lengths.
#[test]
fn other_first_moves_equal_those_of_a_plain_search() {
    let oracle = Oracle::new(false);
    let mut others = 0;
    for root in small_positions(5, 150) {
        let Some(1 | 3) = oracle.attack(&root, 3) else { continue };
        let mut solver = TsumeSolver::new(1, TsumeRules::default());
        let limits = MateLimits::default();
        let result = solver.solve(&root, &limits, &|| false);
        let TsumeAnswer::Mate(solution) = result.answer else { panic!("{}", root.to_sfen()) };
        // Enough for the short ones.
        let limits = MateLimits { nodes: Some(50_000), ..limits };
        let found = solver.other_first_moves(&root, &solution, 99, &limits, &|| false);
        let lengths: Vec<usize> = found.iter().map(|other| other.line.len()).collect();
        assert!(lengths.is_sorted(), "{lengths:?}");
        for check in oracle.checks(&root).into_iter().filter(|&mv| mv != solution.line[0]) {
            let mut after = root.clone();
            after.do_move(check);
            let known = found.iter().find(|other| other.line[0] == check);
            let known = known.map(|other| other.line.len() as u16 - 1).filter(|&plies| plies <= 2);
            assert_eq!(known, oracle.defend(&after, 2), "{} {check}", root.to_sfen());
            others += u32::from(known.is_some());
        }
    }
    assert!(others > 0, "{others}");
}
