//! Messages that several commands print, and those of `go`, `mate`, `analyze` and `net`.

use super::Lang;
use super::errors::InJapanese;
use monomi_text::texts;
use std::error::Error;

/// A method that returns a fixed text.
macro_rules! fixed {
    ($($(#[$doc:meta])* $name:ident: $en:literal, $ja:literal;)*) => {
        /// Fixed texts.
        pub(crate) trait FixedTexts: Sized {
            $($(#[$doc])* fn $name(self) -> &'static str;)*
        }

        impl FixedTexts for Lang {
            $(fn $name(self) -> &'static str {
                match self {
                    Lang::En => $en,
                    Lang::Ja => $ja,
                }
            })*
        }
    };
}

fixed! {
    catching_interrupts: "cannot handle Ctrl-C", "Ctrl-C を処理できません";
    password: "Password: ", "パスワード: ";
    logged_in: "logged in, waiting for a game", "ログインしました。対局を待っています";
    waiting: "waiting for a game", "対局を待っています";
}

texts! {
    MessageTexts
    /// An error without its causes.
    fn error(self, error: &(dyn Error + 'static)) -> String {
        match self {
            Lang::En => error.to_string(),
            Lang::Ja => super::errors::japanese(error),
        }
    }

    /// A fault in a file, or an error of a known type.
    fn fault(self, fault: &impl InJapanese) -> String {
        match self {
            Lang::En => fault.to_string(),
            Lang::Ja => fault.ja(),
        }
    }

    /// A notice of the CSA client.
    fn notice(self, text: &str) -> String {
        match self {
            Lang::En => text.to_owned(),
            Lang::Ja => super::phrases::phrase(text),
        }
    }

}
