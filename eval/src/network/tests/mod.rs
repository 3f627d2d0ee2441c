//! Networks against an independent slow implementation, reference values, and themselves.

mod levels;
mod line;
mod reference;
mod slow;

use super::*;

/// A small xorshift generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) as usize * end) >> 32
    }

    /// Between `-limit` and `limit`.
    fn within(&mut self, limit: i32) -> i32 {
        self.below(2 * limit as usize + 1) as i32 - limit
    }
}

/// Weights of the size that trained networks have: about half of the neurons are zero.
fn random_network(architecture: Architecture, seed: u64) -> NetworkFile {
    let mut random = Random(seed);
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias.iter_mut().for_each(|b| *b = random.within(60) as i16);
    weights.iter_mut().for_each(|w| *w = random.within(30) as i16);
    let limits = [(2000, 24), (2000, 60), (2000, 100)];
    for (layer, (bias, weight)) in file.layers.iter_mut().zip(limits) {
        layer.bias.iter_mut().for_each(|b| *b = random.within(bias));
        layer.weights.iter_mut().for_each(|w| *w = random.within(weight) as i8);
    }
    file
}

/// As far out as the format allows: accumulators wrap, dot products reach their limits.
fn extreme_network(architecture: Architecture, seed: u64) -> NetworkFile {
    let mut random = Random(seed);
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias.iter_mut().for_each(|b| *b = random.next() as i16);
    weights.iter_mut().for_each(|w| *w = random.next() as i16);
    for layer in &mut file.layers {
        layer.bias.iter_mut().for_each(|b| *b = random.within(1 << 14));
        layer.weights.iter_mut().for_each(|w| *w = random.next() as i8);
    }
    file.layers[0].weights.iter_mut().for_each(|w| *w = [127, -128][random.below(2)]);
    file
}

fn written(file: &NetworkFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    bytes
}

const fn shape(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Architecture {
    Architecture { features, l1, l2, l3 }
}

/// The shapes in use, and some that nobody uses.
const SHAPES: [Architecture; 9] = [
    shape(FeatureSet::KP, 256, 32, 32),
    shape(FeatureSet::HalfKP, 256, 32, 32),
    shape(FeatureSet::HalfKP, 512, 16, 32),
    shape(FeatureSet::HalfKP, 1024, 8, 32),
    shape(FeatureSet::KP, 32, 8, 8),
    shape(FeatureSet::KP, 96, 24, 16),
    shape(FeatureSet::KP, 160, 40, 56),
    shape(FeatureSet::KP, 512, 64, 64),
    shape(FeatureSet::KP, 1024, 8, 64),
];

/// Positions of random games, a handicap game, and two without a king.
fn positions() -> Vec<Position> {
    let sfens = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "8k/9/7GP/9/9/9/9/9/9 b Rr2b3g4s4n4l17p 1",
        "8K/9/7gp/9/9/9/9/9/9 w Rr2b3g4s4n4l17p 1",
    ];
    let mut positions: Vec<_> = sfens.map(|sfen| Position::from_sfen(sfen).unwrap()).into();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    for _ in 0..6 {
        let mut position = Position::startpos();
        for ply in 0..160 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
            if ply % 20 == 19 {
                positions.push(position.clone());
            }
        }
    }
    positions
}

#[test]
fn every_shape_agrees_with_the_slow_implementation() {
    let positions = positions();
    for (i, architecture) in SHAPES.into_iter().enumerate() {
        for (extreme, seed) in [(false, 77), (true, 99)] {
            // A large network takes a second to make: one of each will do.
            if extreme && architecture.features == FeatureSet::HalfKP && architecture.l1 > 256 {
                continue;
            }
            let make = if extreme { extreme_network } else { random_network };
            let bytes = written(&make(architecture, seed + i as u64));
            let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).unwrap();
            assert_eq!(file.architecture, architecture);
            let slow = slow::SlowNetwork::new(&bytes, architecture);
            let network = Network::new(file, SimdLevel::Scalar);
            let mut distinct = std::collections::HashSet::new();
            for position in &positions {
                let raw = network.raw_without(position, [None])[0];
                assert_eq!(
                    i64::from(raw),
                    slow.raw(position),
                    "{architecture}, {}",
                    position.to_sfen()
                );
                distinct.insert(raw);
            }
            assert!(distinct.len() > 3, "{architecture} ({extreme}) tells nothing apart");
        }
    }
}
