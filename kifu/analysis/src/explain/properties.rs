//! Whatever a claim says can be true: its moves are legal, and a piece stands on each square that it names.

use crate::explain::after;
use crate::explain::claims::{CLAIMS, Claim, GROUPS, Proposal};
use crate::explain::counterfactual::Counterfactual;
use crate::explain::scene::Scene;
use monomi_movegen::{PackedMove, Position};
use shogi_core::Square;
use std::collections::BTreeMap;

/// A line of random moves; captures are preferred, so that there is something to say.
fn line(position: &Position, plies: usize, random: &mut fastrand::Rng) -> Vec<PackedMove> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        let sharp: Vec<PackedMove> = legal
            .iter()
            .copied()
            .filter(|&mv| position.piece_at(mv.to()).is_some() || mv.is_drop() || mv.is_promotion())
            .collect();
        let all: Vec<PackedMove> = legal.iter().copied().collect();
        let from = if random.u8(..3) > 0 && !sharp.is_empty() { sharp } else { all };
        let Some(mv) = random.choice(from) else { break };
        line.push(mv);
        position.do_move(mv);
    }
    line
}

/// The squares that a text names, such as `５六` or `5f`, without those in moves.
fn named(words: &str) -> Vec<Square> {
    let words: Vec<&str> = words
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    let square = |pair: &[&str]| {
        let bytes = pair[1].as_bytes();
        let is_square = pair[0] == "on" && bytes.len() == 2 && bytes[0].is_ascii_digit();
        is_square.then(|| Square::new(bytes[0] - b'0', bytes[1] - b'a' + 1)).flatten()
    };
    words.windows(2).filter_map(square).collect()
}

fn check(claim: &Claim, scene: &Scene<'_>, proposal: &Proposal) {
    let name = claim.name;
    let Proposal { words, squares, moves, counterfactual } = proposal;
    assert!(
        words.iter().all(|text| !text.is_empty() && !text.contains("None")),
        "{name}: {words:?}"
    );
    let positions: Vec<&Position> = [scene.before, &scene.after, &scene.best_after]
        .into_iter()
        .chain(&scene.replied)
        .chain(&scene.answered)
        .collect();
    // A piece that is named stands there at some moment of the two lines.
    for square in named(&words[1]) {
        assert!(
            positions.iter().any(|position| position.piece_at(square).is_some()),
            "{name}: {words:?}"
        );
        assert!(squares.contains(&square), "{name}: {words:?} without a mark on {square:?}");
    }
    let root = if counterfactual.is_of_replies() { &scene.after } else { scene.before };
    assert!(moves.iter().all(|&mv| root.is_legal(mv)), "{name}: {moves:?}");
    match counterfactual {
        Counterfactual::Replies(without) => {
            assert!(!without.is_empty(), "{name}");
            assert!(without.iter().all(|&mv| scene.after.is_legal(mv)), "{name}");
            assert!(without.contains(&scene.reply().unwrap()), "{name}: the reply stays");
        }
        Counterfactual::FollowUps(without) => {
            let answered = scene.answered.as_ref().unwrap();
            assert!(!without.is_empty(), "{name}");
            assert!(without.iter().all(|&mv| answered.is_legal(mv)), "{name}");
        }
        Counterfactual::Elsewhere(position) | Counterfactual::NoMate(position) => {
            assert!(
                Position::from_sfen(&position.to_sfen()).is_ok(),
                "{name}: {}",
                position.to_sfen()
            );
        }
        Counterfactual::Proof => {}
    }
    let text = counterfactual.to_text(scene);
    let sfen = text.split(" without ").next().unwrap().split(" both ").next().unwrap();
    let sfen = sfen.trim_end_matches(" no mate");
    assert!(text == "proof" || Position::from_sfen(sfen).is_ok(), "{name}: {text}");
}

#[test]
fn claims_name_legal_moves_and_pieces_that_are_there() {
    let mut random = fastrand::Rng::with_seed(74);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for game in 0..400 {
        let mut position = Position::startpos();
        for ply in 0..120 {
            let Some(&mv) = line(&position, 1, &mut random).first() else { break };
            if ply % 2 == game % 2 {
                let best = line(&position, 7, &mut random);
                let next = after(&position, mv);
                let replies = line(&next, 6, &mut random);
                let wins = [0.7, 0.3, 0.35];
                if best.first() != Some(&mv)
                    && let Some(mut scene) = Scene::of_lines((&position, mv), &best, &replies, wins)
                {
                    scene.mate = (random.u8(..4) == 0).then_some(5);
                    scene.by_checks = random.bool();
                    scene.was_threatened = random.u8(..8) == 0;
                    scene.threatmate = random.bool();
                    for claim in CLAIMS.iter().copied().flatten() {
                        if let Some(proposal) = (claim.propose)(&scene) {
                            check(claim, &scene, &proposal);
                            *seen.entry(claim.name).or_default() += 1;
                        }
                    }
                }
            }
            position.do_move(mv);
        }
    }
    for claim in CLAIMS.iter().copied().flatten() {
        assert!(
            seen.get(claim.name).is_some_and(|&count| count >= 5),
            "{} was hardly tried: {seen:?}",
            claim.name
        );
    }
}

#[test]
fn names_are_unique_and_documented() {
    let names: Vec<&str> = CLAIMS.iter().copied().flatten().map(|claim| claim.name).collect();
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
    assert!(CLAIMS.iter().copied().flatten().all(|claim| claim.group < GROUPS.len()));
    let documented = include_str!("../../../../docs/analysis.md");
    for name in names {
        assert!(documented.contains(&format!("| `{name}` |")), "docs/analysis.md has no {name}");
    }
}
