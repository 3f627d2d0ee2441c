//! Making and unmaking moves.

use crate::attacks::step_attacks;
use crate::bitboard::Bitboard;
use crate::packed_move::PackedMove;
use crate::place::{DirtyPiece, Place};
use crate::position::{Position, State};
use crate::square::{Dense, promoted, unpromoted};
use crate::zobrist::{WHITE_TO_MOVE, place_key};
use shogi_core::{Color, Hand, Piece, PieceKind};

// The layout of `Hand` that the two transmutations below assume: eight bytes, of which the first
// seven are the counts in the order of `HAND_KINDS` (tested in `hand_words_agree_with_hands`).
const _: () = assert!(size_of::<Hand>() == 8);

/// The hand as one word with a byte for each kind, so that adding a piece is one addition. Writing a
/// single byte and then copying the whole hand would stall on store forwarding.
#[inline(always)]
fn hand_word(hand: Hand) -> u64 {
    // SAFETY: `Hand` is a `repr(C)` struct whose only field is `[u8; 8]`.
    u64::from_le_bytes(unsafe { std::mem::transmute::<Hand, [u8; 8]>(hand) })
}

#[inline(always)]
fn hand_of_word(word: u64) -> Hand {
    // SAFETY: as above; every combination of bytes is a valid `Hand`.
    unsafe { std::mem::transmute::<[u8; 8], Hand>(word.to_le_bytes()) }
}

const fn one(kind: PieceKind) -> u64 {
    1 << (8 * ((kind as u32).wrapping_sub(1) & 7))
}

#[inline(always)]
fn with_one_more(hand: Hand, kind: PieceKind) -> Hand {
    hand_of_word(hand_word(hand).wrapping_add(one(kind)))
}

#[inline(always)]
fn with_one_less(hand: Hand, kind: PieceKind) -> Hand {
    hand_of_word(hand_word(hand).wrapping_sub(one(kind)))
}

/// A move that is not legal in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IllegalMove {
    /// The move.
    pub mv: PackedMove,
    /// The position.
    pub sfen: String,
}

impl Position {
    /// Adds the current state to the history.
    #[inline(always)]
    fn remember(&mut self) {
        self.earlier_boards.add(self.state.board_key);
        self.history.push(self.state);
    }

    /// Makes the last state of the history the current one; `false` if there is none.
    #[inline(always)]
    fn restore(&mut self) -> bool {
        let Some(state) = self.history.pop() else { return false };
        self.earlier_boards.remove(state.board_key);
        self.state = state;
        true
    }

