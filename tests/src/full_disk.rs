//! A file system without free space.

use crate::folder::Folder;
use crate::report;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system of 64 KiB without free space; unmounted when dropped.
pub struct FullDisk(Folder);

impl FullDisk {
    /// `None` if it cannot be mounted, for which one has to be root on Linux.
    pub fn mount() -> Option<Self> {
        let folder = Folder::new();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "none"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        if !cfg!(target_os = "linux") || !mount.is_ok_and(|status| status.success()) {
            report("skipped: no small file system can be mounted");
            return None;
        }
        let disk = Self(folder);
        disk.fill();
        Some(disk)
    }

    /// The file that takes the free space. Without it there is some.
    pub fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Takes the free space.
    pub fn fill(&self) {
        let filler = std::fs::write(self.filler(), vec![1; 1 << 20]);
        assert_eq!(filler.unwrap_err().kind(), std::io::ErrorKind::StorageFull);
    }

    /// Its root.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// All files except the filler.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.retain(|path| *path != self.filler());
        files
    }
}

impl Drop for FullDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}
