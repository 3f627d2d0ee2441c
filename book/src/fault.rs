//! What is wrong with a book, in English and Japanese.

use crate::ybb::format::YbbFault;
use monomi_movegen::NotAFullSet;
use monomi_movegen::{PackedMove, PositionError};
use monomi_support::text::{Lang, Message, error_message, say, shown};
use std::fmt::{self, Formatter};
use std::path::PathBuf;

/// Why a book cannot be opened.
#[derive(Debug)]
pub enum BookError {
    /// The file cannot be read.
    Unreadable {
        /// Path of the book.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// The file is not a book.
    NotABook {
        /// Path of the book.
        path: PathBuf,
        /// The reason.
        reason: NotABook,
    },
}

impl Message for BookError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, error } => {
                write!(f, "{}: {}", path.display(), error.in_lang(lang))
            }
            Self::NotABook { path, reason } => {
                let (path, reason) = (path.display(), reason.in_lang(lang));
                say!(
                    lang,
                    f,
                    "{path}: this is not a book ({reason})",
                    "{path}: 定跡ファイルではありません（{reason}）"
                )
            }
        }
    }
}
error_message!(BookError);

/// Why a file is not a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotABook {
    /// A folder, a device or a named pipe.
    NotAFile,
    /// A `.bin` of this number of bytes.
    Size {
        /// The size of the file.
        bytes: u64,
        /// The size of an entry.
        entry: usize,
    },
    /// A `.db` without any position.
    NoPosition,
    /// A `.bin`, which has only the keys of positions, where positions are needed.
    OnlyKeys,
    /// Not a valid `.ybb`.
    Ybb(YbbFault),
    /// Not a valid `.sbk`.
    Sbk,
    /// A `.sbk` where other books are read.
    OnlyConverted,
    /// No position is valid: the first fault.
    Fault(Fault),
    /// No position on disk is valid: what is wrong with the first one.
    Reason(Reason),
}

impl Message for NotABook {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAFile => say!(lang, f, "not a regular file", "通常のファイルではありません"),
            Self::Size { bytes, entry } => say!(
                lang,
                f,
                "its {bytes} bytes are not a multiple of {entry}",
                "{bytes} バイトは {entry} の倍数ではありません"
            ),
            Self::NoPosition => {
                say!(lang, f, "it contains no position", "局面が一つもありません")
            }
            Self::OnlyKeys => say!(
                lang,
                f,
                "Apery's books contain no positions, only their keys",
                "Apery の定跡には局面の情報がありません（キーのみ）"
            ),
            Self::Ybb(fault) => fault.write(lang, f),
            Self::Sbk => say!(
                lang,
                f,
                "it is truncated, or not a book of ShogiGUI",
                "途中で切れているか、ShogiGUI の定跡ではありません"
            ),
            Self::OnlyConverted => say!(
                lang,
                f,
                "of ShogiGUI's books only `monomi book convert` reads, into another format",
                "ShogiGUI の定跡は `monomi book convert` で他の形式に変換して使います"
            ),
            Self::Fault(fault) => fault.write(lang, f),
            Self::Reason(reason) => reason.write(lang, f),
        }
    }
}

/// An invalid line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line number, from 1.
    pub line: usize,
    /// The text, shortened.
    pub text: String,
    /// Why it is invalid.
    pub reason: Reason,
}

impl Fault {
    /// Shortens the text and removes control characters.
    pub(crate) fn new(line: usize, text: &str, reason: impl Into<Reason>) -> Self {
        let text = text.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        Self { line, text, reason: reason.into() }
    }
}

impl Message for Fault {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { line, text, reason } = self;
        let reason = reason.in_lang(lang);
        say!(lang, f, "line {line}, `{text}`: {reason}", "{line} 行目 `{text}`: {reason}")
    }
}
error_message!(Fault);
error_message!(NotABook);
error_message!(Reason);
error_message!(SfenFault);

/// A field of an sfen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The board.
    Board,
    /// The side to move.
    Side,
    /// The hands.
    Hands,
}

/// A number after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// The evaluation.
    Value,
    /// The depth of the search.
    Depth,
    /// How often the move was played.
    Count,
}

