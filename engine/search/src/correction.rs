//! Correction history: how far the static evaluation was off in similar positions.
//!
//! The idea is Stockfish's
//! (<https://www.chessprogramming.org/Static_Evaluation_Correction_History>). Positions are similar
//! that have the same pawns, the same hands, the same castle of either side, or the same last two
//! moves.

use crate::gravity::moved;
use crate::params::Params;
use crate::piece_to::PIECE_TO;
use crate::resettable::{Cell, ResettableTable};
use monomi_eval::score::{MAX_EVAL, Value};
use monomi_movegen::Position;
use monomi_movegen::square::Dense;
use monomi_support::memory::{Aligned, prefetch};
use shogi_core::{Color, PieceKind};

/// Entries of the tables indexed by a hash of pieces.
const SIZE: usize = 1 << if cfg!(miri) { 6 } else { 16 };
/// Rows of the tables indexed by the last moves: by the last move, then without one (after a null
/// move) for each side to move.
const LAST_MOVES: usize = if cfg!(miri) { 2 } else { PIECE_TO + 2 };
/// Entries of a row: by an earlier move of the side to move, then without one.
const OWN_MOVES: usize = PIECE_TO / 2 + 1;
/// Limit of every entry.
const LIMIT: i32 = 1_024;

/// The entries of one position.
#[derive(Clone, Copy, Debug, Default)]
pub struct CorrectionIndex {
    side: usize,
    pawns: usize,
    hands: usize,
    castles: [usize; 2],
    last: usize,
    before: [usize; 2],
}

/// Entries by a hash, for each side to move.
type Table = Aligned<[Cell; 2]>;
/// Entries by the last move and an earlier one of the side to move, `[last][earlier]`.
type Pairs = ResettableTable<OWN_MOVES, 0>;

/// The correction history. Tables by a hash are `[hash][side to move]`.
pub struct CorrectionHistory {
    pawns: Table,
    hands: Table,
    /// By the castle of Black and of White.
    castles: [Table; 2],
    /// By the last move with the second and with the fourth last.
    continuations: [Pairs; 2],
}

/// Index in a row of [`Pairs`] of a move of the side to move.
#[inline(always)]
fn own(piece_to: usize) -> usize {
    if piece_to == PIECE_TO { PIECE_TO / 2 } else { piece_to % (PIECE_TO / 2) }
}

