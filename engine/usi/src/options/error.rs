//! Why an option is not changed.

use monomi_support::text::{Lang, Message, error_message, say};
use std::fmt::{self, Formatter};

/// Why an option was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown {
        /// The name.
        name: String,
    },
    /// The value does not have the option's type.
    BadValue {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What was expected.
        expected: Expected,
    },
    /// The number is out of range.
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// The option has no effect in a browser.
    NotInBrowser(&'static str),
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Integer,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Message for OptionError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInBrowser(name) => say!(
                lang,
                f,
                "option {name} is not available here",
                "オプション {name} はここでは使えません"
            ),
            Self::Unknown { name } => {
                say!(lang, f, "there is no option `{name}`", "オプション `{name}` はありません")
            }
            Self::BadValue { name, value, expected } => {
                let expected = expected.in_lang(lang);
                say!(
                    lang,
                    f,
                    "option {name}: expected {expected}, got `{value}`",
                    "オプション {name}: {expected} を指定してください（指定された値: `{value}`）"
                )
            }
            Self::OutOfRange { name, value, min, max } => say!(
                lang,
                f,
                "option {name}: {value} is not between {min} and {max}",
                "オプション {name}: {value} は {min} から {max} の範囲にありません"
            ),
        }
    }
}

error_message!(OptionError);

impl Message for Expected {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => say!(lang, f, "true or false", "true か false"),
            Self::Integer => say!(lang, f, "an integer", "整数"),
            Self::OneOf(values) => {
                let values = values.join(", ");
                say!(lang, f, "one of {values}", "次のどれか（{values}）")
            }
        }
    }
}
