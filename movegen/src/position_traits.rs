//! The position as a value of Rust's standard library: equality, hash and text.

use crate::position::Position;
use crate::position_text::{self, PositionTextError};
use crate::square::HAND_KINDS;
use shogi_core::{Color, Hand, Piece, Square, ToUsi as _};
use std::fmt::{self, Debug, Display, Formatter};
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Board, hands and side to move are the same. Move number and history do not count.
impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        // Different keys mean different positions; equal keys nearly always equal ones.
        self.key() == other.key()
            && self.side_to_move() == other.side_to_move()
            && self.board == other.board
            && self.hands == other.hands
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The start position.
impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

/// `startpos` or an sfen, `moves ...` after it if wanted, as in USI's `position`.
impl FromStr for Position {
    type Err = PositionTextError;

    fn from_str(text: &str) -> Result<Self, PositionTextError> {
        position_text::read(text)
    }
}

/// The sfen.
impl Debug for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}

/// The pieces of a hand, the most valuable first; `-` if there are none.
fn held(hand: Hand, color: Color) -> String {
    let pieces = HAND_KINDS.into_iter().rev().filter_map(|kind| match hand.count(kind) {
        None | Some(0) => None,
        Some(1) => Some(Piece::new(kind, color).to_usi_owned()),
        Some(count) => Some(format!("{count}{}", Piece::new(kind, color).to_usi_owned())),
    });
    let pieces: Vec<String> = pieces.collect();
    if pieces.is_empty() { "-".to_owned() } else { pieces.join(" ") }
}

/// The board as Black sees it, with the letters of sfen, and the hands.
///
/// ```
/// use monomi_movegen::Position;
/// let position: Position = "startpos moves 7g7f 3c3d 8h2b+".parse()?;
/// assert_eq!(position.to_string(), "\
/// White holds -
///   9  8  7  6  5  4  3  2  1
///   l  n  s  g  k  g  s  n  l a
///   .  r  .  .  .  .  . +B  . b
///   p  p  p  p  p  p  .  p  p c
///   .  .  .  .  .  .  p  .  . d
///   .  .  .  .  .  .  .  .  . e
///   .  .  P  .  .  .  .  .  . f
///   P  P  .  P  P  P  P  P  P g
///   .  .  .  .  .  .  .  R  . h
///   L  N  S  G  K  G  S  N  L i
/// Black holds B
/// White to move, move 4");
/// # Ok::<(), monomi_movegen::position_text::PositionTextError>(())
/// ```
impl Display for Position {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "White holds {}", held(self.hand(Color::White), Color::White))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        for (rank, letter) in (1..=9).zip('a'..) {
            for file in (1..=9).rev() {
                let piece = Square::new(file, rank).and_then(|square| self.piece_at(square));
                let text = piece.map_or_else(|| ".".to_owned(), |piece| piece.to_usi_owned());
                write!(f, " {text:>2}")?;
            }
            writeln!(f, " {letter}")?;
        }
        writeln!(f, "Black holds {}", held(self.hand(Color::Black), Color::Black))?;
        write!(f, "{:?} to move, move {}", self.side_to_move(), self.ply())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn position(text: &str) -> Position {
        text.parse().expect("a position")
    }

    #[test]
    fn equal_positions_have_equal_boards_hands_and_sides() {
        let start = position("startpos");
        let around = position("startpos moves 2h3h 8b7b 3h2h 7b8b");
        assert_eq!(start, around);
        assert_ne!(start.ply(), around.ply());
        let mut seen = HashSet::from([start.clone()]);
        assert!(!seen.insert(around));
        let passed = position("startpos moves pass");
        assert_ne!(start, passed);
        assert!(seen.insert(passed));
        let bare = "4k4/9/9/9/9/9/9/9/4K4 b";
        assert_ne!(position(&format!("{bare} P 1")), position(&format!("{bare} 2P 1")));
        assert_eq!(position(&format!("{bare} P 1")), position(&format!("{bare} P 9")));
        assert_eq!(format!("{start:?}"), format!("Position({})", start.to_sfen()));
    }

    #[test]
    fn illegal_moves_are_refused_and_change_nothing() {
        let sfens = [
            "startpos",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1",
        ];
        for sfen in sfens {
            let mut position = position(sfen);
            let before = position.clone();
            let legal: HashSet<u16> =
                position.legal_moves().into_iter().map(|mv| mv.bits()).collect();
            // Miri is too slow for all of them.
            for bits in (0..=u16::MAX).step_by(if cfg!(miri) { 331 } else { 1 }) {
                let Some(mv) = crate::PackedMove::from_bits(bits) else { continue };
                match position.play(mv) {
                    Ok(()) => {
                        assert!(legal.contains(&bits), "{mv}");
                        assert_ne!(position, before);
                        position.undo_move();
                    }
                    Err(error) => {
                        assert!(!legal.contains(&bits), "{mv}");
                        assert!(error.to_string().contains(&mv.to_string()), "{error}");
                    }
                }
                assert_eq!(position, before);
                // Questions about moves that cannot be made have answers, too.
                let _ = (position.is_capture(mv), position.arriving_kind(mv));
                let _ = (position.moving_kind(mv), position.see_ge(mv, 0));
                let _ = position.gives_check(mv, &crate::CheckInfo::new(&position));
            }
        }
    }
}
