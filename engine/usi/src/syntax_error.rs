//! Syntax errors in commands.

use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt::{self, Formatter};

/// An error in one part of a line; the rest of the line is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxError {
    /// A keyword without its number.
    MissingNumber { keyword: &'static str },
    /// Something else in the place of a number.
    NotANumber { keyword: &'static str, token: String },
    /// Something else in the place of a move.
    NotAMove { token: String },
    /// `setoption` without a name.
    MissingName,
    /// `export_net` without a file.
    MissingFile,
}

impl Message for SyntaxError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingNumber { keyword } => {
                say!(lang, f, "`{keyword}` needs a number", "`{keyword}` には数値が必要です")
            }
            Self::NotANumber { keyword, token } => say!(
                lang,
                f,
                "`{keyword}` needs a number, got `{token}`",
                "`{keyword}` には数値が必要です（`{token}` は数値ではありません）"
            ),
            Self::NotAMove { token } => say!(
                lang,
                f,
                "searchmoves: `{token}` is not a move in USI notation",
                "searchmoves: `{token}` は USI の指し手ではありません"
            ),
            Self::MissingFile => say!(
                lang,
                f,
                "export_net: the name of the file is missing",
                "export_net: ファイル名がありません"
            ),
            Self::MissingName => say!(
                lang,
                f,
                "setoption: the name of the option is missing",
                "setoption: オプション名がありません"
            ),
        }
    }
}

error_message!(SyntaxError);
