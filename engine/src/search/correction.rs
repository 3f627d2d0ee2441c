//! Correction histories: how far the static evaluation was off in positions that look alike.
//!
//! The idea is Stockfish's correction history
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>). "Alike" means here:
//! the same pawns, the same hands, the same castle of either side, the same last two moves.

use crate::search::history::PIECE_TO;
use crate::search::params::Params;
use crate::search::score::{MAX_EVAL, Value};
use monomi_movegen::Position;
use monomi_movegen::square::Dense;
use shogi_core::{Color, PieceKind};

const SIZE: usize = 1 << 14;
const LIMIT: i32 = 1_024;

/// Where one position's corrections stand.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionIndex {
    side: usize,
    pawns: usize,
    hands: usize,
    castles: [usize; 2],
    continuation: usize,
}

/// One thread's corrections.
pub struct Corrections {
    pawns: Vec<[i16; 2]>,
    hands: Vec<[i16; 2]>,
    castles: [Vec<[i16; 2]>; 2],
    continuation: Vec<[i16; 2]>,
}

/// A hash of where the side's king, golds, silvers and knights stand.
fn castle_hash(position: &Position, color: Color) -> u64 {
    let own = position.pieces(color);
    let king = own & position.kind(PieceKind::King);
    let generals = own & (position.gold_movers() | position.kind(PieceKind::Silver));
    king.hash64() ^ generals.hash64().rotate_left(21)
}

impl Corrections {
    /// No corrections yet.
    pub fn new() -> Self {
        let table = || vec![[0; 2]; SIZE];
        Self {
            pawns: table(),
            hands: table(),
            castles: [table(), table()],
            continuation: vec![[0; 2]; SIZE * 4],
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Finds the entries of a position reached by the last two moves (as piece and destination).
    pub fn index(position: &Position, last: [usize; 2]) -> CorrectionIndex {
        CorrectionIndex {
            side: position.side_to_move().dense(),
            pawns: position.kind(PieceKind::Pawn).hash64() as usize % SIZE,
            hands: position.hand_key() as usize % SIZE,
            castles: Color::all().map(|c| castle_hash(position, c) as usize % SIZE),
            continuation: (last[0] * (PIECE_TO + 1) + last[1]).wrapping_mul(0x9E37_79B1)
                % (SIZE * 4),
        }
    }

    /// The evaluation as the search uses it.
    pub fn apply(&self, raw: Value, index: CorrectionIndex, params: &Params) -> Value {
        let s = index.side;
        let castles: i32 = (0..2).map(|c| i32::from(self.castles[c][index.castles[c]][s])).sum();
        let sum = params.correct_pawns * i32::from(self.pawns[index.pawns][s])
            + params.correct_hands * i32::from(self.hands[index.hands][s])
            + params.correct_castle * castles
            + params.correct_continuation * i32::from(self.continuation[index.continuation][s]);
        (raw + sum / 131_072).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Learns that the evaluation should have been higher by `error`, found at `depth`.
    pub fn update(&mut self, index: CorrectionIndex, error: Value, depth: i32) {
        let bonus = (error * depth / 8).clamp(-LIMIT / 4, LIMIT / 4);
        let s = index.side;
        let [first, second] = &mut self.castles;
        for entry in [
            &mut self.pawns[index.pawns][s],
            &mut self.hands[index.hands][s],
            &mut first[index.castles[0]][s],
            &mut second[index.castles[1]][s],
            &mut self.continuation[index.continuation][s],
        ] {
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}
