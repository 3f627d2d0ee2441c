//! A second implementation, from the description of the format: own parser, no places, no tables,
//! no padding tricks, floor division for shifts, everything in 64 bits. Slow on purpose.

use super::generated::Name;
use shogi_core::{Color, PartialPosition, PieceKind, Square};

struct Layer {
    bias: Vec<i64>,
    weights: Vec<Vec<i64>>,
}

pub(super) struct SlowNetwork {
    name: Name,
    bias: Vec<i64>,
    /// `[input][neuron]`.
    weights: Vec<i16>,
    progress: Option<Vec<i64>>,
    stacks: Vec<[Layer; 3]>,
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take(&mut self, count: usize) -> &[u8] {
        let (now, rest) = self.0.split_at(count);
        self.0 = rest;
        now
    }

    fn word(&mut self) -> i32 {
        i32::from_le_bytes(self.take(4).try_into().unwrap())
    }

    fn half(&mut self) -> i16 {
        i16::from_le_bytes(self.take(2).try_into().unwrap())
    }

    fn block(&mut self) -> Vec<i16> {
        assert_eq!(self.take(17), b"COMPRESSED_LEB128");
        let bytes = self.word() as usize;
        let mut numbers = Vec::new();
        let (mut number, mut bits) = (0_i64, 0);
        for &byte in self.take(bytes) {
            number += i64::from(byte % 128) << bits;
            bits += 7;
            if byte < 128 {
                if byte >= 64 {
                    number -= 1 << bits;
                }
                numbers.push(number as i16);
                (number, bits) = (0, 0);
            }
        }
        numbers
    }

    fn layer(&mut self, inputs: usize, outputs: usize) -> Layer {
        let bias = (0..outputs).map(|_| self.word().into()).collect();
        let row = |bytes: &mut Self| {
            let row = bytes.take(inputs.div_ceil(32) * 32);
            row[..inputs].iter().map(|&weight| i64::from(weight as i8)).collect()
        };
        Layer { bias, weights: (0..outputs).map(|_| row(self)).collect() }
    }
}

impl Layer {
    fn outputs(&self, inputs: &[i64]) -> Vec<i64> {
        let sum = |row: &Vec<i64>| row.iter().zip(inputs).map(|(w, x)| w * x).sum::<i64>();
        self.bias.iter().zip(&self.weights).map(|(bias, row)| bias + sum(row)).collect()
    }
}

fn shifted(sums: &[i64]) -> Vec<i64> {
    sums.iter().map(|sum| sum.div_euclid(64).clamp(0, 127)).collect()
}

impl SlowNetwork {
    pub(super) fn new(bytes: &[u8], name: &Name) -> Self {
        let Name { l1, l2, l3, .. } = *name;
        let mut bytes = Bytes(bytes);
        bytes.take(8);
        let text = bytes.word() as usize;
        bytes.take(text + 4);
        let (bias, weights) = if name.sfnn {
            (bytes.block(), bytes.block())
        } else {
            let bias: Vec<i16> = (0..l1).map(|_| bytes.half()).collect();
            (bias, (0..name.inputs() * l1).map(|_| bytes.half()).collect())
        };
        assert_eq!((bias.len(), weights.len()), (l1, l1 * name.inputs()));
        let progress = (name.progress > 1).then(|| {
            bytes.take(4);
            (0..1 + 81 * 1548).map(|_| bytes.word().into()).collect()
        });
        let stacks = (0..name.stacks())
            .map(|_| {
                bytes.take(4);
                let first = bytes.layer(if name.sfnn { l1 } else { 2 * l1 }, name.first_outputs());
                let second = bytes.layer(if name.sfnn { 2 * l2 } else { l2 }, l3);
                [first, second, bytes.layer(l3, 1)]
            })
            .collect();
        assert!(bytes.0.is_empty());
        let bias = bias.into_iter().map(i64::from).collect();
        Self { name: name.clone(), bias, weights, progress, stacks }
    }

