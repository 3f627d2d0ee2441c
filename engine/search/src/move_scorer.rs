//! Move ordering scores.

use crate::history::{ContinuationIndex, Histories, SharedHistories};
use crate::params::Params;
use crate::piece_to::piece_to;
use arrayvec::ArrayVec;
use monomi_movegen::square::{Dense, SQUARES, promoted};
use monomi_movegen::{
    Bitboard, CheckInfo, MAX_MOVES, MoveSink, PackedMove, Position, SEE_VALUE, Threats,
};
use shogi_core::{Color, Piece, PieceKind, Square};

/// Scores moves for the move picker.
#[derive(Clone, Copy)]
pub(crate) struct MoveScorer<'a> {
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
    /// The search's parameters, in builds with the feature `tune`.
    pub tuned: &'a Params,
}

impl MoveScorer<'_> {
    /// The search's parameters.
    #[inline(always)]
    pub(crate) fn params(&self) -> &Params {
        self.tuned.in_use()
    }

    /// Score of a capture or pawn promotion: the captured piece, then capture history.
    pub(crate) fn capture(&self, mv: PackedMove) -> i32 {
        let victim = self.victim(mv);
        let gain = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
        // The gain of a promotion is not added: counting it made the order worse.
        self.params().order_victim * gain + self.histories.capture.get(self.piece_to(mv), victim)
    }

    /// Score of an evasion: captures first (most valuable victim, least valuable attacker), then
    /// quiet moves by history.
    pub(crate) fn evasion(&self, mv: PackedMove) -> i32 {
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
pub(crate) struct ScoredMove {
    pub mv: PackedMove,
    /// Its score: moves with higher scores are tried first.
    pub score: i32,
}

/// A list of moves to try.
pub(crate) type ScoredMoves = ArrayVec<ScoredMove, MAX_MOVES>;

/// What a quiet move's score is looked up by; stored in place of the score until then.
#[derive(Clone, Copy)]
struct QuietKey(i32);

impl QuietKey {
    /// `piece_to`: index of the arriving piece and its destination; `origin`: index of the origin;
    /// `checks`: whether the arriving piece gives check; `escapes`: whether it leaves the attack of a
    /// less valuable piece.
    #[inline(always)]
    fn new(piece_to: usize, origin: usize, checks: bool, escapes: bool) -> Self {
        debug_assert!(piece_to < 1 << 12 && origin < 1 << 7);
        let flags = usize::from(checks) << 19 | usize::from(escapes) << 20;
        Self((piece_to | origin << 12 | flags) as i32)
    }

    #[inline(always)]
    fn piece_to(self) -> usize {
        self.0 as usize & 0xFFF
    }

    #[inline(always)]
    fn origin(self) -> usize {
        self.0 as usize >> 12 & 127
    }

    #[inline(always)]
    fn checks(self) -> bool {
        self.0 >> 19 & 1 != 0
    }

    #[inline(always)]
    fn escapes(self) -> bool {
        self.0 >> 20 != 0
    }
}

impl MoveScorer<'_> {
    /// Adds all quiet moves but `skip` to a list and scores them.
    ///
    /// The moves are generated first and scored then: one loop over all of them keeps the rows'
    /// addresses in registers, and the processor loads the entries of several moves, which are
    /// rarely in a cache, at once.
    pub(crate) fn add_quiets(
        &self,
        checks: &CheckInfo,
        skip: Option<PackedMove>,
        list: &mut ScoredMoves,
    ) {
        let first = list.len();
        let threats = Threats::new(self.position);
        let mut sink = QuietSink { position: self.position, checks, threats, skip, list };
        if self.all_moves {
            self.position.generate_all_quiets(&mut sink);
        } else {
            self.position.generate_quiets(&mut sink);
        }
        let shared = self.shared_histories;
        let butterfly = self.histories.butterfly.of(self.position.side_to_move());
        let low_ply = self.histories.low_ply.at(self.ply);
        let pawns = shared.pawn.row(self.pawns);
        let params = self.params();
        let weights = [
            params.order_one,
            params.order_two,
            params.order_three,
            params.order_four,
            params.order_six,
        ];
        let continuations = self.continuations.map(|after| shared.continuation.row(after));
        for ScoredMove { mv, score } in &mut list[first..] {
            let key = QuietKey(*score);
            let (index, origin, to) = (key.piece_to(), key.origin(), mv.to().dense());
            let mut sum = params.order_butterfly * i32::from(butterfly[origin][to])
                + params.order_pawns * pawns.get(index);
            for (row, weight) in continuations.into_iter().zip(weights) {
                sum += weight * row.get(index);
            }
            sum /= 64;
            if let Some(table) = low_ply {
                sum += 8 * i32::from(table[origin][to]) / (1 + self.ply as i32);
            }
            if key.checks() && self.position.see_ge(*mv, -params.order_check_loss) {
                sum += params.order_check;
            }
            if key.escapes() {
                sum += params.order_escape * SEE_VALUE[self.position.moving_kind(*mv) as usize];
            }
            *score = sum;
        }
    }
}

/// Receives quiet moves from the generator.
struct QuietSink<'a> {
    position: &'a Position,
    checks: &'a CheckInfo,
    threats: Threats,
    skip: Option<PackedMove>,
    list: &'a mut ScoredMoves,
}

impl QuietSink<'_> {
    /// Moves of one origin that end as one piece; `escapes` as in [`QuietKey::new`].
    #[inline(always)]
    fn batch(
        &mut self,
        piece: Piece,
        (origin, escapes): (usize, bool),
        targets: Bitboard,
        make: impl Fn(Square) -> PackedMove,
    ) {
        let checking = self.checks.squares(piece.piece_kind());
        let base = piece.dense() * SQUARES;
        targets.into_iter().for_each(|to| {
            let mv = make(to);
            if Some(mv) != self.skip {
                let key = QuietKey::new(base + to.dense(), origin, checking.contains(to), escapes);
                self.list.push(ScoredMove { mv, score: key.0 });
            }
        });
    }
}

impl MoveSink for QuietSink<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, promotions: Bitboard, plain: Bitboard) {
        let Some(piece) = self.position.piece_at(from) else { return };
        let (kind, color) = piece.to_parts();
        let origin = (from.dense(), self.threats.against(kind).contains(from));
        if promotions.any() {
            self.batch(Piece::new(promoted(kind), color), origin, promotions, |to| {
                PackedMove::normal(from, to, true)
            });
        }
        self.batch(piece, origin, plain, |to| PackedMove::normal(from, to, false));
    }

    #[inline(always)]
    fn pawns(&mut self, color: Color, promotions: Bitboard, plain: Bitboard) {
        // Pawn promotions are not quiet moves.
        debug_assert!(promotions.is_empty());
        let piece = Piece::new(PieceKind::Pawn, color);
        for to in plain {
            let from = match color {
                Color::Black => to.dense() + 1,
                Color::White => to.dense() - 1,
            };
            let Some(origin) = monomi_movegen::square::square_at(from) else { continue };
            self.batch(piece, (from, false), Bitboard::single(to), |to| {
                PackedMove::normal(origin, to, false)
            });
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, targets: Bitboard) {
        let piece = Piece::new(kind, self.position.side_to_move());
        let origin = SQUARES + kind as usize - 1;
        self.batch(piece, (origin, false), targets, |to| PackedMove::drop(kind, to));
    }
}
