//! Networks against an independent slow implementation, reference values, and themselves.

mod generated;
mod levels;
mod line;
mod reference;
mod shapes;
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
        (((self.next() >> 32) * end as u64) >> 32) as usize
    }

    /// Between `-limit` and `limit`.
    fn within(&mut self, limit: i32) -> i32 {
        self.below(2 * limit as usize + 1) as i32 - limit
    }
}

/// Fills the rows of the first layer. Under Miri the first numbers are repeated, since it would take minutes to make
/// millions.
fn fill(weights: &mut [i16], next: impl FnMut() -> i16) {
    let period = if cfg!(miri) { 4_099 } else { weights.len() };
    let numbers: Vec<i16> = std::iter::repeat_with(next).take(period).collect();
    for part in weights.chunks_mut(period) {
        part.copy_from_slice(&numbers[..part.len()]);
    }
}

/// Weights of the size that trained networks have: about half of the neurons are zero.
fn random_network(architecture: Architecture, seed: u64) -> NetworkFile {
    let mut random = Random(seed);
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias.iter_mut().for_each(|b| *b = random.within(60) as i16);
    fill(weights, || random.within(30) as i16);
    let limits = [(2000, 24), (2000, 60), (2000, 100)];
    for layers in &mut file.stacks {
        for (layer, (bias, weight)) in layers.iter_mut().zip(limits) {
            layer.bias.iter_mut().for_each(|b| *b = random.within(bias));
            layer.weights.iter_mut().for_each(|w| *w = random.within(weight) as i8);
        }
    }
    file
}

/// As far out as the format allows: accumulators wrap, dot products reach their limits.
fn extreme_network(architecture: Architecture, seed: u64) -> NetworkFile {
    let mut random = Random(seed);
    let mut file = NetworkFile::zeroed(architecture);
    let (bias, weights) = file.transformer_mut();
    bias.iter_mut().for_each(|b| *b = random.next() as i16);
    fill(weights, || random.next() as i16);
    for layers in &mut file.stacks {
        for layer in layers.iter_mut() {
            layer.bias.iter_mut().for_each(|b| *b = random.within(1 << 14));
            layer.weights.iter_mut().for_each(|w| *w = random.next() as i8);
        }
        layers[0].weights.iter_mut().for_each(|w| *w = [127, -128][random.below(2)]);
    }
    file
}

const fn shape(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Architecture {
    Architecture::plain(features, l1, l2, l3)
}

/// Positions of random games, a handicap game, two without a king, and random boards from which
/// pieces are missing.
fn positions(count: usize) -> Vec<Position> {
    let sfens = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "8k/9/7GP/9/9/9/9/9/9 b Rr2b3g4s4n4l17p 1",
        "8K/9/7gp/9/9/9/9/9/9 w Rr2b3g4s4n4l17p 1",
    ];
    let mut positions: Vec<_> = sfens.map(|sfen| Position::from_sfen(sfen).unwrap()).into();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    while positions.len() < count / 3 {
        let mut position = Position::startpos();
        for ply in 0..160 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
            if ply % 10 == 9 {
                positions.push(position.clone());
            }
        }
    }
    while positions.len() < count {
        positions.extend(random_board(&mut random));
    }
    positions.truncate(count);
    positions
}

/// Kings and some of the pieces anywhere; `None` where that gives no position.
fn random_board(random: &mut Random) -> Option<Position> {
    let mut board = vec![String::new(); 81];
    let mut hands = String::new();
    let mut place = |random: &mut Random, piece: String| {
        let square = random.below(81);
        if board[square].is_empty() {
            board[square] = piece;
            return true;
        }
        false
    };
    let side = |random: &mut Random, kind: &str| match random.below(2) {
        0 => kind.to_owned(),
        _ => kind.to_lowercase(),
    };
    while !place(random, "K".into()) {}
    while !place(random, "k".into()) {}
    let share = 1 + random.below(10);
    for (kind, count) in [("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)] {
        for _ in 0..count {
            let piece = side(random, kind);
            match random.below(12) {
                n if n > share => {}
                0..3 => hands.push_str(&piece),
                n if n % 2 == 0 && kind != "G" => drop(place(random, format!("+{piece}"))),
                _ => drop(place(random, piece)),
            }
        }
    }
    let row = |row: &[String]| {
        row.iter().map(|piece| if piece.is_empty() { "1" } else { piece }).collect::<String>()
    };
    let rows: Vec<_> = board.chunks(9).map(row).collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    let turn = ["b", "w"][random.below(2)];
    Position::from_sfen(&format!("{} {turn} {hands} 1", rows.join("/"))).ok()
}
