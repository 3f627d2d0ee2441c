//! The documents of the repository: tables of trials and crates, links, paths and examples.

mod archive;
mod contributing;
mod crates;
mod japanese;
mod options;
mod paths;
mod test_servers;
mod trials;

use std::path::PathBuf;

/// The root of the repository.
fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The text of a file, given by its path from the root.
fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
