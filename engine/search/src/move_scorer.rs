//! Move ordering scores.

use crate::history::{
    ContinuationIndex, DROP_ORIGINS, Histories, PROMOTION_ORIGINS, SharedHistories,
};
use crate::params::Params;
use crate::piece_to::piece_to;
use arrayvec::ArrayVec;
use monomi_movegen::square::{Dense, SQUARES, promoted};
use monomi_movegen::{
    BatchList, Bitboard, CheckInfo, MAX_MOVES, MoveBatch, MoveSink, PackedMove, Position,
    SEE_VALUE, Threats,
};
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
    /// Whether to include useless non-promotions.
    pub all_moves: bool,
    /// The search's parameters, in builds with the feature `tune`.
    pub tuned: &'a Params,
}

impl MoveScorer<'_> {
    /// The search's parameters.
    #[inline(always)]
    pub fn params(&self) -> &Params {
        self.tuned.in_use()
    }

    /// Score of a capture or pawn promotion: the captured piece, then capture history.
    pub fn capture(&self, mv: PackedMove) -> i32 {
        let victim = self.victim(mv);
        let gain = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
        // The gain of a promotion is not added: counting it made the order worse.
        self.params().order_victim * gain + self.histories.capture.get(self.piece_to(mv), victim)
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

/// A move and its score for ordering.
#[derive(Clone, Copy)]
pub struct ScoredMove {
    pub mv: PackedMove,
    /// Its score: moves with higher scores are tried first.
    pub score: i32,
}

/// A list of moves to try.
pub type ScoredMoves = ArrayVec<ScoredMove, MAX_MOVES>;

/// Scoring data of one batch: the quiet moves of a piece, of all pawns, or drops of a kind, onto one
/// bitboard word.
struct QuietData {
    /// The squares of the word on which the arriving piece gives check.
    checks: u64,
    /// Part of the score that is the same for all of them.
    bonus: i32,
    /// Index of the arriving piece and the first square of the word.
    piece_to: u16,
    /// Index of origin and destination for the first square of the word.
    origin_to: u16,
    /// What `origin_to` grows by from one destination to the next.
    origin_to_step: u16,
}

impl MoveScorer<'_> {
    /// Adds all quiet moves but `skip` to a list and scores them.
    ///
    /// The generator only collects the sets of destinations. The moves are listed and scored after
    /// that in one loop, in which the processor loads the entries of several moves, which are rarely
    /// in a cache, at once.
    pub fn add_quiets(&self, checks: &CheckInfo, skip: Option<PackedMove>, list: &mut ScoredMoves) {
        let position = self.position;
        let escape = self.params().order_escape;
        let threats = Threats::new(position);
        let batches = BatchList::new();
        let mut sink = QuietSink { position, checks, threats, escape, skip, batches };
        if self.all_moves {
            position.generate_all_quiets(&mut sink);
        } else {
            position.generate_quiets(&mut sink);
        }
        self.score_quiets(&sink.batches, list);
    }

    #[inline(always)]
    fn score_quiets(&self, batches: &BatchList<QuietData>, list: &mut ScoredMoves) {
        let shared = self.shared_histories;
        let butterfly = self.histories.butterfly.of(self.position.side_to_move()).as_flattened();
        let low_ply = self.histories.low_ply.at(self.ply).map(|table| table.as_flattened());
        let params = self.params();
        let weights = [
            params.order_one,
            params.order_two,
            params.order_three,
            params.order_four,
            params.order_six,
        ];
        let continuations = self.continuations.map(|after| shared.continuation.row(after));
        batches.for_each(|mv, to, data| {
            let index = usize::from(data.piece_to) + to;
            // Modulo 2 to the power of 16: the index of pawns without destination may be negative.
            let step = data.origin_to_step.wrapping_mul(to as u16);
            let origin_to = usize::from(data.origin_to.wrapping_add(step));
            let mut sum = params.order_butterfly * i32::from(butterfly[origin_to]);
            for (row, weight) in continuations.into_iter().zip(weights) {
                sum += weight * row.get(index);
            }
            sum /= 64;
            if let Some(table) = low_ply {
                sum += 8 * i32::from(table[origin_to]) / (1 + self.ply as i32);
            }
            if data.checks >> to & 1 != 0 && self.position.see_ge(mv, -params.order_check_loss) {
                sum += params.order_check;
            }
            list.push(ScoredMove { mv, score: sum + data.bonus });
        });
    }
}

/// Receives quiet moves from the generator.
struct QuietSink<'a> {
    position: &'a Position,
    checks: &'a CheckInfo,
    threats: Threats,
    /// By exchange value, the bonus of a piece that leaves the attack of a less valuable one.
    escape: i32,
    skip: Option<PackedMove>,
    batches: BatchList<QuietData>,
}

impl QuietSink<'_> {
    /// Adds moves that end as `piece`; `origin_to` has the index of origin and destination with square
    /// 0 as destination, and its growth from one destination to the next.
    #[inline(always)]
    fn add(&mut self, piece: Piece, moves: MoveBatch, origin_to: (usize, usize), bonus: i32) {
        let moves = self.skip.map_or(moves, |skip| moves.without(skip));
        let checks = self.checks.squares(piece.piece_kind()).words();
        let (origin_to, step) = origin_to;
        self.batches.push(moves, |word, start| QuietData {
            checks: checks[word].0,
            bonus,
            piece_to: (piece.dense() * SQUARES + start) as u16,
            origin_to: origin_to.wrapping_add(step * start) as u16,
            origin_to_step: step as u16,
        });
    }
}

impl MoveSink for QuietSink<'_> {
    // Not inlined: the generator calls it in many places, and its code should stay in the cache.
    #[inline(never)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let Some(piece) = self.position.piece_at(from) else { return };
        let (kind, color) = piece.to_parts();
        let threatened = self.threats.against(kind).contains(from);
        let bonus = if threatened { self.escape * SEE_VALUE[kind as usize] } else { 0 };
        let origin_to = (from.dense() * SQUARES, 1);
        if promotions.any() {
            let piece = Piece::new(promoted(kind), color);
            let origin_to = ((PROMOTION_ORIGINS + from.dense()) * SQUARES, 1);
            self.add(piece, MoveBatch::piece(from, true, promotions), origin_to, bonus);
        }
        self.add(piece, MoveBatch::piece(from, false, plain), origin_to, bonus);
    }

    #[inline(never)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        // Pawn promotions are not quiet moves.
        debug_assert!(promotions.is_empty());
        let piece = Piece::new(PieceKind::Pawn, color);
        // The origin is the square behind.
        let first = match color {
            Color::Black => SQUARES,
            Color::White => SQUARES.wrapping_neg(),
        };
        self.add(piece, MoveBatch::pawns(color, false, plain), (first, SQUARES + 1), 0);
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        let piece = Piece::new(kind, self.position.side_to_move());
        let origin = DROP_ORIGINS + kind as usize - 1;
        self.add(piece, MoveBatch::drops(kind, targets), (origin * SQUARES, 1), 0);
    }
}
