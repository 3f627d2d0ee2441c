//! The languages of the command line: English and Japanese.
//!
//! Texts are methods of [`Lang`] whose `match` names every language, so a missing translation does not
//! compile. The exceptions are the help of commands and options, English in the doc comments that clap
//! reads and Japanese in `help_ja.rs`, and errors, English in their `Display` and Japanese in
//! `errors.rs`; tests compare them.
//!
//! Output that programs read is never translated: USI, JSON, CSV, the results of `perft` and `bench`.

mod analysis;
#[cfg(feature = "cli")]
mod clap_errors;
#[cfg(feature = "cli")]
mod csa;
#[cfg(feature = "cli")]
mod data;
#[cfg(feature = "cli")]
mod errors;
#[cfg(feature = "cli")]
pub(crate) mod help;
#[cfg(feature = "cli")]
mod help_ja;
#[cfg(feature = "cli")]
mod messages;
#[cfg(feature = "cli")]
mod phrases;
#[cfg(feature = "cli")]
mod wrap;

#[cfg(feature = "cli")]
pub(crate) use clap_errors::Japanese;
#[cfg(feature = "cli")]
pub(crate) use errors::InJapanese;
#[cfg(feature = "cli")]
pub(crate) use messages::NetworkFact;

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
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

#[cfg(feature = "cli")]
impl Lang {
    /// The language of the user: `--lang` in the arguments, else the locale.
    ///
    /// The arguments are searched before they are parsed because help and errors depend on them.
    pub(crate) fn of_user(arguments: &[std::ffi::OsString]) -> Self {
        Self::in_arguments(arguments)
            .unwrap_or_else(|| Self::in_environment(|name| std::env::var(name).ok(), system_locale))
    }

    fn in_arguments(arguments: &[std::ffi::OsString]) -> Option<Self> {
        use clap::ValueEnum as _;
        let mut words = arguments.iter().map(|word| word.to_string_lossy());
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--lang") {
                Some("") => words.next(),
                Some(rest) => rest.strip_prefix('=').map(|value| value.to_owned().into()),
                None if word == "--" => return None,
                None => None,
            };
            if let Some(lang) = value.and_then(|value| Self::from_str(&value, false).ok()) {
                return Some(lang);
            }
        }
        None
    }

    /// POSIX: the first of these that is set and not empty.
    fn in_environment(
        variable: impl Fn(&str) -> Option<String>,
        system: impl Fn() -> Option<String>,
    ) -> Self {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()))
            .or_else(system)
            .map_or(Self::En, |locale| Self::of_locale(&locale))
    }
}

/// The language of Windows' user interface. Other systems have only the variables.
#[cfg(all(feature = "cli", windows))]
fn system_locale() -> Option<String> {
    sys_locale::get_locale()
}

#[cfg(all(feature = "cli", not(windows)))]
fn system_locale() -> Option<String> {
    None
}

/// `1 move`, `2 moves`.
pub(crate) fn count(number: impl Into<u64>, singular: &str, plural: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { singular } else { plural })
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;
    use std::ffi::OsString;

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

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let of = |set: &[(&str, &str)], system: Option<&str>| {
            let value = |name: &str| set.iter().find(|pair| pair.0 == name).map(|p| p.1.to_owned());
            Lang::in_environment(value, || system.map(ToOwned::to_owned))
        };
        assert_eq!(of(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")], None), Lang::En);
        assert_eq!(of(&[("LC_ALL", ""), ("LANG", "ja_JP.UTF-8")], None), Lang::Ja);
        assert_eq!(of(&[("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "C")], None), Lang::Ja);
        assert_eq!(of(&[], None), Lang::En);
        assert_eq!(of(&[], Some("ja-JP")), Lang::Ja);
        assert_eq!(of(&[("LANG", "en_US.UTF-8")], Some("ja-JP")), Lang::En);
    }

    #[test]
    fn the_option_is_found_anywhere() {
        let of = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            Lang::in_arguments(&words)
        };
        assert_eq!(of(&["monomi", "--lang", "ja", "go"]), Some(Lang::Ja));
        assert_eq!(of(&["monomi", "go", "--lang=en"]), Some(Lang::En));
        assert_eq!(of(&["monomi", "go", "--lang"]), None);
        assert_eq!(of(&["monomi", "go", "--lang", "fr"]), None);
        assert_eq!(of(&["monomi", "go", "--", "--lang", "ja"]), None);
    }
}
