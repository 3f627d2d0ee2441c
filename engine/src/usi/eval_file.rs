//! From the evaluation that the options name to the evaluation itself.

use crate::usi::options::EvalSource;
use monomi_eval::Evaluation;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why an evaluation was not taken over.
#[derive(Debug, thiserror::Error)]
pub enum EvalFileError {
    /// Neither in the working folder nor beside the program.
    #[error("EvalFile {}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// This version reads no evaluation files.
    #[error("EvalFile {}: this version reads no networks yet", .0.display())]
    Unsupported(PathBuf),
}

/// Loads the evaluation.
///
/// # Errors
/// The file cannot be found or read.
pub fn load(source: &EvalSource) -> Result<Arc<Evaluation>, EvalFileError> {
    let Some(file) = &source.file else { return Ok(Evaluation::internal()) };
    match find(file) {
        None => Err(EvalFileError::Missing(file.clone())),
        Some(path) => Err(EvalFileError::Unsupported(path)),
    }
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
