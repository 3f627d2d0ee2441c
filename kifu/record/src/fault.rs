//! What is wrong with a file, in English and Japanese.

use monomi_movegen::piece_name;
use monomi_movegen::{ParseMoveError, PositionError};
use monomi_support::text::{Lang, Message, error_message, messages, say};
use shogi_core::PieceKind;
use std::fmt::{self, Formatter};

/// Longest line of moves that is read.
pub const MAX_MOVES: usize = 20_000;

messages! {
    /// Why a file contains no readable game.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ReadError {
        /// The file is empty.
        Empty => "the file is empty", "ファイルが空です";
        /// Not text in any supported encoding.
        Binary =>
            "not a text file (expected UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP)",
            "テキストファイルではありません（対応する文字コード: UTF-8、UTF-16、Shift_JIS、EUC-JP、\
             ISO-2022-JP）";
        /// Text, but not a game record.
        NoRecord =>
            "not a game record (expected KIF, KI2, CSA, JKF or USI)",
            "棋譜ではありません（対応する形式: KIF、KI2、CSA、JKF、USI）";
        /// The starting position cannot be read.
        Fault(fault: Fault) => both "{fault}";
        /// A reader panicked; this is a bug.
        Panic(text: String) =>
            "internal error in the reader: {text}", "読み込み中の内部エラーです: {text}";
    }
}
error_message!(ReadError);

/// Something in a record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// Line of the file, from 1; 0 where lines have no meaning (JKF).
    pub line: usize,
    /// Number of the affected move, from 1; `None` for headers.
    pub ply: Option<usize>,
    /// The text that cannot be read.
    pub text: String,
    /// Why it cannot be read.
    pub reason: Reason,
}

impl Fault {
    /// What is wrong with the text of a line, counted from 1.
    pub fn new(line: usize, text: impl Into<String>, reason: Reason) -> Self {
        Self { line, ply: None, text: text.into(), reason }
    }

    /// The text, shortened and without control characters.
    pub fn shown(&self) -> String {
        self.text.trim().chars().take(60).filter(|c| !c.is_control()).collect()
    }
}

#[doc(hidden)]
impl Message for Fault {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.line;
        if line > 0 {
            say!(lang, f, "line {line}, ", "{line} 行目 ")?;
        }
        if let Some(ply) = self.ply {
            say!(lang, f, "move {ply}, ", "{ply} 手目 ")?;
        }
        write!(f, "`{}`: {}", self.shown(), self.reason.in_lang(lang))
    }
}
error_message!(Fault);

