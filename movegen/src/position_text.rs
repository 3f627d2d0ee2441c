//! Positions as text: `startpos` or an sfen, and the moves from there.

use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::position_error::PositionError;
use monomi_support::text::shown;

/// The words for a pass: GUIs let the side to move pass to show what its opponent threatens.
pub const PASSES: [&str; 3] = ["pass", "null", "0000"];

/// The words with which records say after the last move how the game ended: those of ShogiHome, `bestmove`
/// and CSA in lower case, and those of KIF.
const ENDINGS: &str = "resign toryo win kachi rep_draw rep_win rep_lose rep_inf sennichite draw hikiwake \
    jishogi impass impasse timeout time_up break interrupt abort chudan mate tsumi checkmate max_moves \
    illegal illegal_move 投了 中断 千日手 切れ負け 反則勝ち 反則負け 反則手 持将棋 入玉勝ち 詰み 不詰 \
    引き分け 最大手数 詰 不詰み タイムアップ 反則行為 降参 負けました 時間切れ 時間切れ負け 反則 勝ち宣言 \
    入玉宣言勝ち 入玉 引分 切断 接続切れ 通信切断 入玉宣言 宣言勝ち 引分け 不戦勝 不戦敗 封じ手";

/// The words with which records say after the last move how the game ended; `monomi-record` knows their
/// meaning.
pub fn endings() -> impl Iterator<Item = &'static str> {
    ENDINGS.split_whitespace()
}

/// Whether a word is one of [`endings`], in capital letters and with CSA's `%` as well.
pub fn is_ending(word: &str) -> bool {
    let lower = word.trim_start_matches('%').to_ascii_lowercase();
    endings().any(|ending| ending == word || ending == lower)
}

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
        if tokens.peek().is_none() && is_ending(token) {
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

/// Whether a text begins as positions do: with a word of USI, or with a board of nine ranks.
pub fn begins_position(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    ["position", "sfen", "startpos"].contains(&first) || first.matches('/').count() == 8
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
