//! Messages in every language.

use super::Lang;
use std::fmt::{self, Display, Formatter};
use std::io::{self, ErrorKind};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::str::FromStr;

/// A message for people: an error or a notice, in every language.
///
/// ```
/// use monomi_support::text::{Lang, Message, error_message, say};
/// use std::fmt;
///
/// /// Why a row of a board cannot be read.
/// #[derive(Debug)]
/// enum RowError {
///     Length(usize),
/// }
///
/// impl Message for RowError {
///     fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         match self {
///             Self::Length(found) => say!(lang, f, "{found} squares instead of 9", "マス目が 9 ではなく {found} です"),
///         }
///     }
/// }
/// error_message!(RowError);
///
/// let error = RowError::Length(8);
/// assert_eq!(error.to_string(), "8 squares instead of 9");
/// assert_eq!(error.in_lang(Lang::Ja).to_string(), "マス目が 9 ではなく 8 です");
/// ```
pub trait Message {
    /// Writes the message in a language, without a full stop at its end.
    ///
    /// # Errors
    /// The formatter fails.
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result;

    /// The message in a language, for `format!`.
    fn in_lang(&self, lang: Lang) -> InLang<'_, Self>
    where
        Self: Sized,
    {
        InLang { message: self, lang }
    }
}

/// A [`Message`] that is displayed in a certain language.
#[derive(Debug)]
pub struct InLang<'a, M: ?Sized> {
    message: &'a M,
    lang: Lang,
}

impl<M: Message + ?Sized> Display for InLang<'_, M> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.message.write(self.lang, f)
    }
}

/// A text in a language: `say!(lang, f, "English", "日本語")` writes it to a formatter or to anything else
/// that `write!` takes, `say!(lang, "English", "日本語")` returns it as a `String`. Both texts are format
/// strings; arguments that follow must be used by both.
///
/// ```
/// use monomi_support::text::{Lang, say};
///
/// let bytes = 3;
/// assert_eq!(say!(Lang::En, "{bytes} bytes", "{bytes} バイト"), "3 bytes");
/// assert_eq!(say!(Lang::Ja, "{} bytes", "{} バイト", bytes + 1), "4 バイト");
/// ```
#[macro_export]
macro_rules! say {
    ($lang:expr, $en:literal, $ja:literal $(, $argument:expr)* $(,)?) => {
        match $lang {
            $crate::text::Lang::En => ::std::format!($en $(, $argument)*),
            $crate::text::Lang::Ja => ::std::format!($ja $(, $argument)*),
        }
    };
    ($lang:expr, $f:expr, $en:literal, $ja:literal $(, $argument:expr)* $(,)?) => {
        match $lang {
            $crate::text::Lang::En => ::std::write!($f, $en $(, $argument)*),
            $crate::text::Lang::Ja => ::std::write!($f, $ja $(, $argument)*),
        }
    };
}

/// Implements `Display`, in English, and `std::error::Error` for a [`Message`]. Variants that hold another
/// error may be named, for `From`: `error_message!(BookError, Io: std::io::Error)`.
#[macro_export]
macro_rules! error_message {
    ($error:ty $(, $variant:ident: $cause:ty)* $(,)?) => {
        impl ::std::fmt::Display for $error {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::text::Message::write(self, $crate::text::Lang::En, f)
            }
        }

        impl ::std::error::Error for $error {}

        $(impl From<$cause> for $error {
            fn from(cause: $cause) -> Self {
                Self::$variant(cause)
            }
        })*
    };
}

/// A text that is the same in every language: a name, or a message of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsIs(pub String);

impl Message for AsIs {
    fn write(&self, _: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
error_message!(AsIs);

impl<M: Message + ?Sized> Message for Box<M> {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        (**self).write(lang, f)
    }
}

impl Message for ParseIntError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let japanese = match self.kind() {
            IntErrorKind::Empty => "数がありません",
            IntErrorKind::InvalidDigit => "数ではありません",
            IntErrorKind::PosOverflow => "数が大きすぎます",
            IntErrorKind::NegOverflow => "数が小さすぎます",
            IntErrorKind::Zero => "0 は指定できません",
            _ => return Display::fmt(self, f),
        };
        say!(lang, f, "{self}", "{japanese}")
    }
}

impl Message for ParseFloatError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        say!(lang, f, "{self}", "数ではありません")
    }
}

/// An error for functions that return those of the system, as [`std::io::Read`] does.
pub fn io_error(kind: ErrorKind, message: impl Message + Send + Sync + 'static) -> io::Error {
    io::Error::new(kind, AnyMessage::new(message))
}

/// Parses a value, such as an argument of the command line.
///
/// # Errors
/// The error of the type.
pub fn parsed<V: FromStr<Err: Message + Send + Sync + 'static>>(
    text: &str,
) -> Result<V, AnyMessage> {
    text.parse().map_err(AnyMessage::new)
}

/// An error of any type, for functions of other libraries that take or return one.
pub struct AnyMessage(Box<dyn Message + Send + Sync>);

impl AnyMessage {
    /// Puts a message into a box.
    pub fn new(message: impl Message + Send + Sync + 'static) -> Self {
        Self(Box::new(message))
    }
}

impl Message for AnyMessage {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.write(lang, f)
    }
}
error_message!(AnyMessage);

impl fmt::Debug for AnyMessage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// Errors of the system: kinds that users meet have a translation, others are shown as the system words them.
impl Message for io::Error {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(message) = self.get_ref().and_then(|inner| inner.downcast_ref::<AnyMessage>()) {
            return message.write(lang, f);
        }
        let japanese = match self.kind() {
            ErrorKind::NotFound => "そのようなファイルやフォルダはありません",
            ErrorKind::PermissionDenied => "アクセスが許可されていません",
            ErrorKind::AlreadyExists => "すでに存在します",
            ErrorKind::IsADirectory => "フォルダです",
            ErrorKind::NotADirectory => "フォルダではありません",
            ErrorKind::StorageFull => "ディスクの空きがありません",
            ErrorKind::ReadOnlyFilesystem => "読み取り専用です",
            ErrorKind::ConnectionRefused => "接続を拒否されました",
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "接続が切れました",
            ErrorKind::TimedOut => "時間内に応答がありません",
            ErrorKind::BrokenPipe => "出力先が閉じられました",
            ErrorKind::UnexpectedEof => "ファイルが途中で終わっています",
            ErrorKind::OutOfMemory => "メモリが足りません",
            _ => return Display::fmt(self, f),
        };
        match (lang, self.raw_os_error()) {
            (Lang::En, _) => Display::fmt(self, f),
            (Lang::Ja, Some(code)) => write!(f, "{japanese} (os error {code})"),
            (Lang::Ja, None) => f.write_str(japanese),
        }
    }
}
