//! Why a configuration cannot be used.

use super::SHORTEST_KEEP_ALIVE;
use monomi_support::text::{error_message, messages};
use monomi_usi::OptionError;
use std::io;
use std::path::PathBuf;

messages! {
    /// Why the configuration cannot be used.
    #[derive(Debug)]
    pub enum ConfigError {
        /// The file cannot be read.
        Unreadable {
            /// Path of the configuration.
            path: PathBuf,
            /// The reason.
            error: std::io::Error,
        } => "cannot read {path}: {error}", "{path}: {error}";
        /// The file is not valid TOML, or has unknown keys.
        Syntax {
            /// Path of the configuration.
            path: PathBuf,
            /// What is wrong.
            fault: SyntaxFault,
        } => both "{path}: {fault}";
        /// A required value is missing.
        Missing(key: &'static str) => "`{key}` is not set", "`{key}` が設定されていません";
        /// A value is invalid.
        Bad {
            /// The key.
            key: &'static str,
            /// What is wrong with it.
            fault: ValueFault,
        } => both "`{key}`: {fault}";
        /// An engine option has an unknown name or an invalid value.
        Option(error: OptionError) => both "options: {error}";
    }

    /// What is wrong with a configuration file.
    #[derive(Debug, PartialEq, Eq)]
    pub enum SyntaxFault {
        /// It holds a password.
        Password =>
            "`password`: put the password into a file and name it by `password-file`",
            "`password`: パスワードはファイルに書き、`password-file` で指定してください";
        /// In the words of the TOML parser, with the line.
        Toml(text: String) => both "{text}";
    }

    /// What is wrong with a value.
    #[derive(Debug)]
    pub enum ValueFault {
        /// The extended mode needs the name of a game.
        ExtendedNeedsGame =>
            "the extended mode needs `game`, the name of a game",
            "拡張モードには対局名 `game` が必要です";
        /// A color needs the name of a game.
        ColorNeedsGame =>
            "a color can be asked for only together with `game`",
            "手番は対局名 `game` とともに指定してください";
        /// Certificates need TLS.
        NeedsTls => "has no effect without `tls = true`", "`tls = true` がなければ効果がありません";
        /// Shorter than servers allow.
        KeepAlive =>
            "at least {SHORTEST_KEEP_ALIVE} seconds, or 0 for none",
            "{SHORTEST_KEEP_ALIVE} 秒以上か、0（なし）を指定してください";
        /// Less than a second.
        Silence => "at least one second", "1 秒以上を指定してください";
        /// An environment variable that is not set.
        NoVariable(name: String) =>
            "the environment variable {name} is not set", "環境変数 {name} が設定されていません";
        /// Empty or of several words.
        Password => "is empty or has spaces in it", "空か、空白を含んでいます";
        /// Spaces in a name.
        NotOneWord => "must be one word", "空にすることも、空白を含めることもできません";
        /// There is no password, and nobody can be asked for it.
        NoPassword =>
            "is neither in a file (password-file) nor in the environment (MONOMI_CSA_PASSWORD)",
            "ファイル（password-file）にも環境変数（MONOMI_CSA_PASSWORD）にもありません";
        /// The password cannot be asked for.
        Prompt(error: io::Error) => both "{error}";
        /// An engine option without a value.
        NoPair => "expected NAME=VALUE", "名前=値 の形で指定してください";
    }
}

error_message!(ConfigError);

error_message!(SyntaxFault);