messages! {
    /// Why a part of a record cannot be read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Reason {
        /// The position is invalid.
        Position(error: PositionError) => both "{error}";
        /// `手合割：その他` without a diagram.
        MissingDiagram =>
            "`手合割：その他` needs a board diagram, and there is none",
            "`手合割：その他` に必要な盤面図がありません";
        /// A handicap whose position is not known.
        UnknownHandicap => "unknown handicap", "未知の手合割です";
        /// JKF: a preset whose position is not known.
        UnknownPreset(name: String) => "unknown preset `{name}`", "未知の手合割 `{name}` です";
        /// JKF: no `data`.
        MissingStart => "the starting position is missing", "開始局面がありません";
        /// JKF: no `board`.
        MissingBoard => "the board is missing", "盤面がありません";
        /// JKF: a board of more than 81 squares.
        BoardTooLarge => "more than 81 squares", "81 個を超えるマスがあります";
        /// Not JSON, in the words of the parser.
        Json(error: String) => "{error}", "JSON として読めません: {error}";
        /// A row of a diagram with more squares.
        RowTooLong => "more than nine squares", "一段に十個以上のマスがあります";
        /// A row of a diagram with fewer squares: their number.
        RowTooShort(number: u8) =>
            "{number} squares instead of 9", "一段のマス数が 9 ではなく {number} です";
        /// A letter that names no piece.
        UnknownPiece(value: Option<String>) => |lang, f| match value {
            None => say!(lang, f, "unknown piece", "未知の駒です"),
            Some(name) => {
                say!(lang, f, "unknown piece `{name}`", "未知の駒 `{name}` です")
            }
        };
        /// The name of a piece is missing.
        MissingPiece => "missing piece", "駒がありません";
        /// The number of pieces in hand.
        InvalidCount => "invalid number of pieces", "駒の枚数が正しくありません";
        /// A king or a promoted piece in hand.
        NotHoldable => "this piece cannot be held in hand", "持ち駒にできない駒です";
        /// Not a number from 1 to 9.
        InvalidSquare => "invalid square", "マスの指定が正しくありません";
        /// Not a number from 1 to 9.
        InvalidRank => "invalid rank", "段の指定が正しくありません";
        /// CSA: items of a line with pieces.
        NotPiecesOnSquares =>
            "expected squares and pieces of two characters each",
            "マスと駒は二文字ずつで書いてください";
        /// CSA: a line that begins with no known letter.
        NotACsaStatement => "not a CSA statement", "CSA 形式の行ではありません";
        /// CSA: not a sign, two squares and a piece.
        NotACsaMove => "not a CSA move", "CSA 形式の指し手ではありません";
        /// Not a move in USI notation.
        NotAUsiMove(error: ParseMoveError) => both "{error}";
        /// Not a move.
        NotAMove => "not a move", "指し手ではありません";
        /// The move has no destination.
        MissingDestination => "missing destination", "移動先がありません";
        /// The move has no origin.
        MissingOrigin => "missing origin", "移動元がありません";
        /// `同` as the first move.
        NoMoveBefore => "`同` without a previous move", "直前の指し手がない `同` です";
        /// The origin is the destination.
        OriginIsDestination => "origin and destination are the same", "移動元と移動先が同じです";
        /// Nothing stands on the origin.
        EmptyOrigin => "no piece on the origin square", "移動元に駒がありません";
        /// Another piece stands on the origin.
        AnotherPiece => "the piece on the origin square is a different one", "移動元の駒が違います";
        /// What stands on a square (file and rank), and what should.
        Standing {
            /// The piece there.
            found: Option<PieceKind>,
            /// File, 1 to 9.
            file: u8,
            /// Rank, 1 to 9.
            rank: u8,
            /// The piece of the move.
            expected: PieceKind,
        } => |lang, f| {
            let expected = piece_name(*expected);
            match found.map(piece_name) {
                Some(found) => say!(
                    lang,
                    f,
                    "{found} on {file}{rank}, not {expected}",
                    "{file}{rank} にあるのは{expected}ではなく{found}です"
                ),
                None => say!(
                    lang,
                    f,
                    "no piece on {file}{rank}, not {expected}",
                    "{file}{rank} に{expected}がありません"
                ),
            }
        };
        /// A king or a promoted piece.
        NotDroppable => "this piece cannot be dropped", "打てない駒です";
        /// The sign of the move is that of the other side.
        OtherSidesTurn => "it is the other side's turn", "相手の手番です";
        /// The move is illegal.
        Illegal => "illegal", "反則手です";
        /// No legal move has this piece and destination.
        NoSuchMove =>
            "illegal, or no such piece can move there", "反則手か、そこへ動ける駒がありません";
        /// Several moves fit.
        Ambiguous => "ambiguous", "動ける駒が二枚以上あります";
        /// More than [`MAX_MOVES`].
        TooManyMoves => "more than {MAX_MOVES} moves", "手数が {MAX_MOVES} を超えています";
        /// A variation of a move after the end of the game.
        NoSuchBranch => "variation of a move that does not exist", "存在しない手数からの変化です";
        /// A variation that does not say where it begins.
        MissingMoveNumber => "missing move number", "手数がありません";
        /// Moves are missing or repeated.
        WrongNumber {
            /// The number in the file.
            found: usize,
            /// The number of the next move.
            expected: usize,
        } =>
            "found move {found}, expected move {expected}",
            "{found} 手目とありますが、次は {expected} 手目です";
        /// The closing words state more moves than were read.
        MissingMoves {
            /// The number in the file.
            stated: usize,
            /// The number of the last move that was read.
            read: usize,
        } =>
            "the file states {stated} moves, but {read} were read",
            "{stated} 手とありますが、読めたのは {read} 手です";
        /// A move after the end of the game.
        AfterTheEnd => "a move after the end of the game", "終局の後に指し手があります";
        /// A pass, which no game of shogi has.
        Pass => "a pass, which no game of shogi has", "パスです（将棋の対局にパスはありません）";
        /// A pass of a side that is in check.
        PassInCheck => "a pass of a side in check", "王手をかけられている側のパスです";
        /// A hand or a side to move of a side that is not known.
        UnknownSide => "it is not clear which side is meant", "先手か後手か分かりません";
        /// A line of a list with more than this number of bytes.
        LineTooLong(bytes: usize) => "longer than {bytes} bytes", "{bytes} バイトを超えています";
    }
}

impl Reason {
    /// Whether the text is a move that can lose a game as a foul.
    pub(crate) fn may_be_a_foul(&self) -> bool {
        matches!(
            self,
            Self::Illegal
                | Self::NoSuchMove
                | Self::OtherSidesTurn
                | Self::EmptyOrigin
                | Self::AnotherPiece
                | Self::Standing { .. }
                | Self::NotDroppable
        )
    }
}

impl From<PositionError> for Reason {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl From<ParseMoveError> for Reason {
    fn from(error: ParseMoveError) -> Self {
        Self::NotAUsiMove(error)
    }
}

error_message!(Reason);
