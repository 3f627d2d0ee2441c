//! The languages of the command line: English and Japanese.
//!
//! Errors and notices are [`monomi_text::Message`]s of the crates and commands that they belong to. Here
//! are the language of the user, the errors of clap, and the help of commands and options: English in the
//! doc comments that clap reads, Japanese in `help_ja`; a test compares them.
//!
//! Output that programs read is never translated: USI, JSON, CSV, the results of `perft` and `bench`.

mod clap_errors;
pub(crate) mod help;
mod help_ja;
mod wrap;

pub(crate) use clap_errors::Japanese;
pub(crate) use monomi_text::{Lang, count};

/// The language of the user: `--lang` in the arguments, else the locale.
///
/// The arguments are searched before they are parsed because help and errors depend on them.
pub(crate) fn of_user(arguments: &[std::ffi::OsString]) -> Lang {
    in_arguments(arguments)
        .unwrap_or_else(|| in_environment(|name| std::env::var(name).ok(), system_locale))
}

fn in_arguments(arguments: &[std::ffi::OsString]) -> Option<Lang> {
    use clap::ValueEnum as _;
    let mut words = arguments.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let value = match word.strip_prefix("--lang") {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('=').map(|value| value.to_owned().into()),
            None if word == "--" => return None,
            None => None,
        };
        if let Some(lang) = value.and_then(|value| Lang::from_str(&value, false).ok()) {
            return Some(lang);
        }
    }
    None
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
    use std::ffi::OsString;

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
    fn the_option_is_found_anywhere() {
        let of = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            in_arguments(&words)
        };
        assert_eq!(of(&["monomi", "--lang", "ja", "go"]), Some(Lang::Ja));
        assert_eq!(of(&["monomi", "go", "--lang=en"]), Some(Lang::En));
        assert_eq!(of(&["monomi", "go", "--lang"]), None);
        assert_eq!(of(&["monomi", "go", "--lang", "fr"]), None);
        assert_eq!(of(&["monomi", "go", "--", "--lang", "ja"]), None);
    }
}
