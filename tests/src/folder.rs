//! Folders of a test's own.

use std::path::Path;
use tempfile::TempDir;

/// An empty folder that goes when it is dropped.
pub struct Folder(TempDir);

impl Folder {
    /// A new one.
    #[expect(clippy::new_without_default, reason = "making a folder is no default")]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, as an argument.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    /// Writes a file in it; the path, as an argument.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        std::fs::write(&path, contents).expect("a file");
        path.display().to_string()
    }
}
