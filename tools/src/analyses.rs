//! Results of `monomi analyze -f jsonl`.

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// The classes of moves that an analysis accuses.
pub const BAD: [&str; 3] = ["dubious", "mistake", "blunder"];

/// The rows of each file, in the order of the files' names. Of a folder, all files `*.jsonl`.
///
/// # Errors
/// A file cannot be read, or a line is no row.
pub fn read<T: DeserializeOwned>(paths: &[PathBuf]) -> Result<Vec<Vec<T>>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries =
                path.read_dir().with_context(|| format!("cannot read {}", path.display()))?;
            for entry in entries {
                let file = entry?.path();
                if file.extension().is_some_and(|extension| extension == "jsonl") {
                    files.push(file);
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    let rows = |file: &PathBuf| {
        let shown = file.display();
        let lines = File::open(file).with_context(|| format!("cannot read {shown}"))?;
        let lines = BufReader::new(lines).lines().enumerate();
        lines
            .map(|(number, line)| {
                serde_json::from_str(&line?).with_context(|| format!("{shown} line {}", number + 1))
            })
            .collect()
    };
    files.iter().map(rows).collect()
}
