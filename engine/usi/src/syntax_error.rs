//! Syntax errors in commands.

/// An error in one part of a line; the rest of the line is used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A keyword without its number.
    #[error("`{keyword}` needs a number")]
    MissingNumber {
        /// The keyword.
        keyword: &'static str,
    },
    /// Something else in the place of a number.
    #[error("`{keyword}` needs a number, got `{token}`")]
    NotANumber {
        /// The keyword.
        keyword: &'static str,
        /// The token.
        token: String,
    },
    /// Something else in the place of a move.
    #[error("searchmoves: `{token}` is not a move in USI notation")]
    NotAMove {
        /// The token.
        token: String,
    },
    /// `setoption` without a name.
    #[error("setoption: the name of the option is missing")]
    MissingName,
}
