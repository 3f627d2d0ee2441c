//! Why a session cannot be served.

use monomi_search::ThreadsError;
use monomi_support::text::{Lang, Message, count, error_message, say};
use std::fmt;

/// Why a session did not start, or not all of its output was written.
#[derive(Debug)]
pub enum SessionError {
    /// There is not enough memory, or a thread cannot be started.
    Threads(ThreadsError),
    /// The output was closed, or nothing reads it: this many bytes are left.
    OutputClosed(usize),
}

impl Message for SessionError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Threads(error) => error.write(lang, f),
            Self::OutputClosed(left) => {
                let english = count(*left as u64, "byte", "bytes");
                say!(
                    lang,
                    f,
                    "output closed: {english} could not be written",
                    "出力先が閉じられたため、{left} バイトを書けませんでした"
                )
            }
        }
    }
}
error_message!(SessionError, Threads: ThreadsError);
