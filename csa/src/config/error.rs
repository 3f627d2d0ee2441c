//! Why a configuration cannot be used.

use super::SHORTEST_KEEP_ALIVE;
use monomi_support::text::{Lang, Message, error_message, say};
use monomi_usi::OptionError;
use std::path::PathBuf;
use std::{fmt, io};

/// Why the configuration cannot be used.
#[derive(Debug)]
pub enum ConfigError {
    /// The file cannot be read.
    Unreadable {
        /// Path of the configuration.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The file is not valid TOML, or has unknown keys.
    Syntax {
        /// Path of the configuration.
        path: PathBuf,
        /// What is wrong.
        fault: SyntaxFault,
    },
    /// A required value is missing.
    Missing(&'static str),
    /// A value is invalid.
    Bad {
        /// The key.
        key: &'static str,
        /// What is wrong with it.
        fault: ValueFault,
    },
    /// An engine option has an unknown name or an invalid value.
    Option(OptionError),
}

/// What is wrong with a configuration file.
#[derive(Debug, PartialEq, Eq)]
pub enum SyntaxFault {
    /// It holds a password.
    Password,
    /// In the words of the TOML parser, with the line.
    Toml(String),
}

/// What is wrong with a value.
#[derive(Debug)]
pub enum ValueFault {
    /// The extended mode needs the name of a game.
    ExtendedNeedsGame,
    /// A color needs the name of a game.
    ColorNeedsGame,
    /// Certificates need TLS.
    NeedsTls,
    /// Shorter than servers allow.
    KeepAlive,
    /// Less than a second.
    Silence,
    /// An environment variable that is not set.
    NoVariable(String),
    /// Empty or of several words.
    Password,
    /// Spaces in a name.
    NotOneWord,
    /// There is no password, and nobody can be asked for it.
    NoPassword,
    /// The password cannot be asked for.
    Prompt(io::Error),
    /// An engine option without a value.
    NoPair,
}

impl Message for ConfigError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, error } => {
                let (path, error) = (path.display(), error.in_lang(lang));
                say!(lang, f, "cannot read {path}: {error}", "{path}: {error}")
            }
            Self::Syntax { path, fault } => {
                write!(f, "{}: {}", path.display(), fault.in_lang(lang))
            }
            Self::Missing(key) => {
                say!(lang, f, "`{key}` is not set", "`{key}` が設定されていません")
            }
            Self::Bad { key, fault } => write!(f, "`{key}`: {}", fault.in_lang(lang)),
            Self::Option(error) => write!(f, "options: {}", error.in_lang(lang)),
        }
    }
}
error_message!(ConfigError);

impl Message for SyntaxFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Password => say!(
                lang,
                f,
                "`password`: put the password into a file and name it by `password-file`",
                "`password`: パスワードはファイルに書き、`password-file` で指定してください"
            ),
            Self::Toml(text) => f.write_str(text),
        }
    }
}
error_message!(SyntaxFault);

impl Message for ValueFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExtendedNeedsGame => say!(
                lang,
                f,
                "the extended mode needs `game`, the name of a game",
                "拡張モードには対局名 `game` が必要です"
            ),
            Self::ColorNeedsGame => say!(
                lang,
                f,
                "a color can be asked for only together with `game`",
                "手番は対局名 `game` とともに指定してください"
            ),
            Self::NeedsTls => say!(
                lang,
                f,
                "has no effect without `tls = true`",
                "`tls = true` がなければ効果がありません"
            ),
            Self::KeepAlive => say!(
                lang,
                f,
                "at least {SHORTEST_KEEP_ALIVE} seconds, or 0 for none",
                "{SHORTEST_KEEP_ALIVE} 秒以上か、0（なし）を指定してください"
            ),
            Self::Silence => say!(lang, f, "at least one second", "1 秒以上を指定してください"),
            Self::NoVariable(name) => say!(
                lang,
                f,
                "the environment variable {name} is not set",
                "環境変数 {name} が設定されていません"
            ),
            Self::Password => {
                say!(lang, f, "is empty or has spaces in it", "空か、空白を含んでいます")
            }
            Self::NotOneWord => {
                say!(lang, f, "must be one word", "空にすることも、空白を含めることもできません")
            }
            Self::NoPassword => say!(
                lang,
                f,
                "is neither in a file (password-file) nor in the environment (MONOMI_CSA_PASSWORD)",
                "ファイル（password-file）にも環境変数（MONOMI_CSA_PASSWORD）にもありません"
            ),
            Self::Prompt(error) => error.write(lang, f),
            Self::NoPair => say!(lang, f, "expected NAME=VALUE", "名前=値 の形で指定してください"),
        }
    }
}
