//! What the claims see of a move: the position, the move played, the best one, and the lines after both.

use crate::chance::WinScale;
use crate::explain::after;
use crate::judge::{LOSS, Material, MoveContext, Pieces, Verdict, allowed_mate};
use monomi_movegen::attacks::attacks;
use monomi_movegen::{Bitboard, PackedMove, Position, SEE_VALUE};
use shogi_core::{Color, PieceKind, Square};

/// A move that was bad, and what the searches found before and after it.
#[derive(Clone)]
pub struct Scene<'a> {
    pub before: &'a Position,
    pub mover: Color,
    pub played: PackedMove,
    pub best: PackedMove,
    /// The engine's line, which begins with the best move.
    pub best_line: Vec<PackedMove>,
    /// The position after the move played.
    pub after: Position,
    /// The engine's line from there.
    pub replies: Vec<PackedMove>,
    /// The position after its first move.
    pub replied: Option<Position>,
    /// The position after the best move.
    pub best_after: Position,
    /// The position after the best move and the reply to it.
    pub answered: Option<Position>,
    /// Winning probabilities of the mover in the account of the game, and after the move by its search.
    pub best_win: f64,
    pub kept_win: f64,
    pub searched_win: f64,
    pub scale: WinScale,
    /// What the two lines win.
    pub kept: Material,
    pub could: Material,
    /// Plies of a mate that the move allows and the best one does not.
    pub mate: Option<usize>,
    /// Whether that is a mate by checks.
    pub by_checks: bool,
    /// Whether the mover was threatened with mate before.
    pub was_threatened: bool,
    /// Whether the opponent's reply is a threatmate, and the one to the best move is not.
    pub threatmate: bool,
    /// Whether the best move is a threatmate.
    pub best_threatens: bool,
    /// Whether the move is called bad, and not only worth a hint.
    pub is_bad: bool,
}

impl<'a> Scene<'a> {
    /// `None` where the best move was played or the lines are missing.
    pub fn new(context: &MoveContext<'a>, verdict: &Verdict) -> Option<Self> {
        let MoveContext { played, before, after: next, scale } = *context;
        let best_line = before.result.searched.best_line();
        let best = *best_line.first()?;
        let proofs = &before.result.proofs;
        if best == played {
            return None;
        }
        let mut scene = Self::of_lines(
            (before.position, played),
            best_line,
            next.result.searched.best_line(),
            [verdict.best, verdict.kept, 1.0 - scale.chance(next.result.searched.score())],
        )?;
        scene.scale = scale;
        scene.mate = allowed_mate(context);
        scene.by_checks = next.result.proofs.mate().is_some();
        scene.was_threatened = proofs.threat.is_some();
        scene.threatmate =
            proofs.threat.is_none() && next.result.proofs.threatens && !proofs.allows_threatmate;
        scene.best_threatens = proofs.threatens;
        scene.is_bad = verdict.class.is_bad();
        Some(scene)
    }

