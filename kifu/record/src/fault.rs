//! What is wrong with a file, in English and Japanese.

use monomi_movegen::piece_name;
use monomi_movegen::{ParseMoveError, PositionError};
use monomi_support::text::{Lang, Message, error_message, say};
use shogi_core::PieceKind;
use std::fmt::{self, Formatter};

/// Longest line of moves that is read.
pub const MAX_MOVES: usize = 20_000;

/// Why a file contains no readable game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file is empty.
    Empty,
    /// Not text in any supported encoding.
    Binary,
    /// Text, but not a game record.
    NoRecord,
    /// The starting position cannot be read.
    Fault(Fault),
    /// A reader panicked; this is a bug.
    Panic(String),
}

impl Message for ReadError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => say!(lang, f, "the file is empty", "ファイルが空です"),
            Self::Binary => say!(
                lang,
                f,
                "not a text file (expected UTF-8, UTF-16, Shift_JIS, EUC-JP or ISO-2022-JP)",
                "テキストファイルではありません（対応する文字コード: UTF-8、UTF-16、Shift_JIS、EUC-JP、\
                 ISO-2022-JP）"
            ),
            Self::NoRecord => say!(
                lang,
                f,
                "not a game record (expected KIF, KI2, CSA, JKF or USI)",
                "棋譜ではありません（対応する形式: KIF、KI2、CSA、JKF、USI）"
            ),
            Self::Fault(fault) => fault.write(lang, f),
            Self::Panic(text) => say!(
                lang,
                f,
                "internal error in the reader: {text}",
                "読み込み中の内部エラーです: {text}"
            ),
        }
    }
}
error_message!(ReadError);

/// Something in a record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// The text, shortened and without control characters.
    pub fn shown(&self) -> String {
        self.text.trim().chars().take(60).filter(|c| !c.is_control()).collect()
    }
}

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

/// Why a part of a record cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The position is invalid.
    Position(PositionError),
    /// `手合割：その他` without a diagram.
    MissingDiagram,
    /// A handicap whose position is not known.
    UnknownHandicap,
    /// JKF: a preset whose position is not known.
    UnknownPreset(String),
    /// JKF: no `data`.
    MissingStart,
    /// JKF: no `board`.
    MissingBoard,
    /// JKF: a board of more than 81 squares.
    BoardTooLarge,
    /// Not JSON, in the words of the parser.
    Json(String),
    /// A row of a diagram with more squares.
    RowTooLong,
    /// A row of a diagram with fewer squares: their number.
    RowTooShort(u8),
    /// A letter that names no piece.
    UnknownPiece(Option<String>),
    /// The name of a piece is missing.
    MissingPiece,
    /// The number of pieces in hand.
    InvalidCount,
    /// A king or a promoted piece in hand.
    NotHoldable,
    /// Not a number from 1 to 9.
    InvalidSquare,
    /// Not a number from 1 to 9.
    InvalidRank,
    /// CSA: items of a line with pieces.
    NotPiecesOnSquares,
    /// CSA: a line that begins with no known letter.
    NotACsaStatement,
    /// CSA: not a sign, two squares and a piece.
    NotACsaMove,
    /// Not a move in USI notation.
    NotAUsiMove(ParseMoveError),
    /// Not a move.
    NotAMove,
    /// The move has no destination.
    MissingDestination,
    /// The move has no origin.
    MissingOrigin,
    /// `同` as the first move.
    NoMoveBefore,
    /// The origin is the destination.
    OriginIsDestination,
    /// Nothing stands on the origin.
    EmptyOrigin,
    /// Another piece stands on the origin.
    AnotherPiece,
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
    },
    /// A king or a promoted piece.
    NotDroppable,
    /// The sign of the move is that of the other side.
    OtherSidesTurn,
    /// The move is illegal.
    Illegal,
    /// No legal move has this piece and destination.
    NoSuchMove,
    /// Several moves fit.
    Ambiguous,
    /// More than [`MAX_MOVES`].
    TooManyMoves,
    /// A variation of a move after the end of the game.
    NoSuchBranch,
    /// A variation that does not say where it begins.
    MissingMoveNumber,
    /// Moves are missing or repeated.
    WrongNumber {
        /// The number in the file.
        found: usize,
        /// The number of the next move.
        expected: usize,
    },
    /// The closing words state more moves than were read.
    MissingMoves {
        /// The number in the file.
        stated: usize,
        /// The number of the last move that was read.
        read: usize,
    },
    /// A move after the end of the game.
    AfterTheEnd,
    /// A pass, which no game of shogi has.
    Pass,
    /// A pass of a side that is in check.
    PassInCheck,
    /// A hand or a side to move of a side that is not known.
    UnknownSide,
    /// A line of a list with more than this number of bytes.
    LineTooLong(usize),
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

