//! The choice of an evaluation, as made by a USI option or on the command line, and loading it.

use crate::evaluation::{Evaluation, LoadError, LoadOptions};
use monomi_support::text::{error_message, messages};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name of the built-in network in options and arguments.
pub const INTERNAL: &str = "<internal>";
/// The name of the built-in piece-square tables in options and arguments.
pub const PIECE_SQUARE: &str = "<piece-square>";
/// The name of what evaluates where nothing else is asked for: [`INTERNAL`], or without the feature
/// `builtin-network` [`PIECE_SQUARE`].
pub const DEFAULT: &str = if cfg!(feature = "builtin-network") { INTERNAL } else { PIECE_SQUARE };

/// Which evaluation to use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalSource {
    /// The built-in network.
    Internal,
    /// The built-in piece-square tables.
    PieceSquare,
    /// A network file.
    File {
        /// Its path; a relative one may also be relative to the program's folder.
        path: PathBuf,
        /// Properties that the file can omit.
        options: LoadOptions,
    },
}

impl Default for EvalSource {
    /// The built-in network, or without the feature `builtin-network` the piece-square tables.
    fn default() -> Self {
        if cfg!(feature = "builtin-network") { Self::Internal } else { Self::PieceSquare }
    }
}

messages! {
    /// Why an evaluation cannot be used.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum EvalSourceError {
        /// The built-in network was asked for, and the program was built without the feature `builtin-network`.
        NotBuiltIn =>
            "this program was built without a network: load a network file",
            "このプログラムには評価関数が内蔵されていません。評価関数ファイルを指定してください";
        /// Neither in the working folder nor in the program's.
        Missing(path: PathBuf) =>
            "{path}: there is no such file", "{path}: そのようなファイルはありません";
        /// The file is not a network that can be used.
        Unusable(error: LoadError) => both "{error}";
    }
}
error_message!(EvalSourceError, Unusable: LoadError);

messages! {
    /// How much of an evaluation file has been read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Loading {
        file: String,
        done_mib: u64,
        all_mib: u64,
    } =>
        "loading {file}: {done_mib} of {all_mib} MiB",
        "{file} を読み込み中: {done_mib} / {all_mib} MiB";
}

impl EvalSource {
    /// Reads [`INTERNAL`], [`PIECE_SQUARE`] or a path; nothing is [`DEFAULT`].
    pub fn from_name(name: &Path, options: LoadOptions) -> Self {
        match name.to_str() {
            Some("") => EvalSource::default(),
            Some(INTERNAL) => EvalSource::Internal,
            Some(PIECE_SQUARE) => EvalSource::PieceSquare,
            _ => EvalSource::File { path: name.to_owned(), options },
        }
    }

    /// The name from which [`EvalSource::from_name`] makes the same source.
    pub fn name(&self) -> String {
        match self {
            EvalSource::Internal => INTERNAL.to_owned(),
            EvalSource::PieceSquare => PIECE_SQUARE.to_owned(),
            EvalSource::File { path, .. } => path.display().to_string(),
        }
    }

    /// Loads the evaluation. `tell` receives a message for the user each second if it takes longer
    /// than that.
    ///
    /// # Errors
    /// The file does not exist or is not a usable network; the message names it.
    pub fn load(&self, tell: &mut dyn FnMut(Loading)) -> Result<Arc<Evaluation>, EvalSourceError> {
        match self {
            #[cfg(feature = "builtin-network")]
            EvalSource::Internal => Ok(Evaluation::internal()),
            #[cfg(not(feature = "builtin-network"))]
            EvalSource::Internal => Err(EvalSourceError::NotBuiltIn),
            EvalSource::PieceSquare => Ok(Evaluation::piece_square()),
            EvalSource::File { path, options } => {
                let found = locate(path).ok_or_else(|| EvalSourceError::Missing(path.clone()))?;
                let mut slow = SlowLoad::new(&found, tell);
                Ok(Evaluation::load_with(&found, options, &mut |done, all| {
                    slow.progress(done, all);
                })?)
            }
        }
    }
}

/// Tells the user how much of a file has been read, if that takes long.
pub struct SlowLoad<'a> {
    file: String,
    start: Instant,
    /// Time from the start at which the next line is due.
    due: Duration,
    tell: &'a mut dyn FnMut(Loading),
}

impl std::fmt::Debug for SlowLoad<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SlowLoad").field("file", &self.file).finish_non_exhaustive()
    }
}

impl<'a> SlowLoad<'a> {
    /// Time before the first message and between messages.
    pub const EVERY: Duration = Duration::from_secs(1);

    /// Reading begins now.
    pub fn new(path: &Path, tell: &'a mut dyn FnMut(Loading)) -> Self {
        let file = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        Self { file, start: Instant::now(), due: Self::EVERY, tell }
    }

    /// So many bytes of all have been read.
    pub fn progress(&mut self, done: u64, all: u64) {
        self.after(self.start.elapsed(), done, all);
    }

    fn after(&mut self, elapsed: Duration, done: u64, all: u64) {
        if elapsed < self.due {
            return;
        }
        self.due = elapsed + Self::EVERY;
        let file = self.file.clone();
        (self.tell)(Loading { file, done_mib: done >> 20, all_mib: all >> 20 });
    }
}

/// Finds a file relative to the working folder or to the program's folder: GUIs start engines in
/// either one.
pub fn locate(file: &Path) -> Option<PathBuf> {
    if file.exists() {
        return Some(file.to_owned());
    }
    let program = std::env::current_exe().ok()?;
    let beside = program.parent()?.join(file);
    beside.exists().then_some(beside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_support::text::{Lang, Message};

    #[test]
    fn names_and_sources_correspond() {
        let source = |name: &str| EvalSource::from_name(Path::new(name), LoadOptions::default());
        assert_eq!(source("<internal>"), EvalSource::Internal);
        assert_eq!(source(""), EvalSource::Internal);
        assert_eq!(source("<piece-square>"), EvalSource::PieceSquare);
        let file = source("eval/nn.bin");
        assert!(matches!(&file, EvalSource::File { path, .. } if path == Path::new("eval/nn.bin")));
        for source in [EvalSource::Internal, EvalSource::PieceSquare, file] {
            assert_eq!(
                EvalSource::from_name(Path::new(&source.name()), LoadOptions::default()),
                source
            );
        }
    }

    #[test]
    fn only_slow_loading_is_told_about() {
        let mut lines = Vec::new();
        let mut tell = |loading: Loading| lines.push(loading.in_lang(Lang::En).to_string());
        let mut slow = SlowLoad::new(Path::new("eval/nn.bin"), &mut tell);
        for (milliseconds, mebibytes) in
            [(0, 1), (999, 40), (1001, 50), (1900, 60), (2002, 80), (9000, 99), (9001, 100)]
        {
            slow.after(Duration::from_millis(milliseconds), mebibytes << 20, 100 << 20);
        }
        let expected = [50, 80, 99].map(|done| format!("loading nn.bin: {done} of 100 MiB"));
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_missing_file_is_named_without_a_usi_option() {
        let missing = EvalSource::from_name(Path::new("no/such.bin"), LoadOptions::default());
        let error = missing.load(&mut drop).err().unwrap().to_string();
        assert_eq!(error, "no/such.bin: there is no such file");
        assert_eq!(EvalSource::PieceSquare.load(&mut drop).unwrap().architecture(), None);
    }
}
