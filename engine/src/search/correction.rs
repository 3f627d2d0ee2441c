//! Correction histories: how far the static evaluation was off in positions that look alike.
//!
//! The idea is Stockfish's correction history
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>). "Alike" means here:
//! the same pawns, the same hands, the same castle of either side, the same last two moves.

use crate::search::history::PIECE_TO;
use crate::search::params::Params;
use crate::search::score::{MAX_EVAL, Value};
use monomi_memory::{Aligned, prefetch};
use monomi_movegen::Position;
use monomi_movegen::square::Dense;
use shogi_core::{Color, PieceKind};

const SIZE: usize = 1 << 16;
const CONTINUATION_SIZE: usize = 1 << 17;
const LIMIT: i32 = 1_024;

/// Where one position's corrections stand.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionIndex {
    side: usize,
    pawns: usize,
    hands: usize,
    castles: [usize; 2],
    continuations: [usize; 2],
}

/// One thread's corrections.
pub struct Corrections {
    pawns: Aligned<[i16; 2]>,
    hands: Aligned<[i16; 2]>,
    castles: [Aligned<[i16; 2]>; 2],
    continuations: [Aligned<[i16; 2]>; 2],
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
        let table = || Aligned::zeroed(SIZE);
        Self {
            pawns: table(),
            hands: table(),
            castles: [table(), table()],
            continuations: [CONTINUATION_SIZE, CONTINUATION_SIZE].map(Aligned::zeroed),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let (castles, continuations) = (&mut self.castles, &mut self.continuations);
        let tables =
            [&mut self.pawns, &mut self.hands].into_iter().chain(castles).chain(continuations);
        tables.for_each(|table| table.fill([0; 2]));
    }

    /// Finds the entries of a position reached by a move and those one and three plies before it
    /// (each as piece and destination); `pawns` is a hash of its pawns.
    pub fn index(
        position: &Position,
        pawns: u64,
        [last, second, fourth]: [usize; 3],
    ) -> CorrectionIndex {
        let pair = |before: usize| {
            (last * (PIECE_TO + 1) + before).wrapping_mul(0x9E37_79B1) % CONTINUATION_SIZE
        };
        CorrectionIndex {
            side: position.side_to_move().dense(),
            pawns: pawns as usize % SIZE,
            hands: position.hand_key() as usize % SIZE,
            castles: Color::all().map(|c| castle_hash(position, c) as usize % SIZE),
            continuations: [pair(second), pair(fourth)],
        }
    }

    /// Asks for the entries ahead of [`Corrections::value`].
    #[inline(always)]
    pub fn prefetch(&self, index: CorrectionIndex) {
        prefetch(&self.pawns[index.pawns]);
        prefetch(&self.hands[index.hands]);
        for i in 0..2 {
            prefetch(&self.castles[i][index.castles[i]]);
            prefetch(&self.continuations[i][index.continuations[i]]);
        }
    }

    /// What is to be added to the evaluation, in 1/131,072 units.
    pub fn value(&self, index: CorrectionIndex, params: &Params) -> i32 {
        let s = index.side;
        let both = |tables: &[Aligned<[i16; 2]>; 2], at: [usize; 2]| {
            i32::from(tables[0][at[0]][s]) + i32::from(tables[1][at[1]][s])
        };
        params.correct_pawns * i32::from(self.pawns[index.pawns][s])
            + params.correct_hands * i32::from(self.hands[index.hands][s])
            + params.correct_castle * both(&self.castles, index.castles)
            + params.correct_continuation * both(&self.continuations, index.continuations)
    }

    /// The evaluation as the search uses it.
    pub fn apply(raw: Value, correction: i32) -> Value {
        (raw + correction / 131_072).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Learns that the evaluation should have been higher by `error`, found at `depth`. The error
    /// counts more where no move was good enough to say by how much it was off.
    pub fn update(&mut self, index: CorrectionIndex, error: Value, depth: i32, has_best: bool) {
        let weight = if has_best { 12 } else { 17 };
        let bonus = (error * depth * weight / 128).clamp(-LIMIT / 4, LIMIT / 4);
        let s = index.side;
        let [first, second] = &mut self.castles;
        let [near, far] = &mut self.continuations;
        for (entry, weight) in [
            (&mut self.pawns[index.pawns][s], 134),
            (&mut self.hands[index.hands][s], 160),
            (&mut first[index.castles[0]][s], 195),
            (&mut second[index.castles[1]][s], 195),
            (&mut near[index.continuations[0]][s], 132),
            (&mut far[index.continuations[1]][s], 66),
        ] {
            let bonus = bonus * weight / 128;
            let old = i32::from(*entry);
            *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}
