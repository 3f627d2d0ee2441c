//! Why a position is rejected.

use monomi_text::{Lang, Message, error_message, say, shown};
use shogi_core::{Color, PieceKind};
use std::fmt;

/// Why a position is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PositionError {
    /// The text is not sfen.
    Syntax {
        /// The part of the text that could not be read.
        token: String,
        /// What is wrong with it.
        fault: SyntaxFault,
    },
    /// A field is missing.
    Missing(Field),
    /// There are more pieces of a kind than in a set.
    TooMany {
        /// The kind, unpromoted.
        kind: PieceKind,
        /// How many there are.
        count: u8,
        /// How many a set has.
        max: u8,
    },
    /// A side has two kings.
    TwoKings(Color),
    /// There is no king.
    NoKing,
    /// A side has two unpromoted pawns in a file (nifu).
    TwoPawns {
        /// The side that has them.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
    },
    /// A pawn, lance or knight that could never move again.
    DeadPiece {
        /// The piece's side.
        color: Color,
        /// The kind.
        kind: PieceKind,
        /// Its file, 1 to 9.
        file: u8,
        /// Its rank, `a` to `i`.
        rank: char,
    },
    /// The side that is not to move is in check.
    KingCanBeTaken(Color),
}

/// A field of sfen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// The pieces on the board.
    Board,
    /// `b` or `w`.
    SideToMove,
    /// The pieces in hand.
    Hands,
}

/// What is wrong with a part of sfen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxFault {
    /// A move number was expected.
    MoveNumber,
    /// Something follows the move number.
    Extra,
    /// A board of another number of rows than nine.
    Rows(usize),
    /// A row of another number of squares than nine.
    Width(u32),
    /// A number of pieces in hand starts with 0.
    LeadingZero,
    /// A king in hand.
    KingInHand,
    /// The parser did not get to this part.
    Unread,
    /// As the parser describes it, in English.
    Parser(&'static str),
}

impl Message for PositionError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { token, fault } => {
                let (token, fault) = (shown(token), fault.in_lang(lang));
                say!(lang, f, "`{token}` in sfen: {fault}", "SFEN の `{token}`: {fault}")
            }
            Self::Missing(field) => say!(
                lang,
                f,
                "sfen ends early: the {} is missing",
                "SFEN が途中で終わっています（{}がありません）",
                field.in_lang(lang)
            ),
            Self::TooMany { kind, count, max } => {
                let name = piece_name(*kind);
                say!(
                    lang,
                    f,
                    "{count} pieces of kind {kind:?}, a set has {max}",
                    "{name}が {count} 枚あります（{max} 枚まで）"
                )
            }
            Self::TwoKings(color) => {
                let side = side_name(*color);
                say!(lang, f, "{color:?} has more than one king", "{side}の玉が二枚以上あります")
            }
            Self::NoKing => say!(lang, f, "there is no king on the board", "盤上に玉がありません"),
            Self::TwoPawns { color, file } => {
                let side = side_name(*color);
                say!(
                    lang,
                    f,
                    "{color:?} has two pawns in file {file}",
                    "{side}の {file} 筋が二歩です"
                )
            }
            Self::DeadPiece { color, kind, file, rank } => {
                let (side, name) = (side_name(*color), piece_name(*kind));
                say!(
                    lang,
                    f,
                    "{color:?}'s {kind:?} on {file}{rank} can never move",
                    "{file}{rank} の{side}の{name}は行き所がありません"
                )
            }
            Self::KingCanBeTaken(color) => {
                let side = side_name(*color);
                say!(
                    lang,
                    f,
                    "{color:?} is in check although it is not its turn",
                    "手番でない{side}の玉に王手がかかっています"
                )
            }
        }
    }
}
error_message!(PositionError);

impl Message for Field {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => say!(lang, f, "board", "盤面"),
            Self::SideToMove => say!(lang, f, "side to move", "手番"),
            Self::Hands => say!(lang, f, "hands", "持ち駒"),
        }
    }
}

impl Message for SyntaxFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MoveNumber => say!(lang, f, "a move number was expected", "手数ではありません"),
            Self::Extra => say!(
                lang,
                f,
                "nothing may follow the move number",
                "手数の後ろに余分な文字があります"
            ),
            Self::Rows(rows) => {
                say!(lang, f, "{rows} rows instead of 9", "段の数が 9 ではなく {rows} です")
            }
            Self::Width(width) => say!(
                lang,
                f,
                "a row of {width} squares instead of 9",
                "一段のマス数が 9 ではなく {width} です"
            ),
            Self::LeadingZero => say!(
                lang,
                f,
                "the number of pieces in hand must not start with 0",
                "持ち駒の枚数は 0 で始められません"
            ),
            Self::KingInHand => {
                say!(lang, f, "a king cannot be in hand", "玉は持ち駒にできません")
            }
            Self::Unread => say!(lang, f, "this was not understood", "読めません"),
            Self::Parser(description) => {
                say!(lang, f, "{description}", "読めません（{description}）")
            }
        }
    }
}

/// The Japanese name of a side.
pub fn side_name(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

/// The Japanese name of a piece, as in moves.
pub fn piece_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::ProBishop => "馬",
        PieceKind::ProRook => "龍",
    }
}
