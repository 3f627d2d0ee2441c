//! What the tests of `monomi analyze` share.

use crate::program::engine;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of its own for each test, empty, below the folder that cargo keeps for tests
/// (`env!("CARGO_TARGET_TMPDIR")`).
///
/// # Panics
/// It cannot be made.
pub fn folder(below: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(below).join(format!("analyze-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// One of the records kept beside the tests.
pub fn own(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records").join(name);
    path.display().to_string()
}

/// Runs `monomi analyze`.
///
/// # Panics
/// The engine does not run.
pub fn analyze(arguments: &[&str]) -> Output {
    let output =
        Command::new(engine()).arg("analyze").args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

/// The exit code.
pub fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// What was complained about.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of JSONL.
///
/// # Panics
/// A line is no JSON.
pub fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Every file of a folder with its bytes.
///
/// # Panics
/// It cannot be read.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("entry"));
    entries
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).expect("a file");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}
