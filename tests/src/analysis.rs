//! Shared by the tests of `monomi analyze`.

use crate::program::command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

/// Creates an empty folder for a test below `env!("CARGO_TARGET_TMPDIR")`.
///
/// # Panics
/// The folder cannot be created.
pub fn folder(below: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(below).join(format!("analyze-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The path of a game record in this crate.
pub fn own(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records").join(name);
    path.display().to_string()
}

/// Runs `monomi analyze`.
///
/// # Panics
/// The engine does not run.
pub fn analyze(arguments: &[&str]) -> Output {
    let output = command().arg("analyze").args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

/// The exit code.
pub fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// The text of standard error.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The rows of JSONL.
///
/// # Panics
/// A line is not JSON.
pub fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Whether a row of a game analysed with the built-in network shows this score, in centipawns for Black, mates as ±30000. Where moves were
/// compared, that is not the score of the search.
///
/// # Panics
/// The row is not one of a game.
pub fn shows(row: &Value, black: i64) -> bool {
    let shown = row["win_black"].as_f64().expect("an evaluation");
    let scale = f64::from(monomi_eval::Evaluation::internal().win_scale().get());
    let chance = 1.0 / (1.0 + (-(black as f64) / scale).exp());
    // Centipawns and probabilities are rounded.
    (chance - shown).abs() < 5e-4
}

/// The names and contents of all files in a folder.
///
/// # Panics
/// The file cannot be read.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("entry"));
    entries
        .map(|entry| {
            let bytes = std::fs::read(entry.path()).expect("a file");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}
