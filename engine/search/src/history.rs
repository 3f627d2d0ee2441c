//! Histories: how well moves did earlier in the search, for ordering, pruning and reductions.
//!
//! Every entry moves towards its bonus with "gravity": the closer it is to its limit, the smaller
//! the step, so entries stay in range and old results fade.

use crate::correction::CorrectionHistory;
use crate::gravity::moved;
use crate::piece_to::PIECE_TO;
use crate::resettable::{ResettableTable, Row};
use monomi_movegen::PackedMove;
use monomi_movegen::square::{Dense, SQUARES};
use monomi_support::memory::Aligned;
use shogi_core::{Color, PieceKind};

/// The first origin of drops.
pub const DROP_ORIGINS: usize = SQUARES;
/// The first origin of promotions.
pub const PROMOTION_ORIGINS: usize = DROP_ORIGINS + 7;
/// Number of origins: 81 squares, the seven kinds that can be dropped, 81 squares of pieces that
/// promote.
const ORIGINS: usize = PROMOTION_ORIGINS + SQUARES;
/// `[origin][to]`.
pub type OriginTo = [[i16; SQUARES]; ORIGINS];
/// Plies from the root that have a history of their own.
const LOW_PLIES: usize = 5;
/// Initial value of the continuation history: an untried move is not a good one.
const CONTINUATION_INITIAL: i16 = -500;
/// Initial value of the butterfly history.
const BUTTERFLY_INITIAL: i16 = 60;
/// Initial value of the capture history.
const CAPTURE_INITIAL: i16 = -650;
/// Initial value of the low ply history.
const LOW_PLY_INITIAL: i16 = 100;

const BUTTERFLY_LIMIT: i32 = 7_183;
const CAPTURE_LIMIT: i32 = 10_692;
const CONTINUATION_LIMIT: i32 = 30_000;
const TT_MOVE_LIMIT: i32 = 8_192;

/// Index of a move's origin.
#[inline(always)]
fn origin(mv: PackedMove) -> usize {
    match (mv.from_square(), mv.dropped()) {
        (Some(from), _) if mv.is_promotion() => PROMOTION_ORIGINS + from.dense(),
        (Some(from), _) => from.dense(),
        (None, kind) => DROP_ORIGINS + kind.map_or(0, |k| k as usize - 1),
    }
}

#[inline(always)]
fn gravity(entry: &mut i16, bonus: i32, limit: i32) {
    *entry = moved(i32::from(*entry), bonus, limit) as i16;
}

/// Butterfly history of quiet moves, `[color][origin][to]`.
pub struct ButterflyHistory(Aligned<OriginTo>);

impl ButterflyHistory {
    fn clear(&mut self) {
        self.0.fill([[BUTTERFLY_INITIAL; SQUARES]; ORIGINS]);
    }

    /// The entry of a move, within 7,183 either way.
    #[inline(always)]
    pub fn get(&self, color: Color, mv: PackedMove) -> i32 {
        i32::from(self.0[color.dense()][origin(mv)][mv.to().dense()])
    }

    /// All entries of a side.
    #[inline(always)]
    pub fn of(&self, color: Color) -> &OriginTo {
        &self.0[color.dense()]
    }

    /// Moves the entry towards a bonus.
    #[inline(always)]
    pub fn update(&mut self, color: Color, mv: PackedMove, bonus: i32) {
        let entry = &mut self.0[color.dense()][origin(mv)][mv.to().dense()];
        gravity(entry, bonus, BUTTERFLY_LIMIT);
    }
}

/// History of quiet moves in the first plies from the root, `[ply][origin][to]`.
pub struct LowPlyHistory(Aligned<OriginTo>);

impl LowPlyHistory {
    fn clear(&mut self) {
        self.0.fill([[LOW_PLY_INITIAL; SQUARES]; ORIGINS]);
    }

    /// All entries of a ply; `None` farther from the root.
    #[inline(always)]
    pub fn at(&self, ply: usize) -> Option<&OriginTo> {
        self.0.get(ply)
    }

    /// Moves the entry towards a bonus; no-op farther from the root.
    #[inline(always)]
    pub fn update(&mut self, ply: usize, mv: PackedMove, bonus: i32) {
        if let Some(table) = self.0.get_mut(ply) {
            gravity(&mut table[origin(mv)][mv.to().dense()], bonus, BUTTERFLY_LIMIT);
        }
    }
}

/// Capture history, `[piece][to][captured kind, 0 for none]`.
pub struct CaptureHistory(Aligned<[i16; 16]>);

