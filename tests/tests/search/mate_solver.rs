//! The mate solver compared with brute force; verified lines, bounded memory, prompt stops.

use monomi_mate::{MateAnswer, MateLimits, MateSolver, verify};
use monomi_movegen::{PackedMove, Position};
use std::cell::Cell;
use std::time::Instant;
use tests::data;
use tests::games::{Random, visit_random_positions};
use tests::oracles::mate::{mates_at_all, mates_within};
use tests::report;

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

fn solve(solver: &mut MateSolver, root: &Position, limits: &MateLimits) -> MateAnswer {
    let result = solver.solve(root, limits, &|| false);
    if let MateAnswer::Mate(line) = &result.answer {
        walk(root, line);
    }
    result.answer
}

/// The rules' word on a line, by lists of legal moves alone.
fn walk(root: &Position, line: &[PackedMove]) {
    let mut position = root.clone();
    for (index, &mv) in line.iter().enumerate() {
        assert!(position.legal_moves().contains(&mv), "{line:?} in {}", root.to_sfen());
        position.do_move(mv);
        assert!(index % 2 == 1 || position.in_check(), "{line:?} in {}", root.to_sfen());
    }
    assert!(position.in_check() && position.legal_moves().is_empty(), "{line:?} {root:?}");
    assert_eq!(verify(root, line), Ok(()));
}

fn within(plies: u16) -> MateLimits {
    MateLimits::default().with_plies(plies)
}

/// A king near the edge with a few pieces of both sides around it, `held` pieces in the attacker's
/// hand and perhaps one in the defender's; `None` if it breaks a rule.
fn random_problem(random: &mut Random, held: usize) -> Option<Position> {
    let mut board = [[""; 9]; 9];
    let (file, rank) = (random.below(9), random.below(3) / 2);
    board[rank][file] = "k";
    let attacking = ["P", "N", "S", "G", "B", "R", "+P", "+R", "+B", "L"];
    let defending = ["p", "l", "n", "s", "g", "b", "r", "p", "p", "s"];
    let first = 1 + held + random.below(3);
    for number in 0..first + random.below(2 + held) {
        let rank = (rank + random.below(5)).checked_sub(1)?;
        let file = (file + random.below(5)).checked_sub(2)?;
        let pieces = if number < first { &attacking } else { &defending };
        let square = board.get_mut(rank)?.get_mut(file)?;
        if square.is_empty() {
            *square = random.choose(pieces)?;
        }
    }
    let ranks =
        board.map(|rank| rank.map(|piece| if piece.is_empty() { "1" } else { piece }).concat());
    let mut hand: Vec<char> =
        (0..held).filter_map(|_| random.choose(&['P', 'P', 'N', 'S', 'G', 'R'])).collect();
    if held > 0 && random.below(2) == 0 {
        hand.push(random.choose(&['p', 'n', 's'])?);
    }
    hand.sort_unstable();
    hand.dedup();
    let hand: String = if hand.is_empty() { "-".into() } else { hand.into_iter().collect() };
    Position::from_sfen(&format!("{} b {hand} 1", ranks.join("/"))).ok()
}

#[test]
fn agrees_with_brute_force_on_games() {
    let mut solver = MateSolver::new(64);
    let (mut mates, mut others) = (0, 0);
    visit_random_positions(&Position::startpos(), 7, 200, 2500, |position| {
        let expected = mates_within(position, 3);
        let answer = solve(&mut solver, position, &within(3));
        assert_eq!(matches!(answer, MateAnswer::Mate(_)), expected, "{}", position.to_sfen());
        let limits = MateLimits::default().with_nodes(20_000);
        let answer = solve(&mut solver, position, &limits);
        if expected {
            assert!(matches!(answer, MateAnswer::Mate(_)), "{}", position.to_sfen());
            mates += 1;
        } else if answer == MateAnswer::NoMate {
            others += 1;
        }
    });
    assert!(mates > 50 && others > 500, "{mates} mates, {others} without");
}

#[test]
fn agrees_with_brute_force_on_problems() {
    let mut solver = MateSolver::new(64);
    let mut random = Random::new(11);
    let (mut mates, mut others) = ([0; 6], 0);
    for _ in 0..4000 {
        let Some(mut position) = random_problem(&mut random, 2) else { continue };
        let shortest = [1, 3, 5].into_iter().find(|&plies| mates_within(&mut position, plies));
        for plies in [1, 3, 5] {
            let answer = solve(&mut solver, &position, &within(plies));
            let expected = shortest.is_some_and(|shortest| shortest <= plies.into());
            assert_eq!(
                matches!(answer, MateAnswer::Mate(_)),
                expected,
                "{plies} plies: {}",
                position.to_sfen()
            );
            if let MateAnswer::Mate(line) = answer {
                assert!(line.len() <= plies.into());
            }
        }
        match shortest {
            Some(plies) => mates[plies] += 1,
            None => others += 1,
        }
    }
    assert!(mates[1] > 50 && mates[3] > 50 && mates[5] > 20 && others > 100, "{mates:?} {others}");
}