/// A hash of the squares of Black's pawns and of White's.
fn pawn_hash(position: &Position) -> u64 {
    let pawns = position.kind(PieceKind::Pawn);
    let black = (pawns & position.pieces(Color::Black)).hash64();
    let white = (pawns & position.pieces(Color::White)).hash64();
    black ^ white.rotate_left(32)
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
        let pairs = || Pairs::try_new(LAST_MOVES);
        Some(Self {
            pawns: table()?,
            hands: table()?,
            castles: [table()?, table()?],
            continuations: [pairs()?, pairs()?],
        })
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        let tables = [&mut self.pawns, &mut self.hands].into_iter().chain(&mut self.castles);
        tables.for_each(|table| table.iter_mut().flatten().for_each(|entry| entry.reset(0)));
        self.continuations.iter_mut().for_each(ResettableTable::clear);
    }

    /// Has the system provide the memory of the large tables now.
    pub fn touch(&mut self) {
        self.continuations.iter_mut().for_each(ResettableTable::touch);
    }

    /// The entries of a position, given the history indices of piece and destination of the last,
    /// second last and fourth last move.
    pub fn index(position: &Position, [last, second, fourth]: [usize; 3]) -> CorrectionIndex {
        let side = position.side_to_move().dense();
        CorrectionIndex {
            side,
            pawns: pawn_hash(position) as usize % SIZE,
            hands: position.hand_key() as usize % SIZE,
            castles: Color::all().map(|c| castle_hash(position, c) as usize % SIZE),
            last: match last {
                _ if cfg!(miri) => last % LAST_MOVES,
                PIECE_TO => PIECE_TO + side,
                _ => last,
            },
            before: [own(second), own(fourth)],
        }
    }

    /// Prefetches the entries.
    #[inline(always)]
    pub fn prefetch(&self, index: CorrectionIndex) {
        prefetch(&self.pawns[index.pawns]);
        prefetch(&self.hands[index.hands]);
        for i in 0..2 {
            prefetch(&self.castles[i][index.castles[i]]);
            self.continuations[i].row(index.last).prefetch(index.before[i]);
        }
    }

    /// The weighted sum of the entries: the correction in 1/131,072 units.
    pub fn value(&self, index: CorrectionIndex, params: &Params) -> i32 {
        let s = index.side;
        let both = |tables: &[Table; 2], at: [usize; 2]| {
            tables[0][at[0]][s].get() + tables[1][at[1]][s].get()
        };
        let pair = |i: usize| self.continuations[i].row(index.last).get(index.before[i]);
        params.correct_pawns * self.pawns[index.pawns][s].get()
            + params.correct_hands * self.hands[index.hands][s].get()
            + params.correct_castle * both(&self.castles, index.castles)
            + params.correct_continuation * (pair(0) + pair(1))
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
        for (entry, weight) in [
            (&self.pawns[index.pawns][s], params.correct_pawns_rate),
            (&self.hands[index.hands][s], params.correct_hands_rate),
            (&first[index.castles[0]][s], params.correct_castle_rate),
            (&second[index.castles[1]][s], params.correct_castle_rate),
        ] {
            entry.set(moved(entry.get(), bonus * weight / 128, LIMIT) as i16);
        }
        let weights = [params.correct_continuation_rate, params.correct_continuation_far_rate];
        for ((table, before), weight) in self.continuations.iter().zip(index.before).zip(weights) {
            let row = table.row_to_write(index.last);
            row.set(before, moved(row.get(before), bonus * weight / 128, LIMIT));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::square::SQUARES;
    use shogi_core::Piece;

    /// All pairs of an opponent's move and an earlier one of the side to move.
    #[test]
    fn no_two_pairs_of_moves_share_an_entry() {
        let moves = |color: Color| {
            let pieces = Piece::all().into_iter().filter(move |piece| piece.color() == color);
            let squares =
                pieces.flat_map(|piece| (0..SQUARES).map(move |to| piece.dense() * SQUARES + to));
            squares.chain([PIECE_TO]).collect::<Vec<_>>()
        };
        let mut seen = std::collections::HashSet::new();
        for (color, sfen) in [
            (Color::Black, "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
            (Color::White, "4k4/9/9/9/9/9/9/9/4K4 w - 1"),
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            for last in moves(color.flip()) {
                for before in moves(color) {
                    let index = CorrectionHistory::index(&position, [last, before, PIECE_TO]);
                    assert!(index.last < LAST_MOVES && index.before[0] < OWN_MOVES);
                    assert!(seen.insert((index.last, index.before[0])), "{last} {before}");
                }
            }
        }
    }

    #[test]
    fn the_hash_of_pawns_tells_the_sides_apart() {
        let key = |sfen: &str| pawn_hash(&Position::from_sfen(sfen).unwrap());
        let black = key("4k4/9/4P4/9/3P5/9/9/9/4K4 b - 1");
        assert_ne!(black, key("4k4/9/4p4/9/3p5/9/9/9/4K4 b - 1"));
        assert_ne!(black, key("4k4/9/4P4/9/3p5/9/9/9/4K4 b - 1"));
        assert_ne!(black, key("4k4/9/4P4/9/9/3P5/9/9/4K4 b - 1"));
        // Pieces other than pawns do not count.
        assert_eq!(black, key("3k5/4g4/4P4/9/3P5/9/9/4R4/4K4 w 2p 1"));
    }
}
