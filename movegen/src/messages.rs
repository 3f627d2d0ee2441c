//! The words of this crate's errors, in English and Japanese. The errors are data; they are put into words
//! here because a trait of another crate can be implemented only beside the type.

use crate::do_move::IllegalMove;
use crate::packed_move::ParseMoveError;
use crate::packed_position::{NotAFullSet, UnpackError};
use crate::position_error::{Field, PositionError, SyntaxFault};
use crate::position_text::PositionTextError;
use monomi_support::text::{Lang, Message, error_message, say, shown};
use shogi_core::{Color, PieceKind};
use std::fmt::{self, Formatter};

#[doc(hidden)]
impl Message for PositionError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
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

#[doc(hidden)]
impl Message for Field {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board => say!(lang, f, "board", "盤面"),
            Self::SideToMove => say!(lang, f, "side to move", "手番"),
            Self::Hands => say!(lang, f, "hands", "持ち駒"),
        }
    }
}

#[doc(hidden)]
impl Message for SyntaxFault {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
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

#[doc(hidden)]
impl Message for ParseMoveError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let token = shown(&self.token);
        say!(
            lang,
            f,
            "`{token}` is not a move in USI notation",
            "`{token}` は USI 形式の指し手ではありません"
        )
    }
}
error_message!(ParseMoveError);

#[doc(hidden)]
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

#[doc(hidden)]
impl Message for NotAFullSet {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        say!(
            lang,
            f,
            "only positions with all forty pieces can be packed",
            "四十枚の駒が揃った局面しか記録できません"
        )
    }
}
error_message!(NotAFullSet);

#[doc(hidden)]
impl Message for UnpackError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        say!(lang, f, "packed position: ", "圧縮された局面: ")?;
        match self {
            Self::Kings(black, white) => say!(
                lang,
                f,
                "the kings' squares are {black} and {white}",
                "玉の位置が {black} と {white} です"
            ),
            Self::Bits(bit) => {
                say!(lang, f, "bit {bit} begins no piece", "{bit} ビット目からの駒を読めません")
            }
            Self::Position(error) => error.write(lang, f),
        }
    }
}
error_message!(UnpackError, Position: PositionError);

#[doc(hidden)]
impl Message for IllegalMove {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { mv, sfen } = self;
        say!(lang, f, "`{mv}` is illegal in {sfen}", "`{mv}` は指せません（局面 {sfen}）")
    }
}
error_message!(IllegalMove);
