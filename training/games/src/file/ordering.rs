//! Move ordering for the compression of records: the earlier the played move comes in the list, the
//! shorter its code. The order is part of the format. Changing any of these numbers makes existing
//! files unreadable.

use monomi_movegen::attacks::attacks;
use monomi_movegen::square::{Dense, SQUARES};
use monomi_movegen::{Bitboard, PackedMove, Position};
use shogi_core::{Color, PieceKind, Square};

/// Piece values by `PieceKind as usize`: pawn 1 to king 8, then the promoted pieces.
const VALUE: [i32; 16] = [0, 2, 5, 6, 8, 9, 13, 15, 20, 6, 7, 8, 9, 17, 20, 0];
/// Greatest value of a history entry.
const MOST_HISTORY: i32 = 255;

/// Statistics of the moves played so far, used to predict the next one.
pub struct Ordering {
    /// `[color][piece, plus 16 for drops][destination]`.
    history: Vec<[i32; SQUARES]>,
    /// `[color][piece and destination of the last move][piece, plus 16 for drops]`.
    replies: Vec<[i32; 32]>,
    last: Option<(usize, Square)>,
}

impl Ordering {
    pub fn new() -> Self {
        Self {
            history: vec![[0; SQUARES]; 2 * 32],
            replies: vec![[0; 32]; 2 * 32 * SQUARES],
            last: None,
        }
    }

    /// Starts a new game, without a last move.
    pub fn start_game(&mut self) {
        self.last = None;
    }

    /// Index of the last move's entry in the table of replies.
    fn reply_index(&self, us: Color) -> Option<usize> {
        let (piece, to) = self.last?;
        Some((us.dense() * 32 + piece) * SQUARES + to.dense())
    }

    /// Updates the statistics with the move played.
    pub fn learn(&mut self, position: &Position, mv: PackedMove) {
        let us = position.side_to_move();
        let piece = piece_of(position, mv);
        let up = |entry: &mut i32, by: i32| *entry += by * (MOST_HISTORY - *entry) / MOST_HISTORY;
        up(&mut self.history[us.dense() * 32 + piece][mv.to().dense()], 24);
        if let Some(reply) = self.reply_index(us) {
            up(&mut self.replies[reply][piece], 64);
        }
        self.last = Some((piece, mv.to()));
    }

    /// The legal moves, most likely first.
    pub fn moves(&self, position: &Position) -> Vec<PackedMove> {
        let us = position.side_to_move();
        let attacked = [us, us.flip()].map(|color| attacked_by(position, color));
        let replies = self.reply_index(us).map(|index| &self.replies[index]);
        let mut keyed: Vec<(i32, u16, PackedMove)> = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let piece = piece_of(position, mv);
                let to = mv.to();
                let value = VALUE[piece & 15];
                let mut key = self.history[us.dense() * 32 + piece][to.dense()] / 2;
                key += replies.map_or(0, |replies| replies[piece] / 4);
                let [ours, theirs] = attacked;
                let captured = position.piece_at(to).map_or(0, |p| VALUE[p.piece_kind() as usize]);
                if captured > 0 {
                    key += 100 + 20 * captured - 2 * value;
                    if self.last.is_some_and(|(_, last)| last == to) {
                        key += 160;
                    }
                }
                let defended = mv.dropped().is_some() && ours.contains(to);
                if theirs.contains(to) && !defended {
                    key -= if ours.contains(to) { 6 * value } else { 16 * value };
                }
                if let Some(from) = mv.from_square() {
                    if theirs.contains(from) {
                        key += if ours.contains(from) { 4 * value } else { 10 * value };
                    }
                    if mv.is_promotion() {
                        key += 60;
                    } else if may_promote(piece & 15, us, from, to) {
                        key -= 120;
                    }
                } else {
                    key -= 30;
                }
                (-key, mv.bits(), mv)
            })
            .collect();
        keyed.sort_unstable_by_key(|&(key, bits, _)| (key, bits));
        keyed.into_iter().map(|(_, _, mv)| mv).collect()
    }
}

/// The number of the moving piece, plus 16 for drops.
fn piece_of(position: &Position, mv: PackedMove) -> usize {
    let dropped = if mv.dropped().is_some() { 16 } else { 0 };
    position.moving_kind(mv) as usize & 15 | dropped
}

/// Whether promoting would have been possible and useful for a move that does not promote.
fn may_promote(piece: usize, us: Color, from: Square, to: Square) -> bool {
    let in_zone = |square: Square| match us {
        Color::Black => square.rank() <= 3,
        Color::White => square.rank() >= 7,
    };
    let always = [PieceKind::Pawn, PieceKind::Bishop, PieceKind::Rook];
    (in_zone(from) || in_zone(to)) && always.iter().any(|&kind| kind as usize == piece)
}

/// The squares that a side attacks.
fn attacked_by(position: &Position, color: Color) -> Bitboard {
    let occupied = position.occupied();
    let mut attacked = Bitboard::EMPTY;
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square)
            && piece.color() == color
        {
            attacked |= attacks(piece.piece_kind(), color, square, occupied);
        }
    }
    attacked
}
