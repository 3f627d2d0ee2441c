//! What earlier parts of the search learnt about moves, for ordering, pruning and reducing.
//!
//! Every entry moves towards its bonus with "gravity": the nearer to the limit, the smaller the
//! step, so that entries stay in range and forget.

use crate::search::rows::Rows;
use monomi_memory::Aligned;
use monomi_movegen::PackedMove;
use monomi_movegen::square::{Dense, SQUARES};
use shogi_core::{Color, Piece, PieceKind, Square};

/// A piece on its destination: the index of most tables.
pub const PIECE_TO: usize = 28 * SQUARES;
/// Origins: 81 squares, and the seven kinds of drops.
const ORIGINS: usize = SQUARES + 7;
/// By destination, for one origin.
pub type FromToRow = [i16; SQUARES];
/// By piece and destination.
pub type PieceToRow = [i16; PIECE_TO];
/// By piece and destination, behind one earlier move.
pub type ContinuationRow = PieceToRow;
type FromTo = [FromToRow; ORIGINS];
/// Plies from the root with a history of their own.
pub const LOW_PLIES: usize = 5;
const PAWN_STRUCTURES: usize = 8_192;

const BUTTERFLY_LIMIT: i32 = 7_183;
const CAPTURE_LIMIT: i32 = 10_692;
const CONTINUATION_LIMIT: i32 = 30_000;
const PAWN_LIMIT: i32 = 8_192;
const TT_MOVE_LIMIT: i32 = 8_192;

/// Index of a piece on its destination.
#[inline(always)]
pub fn piece_to(piece: Piece, to: Square) -> usize {
    piece.dense() * SQUARES + to.dense()
}

/// Which continuation table follows a move: by its piece and destination, whether it captured, and
/// whether it answered a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Continuation(u16);

impl Continuation {
    /// Behind no move at all: a null move, or the game's start.
    pub const NONE: Continuation = Continuation((4 * PIECE_TO) as u16);

    /// Behind a move.
    #[inline(always)]
    pub fn after(piece_to: usize, noisy: bool, in_check: bool) -> Self {
        let table = usize::from(noisy) + 2 * usize::from(in_check);
        Continuation((piece_to + table * PIECE_TO) as u16)
    }
}

#[inline(always)]
fn gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[inline(always)]
fn origin(mv: PackedMove) -> usize {
    match (mv.from(), mv.dropped()) {
        (Some(from), _) => from.dense(),
        (None, kind) => SQUARES + kind.map_or(0, |k| k as usize - 1),
    }
}

/// One thread's histories.
pub struct Histories {
    butterfly: Aligned<FromTo>,
    low_ply: Aligned<FromTo>,
    capture: Aligned<[i16; 16]>,
    continuation: Rows<PIECE_TO>,
    pawn: Rows<PIECE_TO>,
    tt_move: i16,
}

impl Histories {
    /// Blank tables.
    pub fn new() -> Self {
        let mut histories = Self {
            butterfly: Aligned::zeroed(2),
            low_ply: Aligned::zeroed(LOW_PLIES),
            capture: Aligned::zeroed(PIECE_TO),
            continuation: Rows::new(4 * PIECE_TO + 1, -500),
            pawn: Rows::new(PAWN_STRUCTURES, -1_200),
            tt_move: 0,
        };
        histories.clear();
        histories
    }

    /// Forgets everything. Some tables start below zero: an untried move is no good move.
    pub fn clear(&mut self) {
        self.butterfly.fill([[60; SQUARES]; ORIGINS]);
        self.low_ply.fill([[100; SQUARES]; ORIGINS]);
        self.capture.fill([-650; 16]);
        self.continuation.clear();
        self.pawn.clear();
        self.tt_move = 0;
    }

    /// A new root: what was learnt near the old one does not hold here.
    pub fn new_search(&mut self) {
        self.low_ply.fill([[100; SQUARES]; ORIGINS]);
    }

    /// By origin and destination.
    #[inline(always)]
    pub fn butterfly(&self, color: Color, mv: PackedMove) -> i32 {
        i32::from(self.butterfly[color.dense()][origin(mv)][mv.to().dense()])
    }

