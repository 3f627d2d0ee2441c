//! The languages of the command line: English and Japanese.
//!
//! Errors and notices are [`monomi_support::text::Message`]s of the crates and commands that they belong to. Here
//! are the language of the user, the errors of clap, and the help of commands and options: English in the
//! doc comments that clap reads, Japanese in `help_ja`; a test compares them.
//!
//! Output that programs read is never translated: USI, JSON, CSV, the results of `perft` and `bench`.

mod clap_errors;
pub mod help;
mod help_ja;
mod wrap;

pub use clap_errors::Japanese;
pub use monomi_support::text::{Lang, count};

use std::ffi::OsString;

/// The language of the user: `--lang` in the arguments, else the locale.
///
/// The option is taken out of the arguments, wherever it stands: help and errors depend on it before the
/// arguments are parsed, and it belongs to every command, also to those of USI.
pub fn of_user(arguments: &mut Vec<OsString>) -> Lang {
    take(arguments)
        .unwrap_or_else(|| in_environment(|name| std::env::var(name).ok(), system_locale))
}

/// Takes `--lang LANG` and `--lang=LANG` out of the arguments up to `--`; the last one counts. Options with
/// another value or none are left to the parser, which explains them.
fn take(arguments: &mut Vec<OsString>) -> Option<Lang> {
    use clap::ValueEnum as _;
    let (mut found, mut at) = (None, 0);
    while let Some(word) = arguments.get(at).filter(|word| *word != "--") {
        let word = word.to_string_lossy();
        let (value, words) = match word.strip_prefix("--lang") {
            Some("") => (arguments.get(at + 1).map(|value| value.to_string_lossy()), 2),
            Some(rest) => (rest.strip_prefix('=').map(Into::into), 1),
            None => (None, 1),
        };
        match value.and_then(|value| Lang::from_str(&value, false).ok()) {
            Some(lang) => {
                found = Some(lang);
                arguments.drain(at..at + words);
            }
            None => at += 1,
        }
    }
    found
}

/// POSIX: the first of these that is set and not empty.
fn in_environment(
    variable: impl Fn(&str) -> Option<String>,
    system: impl Fn() -> Option<String>,
) -> Lang {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()))
        .or_else(system)
        .map_or(Lang::En, |locale| Lang::of_locale(&locale))
}

/// The language of Windows' user interface. Other systems have only the variables.
#[cfg(windows)]
fn system_locale() -> Option<String> {
    sys_locale::get_locale()
}

#[cfg(not(windows))]
fn system_locale() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let of = |set: &[(&str, &str)], system: Option<&str>| {
            let value = |name: &str| set.iter().find(|pair| pair.0 == name).map(|p| p.1.to_owned());
            in_environment(value, || system.map(ToOwned::to_owned))
        };
        assert_eq!(of(&[("LC_ALL", "C"), ("LANG", "ja_JP.UTF-8")], None), Lang::En);
        assert_eq!(of(&[("LC_ALL", ""), ("LANG", "ja_JP.UTF-8")], None), Lang::Ja);
        assert_eq!(of(&[("LC_MESSAGES", "ja_JP.UTF-8"), ("LANG", "C")], None), Lang::Ja);
        assert_eq!(of(&[], None), Lang::En);
        assert_eq!(of(&[], Some("ja-JP")), Lang::Ja);
        assert_eq!(of(&[("LANG", "en_US.UTF-8")], Some("ja-JP")), Lang::En);
    }

    #[test]
    fn the_option_is_taken_from_anywhere() {
        let of = |words: &str| {
            let mut words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            let lang = take(&mut words);
            let left: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
            (lang, left.join(" "))
        };
        let (ja, en) = (Some(Lang::Ja), Some(Lang::En));
        assert_eq!(of("monomi --lang ja go"), (ja, "monomi go".to_owned()));
        assert_eq!(of("monomi go --lang=en x"), (en, "monomi go x".to_owned()));
        assert_eq!(of("monomi tsume --lang ja book"), (ja, "monomi tsume book".to_owned()));
        assert_eq!(of("monomi --lang ja bench , quit"), (ja, "monomi bench , quit".to_owned()));
        assert_eq!(of("monomi --lang ja go --lang en"), (en, "monomi go".to_owned()));
        for left in [
            "monomi go",
            "monomi go --lang",
            "monomi go --lang fr",
            "monomi go --lang=",
            "monomi go --language ja",
            "monomi go -- --lang ja",
        ] {
            assert_eq!(of(left), (None, left.to_owned()));
        }
    }
}