impl Message for Reason {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(error) => error.write(lang, f),
            Self::MissingDiagram => say!(
                lang,
                f,
                "`手合割：その他` needs a board diagram, and there is none",
                "`手合割：その他` に必要な盤面図がありません"
            ),
            Self::UnknownHandicap => say!(lang, f, "unknown handicap", "未知の手合割です"),
            Self::UnknownPreset(name) => {
                say!(lang, f, "unknown preset `{name}`", "未知の手合割 `{name}` です")
            }
            Self::MissingStart => {
                say!(lang, f, "the starting position is missing", "開始局面がありません")
            }
            Self::MissingBoard => say!(lang, f, "the board is missing", "盤面がありません"),
            Self::BoardTooLarge => {
                say!(lang, f, "more than 81 squares", "81 個を超えるマスがあります")
            }
            Self::Json(error) => say!(lang, f, "{error}", "JSON として読めません: {error}"),
            Self::RowTooLong => {
                say!(lang, f, "more than nine squares", "一段に十個以上のマスがあります")
            }
            Self::RowTooShort(number) => say!(
                lang,
                f,
                "{number} squares instead of 9",
                "一段のマス数が 9 ではなく {number} です"
            ),
            Self::UnknownPiece(None) => say!(lang, f, "unknown piece", "未知の駒です"),
            Self::UnknownPiece(Some(name)) => {
                say!(lang, f, "unknown piece `{name}`", "未知の駒 `{name}` です")
            }
            Self::MissingPiece => say!(lang, f, "missing piece", "駒がありません"),
            Self::InvalidCount => {
                say!(lang, f, "invalid number of pieces", "駒の枚数が正しくありません")
            }
            Self::NotHoldable => {
                say!(lang, f, "this piece cannot be held in hand", "持ち駒にできない駒です")
            }
            Self::InvalidSquare => {
                say!(lang, f, "invalid square", "マスの指定が正しくありません")
            }
            Self::InvalidRank => say!(lang, f, "invalid rank", "段の指定が正しくありません"),
            Self::NotPiecesOnSquares => say!(
                lang,
                f,
                "expected squares and pieces of two characters each",
                "マスと駒は二文字ずつで書いてください"
            ),
            Self::NotACsaStatement => {
                say!(lang, f, "not a CSA statement", "CSA 形式の行ではありません")
            }
            Self::NotACsaMove => {
                say!(lang, f, "not a CSA move", "CSA 形式の指し手ではありません")
            }
            Self::NotAUsiMove(error) => error.write(lang, f),
            Self::NotAMove => say!(lang, f, "not a move", "指し手ではありません"),
            Self::MissingDestination => {
                say!(lang, f, "missing destination", "移動先がありません")
            }
            Self::MissingOrigin => say!(lang, f, "missing origin", "移動元がありません"),
            Self::NoMoveBefore => {
                say!(lang, f, "`同` without a previous move", "直前の指し手がない `同` です")
            }
            Self::OriginIsDestination => {
                say!(lang, f, "origin and destination are the same", "移動元と移動先が同じです")
            }
            Self::EmptyOrigin => {
                say!(lang, f, "no piece on the origin square", "移動元に駒がありません")
            }
            Self::AnotherPiece => say!(
                lang,
                f,
                "the piece on the origin square is a different one",
                "移動元の駒が違います"
            ),
            Self::Standing { found, file, rank, expected } => {
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
            }
            Self::NotDroppable => say!(lang, f, "this piece cannot be dropped", "打てない駒です"),
            Self::OtherSidesTurn => say!(lang, f, "it is the other side's turn", "相手の手番です"),
            Self::Illegal => say!(lang, f, "illegal", "反則手です"),
            Self::NoSuchMove => say!(
                lang,
                f,
                "illegal, or no such piece can move there",
                "反則手か、そこへ動ける駒がありません"
            ),
            Self::Ambiguous => say!(lang, f, "ambiguous", "動ける駒が二枚以上あります"),
            Self::TooManyMoves => {
                say!(lang, f, "more than {MAX_MOVES} moves", "手数が {MAX_MOVES} を超えています")
            }
            Self::NoSuchBranch => say!(
                lang,
                f,
                "variation of a move that does not exist",
                "存在しない手数からの変化です"
            ),
            Self::MissingMoveNumber => say!(lang, f, "missing move number", "手数がありません"),
            Self::WrongNumber { found, expected } => say!(
                lang,
                f,
                "found move {found}, expected move {expected}",
                "{found} 手目とありますが、次は {expected} 手目です"
            ),
            Self::MissingMoves { stated, read } => say!(
                lang,
                f,
                "the file states {stated} moves, but {read} were read",
                "{stated} 手とありますが、読めたのは {read} 手です"
            ),
            Self::AfterTheEnd => {
                say!(lang, f, "a move after the end of the game", "終局の後に指し手があります")
            }
            Self::Pass => say!(
                lang,
                f,
                "a pass, which no game of shogi has",
                "パスです（将棋の対局にパスはありません）"
            ),
            Self::PassInCheck => {
                say!(lang, f, "a pass of a side in check", "王手をかけられている側のパスです")
            }
            Self::UnknownSide => {
                say!(lang, f, "it is not clear which side is meant", "先手か後手か分かりません")
            }
            Self::LineTooLong(bytes) => {
                say!(lang, f, "longer than {bytes} bytes", "{bytes} バイトを超えています")
            }
        }
    }
}
error_message!(Reason);
