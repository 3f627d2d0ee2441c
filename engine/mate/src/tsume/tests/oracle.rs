//! The plain search.

use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Color, Piece, PieceKind, Square};
use std::cell::RefCell;
use std::collections::HashMap;

/// A plain search by one of the rules. It notes the lengths that it has found, because the same positions come again
/// and again.
pub struct Oracle {
    keep_useless: bool,
    /// By the position's key and the limit: what [`Oracle::attack`] or [`Oracle::defend`] returned.
    known: RefCell<HashMap<(u64, u16), Option<u16>>>,
}


fn after(position: &Position, mv: PackedMove) -> Position {
    let mut position = position.clone();
    position.do_move(mv);
    position
}

/// The squares strictly between two squares of a line, step by step.
fn squares_between(a: Square, b: Square) -> Vec<Square> {
    let step = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum();
    let far = |from: u8, to: u8| from.abs_diff(to);
    let (files, ranks) = (far(a.file(), b.file()), far(a.rank(), b.rank()));
    if files != 0 && ranks != 0 && files != ranks {
        return Vec::new();
    }
    let (dx, dy) = (step(a.file(), b.file()), step(a.rank(), b.rank()));
    let at = |n: i16| {
        let along = |from: u8, d: i16| (i16::from(from) + d * n) as u8;
        Square::new(along(a.file(), dx), along(a.rank(), dy)).expect("on the board")
    };
    (1..i16::from(files.max(ranks))).map(at).collect()
}

/// Plays a capture; the piece goes to the opponent's hand or off the board. Built from an sfen, not by
/// moves.
fn capture_without_gain(position: &Position, mv: PackedMove, give_back: bool) -> Position {
    let victim = position.piece_at(mv.to()).expect("a capture").piece_kind();
    let (us, kind) = (position.side_to_move(), unpromoted(victim));
    let mut partial = after(position, mv).to_partial();
    let hand = partial.hand_of_a_player_mut(us);
    *hand = hand.removed(kind).expect("the captured piece");
    if give_back {
        let hand = partial.hand_of_a_player_mut(us.flip());
        *hand = hand.added(kind).expect("room");
    }
    Position::from_partial(&partial).expect("valid")
}

impl Oracle {
    pub fn new(keep_useless: bool) -> Self {
        Self { keep_useless, known: RefCell::default() }
    }

    pub fn checks(&self, position: &Position) -> Vec<PackedMove> {
        let mut position = position.clone();
        let mut moves: Vec<PackedMove> = position.legal_moves().iter().copied().collect();
        moves.retain(|&mv| {
            position.do_move(mv);
            let is_check = position.in_check();
            position.undo_move();
            is_check
        });
        moves
    }

