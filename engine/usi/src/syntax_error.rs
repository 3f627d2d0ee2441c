//! Syntax errors in commands.

use monomi_support::text::{error_message, messages};

messages! {
    /// An error in one part of a line; the rest of the line is used.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum SyntaxError {
        /// A keyword without its number.
        MissingNumber { keyword: &'static str } =>
            "`{keyword}` needs a number", "`{keyword}` には数値が必要です";
        /// Something else in the place of a number.
        NotANumber { keyword: &'static str, token: String } =>
            "`{keyword}` needs a number, got `{token}`",
            "`{keyword}` には数値が必要です（`{token}` は数値ではありません）";
        /// Something else in the place of a move.
        NotAMove { token: String } =>
            "searchmoves: `{token}` is not a move in USI notation",
            "searchmoves: `{token}` は USI の指し手ではありません";
        /// `setoption` without a name.
        MissingName =>
            "setoption: the name of the option is missing", "setoption: オプション名がありません";
        /// `export_net` without a file.
        MissingFile =>
            "export_net: the name of the file is missing", "export_net: ファイル名がありません";
    }
}
error_message!(SyntaxError);