impl CaptureHistory {
    fn clear(&mut self) {
        self.0.fill([CAPTURE_INITIAL; 16]);
    }

    /// The entry of a capture, within 10,692 either way.
    #[inline(always)]
    pub fn get(&self, piece_to: usize, victim: Option<PieceKind>) -> i32 {
        i32::from(self.0[piece_to][victim.map_or(0, |kind| kind as usize)])
    }

    /// Moves the entry towards a bonus.
    #[inline(always)]
    pub fn update(&mut self, piece_to: usize, victim: Option<PieceKind>, bonus: i32) {
        let entry = &mut self.0[piece_to][victim.map_or(0, |kind| kind as usize)];
        gravity(entry, bonus, CAPTURE_LIMIT);
    }
}

/// An earlier move as index of the continuation history:
/// `[answered a check][was a capture][piece][to]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContinuationIndex(u16);

impl ContinuationIndex {
    /// No earlier move: a null move, or the start of the game.
    pub const NONE: ContinuationIndex = ContinuationIndex((4 * PIECE_TO) as u16);

    /// The continuation of a move.
    #[inline(always)]
    pub fn after(piece_to: usize, capture: bool, in_check: bool) -> Self {
        let table = usize::from(capture) + 2 * usize::from(in_check);
        ContinuationIndex((piece_to + table * PIECE_TO) as u16)
    }
}

/// Continuation history: how well a move did after an earlier one, one to six plies before.
/// `[ContinuationIndex][piece][to]`.
pub struct ContinuationHistory(ResettableTable<PIECE_TO, CONTINUATION_INITIAL>);

/// Entries after an earlier move, `[piece][to]`.
pub type ContinuationRow<'a> = Row<'a, PIECE_TO, CONTINUATION_INITIAL>;

impl ContinuationHistory {
    /// The entry of a move, within 30,000 either way.
    #[inline(always)]
    pub fn get(&self, after: ContinuationIndex, piece_to: usize) -> i32 {
        self.row(after).get(piece_to)
    }

    /// All entries after an earlier move.
    #[inline(always)]
    pub fn row(&self, after: ContinuationIndex) -> ContinuationRow<'_> {
        self.0.row(after.0 as usize)
    }

    /// Moves the entry towards a bonus; no-op without an earlier move.
    #[inline(always)]
    pub fn update(&self, after: ContinuationIndex, piece_to: usize, bonus: i32) {
        if after != ContinuationIndex::NONE {
            let row = self.0.row_to_write(after.0 as usize);
            row.set(piece_to, moved(row.get(piece_to), bonus, CONTINUATION_LIMIT));
        }
    }
}

/// How often the transposition table's move was the best one lately: a single number.
#[derive(Default)]
pub struct TtMoveHistory(i16);

impl TtMoveHistory {
    /// The number, within 8,192 either way.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        i32::from(self.0)
    }

    /// Moves it towards a bonus.
    #[inline(always)]
    pub fn update(&mut self, bonus: i32) {
        gravity(&mut self.0, bonus, TT_MOVE_LIMIT);
    }
}

/// The small histories, which each thread has for itself.
pub struct Histories {
    pub butterfly: ButterflyHistory,
    pub low_ply: LowPlyHistory,
    pub capture: CaptureHistory,
    pub tt_move: TtMoveHistory,
}

impl Histories {
    /// Initial values.
    pub fn new() -> Self {
        let mut histories = Self {
            butterfly: ButterflyHistory(Aligned::zeroed(2)),
            low_ply: LowPlyHistory(Aligned::zeroed(LOW_PLIES)),
            capture: CaptureHistory(Aligned::zeroed(PIECE_TO)),
            tt_move: TtMoveHistory::default(),
        };
        histories.clear();
        histories
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        self.butterfly.clear();
        self.low_ply.clear();
        self.capture.clear();
        self.tt_move = TtMoveHistory::default();
    }

    /// Starts a search from a new root, to which the low ply history does not apply.
    pub fn new_search(&mut self) {
        self.low_ply.clear();
    }
}

/// The large histories (53 MB), shared by a few threads. Their entries are relaxed atomics; when two
/// threads update an entry at once, one of the updates is lost.
pub struct SharedHistories {
    pub continuation: ContinuationHistory,
    pub corrections: CorrectionHistory,
}

impl SharedHistories {
    /// Initial values; `None` if there is not enough memory.
    pub fn try_new() -> Option<Self> {
        Some(Self {
            continuation: ContinuationHistory(ResettableTable::try_new(4 * PIECE_TO + 1)?),
            corrections: CorrectionHistory::try_new()?,
        })
    }

