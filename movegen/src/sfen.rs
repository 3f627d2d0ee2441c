//! Reading and writing sfen, and the questions asked of a position before it is accepted.

use crate::attacks::attacks;
use crate::bitboard::Bitboard;
use crate::place::SET_COUNT;
use crate::position::Position;
use crate::square::{Dense, HAND_KINDS, relative_rank, unpromoted};
use shogi_core::{Color, PartialPosition, PieceKind};
use shogi_usi_parser::FromUsi;

/// Why a position is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The text is no sfen.
    #[error("`{token}` in sfen: {reason}")]
    Syntax {
        /// The part of the text that could not be read.
        token: String,
        /// What was expected instead.
        reason: String,
    },
    /// A field is missing.
    #[error("sfen ends early: the {0} is missing")]
    Missing(&'static str),
    /// More pieces of a kind than a set has.
    #[error("{count} pieces of kind {kind:?}, a set has {max}")]
    TooMany {
        /// The kind, unpromoted.
        kind: PieceKind,
        /// How many there are.
        count: u8,
        /// How many a set has.
        max: u8,
    },
    /// Two kings on one side.
    #[error("{0:?} has more than one king")]
    TwoKings(Color),
    /// No king at all.
    #[error("there is no king on the board")]
    NoKing,
    /// Two unpromoted pawns of one side in a file.
    #[error("{color:?} has two pawns in file {file}")]
    TwoPawns {
        /// The side.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
    },
    /// A piece that can never move again.
    #[error("{color:?}'s {kind:?} on {file}{rank} can never move")]
    DeadPiece {
        /// The side.
        color: Color,
        /// The kind.
        kind: PieceKind,
        /// Its file, 1 to 9.
        file: u8,
        /// Its rank, `a` to `i`.
        rank: char,
    },
    /// The side to move could take the king.
    #[error("{0:?} is in check although it is not its turn")]
    KingCanBeTaken(Color),
}

impl Position {
    /// Reads a position from sfen, with or without the leading word `sfen`; the move number may
    /// be missing. `startpos` is read as well.
    ///
    /// # Errors
    /// Text that is no sfen, and positions that cannot be played on: see [`PositionError`].
    pub fn from_sfen(sfen: &str) -> Result<Self, PositionError> {
        let mut tokens = sfen.split_ascii_whitespace().peekable();
        match tokens.peek() {
            Some(&"startpos") => return Ok(Self::startpos()),
            Some(&"sfen") => {
                tokens.next();
            }
            _ => {}
        }
        let board = tokens.next().ok_or(PositionError::Missing("board"))?;
        let side = tokens.next().ok_or(PositionError::Missing("side to move"))?;
        let hands = tokens.next().ok_or(PositionError::Missing("hands"))?;
        let ply = tokens.next().unwrap_or("1");
        let syntax = |token: &str, reason: &str| PositionError::Syntax {
            token: token.to_owned(),
            reason: reason.to_owned(),
        };
        // Some programs write 0, and some no number at all; games start at 1.
        let ply: u16 = match ply.parse::<u32>() {
            Ok(n) => n.clamp(1, u32::from(u16::MAX / 2)) as u16,
            Err(_) => return Err(syntax(ply, "a move number was expected")),
        };
        if let Some(extra) = tokens.next() {
            return Err(syntax(extra, "nothing may follow the move number"));
        }
        check_rows(board)?;
        // One space between fields is all that the parser knows.
        let text = format!("sfen {board} {side} {hands} {ply}");
        let partial = PartialPosition::from_usi(&text).map_err(|error| match error {
            shogi_usi_parser::Error::InvalidInput { from, to, description } => {
                let end = to.max(from + 1).min(text.len());
                PositionError::Syntax {
                    token: text.get(from.min(end)..end).unwrap_or(&text).to_owned(),
                    reason: description.to_owned(),
                }
            }
            shogi_usi_parser::Error::Extra { from } => {
                syntax(text.get(from..).unwrap_or(&text).trim_end(), "this was not understood")
            }
            other => syntax(&text, &other.to_string()),
        })?;
        Self::from_partial(&partial)
    }

    /// Takes a position over from `shogi_core`.
    ///
    /// # Errors
    /// Positions that cannot be played on.
    pub fn from_partial(partial: &PartialPosition) -> Result<Self, PositionError> {
        check_set(partial)?;
        let position = Self::assemble(partial);
        position.check_placement()?;
        Ok(position)
    }

    /// The position as `shogi_core` holds it.
    pub fn to_partial(&self) -> PartialPosition {
        let mut partial = PartialPosition::empty();
        for square in self.occupied() {
            partial.piece_set(square, self.piece_at(square));
        }
        for color in Color::all() {
            *partial.hand_of_a_player_mut(color) = self.hand(color);
        }
        partial.side_to_move_set(self.side_to_move());
        // Fails only for 0, which no position here has.
        let _ = partial.ply_set(self.ply().max(1));
        partial
    }

    /// The position in sfen, with the move number.
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
                if is_dead(kind, relative_rank(square, color)) {
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

/// Whether a piece of this kind could never move from that rank (own view, 1 is the far end).
fn is_dead(kind: PieceKind, relative_rank: u8) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => relative_rank == 1,
        PieceKind::Knight => relative_rank <= 2,
        _ => false,
    }
}

/// The ecosystem's parser checks rows one by one; that there are nine of nine is asked here, so
/// that the error names the row.
fn check_rows(board: &str) -> Result<(), PositionError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 9 {
        return Err(PositionError::Syntax {
            token: board.to_owned(),
            reason: format!("{} rows instead of 9", rows.len()),
        });
    }
    for row in rows {
        let width: u32 = row.chars().map(|c| c.to_digit(10).unwrap_or(u32::from(c != '+'))).sum();
        if width != 9 {
            return Err(PositionError::Syntax {
                token: row.to_owned(),
                reason: format!("a row of {width} squares instead of 9"),
            });
        }
    }
    Ok(())
}

/// Kings and numbers of pieces.
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

/// Recomputes everything that is kept incrementally and says what differs: for tests and debug
/// assertions.
impl Position {
    /// # Errors
    /// The name of the first part that is not what it should be.
    pub fn validate(&self) -> Result<(), &'static str> {
        let fresh = Self::assemble(&self.to_partial());
        let us = self.side_to_move();
        let mut checkers = Bitboard::EMPTY;
        let mut pinned = Bitboard::EMPTY;
        if let Some(king) = self.king(us) {
            checkers = self.attackers_to(king, us.flip(), self.occupied());
            for own in self.pieces(us).without(Bitboard::single(king)) {
                let lifted = self.occupied().without(Bitboard::single(own));
                for slider in self.pieces(us.flip()).without(checkers) {
                    let Some(piece) = self.piece_at(slider) else { continue };
                    let reach = attacks(piece.piece_kind(), us.flip(), slider, lifted);
                    if reach.contains(king) {
                        pinned |= Bitboard::single(own);
                    }
                }
            }
        }
        let checks = [
            (fresh.board == self.board, "board"),
            (fresh.by_color == self.by_color, "colour bitboards"),
            (fresh.by_kind == self.by_kind, "kind bitboards"),
            (fresh.kings == self.kings, "king squares"),
            (self.recomputed_keys() == (self.board_key(), self.hand_key()), "keys"),
            (self.state.hand == self.hand(us), "remembered hand"),
            (self.state.checkers == checkers, "checkers"),
            (self.state.pinned == pinned, "pinned pieces"),
        ];
        checks.into_iter().find(|(same, _)| !same).map_or(Ok(()), |(_, name)| Err(name))
    }
}