    /// The stack and the side to move's output.
    pub(super) fn raw(&self, position: &PartialPosition) -> (usize, i64) {
        let us = position.side_to_move();
        let stack = self.stack(position);
        let [first, second, third] = &self.stacks[stack];
        let views = [us, us.flip()].map(|view| self.accumulator(position, view));
        if !self.name.sfnn {
            let hidden = shifted(&first.outputs(&views.concat()));
            return (stack, third.outputs(&shifted(&second.outputs(&hidden)))[0]);
        }
        let half = self.name.l1 / 2;
        let products: Vec<i64> = views
            .iter()
            .flat_map(|view| (0..half).map(|j| (view[j] * view[half + j]).div_euclid(128)))
            .collect();
        let sums = first.outputs(&products);
        let neurons = &sums[..self.name.l2];
        let mut hidden: Vec<i64> = neurons.iter().map(|y| (y * y / (1 << 19)).min(127)).collect();
        hidden.extend(shifted(neurons));
        let output = third.outputs(&shifted(&second.outputs(&hidden)))[0];
        (stack, output + sums.get(self.name.l2).copied().unwrap_or(0))
    }

    /// One accumulator, clamped.
    fn accumulator(&self, position: &PartialPosition, view: Color) -> Vec<i64> {
        let inputs = active_inputs(&self.name.features, position, view);
        let l1 = self.name.l1;
        let sum = |neuron: usize| {
            let weight = |&input: &usize| i64::from(self.weights[input * l1 + neuron]);
            self.bias[neuron] + inputs.iter().map(weight).sum::<i64>()
        };
        // The sum is kept in 16 bits.
        (0..l1).map(|neuron| i64::from(sum(neuron) as i16).clamp(0, 127)).collect()
    }

    fn stack(&self, position: &PartialPosition) -> usize {
        let us = position.side_to_move();
        let sides = [us, us.flip()];
        let mut index = 0;
        if let Some(hand) = &self.name.hand {
            let kinds: Vec<usize> = sides.iter().map(|&s| hand_kind(hand, position, s)).collect();
            let count = Name::hand_kinds(hand);
            index = kinds[0] * count + kinds[1];
        }
        if let Some(king) = &self.name.king {
            let count = Name::king_groups(king);
            for side in sides {
                let square = king_square(position, side, side).unwrap_or(0);
                index = index * count + king_group(king, square);
            }
        }
        let Some(weights) = &self.progress else { return index };
        let mut sum = weights[0];
        for view in [Color::Black, Color::White] {
            let king = king_square(position, view, view).unwrap_or(0);
            let pieces = pieces(position, view).into_iter();
            sum += pieces.map(|piece| weights[1 + 1548 * king + piece]).sum::<i64>();
        }
        let reached = |i: &u32| {
            let q = f64::from(*i) / 256.0;
            (q / (1.0 - q)).ln() * 65536.0 <= sum as f64 + 0.5
        };
        let value = (1..256).filter(reached).count();
        index * self.name.progress + (value * self.name.progress / 256)
    }
}

fn king_group(name: &str, square: usize) -> usize {
    let (file, rank) = (square / 9, square % 9);
    match (name, rank) {
        ("k3k3", _) => rank / 3,
        ("k9k9", _) => rank,
        ("k13k13z", 0..=6) => rank,
        ("k13k13z", _) => 7 + 3 * (rank - 7) + file / 3,
        (_, 0..=2) => 0,
        (_, 3..=5) => 1,
        ("k29k29", _) => 2 + 9 * (rank - 6) + file,
        (_, 6) => 2,
        ("k9k9z", _) => 3 + 3 * (rank - 7) + file / 3,
        ("k21k21", _) => 3 + 9 * (rank - 7) + file,
        _ => panic!("{name}"),
    }
}

