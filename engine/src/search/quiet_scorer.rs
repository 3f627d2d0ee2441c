//! Scores quiet moves as they are generated, in batches of one piece: what is the same for all moves
//! of a piece is looked up once.

use crate::search::history::{ContinuationRow, FromToRow, PIECE_TO, PieceToRow};
use crate::search::picker::Ordering;
use monomi_movegen::square::{Dense, SQUARES, promoted};
use monomi_movegen::{Bitboard, CheckInfo, MoveSink, PackedMove};
use shogi_core::{Color, Piece, PieceKind, Square};

/// A check that does not lose material is worth this much.
const CHECK_BONUS: i32 = 16_384;
/// What a check may lose and still get the bonus.
const CHECK_LOSS: i32 = 75;

/// Hands every quiet move on with its score.
pub struct QuietScorer<'a, F> {
    ordering: &'a Ordering<'a>,
    checks: &'a CheckInfo,
    side: Color,
    continuations: [&'a ContinuationRow; 5],
    pawns: &'a PieceToRow,
    each: F,
}

impl<'a, F: FnMut(PackedMove, i32)> QuietScorer<'a, F> {
    /// A scorer that calls `each` with moves and scores.
    #[inline(always)]
    pub fn new(ordering: &'a Ordering<'a>, checks: &'a CheckInfo, each: F) -> Self {
        let histories = ordering.histories;
        Self {
            ordering,
            checks,
            side: ordering.position.side_to_move(),
            continuations: ordering.continuations.map(|after| histories.continuation_row(after)),
            pawns: histories.pawn_row(ordering.pawns),
            each,
        }
    }

    /// Moves of one origin that end as one kind of piece.
    #[inline(never)]
    fn batch(
        &mut self,
        kind: PieceKind,
        origin: usize,
        targets: Bitboard,
        make: impl Fn(Square) -> PackedMove,
    ) {
        if targets.is_empty() {
            return;
        }
        let ordering = self.ordering;
        let butterfly: &FromToRow = ordering.histories.butterfly_row(self.side, origin);
        let low_ply = ordering.histories.low_ply_row(ordering.ply, origin);
        let checking = self.checks.squares(kind);
        let base = Piece::new(kind, self.side).dense() * SQUARES;
        debug_assert!(base + SQUARES <= PIECE_TO);
        for to in targets {
            let mv = make(to);
            let index = base + to.dense();
            let mut score = 2 * (i32::from(butterfly[to.dense()]) + i32::from(self.pawns[index]));
            for row in self.continuations {
                score += i32::from(row[index]);
            }
            if let Some(row) = low_ply {
                score += 8 * i32::from(row[to.dense()]) / (1 + ordering.ply as i32);
            }
            if checking.contains(to) && ordering.position.see_ge(mv, -CHECK_LOSS) {
                score += CHECK_BONUS;
            }
            (self.each)(mv, score);
        }
    }
}

impl<F: FnMut(PackedMove, i32)> MoveSink for QuietScorer<'_, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let Some(piece) = self.ordering.position.piece_at(from) else { return };
        let kind = piece.piece_kind();
        self.batch(promoted(kind), from.dense(), promotions, |to| {
            PackedMove::normal(from, to, true)
        });
        self.batch(kind, from.dense(), plain, |to| PackedMove::normal(from, to, false));
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        // A pawn's promotion is no quiet move.
        debug_assert!(promotions.is_empty());
        for to in plain {
            let from = match color {
                Color::Black => to.dense() + 1,
                Color::White => to.dense() - 1,
            };
            let Some(origin) = monomi_movegen::square::square_at(from) else { continue };
            self.batch(PieceKind::Pawn, from, Bitboard::single(to), |to| {
                PackedMove::normal(origin, to, false)
            });
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        let origin = SQUARES + kind as usize - 1;
        self.batch(kind, origin, targets, |to| PackedMove::drop(kind, to));
    }
}
