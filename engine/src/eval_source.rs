//! The choice of an evaluation, as made by a USI option or on the command line, and loading it.

use monomi_eval::{Evaluation, LoadError, LoadOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the built-in network in options and arguments.
pub const INTERNAL: &str = "<internal>";
/// The name of the built-in piece-square tables in options and arguments.
pub const PIECE_SQUARE: &str = "<piece-square>";

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
        /// What the file may not state.
        options: LoadOptions,
    },
}

/// Why an evaluation cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EvalSourceError {
    /// Neither in the working folder nor in the program's.
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// The file is not a network that can be used.
    #[error(transparent)]
    Unusable(#[from] LoadError),
}

impl EvalSource {
    /// Reads [`INTERNAL`], [`PIECE_SQUARE`] or a path.
    pub fn from_name(name: &Path, options: LoadOptions) -> Self {
        match name.to_str() {
            Some("" | INTERNAL) => EvalSource::Internal,
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

    /// Loads the evaluation.
    ///
    /// # Errors
    /// The file does not exist or is not a usable network; the message names it.
    pub fn load(&self) -> Result<Arc<Evaluation>, EvalSourceError> {
        match self {
            EvalSource::Internal => Ok(Evaluation::internal()),
            EvalSource::PieceSquare => Ok(Evaluation::piece_square()),
            EvalSource::File { path, options } => {
                let found = locate(path).ok_or_else(|| EvalSourceError::Missing(path.clone()))?;
                Ok(Evaluation::load_with(&found, options, &mut |_, _| ())?)
            }
        }
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
    fn a_missing_file_is_named_without_a_usi_option() {
        let missing = EvalSource::from_name(Path::new("no/such.bin"), LoadOptions::default());
        let error = missing.load().err().unwrap().to_string();
        assert_eq!(error, "no/such.bin: there is no such file");
        assert_eq!(EvalSource::PieceSquare.load().unwrap().architecture(), None);
    }
}
