//! The text of `position`: a start and the moves from there.

use crate::usi::command::shown;
use monomi_movegen::{PackedMove, Position, PositionError};

/// Why a position was not taken over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Nothing names a position.
    #[error("position: neither startpos nor an sfen follows")]
    Missing,
    /// The start is no position that can be played on.
    #[error("position: {0}")]
    Start(PositionError),
    /// Something stands between the start and its moves.
    #[error("position: `{token}` stands where `moves` was expected")]
    Extra {
        /// What stands there.
        token: String,
    },
    /// A token among the moves is none.
    #[error("position: move {ply}, `{token}`, is no move in USI notation")]
    BrokenMove {
        /// Which one of the moves, from 1.
        ply: usize,
        /// What stands there.
        token: String,
    },
    /// A move breaks the rules.
    #[error("position: move {ply}, `{mv}`, is illegal in {sfen}")]
    IllegalMove {
        /// Which one of the moves, from 1.
        ply: usize,
        /// The move.
        mv: PackedMove,
        /// The position in which it was to be made.
        sfen: String,
    },
}

/// Reads `startpos|[sfen] SFEN [moves ...]`; the position carries the moves as its history.
///
/// # Errors
/// The first thing that is wrong, with its token and its number among the moves.
pub fn read(text: &str) -> Result<Position, ReadError> {
    let (start, moves) = split_moves(text);
    let mut words = start.split_whitespace();
    let mut position = match words.next() {
        None => return Err(ReadError::Missing),
        Some("startpos") => match words.next() {
            None => Position::startpos(),
            Some(extra) => return Err(ReadError::Extra { token: shown(extra) }),
        },
        Some(_) => {
            Position::from_sfen(start).map_err(|error| ReadError::Start(shortened(error)))?
        }
    };
    for (token, ply) in moves.split_whitespace().zip(1..) {
        let Ok(mv) = token.parse::<PackedMove>() else {
            return Err(ReadError::BrokenMove { ply, token: shown(token) });
        };
        if !position.is_legal(mv) {
            return Err(ReadError::IllegalMove { ply, mv, sfen: position.to_sfen() });
        }
        position.do_move(mv);
    }
    Ok(position)
}

/// What stands before and behind the word `moves`.
fn split_moves(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut from = 0;
    while let Some(at) = text[from..].find("moves").map(|at| from + at) {
        let end = at + "moves".len();
        let alone = text[..at].chars().next_back().is_none_or(char::is_whitespace)
            && text[end..].chars().next().is_none_or(char::is_whitespace);
        if alone {
            return (text[..at].trim_end(), &text[end..]);
        }
        from = end;
    }
    (text, "")
}

/// Keeps a megabyte of nonsense out of the error line.
fn shortened(error: PositionError) -> PositionError {
    match error {
        PositionError::Syntax { token, reason } => {
            PositionError::Syntax { token: shown(&token), reason: shown(&reason) }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn all_forms_of_the_start_position() {
        for text in [
            "startpos",
            " startpos moves ",
            START,
            &format!("sfen {START}"),
            &format!("sfen {START} moves"),
            &format!("{START} moves 7g7f 7c7d 7f7g 7d7c"),
        ] {
            let position = read(text);
            let key = position.as_ref().map(Position::key);
            // The last one is broken on purpose: a pawn does not step back.
            if text.contains("7f7g") {
                assert!(matches!(position, Err(ReadError::IllegalMove { ply: 3, .. })));
            } else {
                assert_eq!(key, Ok(Position::startpos().key()), "{text}");
            }
        }
    }

    #[test]
    fn history_is_kept() {
        let cycle = " 2h1h 8b9b 1h2h 9b8b";
        let position = read(&format!("startpos moves{}", cycle.repeat(3))).unwrap();
        assert_eq!(position.moves_made(), 12);
        assert!(position.repeated(4).is_some());
    }

    #[test]
    fn errors_name_token_and_ply() {
        for (text, expected) in [
            ("", "neither"),
            ("moves 7g7f", "neither"),
            ("startpos 7g7f", "`7g7f`"),
            ("startpos moves 7g7f 3c3d 7g7f", "move 3, `7g7f`"),
            ("startpos moves 7g7f xyz", "move 2, `xyz`"),
            ("startpos moves 7g7f\u{0} 3c3d", "move 1"),
            ("sfen 9/9/9 b - 1", "9/9/9"),
            ("sfen", "board"),
            ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "no king"),
            ("nonsense b - 1", "`nonsense`"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let error = read(&format!("sfen {}", "k".repeat(1 << 20))).unwrap_err().to_string();
        assert!(error.len() < 600, "{}", error.len());
    }

    #[test]
    fn a_thousand_plies_read_quickly() {
        let cycle = " 2h1h 8b9b 1h2h 9b8b";
        let text = format!("startpos moves{}", cycle.repeat(250));
        let start = std::time::Instant::now();
        assert_eq!(read(&text).unwrap().moves_made(), 1000);
        assert!(start.elapsed().as_millis() < 100);
    }
}
