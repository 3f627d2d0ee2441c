//! Temporary folders.

use std::path::Path;
use tempfile::TempDir;

/// A temporary folder that is deleted when dropped.
pub struct Folder(TempDir);

impl Folder {
    /// Creates an empty folder.
    #[expect(clippy::new_without_default, reason = "creating a folder has side effects")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, as a command-line argument.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    /// Writes a file in it and returns the path as a command-line argument.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, contents).expect("a file");
        path.display().to_string()
    }
}
