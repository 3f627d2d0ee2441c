//! Test data: small files in this crate, and large ones in the folder `../shared` if it exists.

use crate::report;
use std::path::{Path, PathBuf};

/// Whether long tests are requested: `MONOMI_FULL=1 cargo test ...`.
pub fn full() -> bool {
    std::env::var_os("MONOMI_FULL").is_some_and(|value| value != "0" && !value.is_empty())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file in `../shared` (relative to the repository). If it does not exist, reports the
/// test as skipped and returns `None`.
pub fn shared(path: &str) -> Option<String> {
    let text = shared_file(path).and_then(|path| std::fs::read_to_string(path).ok());
    if text.is_none() {
        report(&format!("skipped: ../shared/{path} does not exist"));
    }
    text
}

/// The path of a file in `../shared`, or `None` if it does not exist.
pub fn shared_file(path: &str) -> Option<PathBuf> {
    // Worktrees may be one level deeper.
    ["../shared", "../../shared"]
        .into_iter()
        .map(|folder| workspace().join(folder).join(path))
        .find(|path| path.exists())
}

/// The lines of a data file that are neither empty nor comments (`#`).
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