fn hand_kind(name: &str, position: &PartialPosition, side: Color) -> usize {
    use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
    let hand = position.hand_of_a_player(side);
    let n = |kind| usize::from(hand.count(kind).unwrap());
    let [p, l, k, s, g, b, r] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook].map(n);
    let bits = |groups: &[usize]| {
        groups.iter().enumerate().map(|(i, &count)| usize::from(count > 0) << i).sum()
    };
    match name {
        "hand4" => bits(&[b]),
        "hand16" => bits(&[p, b]),
        "hand64" => bits(&[p + l + k, s + g + r, b]),
        "hand64z" => (p + 2 * (l + k) + 3 * (s + g) + 5 * (b + r)).div_ceil(4).min(7),
        "hand256" => bits(&[p + l + k, s + g, b, r]),
        "hand1024" => bits(&[p, l + k, s + g, b, r]),
        _ => panic!("{name}"),
    }
}

/// file * 9 + rank, 1a = 0; White's perspective turns the board.
fn turned(square: Square, view: Color) -> usize {
    let number = usize::from(square.file() - 1) * 9 + usize::from(square.rank() - 1);
    if view == Color::White { 80 - number } else { number }
}

fn king_square(position: &PartialPosition, side: Color, view: Color) -> Option<usize> {
    position.king_position(side).map(|square| turned(square, view))
}

/// Numbers of the 38 pieces; 0 for a missing one.
fn pieces(position: &PartialPosition, view: Color) -> Vec<usize> {
    let mut pieces = Vec::new();
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let block = match piece.piece_kind() {
            PieceKind::King => continue,
            PieceKind::Pawn => 0,
            PieceKind::Lance => 2,
            PieceKind::Knight => 4,
            PieceKind::Silver => 6,
            PieceKind::Bishop => 10,
            PieceKind::ProBishop => 12,
            PieceKind::Rook => 14,
            PieceKind::ProRook => 16,
            _ => 8,
        };
        let block = if piece.color() == view { block } else { block + 1 };
        pieces.push(90 + 81 * block + turned(square, view));
    }
    for (color, column) in [(view, 0), (view.flip(), 1)] {
        let hand = position.hand_of_a_player(color);
        for (kind, base) in [
            (PieceKind::Pawn, [1, 20]),
            (PieceKind::Lance, [39, 44]),
            (PieceKind::Knight, [49, 54]),
            (PieceKind::Silver, [59, 64]),
            (PieceKind::Gold, [69, 74]),
            (PieceKind::Bishop, [79, 82]),
            (PieceKind::Rook, [85, 88]),
        ] {
            let count = usize::from(hand.count(kind).unwrap());
            pieces.extend(base[column]..base[column] + count);
        }
    }
    pieces.resize(38, 0);
    pieces
}

fn active_inputs(features: &str, position: &PartialPosition, view: Color) -> Vec<usize> {
    let mut pieces = pieces(position, view);
    let own = king_square(position, view, view);
    let enemy = king_square(position, view.flip(), view);
    let with_kings = !matches!(features, "halfkp" | "halfkpvm");
    if with_kings {
        pieces.extend(own.map(|square| 1548 + square));
        pieces.extend(enemy.map(|square| 1629 + square));
    }
    // Without an own king: as if it were on the first square.
    let mut king = own.unwrap_or(0);
    let mirror = |square: usize| 9 * (8 - square / 9) + square % 9;
    if matches!(features, "halfkpvm" | "halfkahm1" | "halfkahm2") && king >= 45 {
        king = mirror(king);
        for piece in pieces.iter_mut().filter(|piece| **piece >= 90) {
            *piece = 90 + 81 * ((*piece - 90) / 81) + mirror((*piece - 90) % 81);
        }
    }
    if matches!(features, "ka2" | "halfka2" | "halfkahm2") {
        for piece in pieces.iter_mut().filter(|piece| **piece >= 1629) {
            *piece -= 81;
        }
    }
    let block = match features {
        "kp" => 0,
        "ka2" => {
            pieces.extend(own.map(|square| 1629 + square));
            pieces.extend(enemy.map(|square| 1710 + square));
            0
        }
        "halfkp" | "halfkpvm" => 1548,
        "halfka1" | "halfkahm1" => 1710,
        _ => 1629,
    };
    pieces.into_iter().map(|piece| block * king + piece).collect()
}
