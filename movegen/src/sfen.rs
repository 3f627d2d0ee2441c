//! Reading and writing sfen, and checking that a position is playable.

use crate::place::SET_COUNT;
use crate::position::Position;
use crate::position_error::{Field, PositionError, SyntaxFault};
use crate::square::{Dense, HAND_KINDS, SQUARES, is_dead_piece, square_at, unpromoted};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};
use shogi_usi_parser::FromUsi;

impl Position {
    /// Parses sfen, with or without the leading word `sfen` and with or without the move number, or
    /// the word `startpos`.
    ///
    /// ```
    /// use monomi_movegen::Position;
    /// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 2P 7")?;
    /// assert_eq!(position.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b 2P 7");
    /// let error = Position::from_sfen("4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1").unwrap_err();
    /// assert_eq!(error.to_string(), "Black has two pawns in file 5");
    /// # Ok::<(), monomi_movegen::PositionError>(())
    /// ```
    ///
    /// A missing move number or 0 counts as 1, because some programs write them, and one above 32,767 as 32,767.
    ///
    /// # Errors
    /// The text is not sfen or the position cannot be played: see [`PositionError`].
    pub fn from_sfen(sfen: &str) -> Result<Self, PositionError> {
        let mut tokens = sfen.split_ascii_whitespace().peekable();
        match tokens.peek() {
            Some(&"startpos") => return Ok(Self::startpos()),
            Some(&"sfen") => {
                tokens.next();
            }
            _ => {}
        }
        let board = tokens.next().ok_or(PositionError::Missing(Field::Board))?;
        let side = tokens.next().ok_or(PositionError::Missing(Field::SideToMove))?;
        let hands = tokens.next().ok_or(PositionError::Missing(Field::Hands))?;
        let ply = tokens.next().unwrap_or("1");
        // Some programs write 0, some omit the number; games start at 1.
        let ply: u16 = match ply.parse::<u32>() {
            Ok(n) => n.clamp(1, u32::from(u16::MAX / 2)) as u16,
            Err(_) => return Err(syntax(ply, SyntaxFault::MoveNumber)),
        };
        if let Some(extra) = tokens.next() {
            return Err(syntax(extra, SyntaxFault::Extra));
        }
        check_rows(board)?;
        check_hands(hands)?;
        // The parser accepts only single spaces between fields.
        let text = format!("sfen {board} {side} {hands} {ply}");
        let partial = PartialPosition::from_usi(&text).map_err(|error| match error {
            shogi_usi_parser::Error::InvalidInput { from, to, description } => {
                let end = to.max(from + 1).min(text.len());
                let token = text.get(from.min(end)..end).unwrap_or(&text);
                syntax(token, SyntaxFault::Parser(description))
            }
            shogi_usi_parser::Error::Extra { from } => {
                syntax(text.get(from..).unwrap_or(&text).trim_end(), SyntaxFault::Unread)
            }
            _ => syntax(&text, SyntaxFault::Unread),
        })?;
        Self::from_partial(&partial)
    }

    /// Converts from `shogi_core`'s position.
    ///
    /// # Errors
    /// The position cannot be played: see [`PositionError`].
    pub fn from_partial(partial: &PartialPosition) -> Result<Self, PositionError> {
        check_set(partial)?;
        let position = Self::assemble(partial);
        position.check_placement()?;
        Ok(position)
    }

    /// Converts to `shogi_core`'s position.
    pub fn to_partial(&self) -> PartialPosition {
        let mut partial = PartialPosition::empty();
        for square in self.occupied() {
            partial.piece_set(square, self.piece_at(square));
        }
        for color in Color::all() {
            *partial.hand_of_a_player_mut(color) = self.hand(color);
        }
        partial.side_to_move_set(self.side_to_move());
        // Fails only for 0.
        let _ = partial.ply_set(self.ply().max(1));
        partial
    }

    /// The position in sfen with the move number.
    pub fn to_sfen(&self) -> String {
        self.to_partial().to_sfen_owned()
    }