#[test]
fn agrees_with_the_whole_graph_where_paths_loop() {
    let mut solver = MateSolver::new(64);
    let mut random = Random::new(23);
    let (mut mates, mut others) = (0, 0);
    let most = if data::full() { 30_000 } else { 3_000 };
    for round in 0..4000 {
        let Some(position) = random_problem(&mut random, round % 2) else { continue };
        let Some(expected) = mates_at_all(&position, most) else { continue };
        let answer = solve(&mut solver, &position, &MateLimits::default());
        let sfen = position.to_sfen();
        assert_ne!(answer, MateAnswer::Unknown, "{sfen}");
        assert_eq!(matches!(answer, MateAnswer::Mate(_)), expected, "{sfen}");
        if expected { mates += 1 } else { others += 1 }
    }
    assert!(mates > 50 && others > 50, "{mates} mates, {others} without");
}

#[test]
fn uchifuzume_and_perpetual_check() {
    let mut solver = MateSolver::new(16);
    let mut answer = |sfen: &str| match solve(&mut solver, &position(sfen), &MateLimits::default())
    {
        MateAnswer::Mate(line) => line.iter().map(|mv| format!("{mv} ")).collect(),
        other => format!("{other:?}"),
    };
    assert_eq!(answer("4k4/9/4P4/9/9/9/9/9/9 b G 1"), "G*5b ");
    // Only a dropped pawn would mate; a pawn that moves may.
    assert_eq!(answer("7nk/7pp/7R1/9/9/9/9/9/9 b P 1"), answer("7nk/7pp/7R1/9/9/9/9/9/9 b - 1"));
    assert_eq!(answer("7gk/7g1/7G1/9/9/9/9/9/9 b P 1"), "NoMate");
    // Promoting the bishop would make the pawn's drop a mate, which is forbidden.
    // No king to be mated.
    assert_eq!(answer("4K4/9/9/9/9/9/9/9/9 b G 1"), "NoMate");
    // The attacker is in check himself: only an answer to it that checks in turn will do.
    assert_eq!(answer("4k4/9/4P4/9/9/9/9/4r4/4K4 b G 1"), "NoMate");
}

#[test]
fn the_collections_are_solved() {
    for (file, plies) in [("mate/mate3.sfen", 3), ("mate/mate5.sfen", 5), ("mate/mate7.sfen", 7)] {
        let Some(text) = data::shared(file) else { return };
        let mut solver = MateSolver::new(64);
        let some = if data::full() { 1000 } else { 200 };
        let mut lengths = 0;
        for line in data::lines(&text).take(some) {
            let root = position(line.split(" moves").next().unwrap_or(line));
            let answer = solve(&mut solver, &root, &within(plies));
            assert!(matches!(answer, MateAnswer::Mate(_)), "{line}");
            let MateAnswer::Mate(mate) = solve(&mut solver, &root, &MateLimits::default()) else {
                panic!("{line}");
            };
            lengths += mate.len();
        }
        report(&format!("{file}: mean length {:.2}", lengths as f64 / some as f64));
    }
}

/// Hundreds of plies; unsolved within the tests' patience.
const LONG: &str =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

/// The last of Ito Kanju's hundred problems of 1755: a dragon chases the king round the board,
/// each round changing one piece, for 611 plies.
#[test]
fn kotobuki_is_solved() {
    let root = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
    let limits = MateLimits::default().with_nodes(4_000_000);
    let answer = solve(&mut MateSolver::new(256), &position(root), &limits);
    let MateAnswer::Mate(line) = answer else { panic!("{answer:?}") };
    report(&format!("Kotobuki: {} plies", line.len()));
    assert!((611..700).contains(&line.len()), "{} plies", line.len());
}

#[test]
fn memory_is_bounded() {
    for mebibytes in [1, 8] {
        let mut solver = MateSolver::new(mebibytes);
        let limits = MateLimits::default().with_nodes(150_000);
        let result = solver.solve(&position(LONG), &limits, &|| false);
        assert_eq!(result.answer, MateAnswer::Unknown);
        assert!(solver.bytes() <= mebibytes << 20, "{} bytes", solver.bytes());
        assert!(solver.bytes() > (mebibytes << 20) / 2, "{} bytes", solver.bytes());
        // The solver still solves, in little memory too.
        let small = position("4k4/9/4P4/9/9/9/9/9/9 b G 1");
        let answer = solve(&mut solver, &small, &MateLimits::default());
        assert!(matches!(answer, MateAnswer::Mate(_)));
    }
}

#[test]
fn stops_at_the_first_call_that_says_so() {
    for stop_at in [1, 2, 30, 300] {
        let calls = Cell::new(0);
        let stop = || {
            calls.set(calls.get() + 1);
            calls.get() >= stop_at
        };
        let result = MateSolver::new(16).solve(&position(LONG), &MateLimits::default(), &stop);
        assert_eq!((result.answer, calls.get()), (MateAnswer::Unknown, stop_at));
    }
    // A deadline in the past is noticed at the first call, too.
    let calls = Cell::new(0);
    let limits = MateLimits::default().with_deadline(Instant::now());
    let stop = || {
        calls.set(calls.get() + 1);
        false
    };
    MateSolver::new(16).solve(&position(LONG), &limits, &stop);
    assert_eq!(calls.get(), 1);
}