    /// From the lines alone, without proofs. `wins`: with the best move, with the one played, and after it by its
    /// search.
    pub fn of_lines(
        (before, played): (&'a Position, PackedMove),
        best_line: &[PackedMove],
        replies: &[PackedMove],
        wins: [f64; 3],
    ) -> Option<Self> {
        let best = *best_line.first()?;
        let next = after(before, played);
        let best_after = after(before, best);
        let reply = replies.first().copied().filter(|&mv| next.is_legal(mv));
        let answer = best_line.get(1).copied().filter(|&mv| best_after.is_legal(mv));
        Some(Self {
            before,
            mover: before.side_to_move(),
            played,
            best,
            best_line: best_line.to_vec(),
            replied: reply.map(|reply| after(&next, reply)),
            answered: answer.map(|answer| after(&best_after, answer)),
            kept: Material::of_move(before, played, Material::of_line(&next, replies)),
            could: Material::of_line(before, best_line),
            after: next,
            replies: replies.to_vec(),
            best_after,
            best_win: wins[0],
            kept_win: wins[1],
            searched_win: wins[2],
            scale: WinScale::default(),
            mate: None,
            by_checks: false,
            was_threatened: false,
            threatmate: false,
            best_threatens: false,
            is_bad: true,
        })
    }

    /// The same with another line after the move played.
    pub fn with_replies(&self, replies: &[PackedMove]) -> Option<Self> {
        let reply = *replies.first()?;
        if !self.after.is_legal(reply) {
            return None;
        }
        let line = Material::of_line(&self.after, replies);
        Some(Self {
            replied: Some(after(&self.after, reply)),
            replies: replies.to_vec(),
            kept: Material::of_move(self.before, self.played, line),
            ..self.clone()
        })
    }

    /// The same with a longer line after the best move, if there is one: `line` is played after it.
    pub fn with_best_line(&self, line: &[PackedMove]) -> Option<Self> {
        let answer = *line.first()?;
        if !self.best_after.is_legal(answer) {
            return None;
        }
        let best_line: Vec<PackedMove> =
            std::iter::once(self.best).chain(line.iter().copied()).collect();
        Some(Self {
            answered: Some(after(&self.best_after, answer)),
            could: Material::of_line(self.before, &best_line),
            best_line,
            ..self.clone()
        })
    }

    /// The opponent's reply to the move played.
    pub fn reply(&self) -> Option<PackedMove> {
        self.replied.as_ref().and(self.replies.first().copied())
    }

    /// The move with which the mover goes on after the best move and the reply to it.
    pub fn follow_up(&self) -> Option<PackedMove> {
        let mv = *self.best_line.get(2)?;
        self.answered.as_ref()?.is_legal(mv).then_some(mv)
    }

    /// The pieces that the line after the move loses and the one after the best move does not.
    pub fn lost(&self) -> Option<Pieces> {
        let (kept, could) = (self.kept, self.could);
        let difference = could.pieces.minus(kept.pieces);
        let loses = could.balance - kept.balance >= LOSS
            && kept.pieces.worth() <= -LOSS
            && difference.worth() >= LOSS;
        // What the best line loses as well is not counted.
        let lost = if could.pieces.worth() > -LOSS { kept.pieces } else { difference.opposite() };
        loses.then_some(lost)
    }

    /// The pieces that the best line wins and the one after the move does not.
    pub fn missed(&self) -> Option<Pieces> {
        let (kept, could) = (self.kept, self.could);
        let difference = could.pieces.minus(kept.pieces);
        let misses = could.balance - kept.balance >= LOSS
            && kept.pieces.worth() > -LOSS
            && could.pieces.worth() >= LOSS
            && difference.worth() >= LOSS;
        misses.then_some(difference)
    }

    /// The king of the mover.
    pub fn king(&self) -> Option<Square> {
        self.after.king(self.mover)
    }

    /// All legal replies of which this is true.
    pub fn replies_that(&self, is: impl Fn(PackedMove) -> bool) -> Vec<PackedMove> {
        self.after.legal_moves().iter().copied().filter(|&mv| is(mv)).collect()
    }

    /// All legal follow-ups of which this is true.
    pub fn follow_ups_that(&self, is: impl Fn(PackedMove) -> bool) -> Vec<PackedMove> {
        let Some(position) = &self.answered else { return Vec::new() };
        position.legal_moves().iter().copied().filter(|&mv| is(mv)).collect()
    }
}

/// The value of a kind of piece, in the unit of static exchange evaluation.
pub fn value(kind: PieceKind) -> i32 {
    SEE_VALUE[kind as usize]
}

/// The squares that the piece on a square attacks; none if the square is empty.
pub fn attacked_from(position: &Position, square: Square) -> Bitboard {
    position.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
        attacks(piece.piece_kind(), piece.color(), square, position.occupied())
    })
}

/// The pieces of `color`, the king aside, that the piece on `from` attacks and could take with a gain: worth more than it,
/// or without a defender.
pub fn prey(position: &Position, from: Square, color: Color) -> Vec<(Square, PieceKind)> {
    let Some(hunter) = position.piece_at(from) else { return Vec::new() };
    let targets = attacked_from(position, from) & position.pieces(color);
    let taken = |square: Square| {
        let kind = position.piece_at(square)?.piece_kind();
        let defended = position.is_attacked(square, color, position.occupied());
        let gains = value(kind) > value(hunter.piece_kind()) || !defended;
        (kind != PieceKind::King && kind != PieceKind::Pawn && gains).then_some((square, kind))
    };
    let mut found: Vec<_> = targets.into_iter().filter_map(taken).collect();
    found.sort_by_key(|&(_, kind)| -value(kind));
    found
}

/// Whether two squares are at most so many files and ranks apart.
pub fn near(a: Square, b: Square, distance: u8) -> bool {
    a.file().abs_diff(b.file()) <= distance && a.rank().abs_diff(b.rank()) <= distance
}
