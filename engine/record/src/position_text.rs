//! Positions as text: `startpos` or an sfen, and the moves from there.

use crate::usi::{PASSES, ending};
use monomi_movegen::{PackedMove, Position, PositionError};
use monomi_support::text::{Lang, Message, error_message, say, shown};
use std::fmt::{self, Formatter};

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionTextError {
    /// The text is empty or begins with `moves`.
    Missing,
    /// The text begins with something else.
    NotAPosition {
        /// The first word.
        token: String,
    },
    /// The sfen is invalid.
    Start(PositionError),
    /// Something between the start and its moves.
    Extra {
        /// The token.
        token: String,
    },
    /// A token that is not a move.
    BrokenMove {
        /// Its number, from 1.
        ply: usize,
        /// The token.
        token: String,
    },
    /// A pass of a side that is in check.
    PassInCheck {
        /// Its number, from 1.
        ply: usize,
        /// The position before it.
        sfen: String,
    },
    /// A move that is not legal.
    IllegalMove {
        /// Its number, from 1.
        ply: usize,
        /// The move.
        mv: PackedMove,
        /// The position before it.
        sfen: String,
    },
}

impl Message for PositionTextError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => say!(
                lang,
                f,
                "expected `startpos` or an sfen",
                "`startpos` または SFEN を指定してください"
            ),
            Self::NotAPosition { token } => say!(
                lang,
                f,
                "expected `startpos` or an sfen, got `{token}`",
                "`startpos` または SFEN が必要なところに `{token}` があります"
            ),
            Self::Start(error) => error.write(lang, f),
            Self::Extra { token } => say!(
                lang,
                f,
                "expected `moves`, got `{token}`",
                "`moves` が必要なところに `{token}` があります"
            ),
            Self::BrokenMove { ply, token } => say!(
                lang,
                f,
                "move {ply}, `{token}`, is not a move in USI notation",
                "{ply} 手目の `{token}` は USI 形式の指し手ではありません"
            ),
            Self::PassInCheck { ply, sfen } => say!(
                lang,
                f,
                "move {ply} is a pass, but the side to move is in check in {sfen}",
                "{ply} 手目はパスですが、手番の側に王手がかかっています（局面 {sfen}）"
            ),
            Self::IllegalMove { ply, mv, sfen } => say!(
                lang,
                f,
                "move {ply}, `{mv}`, is illegal in {sfen}",
                "{ply} 手目の `{mv}` は指せません（局面 {sfen}）"
            ),
        }
    }
}
error_message!(PositionTextError);

/// Reads `startpos|[sfen] SFEN [moves ...]`; the moves become the position's history. A pass is accepted
/// among the moves where the side to move is not in check; repetitions are counted from there.
///
/// # Errors
/// Names the first thing that is wrong, and for a move its number.
pub fn read(text: &str) -> Result<Position, PositionTextError> {
    let (start, moves) = split_moves(text);
    let mut words = start.split_whitespace();
    let mut position = match words.next() {
        None => return Err(PositionTextError::Missing),
        Some("startpos") => match words.next() {
            None => Position::startpos(),
            Some(extra) => return Err(PositionTextError::Extra { token: shown(extra) }),
        },
        // Every board has slashes.
        Some(word) if word != "sfen" && !word.contains('/') => {
            return Err(PositionTextError::NotAPosition { token: shown(word) });
        }
        Some(_) => Position::from_sfen(start).map_err(PositionTextError::Start)?,
    };
    let mut tokens = moves.split_whitespace().zip(1..).peekable();
    while let Some((token, ply)) = tokens.next() {
        // Records end with how the game ended.
        if tokens.peek().is_none() && ending(token).is_some() {
            break;
        }
        if PASSES.contains(&token) {
            if position.in_check() {
                return Err(PositionTextError::PassInCheck { ply, sfen: position.to_sfen() });
            }
            position.do_null_move();
            continue;
        }
        let Ok(mv) = token.parse::<PackedMove>() else {
            return Err(PositionTextError::BrokenMove { ply, token: shown(token) });
        };
        if !position.is_legal(mv) {
            return Err(PositionTextError::IllegalMove { ply, mv, sfen: position.to_sfen() });
        }
        position.do_move(mv);
    }
    Ok(position)
}

/// Splits at the word `moves`.
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
            // The last one is illegal: pawns do not move backwards.
            if text.contains("7f7g") {
                assert!(matches!(position, Err(PositionTextError::IllegalMove { ply: 3, .. })));
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
    fn a_pass_changes_only_the_side_to_move() {
        for pass in PASSES {
            let position = read(&format!("startpos moves 7g7f {pass} 7f7e")).unwrap();
            let start = "lnsgkgsnl/1r5b1/ppppppppp/9/2P6/9/PP1PPPPPP/1B5R1/LNSGKGSNL w - 4";
            assert_eq!(position.to_sfen(), start);
        }
        // No repetition goes back beyond a pass: the position occurs twice before and twice after it.
        let cycle = " 2h1h 8b9b 1h2h 9b8b";
        let repeated = |moves: &str| read(&format!("startpos moves{moves}")).unwrap().repeated(4);
        assert!(repeated(&cycle.repeat(3)).is_some());
        assert!(repeated(&format!("{cycle} pass pass{cycle}")).is_none());
        assert!(repeated(&format!(" pass pass{}", cycle.repeat(3))).is_some());
        let check = "sfen 4k4/9/4G4/9/9/9/9/9/4K4 b - 1 moves 5c5b pass";
        let error = read(check).unwrap_err();
        assert!(matches!(&error, PositionTextError::PassInCheck { ply: 2, .. }), "{error}");
        assert!(error.to_string().contains("in check"), "{error}");
    }

    #[test]
    fn errors_name_token_and_ply() {
        for (text, expected) in [
            ("", "startpos"),
            ("moves 7g7f", "startpos"),
            ("startpos 7g7f", "`7g7f`"),
            ("startpos moves 7g7f 3c3d 7g7f", "move 3, `7g7f`"),
            ("startpos moves 7g7f xyz", "move 2, `xyz`"),
            ("startpos moves 7g7f\u{0} 3c3d", "move 1"),
            ("sfen 9/9/9 b - 1", "9/9/9"),
            ("sfen", "board"),
            ("sfen 9/9/9/9/9/9/9/9/9 b - 1", "no king"),
            ("nonsense b - 1", "expected `startpos` or an sfen, got `nonsense`"),
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