    /// Moves the butterfly entry towards a bonus.
    #[inline(always)]
    pub fn update_butterfly(&mut self, color: Color, mv: PackedMove, bonus: i32) {
        gravity(
            &mut self.butterfly[color.dense()][origin(mv)][mv.to().dense()],
            bonus,
            BUTTERFLY_LIMIT,
        );
    }

    /// Entries of one origin: a square's index, or 81 and the kind of a drop from zero.
    #[inline(always)]
    pub fn butterfly_row(&self, color: Color, origin: usize) -> &FromToRow {
        &self.butterfly[color.dense()][origin]
    }

    /// Entries of one origin near the root; nothing farther away.
    #[inline(always)]
    pub fn low_ply_row(&self, ply: usize, origin: usize) -> Option<&FromToRow> {
        self.low_ply.get(ply).map(|table| &table[origin])
    }

    /// Moves the entry of a ply near the root.
    #[inline(always)]
    pub fn update_low_ply(&mut self, ply: usize, mv: PackedMove, bonus: i32) {
        if let Some(table) = self.low_ply.get_mut(ply) {
            gravity(&mut table[origin(mv)][mv.to().dense()], bonus, BUTTERFLY_LIMIT);
        }
    }

    /// By piece, destination and victim.
    #[inline(always)]
    pub fn capture(&self, piece_to: usize, victim: Option<PieceKind>) -> i32 {
        i32::from(self.capture[piece_to][victim.map_or(0, |kind| kind as usize)])
    }

    /// Moves a capture's entry.
    #[inline(always)]
    pub fn update_capture(&mut self, piece_to: usize, victim: Option<PieceKind>, bonus: i32) {
        let entry = &mut self.capture[piece_to][victim.map_or(0, |kind| kind as usize)];
        gravity(entry, bonus, CAPTURE_LIMIT);
    }

    /// By an earlier move and this one.
    #[inline(always)]
    pub fn continuation(&self, after: Continuation, piece_to: usize) -> i32 {
        i32::from(self.continuation[after.0 as usize][piece_to])
    }

    /// All entries behind an earlier move.
    #[inline(always)]
    pub fn continuation_row(&self, after: Continuation) -> &ContinuationRow {
        &self.continuation[after.0 as usize]
    }

    /// Moves a continuation entry; nothing is learnt behind no move.
    #[inline(always)]
    pub fn update_continuation(&mut self, after: Continuation, piece_to: usize, bonus: i32) {
        if after != Continuation::NONE {
            let entry = &mut self.continuation.write(after.0 as usize)[piece_to];
            gravity(entry, bonus, CONTINUATION_LIMIT);
        }
    }

    /// How often the table's moves have proved best lately, within 8,192 either way.
    #[inline(always)]
    pub fn tt_move(&self) -> i32 {
        i32::from(self.tt_move)
    }

    /// Learns how the table's move fared.
    #[inline(always)]
    pub fn update_tt_move(&mut self, bonus: i32) {
        gravity(&mut self.tt_move, bonus, TT_MOVE_LIMIT);
    }

    /// All entries of a pawn structure (a hash of the pawns).
    #[inline(always)]
    pub fn pawn_row(&self, structure: u64) -> &PieceToRow {
        &self.pawn[structure as usize % PAWN_STRUCTURES]
    }

    /// Moves a pawn structure's entry.
    #[inline(always)]
    pub fn update_pawn(&mut self, structure: u64, piece_to: usize, bonus: i32) {
        let row = self.pawn.write(structure as usize % PAWN_STRUCTURES);
        gravity(&mut row[piece_to], bonus, PAWN_LIMIT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_entries_in_range() {
        for limit in [PAWN_LIMIT, BUTTERFLY_LIMIT, CAPTURE_LIMIT, CONTINUATION_LIMIT] {
            let mut entry = 0i16;
            for bonus in [limit, limit / 2, 3 * limit, -5 * limit, -limit, 17, limit] {
                for _ in 0..50 {
                    gravity(&mut entry, bonus, limit);
                    assert!(i32::from(entry).abs() <= limit);
                }
            }
            assert_eq!(i32::from(entry), limit);
        }
    }
}