/// Why a line of a book is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The sfen ends early.
    Missing(Field),
    /// The move number of a position.
    NotAMoveNumber(String),
    /// Not a move in USI notation.
    NotAMove(String),
    /// Not a number.
    NotANumber(String, Number),
    /// The position is invalid.
    Position(PositionError),
    /// A field of the position is invalid.
    Sfen(SfenFault),
    /// Pieces are missing, so that the position cannot be packed.
    NotAFullSet,
    /// A line of another kind.
    NotAPosition,
    /// A move without a position.
    MoveBeforePosition,
    /// The move is illegal.
    Illegal(PackedMove),
    /// The expected reply is illegal.
    IllegalReply(PackedMove),
}

impl From<PositionError> for Reason {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl From<SfenFault> for Reason {
    fn from(fault: SfenFault) -> Self {
        Self::Sfen(fault)
    }
}

impl Message for Reason {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(field) => {
                let (en, ja) = match field {
                    Field::Board => ("board", "盤面"),
                    Field::Side => ("side to move", "手番"),
                    Field::Hands => ("hands", "持ち駒"),
                };
                match lang {
                    Lang::En => write!(f, "the sfen's {en} is missing"),
                    Lang::Ja => write!(f, "SFEN の{ja}がありません"),
                }
            }
            Self::NotAMoveNumber(word) => {
                let word = shown(word);
                say!(lang, f, "`{word}` is not a move number", "`{word}` は手数ではありません")
            }
            Self::NotAMove(word) => {
                let word = shown(word);
                say!(lang, f, "`{word}` is not a move", "`{word}` は指し手ではありません")
            }
            Self::NotANumber(word, number) => {
                let word = shown(word);
                let (en, ja) = match number {
                    Number::Value => ("value", "評価値"),
                    Number::Depth => ("depth", "深さ"),
                    Number::Count => ("count", "採用回数"),
                };
                match lang {
                    Lang::En => write!(f, "`{word}` is not a {en}"),
                    Lang::Ja => write!(f, "`{word}` は{ja}ではありません"),
                }
            }
            Self::Position(error) => error.write(lang, f),
            Self::Sfen(fault) => fault.write(lang, f),
            Self::NotAFullSet => NotAFullSet.write(lang, f),
            Self::NotAPosition => say!(lang, f, "expected a position", "局面の行ではありません"),
            Self::MoveBeforePosition => {
                say!(lang, f, "a move before any position", "局面より前に指し手があります")
            }
            Self::Illegal(mv) => say!(lang, f, "{mv} is illegal", "{mv} は指せません"),
            Self::IllegalReply(mv) => {
                say!(lang, f, "the reply {mv} is illegal", "応手 {mv} は指せません")
            }
        }
    }
}

/// What is wrong with a field of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SfenFault {
    /// Neither `b` nor `w`.
    Side,
    /// A letter on the board that is no piece.
    BoardPiece,
    /// A row of more than nine squares.
    LongRow,
    /// A row of fewer than nine squares.
    ShortRow,
    /// More or fewer than nine rows.
    Rows,
    /// A letter in the hands that is no piece.
    HandPiece,
    /// More pieces than a set has.
    TooMany,
    /// The hands end with a number.
    LoneNumber,
}

impl Message for SfenFault {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side => say!(
                lang,
                f,
                "the side to move is neither b nor w",
                "手番が b でも w でもありません"
            ),
            Self::BoardPiece => {
                say!(lang, f, "an unknown piece on the board", "盤面に未知の駒があります")
            }
            Self::LongRow => say!(lang, f, "a row is too long", "一段に十個以上のマスがあります"),
            Self::ShortRow => {
                say!(lang, f, "a row does not have nine squares", "一段のマス数が 9 ではありません")
            }
            Self::Rows => {
                say!(lang, f, "the board does not have nine rows", "段の数が 9 ではありません")
            }
            Self::HandPiece => {
                say!(lang, f, "an unknown piece in hand", "持ち駒に未知の駒があります")
            }
            Self::TooMany => {
                say!(lang, f, "more pieces in hand than in a set", "持ち駒の枚数が多すぎます")
            }
            Self::LoneNumber => say!(
                lang,
                f,
                "a number without a piece in hand",
                "持ち駒の枚数の後ろに駒がありません"
            ),
        }
    }
}
