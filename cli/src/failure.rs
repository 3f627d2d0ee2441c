//! Why a command failed, in the user's language.

use monomi_support::text::{AnyMessage, Lang, Message, messages, say};
use std::fmt::{self, Debug, Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a command failed. Any [`Message`] becomes a failure by `?`.
pub struct Failure {
    code: u8,
    /// The cause last; before it what was being done, outermost first.
    messages: Vec<AnyMessage>,
}

impl Failure {
    const FAILED: u8 = 1;
    const INVALID: u8 = 2;

    /// Invalid input, such as a position that cannot be played.
    pub fn invalid(input: impl Message + Send + Sync + 'static) -> Self {
        Self { code: Self::INVALID, ..Self::from(input) }
    }

    /// Invalid arguments that clap does not detect; adds where to find help.
    pub fn usage(problem: impl Message + Send + Sync + 'static) -> Self {
        Self::invalid(SeeHelp(problem))
    }

    pub fn exit_code(&self) -> ExitCode {
        self.code.into()
    }

    /// What was being done, and what went wrong.
    pub fn in_lang(&self, lang: Lang) -> String {
        let messages = self.messages.iter().map(|message| message.in_lang(lang).to_string());
        messages.collect::<Vec<_>>().join(": ")
    }
}

impl<M: Message + Send + Sync + 'static> From<M> for Failure {
    fn from(message: M) -> Self {
        Self { code: Self::FAILED, messages: vec![AnyMessage::new(message)] }
    }
}

impl Debug for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

/// In English.
impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_lang(Lang::En))
    }
}

/// Says what was being done when something failed.
pub trait Context<T> {
    /// Puts a message before that of the error.
    fn context<M>(self, doing: M) -> Result<T, Failure>
    where
        Self: Sized,
        M: Message + Send + Sync + 'static,
    {
        self.with_context(|| doing)
    }

    /// As [`Context::context`], with a message that is made only after an error.
    fn with_context<M>(self, doing: impl FnOnce() -> M) -> Result<T, Failure>
    where
        M: Message + Send + Sync + 'static;
}

impl<T, E: Into<Failure>> Context<T> for Result<T, E> {
    fn with_context<M>(self, doing: impl FnOnce() -> M) -> Result<T, Failure>
    where
        M: Message + Send + Sync + 'static,
    {
        self.map_err(|error| {
            let mut failure = error.into();
            failure.messages.insert(0, AnyMessage::new(doing()));
            failure
        })
    }
}

/// Arguments that cannot be used.
struct SeeHelp<M>(M);

impl<M: Message> Message for SeeHelp<M> {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let problem = self.0.in_lang(lang);
        say!(lang, f, "{problem}; see `--help`", "{problem}（`--help` を参照してください）")
    }
}

messages! {
    /// What several commands do with files and with the system, as the context of a failure.
    #[derive(Debug)]
    pub enum Doing {
        /// Something with a file that needs no other words than its name.
        File(path: PathBuf) => both "{path}";
        StandardInput => "standard input", "標準入力";
        /// A line of a file, from 1.
        Line(path: PathBuf, line: u64) => "{path}, line {line}", "{path} の {line} 行目";
        Reading(path: PathBuf) => "cannot read {path}", "{path} を読めません";
        Writing(path: PathBuf) => "cannot write {path}", "{path} に書けません";
        Removing(path: PathBuf) => "cannot remove {path}", "{path} を削除できません";
        CatchingInterrupts => "cannot handle Ctrl-C", "Ctrl-C を処理できません";
    }
}

impl Doing {
    /// For an input: `-` is standard input.
    pub fn input(path: &Path) -> Self {
        if path == Path::new("-") { Self::StandardInput } else { Self::File(path.to_owned()) }
    }
}
