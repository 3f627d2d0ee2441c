//! Correction history: how far the static evaluation was off in similar positions.
//!
//! The idea is Stockfish's
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>). Positions are similar
//! that have the same pawns, the same hands, the same castle of either side, or the same last two
//! moves.

use crate::gravity::moved;
use crate::params::Params;
use crate::piece_to::PIECE_TO;
use crate::resettable::Cell;
use monomi_eval::score::{MAX_EVAL, Value};
use monomi_movegen::Position;
use monomi_movegen::square::Dense;
use monomi_support::memory::{Aligned, prefetch};
use shogi_core::{Color, PieceKind};

/// Entries of the tables indexed by a hash of pieces.
const SIZE: usize = 1 << if cfg!(miri) { 6 } else { 16 };
/// Entries of the tables indexed by the last moves.
const CONTINUATION_SIZE: usize = 1 << if cfg!(miri) { 7 } else { 17 };
/// Limit of every entry.
const LIMIT: i32 = 1_024;

/// The entries of one position.
#[derive(Clone, Copy, Debug, Default)]
pub struct CorrectionIndex {
    side: usize,
    pawns: usize,
    hands: usize,
    castles: [usize; 2],
    continuations: [usize; 2],
}

/// Entries by a hash, for each side to move.
type Table = Aligned<[Cell; 2]>;

/// The correction history. All tables are `[hash][side to move]`.
pub struct CorrectionHistory {
    pawns: Table,
    hands: Table,
    /// By the castle of Black and of White.
    castles: [Table; 2],
    /// By the last move with the second and with the fourth last.
    continuations: [Table; 2],
}

/// A hash of the squares of a side's king, golds (and pieces that move like them) and silvers.
fn castle_hash(position: &Position, color: Color) -> u64 {
    let own = position.pieces(color);
    let king = own & position.kind(PieceKind::King);
    let generals = own & (position.gold_movers() | position.kind(PieceKind::Silver));
    king.hash64() ^ generals.hash64().rotate_left(21)
}

impl CorrectionHistory {
    /// No corrections yet; `None` if there is not enough memory.
    pub fn try_new() -> Option<Self> {
        let table = || Table::try_zeroed(SIZE);
        let large = || Table::try_zeroed(CONTINUATION_SIZE);
        Some(Self {
            pawns: table()?,
            hands: table()?,
            castles: [table()?, table()?],
            continuations: [large()?, large()?],
        })
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        let (castles, continuations) = (&mut self.castles, &mut self.continuations);
        let tables =
            [&mut self.pawns, &mut self.hands].into_iter().chain(castles).chain(continuations);
        tables.for_each(|table| table.iter_mut().flatten().for_each(|entry| entry.reset(0)));
    }

    /// The entries of a position: `pawns` is a hash of its pawns; of the last, second last and fourth
    /// last move the history index of piece and destination.
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

    /// Prefetches the entries.
    #[inline(always)]
    pub fn prefetch(&self, index: CorrectionIndex) {
        prefetch(&self.pawns[index.pawns]);
        prefetch(&self.hands[index.hands]);
        for i in 0..2 {
            prefetch(&self.castles[i][index.castles[i]]);
            prefetch(&self.continuations[i][index.continuations[i]]);
        }
    }

    /// The weighted sum of the entries: the correction in 1/131,072 units.
    pub fn value(&self, index: CorrectionIndex, params: &Params) -> i32 {
        let s = index.side;
        let both = |tables: &[Table; 2], at: [usize; 2]| {
            tables[0][at[0]][s].get() + tables[1][at[1]][s].get()
        };
        params.correct_pawns * self.pawns[index.pawns][s].get()
            + params.correct_hands * self.hands[index.hands][s].get()
            + params.correct_castle * both(&self.castles, index.castles)
            + params.correct_continuation * both(&self.continuations, index.continuations)
    }

    /// The corrected evaluation.
    pub fn apply(raw: Value, correction: i32) -> Value {
        (raw + correction / 131_072).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Moves the entries towards a bonus, which is positive where the evaluation was too low.
    pub fn update(&self, index: CorrectionIndex, bonus: i32, params: &Params) {
        let bonus = bonus.clamp(-LIMIT / 4, LIMIT / 4);
        let s = index.side;
        let [first, second] = &self.castles;
        let [near, far] = &self.continuations;
        for (entry, weight) in [
            (&self.pawns[index.pawns][s], params.correct_pawns_rate),
            (&self.hands[index.hands][s], params.correct_hands_rate),
            (&first[index.castles[0]][s], params.correct_castle_rate),
            (&second[index.castles[1]][s], params.correct_castle_rate),
            (&near[index.continuations[0]][s], params.correct_continuation_rate),
            (&far[index.continuations[1]][s], params.correct_continuation_far_rate),
        ] {
            let bonus = bonus * weight / 128;
            let old = entry.get();
            entry.set(moved(old, bonus, LIMIT) as i16);
        }
    }
}
