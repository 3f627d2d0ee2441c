//! Checks of problems, compared with the plain search, and problems with a known defect.

use super::oracle::Oracle;
use super::positions::small_positions;
use super::{position, text};
use crate::MateLimits;
use crate::tsume::{CheckResult, CookKind, Defect, Severity, TsumeAnswer, TsumeRules, TsumeSolver};
use monomi_movegen::{PackedMove, Position};

fn check(sfen: &str, given: &str) -> CheckResult {
    let given: Vec<PackedMove> = given.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    let mut solver = TsumeSolver::new(16, TsumeRules::default());
    let limits = MateLimits { nodes: Some(50_000), ..MateLimits::default() };
    solver.check(&position(sfen), &given, &limits, &|| false)
}

fn after(position: &Position, mv: PackedMove) -> Position {
    let mut position = position.clone();
    position.do_move(mv);
    position
}

/// Along the main lines of small random problems: every other check that the plain search finds to
/// mate within a few plies more is a defect with its length, and every defect is such a mate or a
/// longer one; the equal defences are those of the plain search.
#[test]
fn other_mates_and_equal_defences_equal_those_of_a_plain_search() {
    const MORE: u16 = 2;
    let oracle = Oracle::new(false);
    let (mut lines, mut cooks, mut equal) = (0, 0, 0);
    for root in small_positions(3, 600) {
        let Some(length) = oracle.attack(&root, 3) else { continue };
        let sfen = root.to_sfen();
        let checked = check(&sfen, "");
        let TsumeAnswer::Mate(solution) = &checked.solved.answer else { panic!("{sfen}") };
        assert_eq!(solution.line.len(), length as usize, "{sfen}");
        lines += 1;
        let mut position = root.clone();
        for (&mv, ply) in solution.line.iter().zip(1u16..) {
            let rest = length - (ply - 1);
            let here = |defect: &&Defect| defect.place().is_some_and(|place| place.0 == ply);
            let found: Vec<&Defect> = checked.defects.iter().filter(here).collect();
            let text = format!("{sfen}, {}, move {ply}: {found:?}", text(&solution.line));
            if ply % 2 == 1 {
                let limit = rest - 1 + MORE;
                for other in oracle.checks(&position).into_iter().filter(|&other| other != mv) {
                    let expected = oracle.defend(&after(&position, other), limit);
                    let known = found.iter().find_map(|defect| match defect {
                        Defect::Cook { mv, plies, .. } if *mv == other => Some(*plies),
                        _ => None,
                    });
                    match (expected, known) {
                        (Some(length), Some(plies)) => {
                            assert_eq!(plies, Some(length + 1), "{text}")
                        }
                        (Some(_), None) => panic!("{text}: {other} mates"),
                        (None, Some(plies)) => {
                            assert!(plies.is_none_or(|plies| plies > limit + 1), "{text}");
                        }
                        (None, None) => {}
                    }
                    cooks += u32::from(known.is_some());
                }
            } else {
                let same = |a: PackedMove, b: PackedMove| {
                    a == b || a.is_drop() && b.is_drop() && a.to() == b.to()
                };
                let clean = |&other: &PackedMove| {
                    !same(other, mv)
                        && oracle.fewest_left(&after(&position, other), true, rest - 1) == 0
                };
                let best = oracle.best(&position, false, rest);
                let mut kept: Vec<PackedMove> = Vec::new();
                for other in best.into_iter().filter(clean) {
                    if !kept.iter().any(|&known| same(known, other)) {
                        kept.push(other);
                    }
                }
                assert_eq!(found.len(), kept.len(), "{text}: {kept:?}");
                equal += found.len();
            }
            position.do_move(mv);
        }
    }
    assert!(lines > 20 && cooks > 40, "{lines} {cooks} {equal}");
}

/// Whether a defect is found, and nothing worse than `worst`.
fn assert_found(sfen: &str, given: &str, worst: Severity, is: impl Fn(&Defect) -> bool) {
    let checked = check(sfen, given);
    assert!(checked.defects.iter().any(is), "{sfen}: {:?}", checked.defects);
    let severe = checked.defects.iter().map(Defect::severity).max();
    assert_eq!(severe, Some(worst), "{sfen}: {:?}", checked.defects);
    assert_eq!(checked.is_sound(), worst < Severity::Unsound);
}

#[test]
fn a_problem_for_each_defect() {
    use Severity::{Flaw, Note, Unsound};
    // Gold on the king's head: sound. A piece too many, and none too many.
    let sound = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    let checked = check(sound, "G*5b");
    assert_eq!((checked.defects, checked.solved.at_least), (Vec::new(), 1));
    assert_found(
        "4k4/9/4P4/9/9/9/9/9/P8 b G2r2b3g4s4n4l16p 1",
        "",
        Flaw,
        |defect| matches!(defect, Defect::UnneededPiece(piece) if piece.square.is_some()),
    );
    assert_found("4k4/9/4P4/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1", "", Unsound, |defect| {
        *defect == Defect::PiecesLeft
    });
    assert_found("4k4/9/4P4/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1", "", Unsound, |defect| {
        *defect == Defect::NoMate
    });
    assert_found("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1", "", Flaw, |defect| {
        *defect == Defect::MissingPieces { count: 1 }
    });
    assert_found("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "", Note, |defect| {
        *defect == Defect::TwoKings
    });
    // Two golds and two last moves.
    assert_found("4k4/9/3GPG3/9/9/9/9/9/9 b 2r2b2g4s4n4l17p 1", "", Flaw, |defect| {
        matches!(defect, Defect::Cook { kind: CookKind::LastMove, plies: Some(1), .. })
    });
    // A given solution that is too long, and one that is no mate.
    let given = "G*4b 5a6a G*6b";
    assert_found("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", given, Unsound, |defect| {
        matches!(defect, Defect::Shorter { plies: 1, given: 3 } | Defect::InvalidSolution)
    });
    assert_found(sound, "G*4b", Unsound, |defect| *defect == Defect::InvalidSolution);
}
