//! Errors of the library in Japanese. A `match` for each type names every case; reasons that are kept
//! as text are in `phrases.rs`.

use super::phrases::phrase;
use monomi_book::BookError;
use monomi_csa::config::ConfigError;
use monomi_csa::{ClientError, ConnectError};
use monomi_datagen::{DatagenError, NoOpening, OpeningsError};
use monomi_eval::LoadError;
use monomi_eval::network::{NetworkError, UnknownRouting};
use monomi_memory::NotEnoughMemory;
use monomi_movegen::{ParseMoveError, PositionError};
use monomi_record::position_text::PositionTextError;
use monomi_record::{Fault, ReadError};
use monomi_search::ThreadsError;
use monomi_search::eval_source::EvalSourceError;
use monomi_selfplay::{
    AddError, EntryError, FlatError, GameError, NotAFullSet, RecordError, UnpackError,
};
use monomi_text::{Lang, Message as _};
use shogi_core::Color;
use std::error::Error;
use std::fmt::Display;
use std::path::Path;

/// An error in Japanese.
pub(crate) trait InJapanese: Display {
    /// The text; the English one where there is no translation.
    fn ja(&self) -> String;
}

/// An error of any type in Japanese, without its causes. Errors of other programs' crates that are not
/// known remain in English.
pub(crate) fn japanese(error: &(dyn Error + 'static)) -> String {
    macro_rules! first_of {
        ($($kind:ty),* $(,)?) => {
            $(if let Some(error) = error.downcast_ref::<$kind>() {
                return error.ja();
            })*
        };
    }
    first_of!(
        std::io::Error,
        PositionTextError,
        PositionError,
        ParseMoveError,
        EvalSourceError,
        LoadError,
        NetworkError,
        UnknownRouting,
        BookError,
        ReadError,
        OpeningsError,
        NoOpening,
        DatagenError,
        AddError,
        RecordError,
        FlatError,
        EntryError,
        GameError,
        UnpackError,
        NotAFullSet,
        NotEnoughMemory,
        ThreadsError,
        ConfigError,
        ClientError,
        ConnectError,
        crate::cli::failure::Failure,
    );
    phrase(&error.to_string())
}

/// Types that are messages.
macro_rules! typed {
    ($($kind:ty),* $(,)?) => {
        $(impl InJapanese for $kind {
            fn ja(&self) -> String {
                self.in_lang(Lang::Ja).to_string()
            }
        })*
    };
}

typed!(
    std::io::Error,
    PositionError,
    ParseMoveError,
    EvalSourceError,
    LoadError,
    NetworkError,
    UnknownRouting,
    NotEnoughMemory,
    ThreadsError,
    OpeningsError,
    NoOpening,
    DatagenError,
    AddError,
    NotAFullSet,
    RecordError,
    GameError,
    UnpackError,
    FlatError,
    EntryError,
);

fn named(path: &Path, what: &str) -> String {
    format!("{}: {what}", path.display())
}

/// 先手 or 後手.
pub(crate) fn side(color: Color) -> &'static str {
    if color == Color::Black { "先手" } else { "後手" }
}

impl InJapanese for crate::cli::failure::Failure {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja)
    }
}

impl InJapanese for PositionTextError {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja).to_string()
    }
}

impl InJapanese for BookError {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja).to_string()
    }
}

impl InJapanese for monomi_book::Fault {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja).to_string()
    }
}

impl InJapanese for ReadError {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja).to_string()
    }
}

impl InJapanese for Fault {
    fn ja(&self) -> String {
        self.in_lang(Lang::Ja).to_string()
    }
}

impl InJapanese for ConfigError {
    fn ja(&self) -> String {
        match self {
            Self::Unreadable { path, error } => named(path, &error.ja()),
            Self::Syntax { path, error } => named(path, &phrase(error)),
            Self::Missing(key) => format!("`{key}` が設定されていません"),
            Self::Bad { key, reason } => format!("`{key}`: {}", phrase(reason)),
            Self::Option(error) => format!("options: {}", phrase(error)),
        }
    }
}

impl InJapanese for ClientError {
    fn ja(&self) -> String {
        match self {
            Self::Engine(reason) => format!("エンジン: {}", phrase(reason)),
            Self::Login { user, reason } => {
                format!("サーバーが {user} のログインを拒否しました: {}", phrase(reason))
            }
            Self::Connect(error) => error.ja(),
        }
    }
}

impl InJapanese for ConnectError {
    fn ja(&self) -> String {
        match self {
            Self::Unreachable { host, port, error } => {
                format!("{host}:{port} に接続できません: {}", error.ja())
            }
            Self::Tls { host, reason } => format!("{host} と TLS で通信できません: {reason}"),
            Self::File { path, reason } => named(path, &phrase(reason)),
        }
    }
}
