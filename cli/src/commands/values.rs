//! Parsers of the values of arguments. Their errors are [`AnyMessage`]s, which have a text in every
//! language; those of clap's own parsers of numbers are in English.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use monomi_analysis::Notation;
use monomi_support::text::{AnyMessage, Message, messages};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

pub(super) use monomi_support::text::parsed;

/// A type that is parsed from an argument.
pub(super) trait Value:
    FromStr<Err: Message + Send + Sync + 'static> + Clone + Send + Sync + 'static
{
}

impl<V> Value for V where
    V: FromStr<Err: Message + Send + Sync + 'static> + Clone + Send + Sync + 'static
{
}

/// Parses a number that must not be less than this.
pub(super) fn at_least<N: Value + PartialOrd + Display>(
    least: N,
) -> impl Fn(&str) -> Result<N, AnyMessage> + Clone + Send + Sync + 'static {
    move |text| {
        let number: N = parsed(text)?;
        if number < least {
            return Err(AnyMessage::new(NotInRange::TooSmall { least: least.to_string() }));
        }
        Ok(number)
    }
}

/// Parses a number that must be in this range.
pub(super) fn within<N: Value + PartialOrd + Display>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, AnyMessage> + Clone + Send + Sync + 'static {
    move |text| {
        let number: N = parsed(text)?;
        if !range.contains(&number) {
            let (least, most) = (range.start().to_string(), range.end().to_string());
            let found = number.to_string();
            return Err(AnyMessage::new(NotInRange::Outside { found, least, most }));
        }
        Ok(number)
    }
}

/// Parses the name of a notation for moves.
pub(super) fn notation() -> impl TypedValueParser<Value = Notation> {
    let names = [("japanese", "in kanji, as in Japan"), ("western", "S-2c+"), ("usi", "3b2c+")];
    let names = names.map(|(name, example)| PossibleValue::new(name).help(example));
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "japanese" => Notation::Japanese,
        "western" => Notation::Western,
        _ => Notation::Usi,
    })
}

/// Parses a range such as `2-9`, or a single number.
pub(super) fn range<N: Value + PartialOrd + Display>(
    text: &str,
) -> Result<RangeInclusive<N>, AnyMessage> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most): (N, N) = (parsed(least)?, parsed(most)?);
    if least > most {
        let reversed = NotInRange::Reversed(least.to_string(), most.to_string());
        return Err(AnyMessage::new(reversed));
    }
    Ok(least..=most)
}

messages! {
    /// What is wrong with a number.
    enum NotInRange {
        TooSmall { least: String } =>
            "expected a number of at least {least}", "{least} 以上の数を指定してください";
        Outside { found: String, least: String, most: String } =>
            "{found} is not in {least}..={most}",
            "{least} から {most} の数を指定してください（{found} は不可）";
        Reversed(least: String, most: String) =>
            "{least} is more than {most}", "{least} は {most} より大きい数です";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::error::{ContextKind, ErrorKind};
    use clap::{Command, CommandFactory as _};
    use std::error::Error as _;

    #[test]
    fn numbers_are_parsed_and_checked() {
        let error = |done: Result<u32, AnyMessage>| done.unwrap_err().to_string();
        assert_eq!(at_least(1u32)("1").unwrap(), 1);
        assert_eq!(error(at_least(1u32)("0")), "expected a number of at least 1");
        assert_eq!(error(within(1..=600u32)("601")), "601 is not in 1..=600");
        assert_eq!(error(within(1..=600u32)("")), "cannot parse integer from empty string");
        assert!(at_least(1u64)("18446744073709551616").is_err());
        assert!(parsed::<usize>("-1").is_err());
        let range = |text| range::<u8>(text).map_err(|error| error.to_string());
        assert_eq!(range("2-9"), Ok(2..=9));
        assert_eq!(range("7"), Ok(7..=7));
        assert_eq!(range("9-2"), Err("9 is more than 2".to_owned()));
        assert!(range("2-").is_err());
    }

    /// The commands with the words that lead to them.
    fn all_commands(command: &Command, words: &[String]) -> Vec<(Vec<String>, Command)> {
        let mut found = vec![(words.to_vec(), command.clone())];
        for sub in command.get_subcommands() {
            let words = [words, &[sub.get_name().to_owned()]].concat();
            found.extend(all_commands(sub, &words));
        }
        found
    }

    /// Whatever is wrong with a value is said in every language.
    #[test]
    fn all_faults_of_values_are_messages() {
        let mut checked = 0;
        for (words, command) in all_commands(&Cli::command(), &["monomi".to_owned()]) {
            for argument in command.get_arguments() {
                let value = match argument.get_long() {
                    Some(name) => format!("--{name}=\u{2603}"),
                    None => "\u{2603}".to_owned(),
                };
                let words = [words.as_slice(), &[value]].concat();
                let Err(error) = Cli::command().try_get_matches_from(&words) else { continue };
                if error.kind() == ErrorKind::ValueValidation {
                    checked += 1;
                    let known = error.source().is_some_and(|source| source.is::<AnyMessage>());
                    let argument = error.get(ContextKind::InvalidArg);
                    assert!(known, "{words:?}: {argument:?} is not parsed as in values.rs");
                }
            }
        }
        assert!(checked > 40, "{checked}");
    }
}
