//! What is wrong with a book, in English and Japanese.

use crate::ybb::format::YbbFault;
use monomi_movegen::NotAFullSet;
use monomi_movegen::{PackedMove, PositionError};
use monomi_support::text::{error_message, messages, shown};
use std::path::PathBuf;

messages! {
    /// Why a book cannot be opened.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum BookError {
        /// The file cannot be read.
        Unreadable {
            /// Path of the book.
            path: PathBuf,
            /// The system's error.
            error: std::io::Error,
        } => both "{path}: {error}";
        /// The file is not a book.
        NotABook {
            /// Path of the book.
            path: PathBuf,
            /// The reason.
            reason: NotABook,
        } =>
            "{path}: this is not a book ({reason})",
            "{path}: 定跡ファイルではありません（{reason}）";
    }
}
error_message!(BookError);

messages! {
    /// Why a file is not a book.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum NotABook {
        /// A folder, a device or a named pipe.
        NotAFile => "not a regular file", "通常のファイルではありません";
        /// A `.bin` of this number of bytes.
        Size {
            /// The size of the file.
            bytes: u64,
            /// The size of an entry.
            entry: usize,
        } =>
            "its {bytes} bytes are not a multiple of {entry}",
            "{bytes} バイトは {entry} の倍数ではありません";
        /// A `.db` without any position.
        NoPosition => "it contains no position", "局面が一つもありません";
        /// A `.bin`, which has only the keys of positions, where positions are needed.
        OnlyKeys =>
            "Apery's books contain no positions, only their keys",
            "Apery の定跡には局面の情報がありません（キーのみ）";
        /// Not a valid `.ybb`.
        Ybb(fault: YbbFault) => both "{fault}";
        /// Not a valid `.sbk`.
        Sbk =>
            "it is truncated, or not a book of ShogiGUI",
            "途中で切れているか、ShogiGUI の定跡ではありません";
        /// A `.sbk` where other books are read.
        OnlyConverted =>
            "of ShogiGUI's books only `monomi book convert` reads, into another format",
            "ShogiGUI の定跡は `monomi book convert` で他の形式に変換して使います";
        /// No position is valid: the first fault.
        Fault(fault: Fault) => both "{fault}";
        /// No position on disk is valid: what is wrong with the first one.
        Reason(reason: Reason) => both "{reason}";
    }
}

messages! {
    /// An invalid line.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Fault {
        /// The line number, from 1.
        pub line: usize,
        /// The text, shortened.
        pub text: String,
        /// Why it is invalid.
        pub reason: Reason,
    } => "line {line}, `{text}`: {reason}", "{line} 行目 `{text}`: {reason}";
}

impl Fault {
    /// Shortens the text and removes control characters.
    pub(crate) fn new(line: usize, text: &str, reason: impl Into<Reason>) -> Self {
        let text = text.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        Self { line, text, reason: reason.into() }
    }
}

error_message!(Fault);
error_message!(NotABook);
error_message!(Reason);
error_message!(SfenFault);

messages! {
    /// A field of an sfen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Field {
        /// The board.
        Board => "board", "盤面";
        /// The side to move.
        Side => "side to move", "手番";
        /// The hands.
        Hands => "hands", "持ち駒";
    }

    /// A number after a move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Number {
        /// The evaluation.
        Value => "value", "評価値";
        /// The depth of the search.
        Depth => "depth", "深さ";
        /// How often the move was played.
        Count => "count", "採用回数";
    }

    /// Why a line of a book is invalid.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Reason {
        /// The sfen ends early.
        Missing(field: Field) => "the sfen's {field} is missing", "SFEN の{field}がありません";
        /// The move number of a position.
        NotAMoveNumber(word: String) =>
            let word = shown(word);
            "`{word}` is not a move number", "`{word}` は手数ではありません";
        /// Not a move in USI notation.
        NotAMove(word: String) =>
            let word = shown(word);
            "`{word}` is not a move", "`{word}` は指し手ではありません";
        /// Not a number.
        NotANumber(word: String, number: Number) =>
            let word = shown(word);
            "`{word}` is not a {number}", "`{word}` は{number}ではありません";
        /// The position is invalid.
        Position(error: PositionError) => both "{error}";
        /// A field of the position is invalid.
        Sfen(fault: SfenFault) => both "{fault}";
        /// Pieces are missing, so that the position cannot be packed.
        NotAFullSet =>
            let fault = NotAFullSet;
            both "{fault}";
        /// A line of another kind.
        NotAPosition => "expected a position", "局面の行ではありません";
        /// A move without a position.
        MoveBeforePosition => "a move before any position", "局面より前に指し手があります";
        /// The move is illegal.
        Illegal(mv: PackedMove) => "{mv} is illegal", "{mv} は指せません";
        /// The expected reply is illegal.
        IllegalReply(mv: PackedMove) => "the reply {mv} is illegal", "応手 {mv} は指せません";
    }
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

messages! {
    /// What is wrong with a field of a position.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum SfenFault {
        /// Neither `b` nor `w`.
        Side => "the side to move is neither b nor w", "手番が b でも w でもありません";
        /// A letter on the board that is no piece.
        BoardPiece => "an unknown piece on the board", "盤面に未知の駒があります";
        /// A row of more than nine squares.
        LongRow => "a row is too long", "一段に十個以上のマスがあります";
        /// A row of fewer than nine squares.
        ShortRow => "a row does not have nine squares", "一段のマス数が 9 ではありません";
        /// More or fewer than nine rows.
        Rows => "the board does not have nine rows", "段の数が 9 ではありません";
        /// A letter in the hands that is no piece.
        HandPiece => "an unknown piece in hand", "持ち駒に未知の駒があります";
        /// More pieces than a set has.
        TooMany => "more pieces in hand than in a set", "持ち駒の枚数が多すぎます";
        /// The hands end with a number.
        LoneNumber => "a number without a piece in hand", "持ち駒の枚数の後ろに駒がありません";
    }
}