    /// Makes a move if it is legal; [`Position::undo_move`] takes it back.
    ///
    /// # Errors
    /// The move is illegal; the position is as before.
    pub fn play(&mut self, mv: PackedMove) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove { mv, sfen: self.to_sfen() });
        }
        self.do_move(mv);
        Ok(())
    }

    /// Makes a legal move and returns what it changed; [`Position::play`] checks it first.
    ///
    /// # Panics
    /// The move must be legal: generated for this position or accepted by [`Position::is_legal`].
    /// An illegal move may panic or leave an inconsistent position, but is memory-safe.
    ///
    /// ```
    /// use monomi_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.do_move("7g7f".parse()?);
    /// assert!(position.to_sfen().ends_with(" w - 2"));
    /// position.undo_move();
    /// assert_eq!(position.to_sfen(), Position::startpos().to_sfen());
    /// # Ok::<(), monomi_movegen::ParseMoveError>(())
    /// ```
    #[inline]
    pub fn do_move(&mut self, mv: PackedMove) -> DirtyPiece {
        self.do_move_with(mv, |_| ())
    }

    /// [`Position::do_move`] that calls `on_key` with the new position's key as soon as it is known:
    /// an entry of the transposition table can be prefetched while the rest is done.
    #[inline]
    pub fn do_move_with(&mut self, mv: PackedMove, on_key: impl FnOnce(u64)) -> DirtyPiece {
        let us = self.side_to_move;
        let them = us.flip();
        let to = mv.to();
        self.remember();
        let mut board_key = self.state.board_key ^ WHITE_TO_MOVE;
        let mut hand_key = self.state.hand_key;
        let mut captured_piece = None;
        let (dirty, arrived) = if let Some(kind) = mv.dropped() {
            let piece = Piece::new(kind, us);
            let hand = with_one_less(self.hand(us), kind);
            self.hands[us.dense()] = hand;
            self.put(piece, to);
            let before = Place::hand(us, kind, hand.count(kind).unwrap_or(0));
            let after = Place::board(piece, to);
            hand_key ^= place_key(before);
            board_key ^= place_key(after);
            (DirtyPiece::new((before, after), None, None), kind)
        } else {
            let from = mv.origin();
            let moving = self.piece_at(from).unwrap_or(Piece::new(PieceKind::Pawn, us));
            let kind = moving.piece_kind();
            let captured = self.piece_at(to).map(|victim| {
                captured_piece = Some(victim);
                self.remove(victim, to);
                let gained = unpromoted(victim.piece_kind());
                let on_board = Place::board(victim, to);
                let in_hand = Place::hand(us, gained, self.hand_count(us, gained));
                self.hands[us.dense()] = with_one_more(self.hand(us), gained);
                board_key ^= place_key(on_board);
                hand_key ^= place_key(in_hand);
                (on_board, in_hand)
            });
            let arrived = if mv.is_promotion() { promoted(kind) } else { kind };
            let after_piece = Piece::new(arrived, us);
            self.relocate(moving, from, after_piece, to);
            let king = if kind == PieceKind::King {
                self.kings[us.dense()] = Some(to);
                Some(us)
            } else {
                None
            };
            let before = Place::board(moving, from);
            let after = Place::board(after_piece, to);
            board_key ^= place_key(before) ^ place_key(after);
            (DirtyPiece::new((before, after), captured, king), arrived)
        };
        on_key(board_key ^ hand_key);
        self.side_to_move = them;
        self.ply = self.ply.saturating_add(1);
        let (checkers, pinned) = match self.king(them) {
            // Only the piece that moved can give a new check that is not a slider's.
            Some(king) => {
                let (sliders, pinned) = self.sliders_and_pinned(king, them);
                let step = step_attacks(arrived, us, to) & Bitboard::single(king);
                let stepper = if step.any() { Bitboard::single(to) } else { Bitboard::EMPTY };
                (sliders | stepper, pinned)
            }
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        };
        let [black, white] = self.state.continuous_checks;
        let run = |before: u16| if checkers.any() { before.saturating_add(2) } else { 0 };
        // Write both halves: storing only one would stall the copy that follows.
        let continuous_checks = match us {
            Color::Black => [run(black), white],
            Color::White => [black, run(white)],
        };
        self.state = State {
            board_key,
            hand_key,
            checkers,
            pinned,
            hand: self.hand(them),
            plies_from_null: self.state.plies_from_null.saturating_add(1),
            continuous_checks,
            captured: captured_piece,
            last_move: Some(mv),
        };
        dirty
    }

    /// Unmakes the last move. Does nothing if there is none or it was a null move.
    #[inline]
    pub fn undo_move(&mut self) {
        let Some(mv) = self.state.last_move else { return };
        let captured = self.state.captured;
        if !self.restore() {
            return;
        }
        let us = self.side_to_move.flip();
        self.side_to_move = us;
        self.ply = self.ply.saturating_sub(1);
        let to = mv.to();
        let Some(arrived) = self.piece_at(to) else { return };
        if let Some(kind) = mv.dropped() {
            self.remove(arrived, to);
            self.hands[us.dense()] = with_one_more(self.hand(us), kind);
            return;
        }
        let from = mv.origin();
        let kind = arrived.piece_kind();
        let before = if mv.is_promotion() { unpromoted(kind) } else { kind };
        self.relocate(arrived, to, Piece::new(before, us), from);
        if kind == PieceKind::King {
            self.kings[us.dense()] = Some(from);
        }
        if let Some(victim) = captured {
            self.put(victim, to);
            self.hands[us.dense()] = with_one_less(self.hand(us), unpromoted(victim.piece_kind()));
        }
    }

    /// Makes a legal capture without giving the piece to the mover: it goes to the opponent's hand
    /// (`give_back`) or off the board. Tsume needs this to recognise useless interpositions. Unmade by [`Position::undo_capture_without_gain`] with the same `give_back`.
    pub fn do_capture_without_gain(&mut self, mv: PackedMove, give_back: bool) {
        let us = self.side_to_move;
        self.do_move(mv);
        let Some(victim) = self.state.captured else { return };
        let kind = unpromoted(victim.piece_kind());
        let hand = with_one_less(self.hand(us), kind);
        self.hands[us.dense()] = hand;
        self.state.hand_key ^= place_key(Place::hand(us, kind, hand.count(kind).unwrap_or(0)));
        if give_back {
            let them = us.flip();
            self.state.hand_key ^= place_key(Place::hand(them, kind, self.hand_count(them, kind)));
            self.hands[them.dense()] = with_one_more(self.hand(them), kind);
            self.state.hand = self.hand(them);
        }
    }

    /// Unmakes the last move, made by [`Position::do_capture_without_gain`].
    pub fn undo_capture_without_gain(&mut self, give_back: bool) {
        let (them, us) = (self.side_to_move, self.side_to_move.flip());
        if let Some(victim) = self.state.captured {
            let kind = unpromoted(victim.piece_kind());
            self.hands[us.dense()] = with_one_more(self.hand(us), kind);
            if give_back {
                self.hands[them.dense()] = with_one_less(self.hand(them), kind);
            }
        }
        self.undo_move();
    }

    /// Makes a null move (a pass); [`Position::undo_null_move`] takes it back. In check it would leave a king
    /// that can be taken, so it must not be called then.
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.remember();
        let them = self.side_to_move.flip();
        self.side_to_move = them;
        self.ply = self.ply.saturating_add(1);
        let (checkers, pinned) = self.checkers_and_pinned(them);
        self.state = State {
            board_key: self.state.board_key ^ WHITE_TO_MOVE,
            hand_key: self.state.hand_key,
            checkers,
            pinned,
            hand: self.hand(them),
            plies_from_null: 0,
            continuous_checks: [0; 2],
            captured: None,
            last_move: None,
        };
    }

    /// Unmakes a null move. Does nothing if the last move was another one or there is none.
    pub fn undo_null_move(&mut self) {
        if self.state.last_move.is_none() && self.restore() {
            self.side_to_move = self.side_to_move.flip();
            self.ply = self.ply.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::SET_COUNT;
    use crate::square::HAND_KINDS;

    #[test]
    fn hand_words_agree_with_hands() {
        let mut hand = Hand::new();
        for (byte, kind) in HAND_KINDS.into_iter().enumerate() {
            let one_piece = Hand::new().added(kind).unwrap();
            assert_eq!(hand_word(one_piece), 1 << (8 * byte));
            assert_eq!(hand_of_word(1 << (8 * byte)), one_piece);
            for _ in 0..SET_COUNT[kind as usize] {
                let more = with_one_more(hand, kind);
                assert_eq!(Some(more), hand.added(kind));
                assert_eq!(with_one_less(more, kind), hand);
                hand = more;
            }
        }
    }

    #[test]
    fn a_null_move_is_not_taken_back_in_place_of_another() {
        let mut position = Position::startpos();
        position.undo_null_move();
        assert_eq!(position.to_sfen(), Position::startpos().to_sfen());
        position.do_move("7g7f".parse().unwrap());
        let after = position.to_sfen();
        position.undo_null_move();
        assert_eq!(position.to_sfen(), after);
        position.do_null_move();
        position.undo_move();
        assert!(position.to_sfen().contains(" b "), "{position:?}");
        position.undo_null_move();
        assert_eq!(position.to_sfen(), after);
        position.undo_move();
        assert_eq!(position.to_sfen(), Position::startpos().to_sfen());
    }

    /// Both kinds lead to the position that the sfen describes, with its key, and back.
    #[test]
    fn captures_without_gain() {
        let start = Position::from_sfen("4k4/9/9/4p4/9/4R4/9/9/9 b 2Pr2p 1").unwrap();
        for (give_back, expected) in [(true, "2Pr3p"), (false, "2Pr2p")] {
            let mut position = start.clone();
            position.do_capture_without_gain("5f5d".parse().unwrap(), give_back);
            let expected = format!("4k4/9/9/4R4/9/9/9/9/9 w {expected} 2");
            assert_eq!(position.to_sfen(), expected);
            let again = Position::from_sfen(&expected).unwrap();
            assert_eq!((position.key(), position.state.hand), (again.key(), again.state.hand));
            position.undo_capture_without_gain(give_back);
            assert_eq!((position.to_sfen(), position.key()), (start.to_sfen(), start.key()));
        }
    }
}
