//! Enums that are declared together with their texts.

use super::{InLang, Lang, Message};
use std::path::{self, PathBuf};

/// Declares enums whose variants carry their texts, or a struct with its text, and implements [`Message`].
///
/// Every variant is followed by `=>`, its English and its Japanese text, and a semicolon. The fields of a
/// tuple variant have names, for the texts. A field that is a [`Message`] appears in the language of the
/// text, a `PathBuf` as `display` shows it, and any other field as it is, so that format specifications such
/// as `{hash:08X}` apply to it.
///
/// ```
/// use monomi_support::text::{Lang, Message, error_message, messages};
/// use std::{io, path::PathBuf};
///
/// messages! {
///     /// Why a board cannot be read.
///     #[derive(Debug)]
///     pub enum BoardError {
///         /// There is nothing in it.
///         Empty => "the board is empty", "盤面が空です";
///         /// A row is too short or too long: its number of squares.
///         Row(found: usize) => "{found} squares instead of 9", "マス目が 9 ではなく {found} です";
///         /// The file cannot be opened.
///         File {
///             /// The file.
///             path: PathBuf,
///             /// The reason.
///             error: io::Error,
///         } => "cannot open {path}: {error}", "{path} を開けません: {error}";
///         /// Before the texts, other values can be computed from the fields.
///         Rows(rows: Vec<String>) =>
///             let count = rows.len();
///             let rows = rows.join(", ");
///             "{count} rows: {rows}", "{count} 段: {rows}";
///         /// A text in `both` languages.
///         Read(error: io::Error) => both "{error}";
///         /// A text that code writes.
///         Piece(name: Option<String>) => |lang, f| match name {
///             Some(name) => f.write_str(name),
///             None => Self::Empty.write(lang, f),
///         };
///     }
/// }
/// error_message!(BoardError, Read: io::Error);
///
/// let file = BoardError::File { path: "a.sfen".into(), error: io::ErrorKind::NotFound.into() };
/// assert_eq!(file.to_string(), "cannot open a.sfen: entity not found");
/// let ja = |error: BoardError| error.in_lang(Lang::Ja).to_string();
/// assert_eq!(ja(file), "a.sfen を開けません: そのようなファイルやフォルダはありません");
/// assert_eq!(ja(BoardError::Row(8)), "マス目が 9 ではなく 8 です");
/// assert_eq!(ja(BoardError::Rows(vec!["k8".into(), "9".into()])), "2 段: k8, 9");
/// assert_eq!(ja(BoardError::Piece(None)), "盤面が空です");
/// ```
///
/// A struct has its text at its end:
///
/// ```
/// use monomi_support::text::{Lang, Message, messages};
///
/// messages! {
///     /// There is no such piece.
///     pub struct NoPiece(pub name: String) => "there is no `{name}`", "`{name}` という駒はありません";
/// }
/// assert_eq!(NoPiece("x".into()).in_lang(Lang::Ja).to_string(), "`x` という駒はありません");
/// ```
///
/// A text in one language only does not compile:
///
/// ```compile_fail
/// monomi_support::text::messages! {
///     enum BoardError {
///         Empty => "the board is empty";
///     }
/// }
/// ```
///
/// A variant without any text does not compile, either:
///
/// ```compile_fail
/// monomi_support::text::messages! {
///     enum BoardError {
///         Empty => ;
///     }
/// }
/// ```
#[macro_export]
macro_rules! messages {
    ($(
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {$(
            $(#[$variant_meta:meta])*
            $variant:ident
                $(($($bound:ident: $bound_type:ty),+ $(,)?))?
                $({$($(#[$field_meta:meta])* $field:ident: $field_type:ty),+ $(,)?})?
                => $(let $let:ident = $value:expr;)* $(both $both:literal)? $($en:literal, $ja:literal)?
                $(|$lang:ident, $f:ident| $code:expr)?;
        )+}
    )+) => {$(
        $(#[$meta])*
        $vis enum $name {$(
            $(#[$variant_meta])*
            $variant $(($($bound_type),+))? $({$($(#[$field_meta])* $field: $field_type),+})?,
        )+}

        #[doc(hidden)]
        impl $crate::text::Message for $name {
            #[allow(unused_variables)]
            fn write(
                &self,
                lang: $crate::text::Lang,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> ::std::fmt::Result {
                match self {$(
                    Self::$variant $(($($bound),+))? $({$($field),+})? => $crate::messages!(
                        @write lang f [$($($bound)+)? $($($field)+)?]
                        $(let $let = $value;)* $(both $both)? $($en, $ja)? $(|$lang, $f| $code)?;
                    ),
                )+}
            }
        }
    )+};

    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(($($bound_vis:vis $bound:ident: $bound_type:ty),+))?
        => $($text:tt)+
    ) => {
        $(#[$meta])*
        $vis struct $name $(($($bound_vis $bound_type),+))?;

        $crate::messages!(@struct $name ($name $(($($bound),+))?) [$($($bound)+)?] $($text)+);
    };

    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $field_type:ty),+ $(,)?
        } => $($text:tt)+
    ) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $field_type),+
        }

        $crate::messages!(@struct $name ($name {$($field),+}) [$($field)+] $($text)+);
    };

    (@struct $name:ident ($($pattern:tt)+) $fields:tt $($text:tt)+) => {
        #[doc(hidden)]
        impl $crate::text::Message for $name {
            #[allow(unused_variables)]
            fn write(
                &self,
                lang: $crate::text::Lang,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> ::std::fmt::Result {
                let $($pattern)+ = self;
                $crate::messages!(@write lang f $fields $($text)+)
            }
        }
    };

    (
        @write $lang:ident $f:ident $fields:tt
        $(let $let:ident = $value:expr;)* both $both:literal;
    ) => {
        $crate::messages!(@write $lang $f $fields $(let $let = $value;)* $both, $both;)
    };
    (
        @write $lang:ident $f:ident [$($field:ident)*]
        $(let $let:ident = $value:expr;)* $en:literal, $ja:literal;
    ) => {{
        #[allow(unused_imports)]
        use $crate::text::{ShowAsIs as _, ShowPath as _};
        $(let $let = &$value;)*
        $(let $field = &$crate::text::Shown($field).shown($lang);)*
        $(let $let = &$crate::text::Shown($let).shown($lang);)*
        match $lang {
            $crate::text::Lang::En => ::std::write!($f, $en),
            $crate::text::Lang::Ja => ::std::write!($f, $ja),
        }
    }};
    (@write $lang:ident $f:ident $fields:tt |$own_lang:ident, $own_f:ident| $code:expr;) => {{
        let ($own_lang, $own_f) = ($lang, $f);
        $code
    }};
}

/// A value in a text of [`messages!`](crate::messages). Which of the three methods `shown` is called depends
/// on the type: the compiler prefers the one of the type itself, then that of [`ShowPath`], and takes
/// [`ShowAsIs`], whose method is that of a reference, for all others.
#[derive(Debug)]
pub struct Shown<'a, T: ?Sized>(pub &'a T);

impl<'a, T: Message> Shown<'a, T> {
    /// The message in the language.
    pub fn shown(self, lang: Lang) -> InLang<'a, T> {
        self.0.in_lang(lang)
    }
}

/// Paths in messages.
pub trait ShowPath<'a> {
    /// The path, for display.
    fn shown(self, lang: Lang) -> path::Display<'a>;
}

impl<'a> ShowPath<'a> for Shown<'a, PathBuf> {
    fn shown(self, _: Lang) -> path::Display<'a> {
        self.0.display()
    }
}

/// All other values in messages.
pub trait ShowAsIs<'a, T: ?Sized> {
    /// The value itself.
    fn shown(self, lang: Lang) -> &'a T;
}

impl<'a, T: ?Sized> ShowAsIs<'a, T> for &Shown<'a, T> {
    fn shown(self, _: Lang) -> &'a T {
        self.0
    }
}
