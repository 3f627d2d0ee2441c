//! A second implementation, straight from the description of the format: no places, no tables, no
//! padding tricks, floor division for shifts, everything in 64 bits. Slow on purpose.

use crate::network::{Architecture, FeatureSet};
use monomi_movegen::Position;
use shogi_core::{Color, PartialPosition, PieceKind, Square};

pub(super) struct SlowNetwork<'a> {
    bytes: &'a [u8],
    shape: Architecture,
    /// Where the transformer's biases start.
    start: usize,
}

impl<'a> SlowNetwork<'a> {
    pub(super) fn new(bytes: &'a [u8], shape: Architecture) -> Self {
        let text = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        Self { bytes, shape, start: 12 + text + 4 }
    }

    fn half(&self, index: usize) -> i64 {
        let at = self.start + 2 * index;
        i16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]).into()
    }

    /// The side to move's output.
    pub(super) fn raw(&self, position: &Position) -> i64 {
        let position = position.to_partial();
        let us = position.side_to_move();
        let mut activations = self.half_of_input(&position, us);
        activations.extend(self.half_of_input(&position, us.flip()));
        let mut at = self.start + 2 * self.shape.l1 * (1 + self.shape.features.inputs()) + 4;
        let sizes = [self.shape.l2, self.shape.l3, 1];
        for (layer, outputs) in sizes.into_iter().enumerate() {
            let stride = activations.len().div_ceil(32) * 32;
            let mut sums = Vec::new();
            for output in 0..outputs {
                let bias = &self.bytes[at + 4 * output..][..4];
                let mut sum = i64::from(i32::from_le_bytes(bias.try_into().unwrap()));
                for (input, x) in activations.iter().enumerate() {
                    let weight = self.bytes[at + 4 * outputs + output * stride + input] as i8;
                    sum += x * i64::from(weight);
                }
                sums.push(sum);
            }
            at += outputs * (4 + stride);
            if layer == 2 {
                assert_eq!(at, self.bytes.len());
                return sums[0];
            }
            activations = sums.iter().map(|sum| sum.div_euclid(64).clamp(0, 127)).collect();
        }
        unreachable!()
    }

    /// One accumulator, clamped.
    fn half_of_input(&self, position: &PartialPosition, view: Color) -> Vec<i64> {
        let inputs = active_inputs(self.shape.features, position, view);
        (0..self.shape.l1)
            .map(|neuron| {
                let weight = |&input: &usize| self.half((1 + input) * self.shape.l1 + neuron);
                let sum = self.half(neuron) + inputs.iter().map(weight).sum::<i64>();
                // The sum is kept in 16 bits.
                i64::from(sum as i16).clamp(0, 127)
            })
            .collect()
    }
}

fn active_inputs(features: FeatureSet, position: &PartialPosition, view: Color) -> Vec<usize> {
    // file * 9 + rank, 1a = 0; White's view turns the board.
    let turned = |square: Square| {
        let number = usize::from(square.file() - 1) * 9 + usize::from(square.rank() - 1);
        if view == Color::White { 80 - number } else { number }
    };
    let mut pieces = Vec::new();
    let (mut own_king, mut enemy_king) = (None, None);
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let number = turned(square);
        let friend = piece.color() == view;
        let block = match piece.piece_kind() {
            PieceKind::King if friend => {
                own_king = Some(number);
                continue;
            }
            PieceKind::King => {
                enemy_king = Some(number);
                continue;
            }
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
        pieces.push(90 + 81 * if friend { block } else { block + 1 } + number);
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
    match features {
        FeatureSet::KP => {
            pieces.extend(own_king.map(|square| 1548 + square));
            pieces.extend(enemy_king.map(|square| 1548 + 81 + square));
            pieces
        }
        // Without an own king: as if it stood on the first square.
        FeatureSet::HalfKP => {
            let block = 1548 * own_king.unwrap_or(0);
            pieces.into_iter().map(|piece| block + piece).collect()
        }
    }
}