    /// Has the system provide all the memory now.
    pub fn touch(&mut self) {
        self.continuation.0.touch();
        self.corrections.touch();
    }

    /// Resets everything.
    pub fn clear(&mut self) {
        self.continuation.0.clear();
        self.corrections.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Params;
    use crate::piece_to::piece_to;
    use monomi_movegen::Position;
    use shogi_core::Piece;

    /// Positions with moves of all kinds: promotions, captures and drops of every piece.
    fn positions() -> [Position; 2] {
        [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/PL5R1/4b4/9/9/9/9/9/4K4 b BGSNLPrgsnlp 1",
        ]
        .map(|sfen| Position::from_sfen(sfen).unwrap())
    }

    fn moved_to(position: &Position, mv: PackedMove) -> usize {
        piece_to(Piece::new(position.arriving_kind(mv), position.side_to_move()), mv.to())
    }

    #[test]
    fn no_two_moves_share_an_entry() {
        for position in &positions() {
            let mut seen = std::collections::HashSet::new();
            for mv in position.legal_moves() {
                assert!(seen.insert((origin(mv), mv.to().dense())), "{mv}");
            }
        }
    }

    #[test]
    fn updates_raise_the_entries_of_every_kind_of_move() {
        let mut histories = Histories::new();
        for position in &positions() {
            let color = position.side_to_move();
            for mv in position.legal_moves() {
                let to = moved_to(position, mv);
                let victim = position.piece_at(mv.to()).map(|piece| piece.piece_kind());
                let from = origin(mv);
                let before = histories.butterfly.get(color, mv);
                let captures = histories.capture.get(to, victim);
                histories.butterfly.update(color, mv, 500);
                histories.capture.update(to, victim, 500);
                assert!(histories.butterfly.get(color, mv) > before, "{mv}");
                assert!(histories.capture.get(to, victim) > captures, "{mv}");
                let entry = histories.butterfly.of(color)[from][mv.to().dense()];
                assert_eq!(i32::from(entry), histories.butterfly.get(color, mv));
                for ply in 0..LOW_PLIES + 2 {
                    histories.low_ply.update(ply, mv, 500);
                    let table = histories.low_ply.at(ply);
                    assert_eq!(table.is_some(), ply < LOW_PLIES);
                    let entry = table.map(|table| table[from][mv.to().dense()]);
                    assert!(entry.is_none_or(|entry| entry > LOW_PLY_INITIAL));
                }
            }
        }
        histories.new_search();
        assert_eq!(histories.low_ply.at(0), Some(&[[LOW_PLY_INITIAL; SQUARES]; ORIGINS]));
    }

    /// Two threads update the same entries. Miri and ThreadSanitizer look for data races here.
    #[test]
    fn threads_share_the_large_histories() {
        // Miri looks at a whole table whenever a row is used, so it gets two rows.
        let rows = if cfg!(miri) { 2 } else { 4 * PIECE_TO + 1 };
        let mut histories = SharedHistories {
            continuation: ContinuationHistory(ResettableTable::try_new(rows).unwrap()),
            corrections: CorrectionHistory::try_new().unwrap(),
        };
        let positions = positions();
        let params = Params::DEFAULT;
        let (rounds, step) = if cfg!(miri) { (1, 30) } else { (50, 1) };
        let last = ContinuationIndex((rows - 2) as u16);
        let run = || {
            for _ in 0..rounds {
                for position in &positions {
                    let index = CorrectionHistory::index(position, [0, 5, PIECE_TO]);
                    histories.corrections.prefetch(index);
                    histories.corrections.update(index, 300, &Params::DEFAULT);
                    assert!(histories.corrections.value(index, &params) > 0);
                    for mv in position.legal_moves().into_iter().step_by(step) {
                        let to = moved_to(position, mv);
                        histories.continuation.update(last, to, 900);
                        histories.continuation.update(ContinuationIndex::NONE, to, 900);
                        assert!(
                            histories.continuation.get(last, to) > i32::from(CONTINUATION_INITIAL)
                        );
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(run);
            run();
        });
        histories.clear();
        for position in &positions {
            let index = CorrectionHistory::index(position, [0, 5, PIECE_TO]);
            assert_eq!(histories.corrections.value(index, &params), 0);
            for to in (0..PIECE_TO).step_by(step) {
                assert_eq!(histories.continuation.get(last, to), i32::from(CONTINUATION_INITIAL));
            }
        }
    }

    #[test]
    fn gravity_keeps_entries_in_range() {
        for limit in [BUTTERFLY_LIMIT, CAPTURE_LIMIT, CONTINUATION_LIMIT] {
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