    /// Looks the length up, or finds and notes it.
    fn noted(
        &self,
        position: &Position,
        limit: u16,
        find: impl FnOnce() -> Option<u16>,
    ) -> Option<u16> {
        let key = (position.key(), limit);
        let known = self.known.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.known.borrow_mut().insert(key, found);
            found
        })
    }

    /// The length of the mate if it is at most `limit`.
    pub fn attack(&self, position: &Position, limit: u16) -> Option<u16> {
        if limit == 0 {
            return None;
        }
        self.noted(position, limit, || {
            let checks = self.checks(position).into_iter();
            checks.filter_map(|mv| Some(1 + self.defend(&after(position, mv), limit - 1)?)).min()
        })
    }

    /// The same with the defender, in check, to move.
    pub fn defend(&self, position: &Position, limit: u16) -> Option<u16> {
        self.noted(position, limit, || Some(self.compared(position, limit)?.0))
    }

    /// The length against the longest reply, and all replies with their lengths that count.
    fn compared(&self, position: &Position, limit: u16) -> Option<(u16, Vec<(u16, PackedMove)>)> {
        let us = position.side_to_move();
        let king = position.king(us).expect("a king");
        let checkers: Vec<Square> = (position.checkers()).into_iter().collect();
        let line = match checkers.as_slice() {
            [checker] if !self.keep_useless => squares_between(king, *checker),
            _ => Vec::new(),
        };
        let moves = position.legal_moves();
        let length = |mv| match limit {
            0 => None,
            _ => Some(1 + self.attack(&after(position, mv), limit - 1)?),
        };
        let mut counted = Vec::new();
        let mut interpositions = Vec::new();
        for &mv in moves.iter() {
            if line.contains(&mv.to()) {
                interpositions.push((length(mv).unwrap_or(u16::MAX), mv));
            } else {
                counted.push((length(mv)?, mv));
            }
        }
        let mut longest = counted.iter().map(|&(length, _)| length).max().unwrap_or(0);
        interpositions.sort_by_key(|&(length, _)| length);
        let mut of_equal = (0, longest);
        let mut no_longer = Vec::new();
        for (length, mv) in interpositions {
            // Equal ones are compared with the same shorter ones.
            if of_equal.0 != length {
                of_equal = (length, longest);
            }
            if length <= of_equal.1 {
                no_longer.push((length, mv, of_equal.1));
            } else if !self.is_useless(position, checkers[0], mv, of_equal.1) {
                if length > limit {
                    return None;
                }
                counted.push((length, mv));
                longest = longest.max(length);
            }
        }
        for (length, mv, compared) in no_longer {
            // Shorter ones change nothing.
            if length == longest && !self.is_useless(position, checkers[0], mv, compared) {
                counted.push((length, mv));
            }
        }
        (longest <= limit).then_some((longest, counted))
    }

    fn is_useless(&self, position: &Position, by: Square, mv: PackedMove, length: u16) -> bool {
        let interposed = after(position, mv);
        [true, false].into_iter().any(|promote| {
            let capture = PackedMove::normal(by, mv.to(), promote);
            if !interposed.legal_moves().contains(&capture) {
                return false;
            }
            let captured = capture_without_gain(&interposed, capture, mv.is_drop());
            captured.in_check() && self.defend(&captured, length).is_some()
        })
    }

    /// The best moves: shortest mates or longest replies that count.
    pub fn best(&self, position: &Position, attacking: bool, length: u16) -> Vec<PackedMove> {
        if attacking {
            let checks = self.checks(position).into_iter();
            let shortest = |&mv: &PackedMove| {
                self.defend(&after(position, mv), length - 1) == Some(length - 1)
            };
            return checks.filter(shortest).collect();
        }
        let (longest, counted) = self.compared(position, length).expect("a mate");
        assert_eq!(longest, length);
        counted.into_iter().filter(|reply| reply.0 == length).map(|reply| reply.1).collect()
    }

    /// Pieces in the attacker's hand after a main line, of which every move is checked.
    pub fn follow(&self, root: &Position, length: u16, line: &[PackedMove]) -> u32 {
        let mut position = root.clone();
        for (ply, &mv) in (0..length).zip(line) {
            let best = self.best(&position, ply % 2 == 0, length - ply);
            assert!(best.contains(&mv), "{}: {mv} is not best", position.to_sfen());
            position.do_move(mv);
        }
        pieces_in_hand(&position, root.side_to_move())
    }

    /// The fewest pieces left by any main line.
    pub fn fewest_left(&self, position: &Position, attacking: bool, length: u16) -> u32 {
        if length == 0 {
            return pieces_in_hand(position, position.side_to_move().flip());
        }
        let best = self.best(position, attacking, length).into_iter();
        let left = best.map(|mv| self.fewest_left(&after(position, mv), !attacking, length - 1));
        left.min().expect("a best move")
    }
}

fn pieces_in_hand(position: &Position, color: Color) -> u32 {
    HAND_KINDS.into_iter().map(|kind| u32::from(position.hand_count(color, kind))).sum()
}

/// Puts a piece on a partial position if the square is empty and the piece may stand there.
pub fn may_stand(kind: PieceKind, color: Color, square: Square) -> bool {
    let rank = match color {
        Color::Black => square.rank(),
        Color::White => 10 - square.rank(),
    };
    let piece = Piece::new(kind, color).piece_kind();
    match piece {
        PieceKind::Pawn | PieceKind::Lance => rank > 1,
        PieceKind::Knight => rank > 2,
        _ => true,
    }
}
