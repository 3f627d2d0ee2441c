//! Apery's `.bin`: records of a position's key, a move, its count and its evaluation.
//!
//! The keys come from the 64-bit Mersenne Twister with its default seed: a word for each of 31 piece
//! numbers (0 for none) on each square, then for each kind in hand and each count from 0 to 18, then
//! one for White to move. Only the hand of the side to move is included.

use crate::book_move::BookMove;
use monomi_movegen::move_codes::{KINDS, from_apery, to_apery};
use monomi_movegen::square::{Dense, HAND_KINDS, SQUARES};
use rand_mt::Mt64;
use shogi_core::{Color, PartialPosition, Square};
use std::io::{ErrorKind, Read};
use std::sync::LazyLock;

/// Bytes of a record: u64 key, u16 move, u16 count, i32 evaluation, little-endian.
pub const RECORD: usize = 16;

/// The offset of White's piece numbers.
const WHITE_PIECES: usize = 16;
/// The number of possible counts of a kind in hand, 0 to 18.
const COUNTS: usize = 19;

struct Words {
    board: Vec<u64>,
    hand: Vec<u64>,
    white: u64,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut twister = Mt64::new_unseeded();
    let mut words = |count| -> Vec<u64> { (0..count).map(|_| twister.next_u64()).collect() };
    let board = words(31 * SQUARES);
    let hand = words(HAND_KINDS.len() * COUNTS);
    let white = words(1)[0];
    Words { board, hand, white }
});

/// Apery's key of a position.
pub fn key(position: &PartialPosition) -> u64 {
    let words = &*WORDS;
    let us = position.side_to_move();
    let mut key = if us == Color::White { words.white } else { 0 };
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let (kind, color) = piece.to_parts();
        let number = 1 + KINDS.iter().position(|&known| known == kind).unwrap_or(0);
        let number = if color == Color::White { WHITE_PIECES + number } else { number };
        key ^= words.board[number * SQUARES + square.dense()];
    }
    let hand = position.hand_of_a_player(us);
    for (index, kind) in HAND_KINDS.into_iter().enumerate() {
        key ^= words.hand[index * COUNTS + usize::from(hand.count(kind).unwrap_or(0))];
    }
    key
}

/// A book in Apery's format, sorted by key.
#[derive(Debug)]
pub struct AperyBook {
    records: Vec<(u64, BookMove)>,
    positions: usize,
}

impl AperyBook {
    /// Reads all records. Invalid moves are skipped.
    pub fn read(mut input: impl Read) -> std::io::Result<Self> {
        let mut records = Vec::new();
        let mut record = [0; RECORD];
        loop {
            match input.read_exact(&mut record) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
            let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, c0, c1, v0, v1, v2, v3] = record;
            let Some(mv) = from_apery(u16::from_le_bytes([m0, m1])) else { continue };
            let key = u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
            let count = u32::from(u16::from_le_bytes([c0, c1]));
            let eval = i32::from_le_bytes([v0, v1, v2, v3]);
            records.push((key, BookMove { mv, ponder: None, eval, depth: 0, count }));
        }
        // Usually sorted already.
        records.sort_by_key(|record| record.0);
        let changes = records.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
        let positions = changes + usize::from(!records.is_empty());
        Ok(Self { records, positions })
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The moves of a position.
    pub fn find(&self, position: &PartialPosition) -> Vec<BookMove> {
        let key = key(position);
        let from = self.records.partition_point(|record| record.0 < key);
        let same = self.records[from..].iter().take_while(|record| record.0 == key);
        same.map(|record| record.1).collect()
    }
}

/// A record of a file, which must be sorted by key. Counts out of range become the greatest one.
pub fn record(key: u64, found: &BookMove) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..8].copy_from_slice(&key.to_le_bytes());
    record[8..10].copy_from_slice(&to_apery(found.mv).to_le_bytes());
    let count = found.count.min(u32::from(u16::MAX)) as u16;
    record[10..12].copy_from_slice(&count.to_le_bytes());
    record[12..].copy_from_slice(&found.eval.to_le_bytes());
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    #[test]
    fn keys_agree_with_cshogi() {
        // By cshogi 1.1.0's Board.book_key.
        for (sfen, expected) in [
            ("startpos", 0xEEBE_8EE7_E1AD_7E15),
            (
                "lns1kgsnl/2gr3b1/ppppppppp/9/9/4P4/PPPPKPPPP/1B5R1/LNSG1GSNL w - 6",
                9_971_987_158_301_695_837,
            ),
            (
                "ln2k1sn1/2rs4l/pg1+Pp2p1/1p3pgPp/9/P1B1PG3/NP2+bPPKP/2S2S1RL/LG5N1 w 4P 80",
                6_239_603_360_859_404_222,
            ),
            (
                "lr3k1n1/2P6/2n1p1ppl/p1g+PPpsPp/1p1B2G2/P2S1BKRP/NP1S1PP2/L4S2L/1G1P3NG b P 117",
                5_556_351_456_668_444_437,
            ),
            (
                "l2r1kb2/s7+N/s1p1ps2p/pp1p1pP2/2P4pg/n1LGPP1P1/LP1ng3S/1BG5N/PR1K4L b 2Pp 117",
                9_914_768_781_536_948_074,
            ),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            assert_eq!(key(&position.to_partial()), expected, "{sfen}");
        }
    }
}
