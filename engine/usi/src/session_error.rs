//! Why a session cannot be served.

use monomi_memory::NotEnoughMemory;
use monomi_text::{Lang, Message, count, error_message, say};
use std::{fmt, io};

/// Why a session did not start, or not all of its output was written.
#[derive(Debug)]
pub enum SessionError {
    /// There is not enough memory.
    Memory(NotEnoughMemory),
    /// A thread cannot be started.
    Thread(io::Error),
    /// The output was closed, or nothing reads it: this many bytes are left.
    OutputClosed(usize),
}

impl Message for SessionError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => error.write(lang, f),
            Self::Thread(error) => say!(
                lang,
                f,
                "cannot start a thread: {}",
                "スレッドを開始できません: {}",
                error.in_lang(lang)
            ),
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
error_message!(SessionError, Memory: NotEnoughMemory, Thread: io::Error);
