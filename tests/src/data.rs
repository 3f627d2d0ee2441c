//! Test data: the small files kept beside the tests, and the large ones of `../shared`.

use crate::report;
use std::path::{Path, PathBuf};

/// Whether the long tests were asked for: `MONOMI_FULL=1 cargo test ...`.
pub fn full() -> bool {
    std::env::var_os("MONOMI_FULL").is_some_and(|value| value != "0" && !value.is_empty())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The text of a file in `../shared` (from the repository's root), `None` where that is absent.
/// Then it says that the test is skipped, so that nobody takes silence for success.
pub fn shared(path: &str) -> Option<String> {
    let text = shared_file(path).and_then(|path| std::fs::read_to_string(path).ok());
    if text.is_none() {
        report(&format!("skipped: ../shared/{path} is not there"));
    }
    text
}

/// The path of a file in `../shared`, `None` where that is absent.
pub fn shared_file(path: &str) -> Option<PathBuf> {
    // A worktree stands elsewhere, beside the same `shared`.
    ["../shared", "../../shared"]
        .into_iter()
        .map(|folder| workspace().join(folder).join(path))
        .find(|path| path.exists())
}

/// The lines of a data file that say something: neither empty nor comments (`#`).
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
