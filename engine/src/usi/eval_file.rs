//! From the evaluation that the options name to the evaluation itself.

use crate::usi::options::{EvalSource, INTERNAL, PIECE_SQUARE};
use monomi_eval::{Evaluation, LoadError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why an evaluation was not taken over.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// Neither in the working folder nor beside the program.
    #[error("EvalFile {}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// There, but not to be used.
    #[error("EvalFile {0}")]
    Unusable(#[from] LoadError),
}

/// Loads the evaluation.
///
/// # Errors
/// The file cannot be found or read.
pub fn load(source: &EvalSource) -> Result<Arc<Evaluation>, EvalFileError> {
    let file = match &source.file {
        None => return Ok(Evaluation::internal()),
        Some(file) if file.as_os_str() == INTERNAL => return Ok(Evaluation::internal()),
        Some(file) if file.as_os_str() == PIECE_SQUARE => return Ok(Evaluation::piece_square()),
        Some(file) => file,
    };
    let path = find(file).ok_or_else(|| EvalFileError::Missing(file.clone()))?;
    Ok(Evaluation::load(&path, Some(source.fv_scale))?)
}

/// The path, or the same one beside the program: GUIs start engines in either folder.
pub fn find(file: &Path) -> Option<PathBuf> {
    if file.exists() {
        return Some(file.to_owned());
    }
    let program = std::env::current_exe().ok()?;
    let beside = program.parent()?.join(file);
    beside.exists().then_some(beside)
}