    fn check_placement(&self) -> Result<(), PositionError> {
        for color in Color::all() {
            let pawns = self.pieces_of(color, PieceKind::Pawn);
            let mut files = [false; 10];
            for pawn in pawns {
                if std::mem::replace(&mut files[pawn.file() as usize % 10], true) {
                    return Err(PositionError::TwoPawns { color, file: pawn.file() });
                }
            }
            for square in self.pieces(color) {
                let Some(piece) = self.piece_at(square) else { continue };
                let kind = piece.piece_kind();
                if is_dead_piece(kind, color, square) {
                    let rank = (b'a' + square.rank() - 1) as char;
                    return Err(PositionError::DeadPiece {
                        color,
                        kind,
                        file: square.file(),
                        rank,
                    });
                }
            }
        }
        let waiting = self.side_to_move().flip();
        if let Some(king) = self.king(waiting)
            && self.attackers_to(king, self.side_to_move(), self.occupied()).any()
        {
            return Err(PositionError::KingCanBeTaken(waiting));
        }
        Ok(())
    }
}

fn syntax(token: &str, fault: SyntaxFault) -> PositionError {
    PositionError::Syntax { token: token.to_owned(), fault }
}

/// Checks that there are nine rows of nine squares. The parser would reject other boards too, but
/// with an error that does not name the row.
fn check_rows(board: &str) -> Result<(), PositionError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 9 {
        return Err(syntax(board, SyntaxFault::Rows(rows.len())));
    }
    for row in rows {
        let width: u32 = row.chars().map(|c| c.to_digit(10).unwrap_or(u32::from(c != '+'))).sum();
        if width != 9 {
            return Err(syntax(row, SyntaxFault::Width(width)));
        }
    }
    Ok(())
}

/// Rejects counts of 0 (`0P`) and kings in the hands, which the parser accepts.
fn check_hands(hands: &str) -> Result<(), PositionError> {
    for item in hands.split_inclusive(|c: char| !c.is_ascii_digit()) {
        if item.starts_with('0') {
            return Err(syntax(item, SyntaxFault::LeadingZero));
        }
        if item.ends_with(['K', 'k']) {
            return Err(syntax(item, SyntaxFault::KingInHand));
        }
    }
    Ok(())
}

/// Checks the kings and the numbers of pieces.
fn check_set(partial: &PartialPosition) -> Result<(), PositionError> {
    let mut counts = [0u8; 16];
    let mut kings = [0u8; 2];
    for piece in shogi_core::Square::all().filter_map(|sq| partial.piece_at(sq)) {
        let kind = unpromoted(piece.piece_kind());
        counts[kind as usize] += 1;
        if kind == PieceKind::King {
            kings[piece.color().dense()] += 1;
        }
    }
    for color in Color::all() {
        if kings[color.dense()] > 1 {
            return Err(PositionError::TwoKings(color));
        }
        for kind in HAND_KINDS {
            let held = partial.hand_of_a_player(color).count(kind).unwrap_or(0);
            counts[kind as usize] = counts[kind as usize].saturating_add(held);
        }
    }
    if kings == [0, 0] {
        return Err(PositionError::NoKing);
    }
    for kind in HAND_KINDS {
        let (count, max) = (counts[kind as usize], SET_COUNT[kind as usize]);
        if count > max {
            return Err(PositionError::TooMany { kind, count, max });
        }
    }
    Ok(())
}

/// The same position seen from the other side: the board rotated, the colours exchanged.
pub fn rotated(position: &PartialPosition) -> PartialPosition {
    let mut other = PartialPosition::empty();
    for square in Square::all() {
        let Some(piece) = position.piece_at(square) else { continue };
        let (kind, color) = piece.to_parts();
        if let Some(opposite) = square_at(SQUARES - usize::from(square.index())) {
            other.piece_set(opposite, Some(Piece::new(kind, color.flip())));
        }
    }
    for color in Color::all() {
        *other.hand_of_a_player_mut(color.flip()) = position.hand_of_a_player(color);
    }
    other.side_to_move_set(position.side_to_move().flip());
    // Fails only for 0.
    let _ = other.ply_set(position.ply().max(1));
    other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_zero_and_kings_in_hand_are_rejected() {
        for (hands, token) in [
            ("0P", "0P"),
            ("R0p", "0p"),
            ("02P", "02P"),
            ("0", "0"),
            ("2P0", "0"),
            ("K", "K"),
            ("R2k", "2k"),
            ("kP", "k"),
        ] {
            let error = Position::from_sfen(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1"));
            match error {
                Err(PositionError::Syntax { token: named, .. }) => assert_eq!(named, token),
                other => panic!("{hands}: {other:?}"),
            }
        }
        assert!(Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R10P 1").is_ok());
    }
}
