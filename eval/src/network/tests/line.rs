//! Incremental accumulators equal those computed from nothing.

use super::{Random, random_network, shape};
use crate::evaluation::Evaluation;
use crate::line::USUAL_DEPTH;
use crate::network::DEFAULT_FV_SCALE;
use crate::network::{Architecture, FeatureSet, Network, NetworkFile, SimdLevel};
use crate::stack::EvalStack;
use monomi_movegen::Position;

/// Two pieces less for White.
const HANDICAP: &str = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";

/// Random walks with takebacks and gaps between evaluations. Every evaluation is compared with one
/// from nothing. (Debug builds compare every accumulator on top.)
fn walk(file: impl Fn() -> NetworkFile, steps: usize, seed: u64) {
    let level = SimdLevel::best();
    let network = Network::new(file(), level);
    let evaluation = Evaluation::from_network(file(), DEFAULT_FV_SCALE, level);
    let mut random = Random(seed);
    let mut position = Position::startpos();
    let mut stack = EvalStack::new(&evaluation, &position);
    let starts = [Position::startpos(), Position::from_sfen(HANDICAP).unwrap()];
    let (mut depth, mut null_moves, mut kings) = (0, 0, 0);
    for _ in 0..steps {
        let moves = position.legal_moves();
        let back = depth > 0 && (moves.is_empty() || random.below(5) < 2);
        if moves.is_empty() && depth == 0 || depth > 60 + random.below(240) {
            position = starts[random.below(2)].clone();
            stack.reset(&position);
            depth = 0;
            continue;
        }
        if back {
            position.undo_move();
            stack.pop();
            depth -= 1;
        } else {
            let mv = moves[random.below(moves.len())];
            let dirty = position.do_move(mv);
            kings += u32::from(dirty.king().is_some());
            stack.push(dirty);
            depth += 1;
        }
        if random.below(3) > 0 {
            let raw = network.raw_without(&position, [None])[0];
            let expected = (raw / 16).clamp(-crate::score::MAX_EVAL, crate::score::MAX_EVAL);
            assert_eq!(stack.evaluate(&position), expected, "{}", position.to_sfen());
            if !position.in_check() {
                position.do_null_move();
                null_moves += 1;
                let raw = network.raw_without(&position, [None])[0];
                let expected = (raw / 16).clamp(-crate::score::MAX_EVAL, crate::score::MAX_EVAL);
                assert_eq!(stack.evaluate(&position), expected);
                position.undo_null_move();
            }
        }
    }
    let enough = null_moves > steps / 10 && kings as usize > steps / 100;
    assert!(enough || cfg!(miri), "{null_moves}, {kings}");
}

/// One small network for each feature set, plain and SFNN in turn.
fn walk_all(steps: usize) {
    for (i, features) in FeatureSet::ALL.into_iter().enumerate() {
        let architecture = match i % 2 {
            0 => shape(features, 32, 8, 32),
            _ => Architecture::sfnn(features, 64, 7, 32, 9),
        };
        walk(|| random_network(architecture, 5 + i as u64), steps, 11 + i as u64);
    }
}

#[test]
fn incremental_accumulators_equal_full_ones() {
    if cfg!(miri) {
        walk(|| random_network(shape(FeatureSet::KP, 32, 8, 32), 5), 6, 11);
        return walk(|| random_network(Architecture::sfnn(FeatureSet::KP, 64, 7, 32, 9), 6), 6, 12);
    }
    walk_all(6_000);
    walk(|| random_network(shape(FeatureSet::KP, 256, 32, 32), 5), 10_000, 21);
    walk(|| random_network(shape(FeatureSet::HalfKP, 256, 32, 32), 7), 5_000, 23);
}

/// `cargo test --release -p monomi-eval -- --ignored millions`
#[test]
#[ignore = "takes minutes; run on demand"]
fn incremental_accumulators_equal_full_ones_over_millions_of_moves() {
    walk_all(1_100_000);
}

#[test]
fn lines_longer_than_the_reserved_memory_work() {
    let file = random_network(shape(FeatureSet::HalfKP, 32, 8, 32), 8);
    let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, SimdLevel::best());
    let mut position = Position::startpos();
    let mut stack = EvalStack::new(&evaluation, &position);
    let (moves, gap) = if cfg!(miri) { (2 * USUAL_DEPTH, 91) } else { (1_000, 7) };
    for i in 0..moves {
        let mv = ["5i5h", "5a5b", "5h5i", "5b5a"][i % 4].parse().unwrap();
        stack.push(position.do_move(mv));
        if i % gap == 0 {
            assert_eq!(stack.evaluate(&position), evaluation.breakdown(&position).value);
        }
    }
    for _ in 0..moves {
        position.undo_move();
        stack.pop();
    }
    assert_eq!(stack.evaluate(&position), evaluation.breakdown(&position).value);
}
