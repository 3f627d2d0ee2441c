//! Made and reduced problems, compared with the plain search.

use super::oracle::Oracle;
use super::positions::small_positions;
use crate::MateLimits;
use crate::tsume::{Defect, Severity, SoundProblem, TsumeRules, TsumeSolver, Wanted};
use monomi_movegen::Random;
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;

fn wanted(plies: u16) -> Wanted {
    Wanted { plies, nodes: 3_000, flaws: false }
}

/// The problems of the first attempts with a seed.
fn made(solver: &mut TsumeSolver, plies: u16, attempts: u64) -> Vec<SoundProblem> {
    let made = |attempt| {
        let mut random = Random::stream(7, attempt);
        solver.make(&wanted(plies), &mut |end| random.below(end), &|| false)
    };
    (0..attempts).filter_map(made).collect()
}

/// By the plain search: the length, a main line that leaves nothing, and no other mate of at most two
/// plies more at any move but the last.
fn assert_sound(oracle: &Oracle, problem: &SoundProblem, plies: u16) {
    let (root, line) = (&problem.position, &problem.solution.line);
    let sfen = root.to_sfen();
    assert_eq!(oracle.attack(root, plies), Some(plies), "{sfen}");
    assert_eq!(oracle.follow(root, plies, line), 0, "{sfen}");
    let mut position = root.clone();
    for (&mv, ply) in line.iter().zip(0..) {
        let rest = plies - ply;
        if ply % 2 == 0 && rest > 1 {
            let checks: Vec<PackedMove> = oracle.checks(&position);
            for other in checks.into_iter().filter(|&other| other != mv) {
                let mut after = position.clone();
                after.do_move(other);
                assert_eq!(oracle.defend(&after, rest + 1), None, "{sfen}: {other}");
            }
        }
        position.do_move(mv);
    }
}

/// Nothing is wrong with it but other last moves.
fn assert_flawless(solver: &mut TsumeSolver, problem: &SoundProblem) {
    let limits = MateLimits::default();
    let checked = solver.check(&problem.position, &problem.solution.line, &limits, &|| false);
    let noted = |defect: &Defect| defect.severity() == Severity::Note;
    assert!(checked.defects.iter().all(noted), "{problem:?}: {:?}", checked.defects);
}

#[test]
fn made_problems_are_sound_by_a_plain_search() {
    let oracle = Oracle::new(false);
    let mut solver = TsumeSolver::new(2, TsumeRules::default());
    for (plies, attempts, least) in [(1, 30, 3), (3, 60, 3)] {
        let problems = made(&mut solver, plies, attempts);
        assert!(problems.len() >= least, "{plies}: {}", problems.len());
        for problem in &problems {
            assert_eq!(problem.position.side_to_move(), Color::Black);
            assert_eq!(problem.position.king(Color::Black), None);
            assert_sound(&oracle, problem, plies);
            assert_flawless(&mut solver, problem);
        }
    }
}

/// The same random numbers make the same problem, whatever the solver has done before.
#[test]
fn problems_are_made_again_from_their_seed() {
    let sfens = |solver: &mut TsumeSolver, plies, attempts| -> Vec<String> {
        let problems = made(solver, plies, attempts);
        problems.iter().map(|problem| problem.position.to_sfen()).collect()
    };
    let mut used = TsumeSolver::new(4, TsumeRules::default());
    sfens(&mut used, 1, 3);
    let again = sfens(&mut used, 5, 40);
    assert!(!again.is_empty());
    assert_eq!(again, sfens(&mut TsumeSolver::new(2, TsumeRules::default()), 5, 40));
}

/// Reduced positions keep the length, have no more pieces than before, and are sound.
#[test]
fn reduced_problems_are_sound_and_need_all_pieces() {
    let oracle = Oracle::new(false);
    let mut solver = TsumeSolver::new(2, TsumeRules::default());
    let mut reduced = 0;
    for root in small_positions(11, 400) {
        let Some(plies) = oracle.attack(&root, 3) else { continue };
        let Some(problem) = solver.reduce(&root, &wanted(plies), &|| false) else { continue };
        assert_sound(&oracle, &problem, plies);
        let pieces = |position: &Position| position.occupied().count();
        assert!(pieces(&problem.position) <= pieces(&root));
        let limits = MateLimits { nodes: Some(10_000), ..MateLimits::default() };
        let checked = solver.check(&problem.position, &[], &limits, &|| false);
        let unneeded = |defect: &Defect| matches!(defect, Defect::UnneededPiece(_));
        assert!(!checked.defects.iter().any(unneeded), "{problem:?}: {:?}", checked.defects);
        reduced += 1;
    }
    assert!(reduced > 10, "{reduced}");
}
