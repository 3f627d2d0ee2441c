//! Messages for people, in English and Japanese.
//!
//! A crate declares its errors and notices by [`messages!`], with the texts of every variant; [`say!`] takes a
//! text elsewhere. Both need the text in every language, so that a missing translation does not compile.
//! Output that programs read is never translated.

mod message;
mod messages;
mod quote;

pub use message::{AnyMessage, AsIs, InLang, Message, io_error, parsed};
#[doc(hidden)]
pub use messages::{ShowAsIs, ShowPath, Shown};
pub use quote::{escaped, shown};

pub use crate::{error_message, messages, say};

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

impl Lang {
    /// The language of a locale: `ja_JP.UTF-8`, `ja-JP`, `C`. Japanese only where the locale's encoding
    /// is UTF-8 or not named, as output is always UTF-8.
    pub fn of_locale(locale: &str) -> Self {
        let locale = locale.split('@').next().unwrap_or_default();
        let (name, encoding) = locale.split_once('.').unwrap_or((locale, "UTF-8"));
        let language = name.split(['_', '-']).next().unwrap_or_default();
        let utf8 = ["utf-8", "utf8"].iter().any(|known| known.eq_ignore_ascii_case(encoding));
        if language.eq_ignore_ascii_case("ja") && utf8 { Self::Ja } else { Self::En }
    }
}

/// `1 move`, `2 moves`.
pub fn count(number: impl Into<u64>, singular: &str, plural: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { singular } else { plural })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system() {
        use std::io::{Error, ErrorKind};
        let ja = |error: Error| error.in_lang(Lang::Ja).to_string();
        assert_eq!(
            ja(Error::from_raw_os_error(2)),
            "そのようなファイルやフォルダはありません (os error 2)"
        );
        assert_eq!(ja(Error::other("unheard of")), "unheard of");
        let own = || io_error(ErrorKind::InvalidInput, AsIs("物見".to_owned()));
        assert_eq!(ja(own()), "物見");
        assert_eq!(own().to_string(), "物見");
    }

    #[test]
    fn locales() {
        for ja in ["ja_JP.UTF-8", "ja", "ja-JP", "ja_JP", "ja_JP.utf8", "ja_JP.UTF-8@x", "JA"] {
            assert_eq!(Lang::of_locale(ja), Lang::Ja, "{ja}");
        }
        for en in
            ["", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "jav_ID", "ja_JP.eucJP", "ja_JP.SJIS"]
        {
            assert_eq!(Lang::of_locale(en), Lang::En, "{en}");
        }
    }
}
