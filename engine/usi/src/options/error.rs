//! Why an option is not changed.

use monomi_support::text::{error_message, messages};

messages! {
    /// Why an option was not changed.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OptionError {
        /// There is no such option.
        Unknown {
            /// The name.
            name: String,
        } => "there is no option `{name}`", "オプション `{name}` はありません";
        /// The value does not have the option's type.
        BadValue {
            /// The option.
            name: &'static str,
            /// The value.
            value: String,
            /// What was expected.
            expected: Expected,
        } =>
            "option {name}: expected {expected}, got `{value}`",
            "オプション {name}: {expected} を指定してください（指定された値: `{value}`）";
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
        } =>
            "option {name}: {value} is not between {min} and {max}",
            "オプション {name}: {value} は {min} から {max} の範囲にありません";
        /// The platform does not have the option.
        NotHere(name: &'static str) =>
            "option {name} is not available here", "オプション {name} はここでは使えません";
    }

    /// The values that an option takes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Expected {
        /// `true` or `false`.
        Check => "true or false", "true か false";
        /// A whole number.
        Integer => "an integer", "整数";
        /// One of these words.
        OneOf(values: &'static [&'static str]) =>
            let values = values.join(", ");
            "one of {values}", "次のどれか（{values}）";
    }
}

error_message!(OptionError);
