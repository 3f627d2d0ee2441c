//! Move ordering scores. Quiet moves are scored as they are generated, in batches of one piece, so
//! that what all moves of a piece share is looked up once.

use crate::search::history::{
    ContinuationIndex, ContinuationRow, Histories, PIECE_TO, PawnRow, SharedHistories, ToRow,
    piece_to,
};
use monomi_movegen::square::{Dense, SQUARES, promoted};
use monomi_movegen::{Bitboard, CheckInfo, MoveSink, PackedMove, Position, SEE_VALUE};
use shogi_core::{Color, Piece, PieceKind, Square};

/// Scores moves for the move picker.
#[derive(Clone, Copy)]
pub struct MoveScorer<'a> {
    /// The position at the node.
    pub position: &'a Position,
    /// The thread's own histories.
    pub histories: &'a Histories,
    /// The histories that it shares with others.
    pub shared_histories: &'a SharedHistories,
    /// The continuation histories that follow the moves one, two, three, four and six plies ago.
    pub continuations: [ContinuationIndex; 5],
    /// Distance from the root.
    pub ply: usize,
    /// Hash of the pawns.
    pub pawns: u64,
    /// Whether to include useless non-promotions.
    pub all_moves: bool,
}

impl MoveScorer<'_> {
    /// Score of a capture or pawn promotion: the captured piece, then capture history.
    pub fn capture(&self, mv: PackedMove) -> i32 {
        let victim = self.victim(mv);
        let gain = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
        // The gain of a promotion is not added: counting it made the order worse.
        7 * gain + self.histories.capture.get(self.piece_to(mv), victim)
    }

    /// Score of an evasion: captures first (most valuable victim, least valuable attacker), then
    /// quiet moves by history.
    pub fn evasion(&self, mv: PackedMove) -> i32 {
        match self.victim(mv) {
            Some(kind) => {
                let attacker = self.position.moving_kind(mv) as i32;
                (1 << 28) + SEE_VALUE[kind as usize] * 16 - attacker
            }
            None => {
                let [last, ..] = self.continuations;
                self.histories.butterfly.get(self.position.side_to_move(), mv)
                    + self.shared_histories.continuation.get(last, self.piece_to(mv))
            }
        }
    }

    #[inline(always)]
    fn piece_to(&self, mv: PackedMove) -> usize {
        let kind = self.position.arriving_kind(mv);
        piece_to(Piece::new(kind, self.position.side_to_move()), mv.to())
    }

    fn victim(&self, mv: PackedMove) -> Option<PieceKind> {
        self.position.piece_at(mv.to()).map(|piece| piece.piece_kind())
    }
}

/// Bonus of a check that does not lose material.
const CHECK_BONUS: i32 = 16_384;
/// What a check may lose in exchanges and still get the bonus.
const CHECK_LOSS: i32 = 75;

/// Receives quiet moves from the generator and passes each on with its score.
pub struct QuietScorer<'a, F> {
    scorer: &'a MoveScorer<'a>,
    checks: &'a CheckInfo,
    side: Color,
    continuations: [ContinuationRow<'a>; 5],
    pawns: PawnRow<'a>,
    each: F,
}

impl<'a, F: FnMut(PackedMove, i32)> QuietScorer<'a, F> {
    /// A scorer that calls `each` with moves and scores.
    #[inline(always)]
    pub fn new(scorer: &'a MoveScorer<'a>, checks: &'a CheckInfo, each: F) -> Self {
        let histories = scorer.shared_histories;
        Self {
            scorer,
            checks,
            side: scorer.position.side_to_move(),
            continuations: scorer.continuations.map(|after| histories.continuation.row(after)),
            pawns: histories.pawn.row(scorer.pawns),
            each,
        }
    }

    /// Scores moves of one origin that end as one kind of piece.
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
        let scorer = self.scorer;
        let butterfly: &ToRow = scorer.histories.butterfly.row(self.side, origin);
        let low_ply = scorer.histories.low_ply.row(scorer.ply, origin);
        let checking = self.checks.squares(kind);
        let base = Piece::new(kind, self.side).dense() * SQUARES;
        debug_assert!(base + SQUARES <= PIECE_TO);
        for to in targets {
            let mv = make(to);
            let index = base + to.dense();
            let mut score = 2 * (i32::from(butterfly[to.dense()]) + self.pawns.get(index));
            for row in self.continuations {
                score += row.get(index);
            }
            if let Some(row) = low_ply {
                score += 8 * i32::from(row[to.dense()]) / (1 + scorer.ply as i32);
            }
            if checking.contains(to) && scorer.position.see_ge(mv, -CHECK_LOSS) {
                score += CHECK_BONUS;
            }
            (self.each)(mv, score);
        }
    }
}

impl<F: FnMut(PackedMove, i32)> MoveSink for QuietScorer<'_, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let Some(piece) = self.scorer.position.piece_at(from) else { return };
        let kind = piece.piece_kind();
        self.batch(promoted(kind), from.dense(), promotions, |to| {
            PackedMove::normal(from, to, true)
        });
        self.batch(kind, from.dense(), plain, |to| PackedMove::normal(from, to, false));
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        // Pawn promotions are not quiet moves.
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
