//! Input files, and files that are replaced as a whole: the latter are written under a temporary name in the same folder, synced to
//! the disk, and renamed. A crash, a full disk or a killed process leaves the old file as it was.
//! The temporary name is fixed: of two processes that write the same file at the same time the second one fails.
//! A [`Claim`] keeps other processes from files that are written bit by bit.

use crate::text::{io_error, messages};
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::str::Utf8Error;
use tempfile::NamedTempFile;

/// Contents of more than this many bytes are not read into memory.
const LARGEST: u64 = 1 << 30;

messages! {
    /// Why a file is refused that the system would open.
    #[derive(Debug)]
    enum FileFault {
        Folder => "this is a folder, not a file", "ファイルではなくフォルダです";
        Device =>
            "this is a device or a named pipe, not a file",
            "ファイルではなくデバイスまたは名前付きパイプです";
        TooLarge =>
            let mib = LARGEST >> 20;
            "more than {mib} MiB are not read", "{mib} MiB を超えるファイルは読みません";
        NotUtf8(error: Utf8Error) =>
            let from = error.valid_up_to();
            "{error}", "{from} バイト目から UTF-8 ではありません";
        NotRegular => "this is not a regular file", "通常のファイルではありません";
        NoName => "this is not the name of a file", "ファイルの名前ではありません";
        Busy =>
            "another process is writing to this file", "別のプロセスがこのファイルに書き込み中です";
    }
}

impl From<FileFault> for io::Error {
    fn from(fault: FileFault) -> Self {
        let kind = match fault {
            FileFault::TooLarge => ErrorKind::FileTooLarge,
            FileFault::NotUtf8(_) => ErrorKind::InvalidData,
            FileFault::Busy => ErrorKind::WouldBlock,
            _ => ErrorKind::InvalidInput,
        };
        io_error(kind, fault)
    }
}

/// Opens a file for reading. Folders, devices and named pipes are refused: a device may have no end,
/// and opening a pipe waits until something writes to it. A pipe that the shell has opened, as in
/// `<(...)`, is accepted.
///
/// # Errors
/// The file cannot be opened, or is a folder, a device or a named pipe.
pub fn open(path: &Path) -> io::Result<File> {
    let metadata = path.metadata()?;
    if metadata.is_dir() {
        return Err(FileFault::Folder.into());
    }
    if !metadata.is_file() && !is_open_pipe(path, &metadata) {
        return Err(FileFault::Device.into());
    }
    File::open(path)
}

/// Whether this is a pipe that the process already has open.
fn is_open_pipe(path: &Path, metadata: &std::fs::Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        metadata.file_type().is_fifo() && (path.starts_with("/dev") || path.starts_with("/proc"))
    }
    #[cfg(not(unix))]
    {
        let _ = (path, metadata);
        false
    }
}

/// Opens a file as [`open`] does and reads it.
///
/// # Errors
/// The file cannot be opened or read, or is too large.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(open(path)?)
}

/// Reads an input to its end.
///
/// # Errors
/// The input cannot be read, or is too large.
pub fn read_all(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(FileFault::TooLarge.into());
    }
    Ok(bytes)
}

/// Opens a file as [`open`] does and reads it as UTF-8.
///
/// # Errors
/// The file cannot be opened or read, is too large, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| FileFault::NotUtf8(error.utf8_error()).into())
}

/// Opens a file for appending; it is created if there is none.
///
/// # Errors
/// The file cannot be written, or is not a regular file.
pub fn append(path: &Path) -> io::Result<File> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(FileFault::NotRegular.into());
    }
    File::options().append(true).create(true).open(path)
}

/// The right to write files for as long as it lives: no other process that asks for the same name gets it. It is
/// a lock on a file of its own beside them, `.NAME.lock`, which is removed in the end. The system gives up the
/// lock of a process that was killed.
#[derive(Debug)]
pub struct Claim {
    lock: Option<(File, PathBuf)>,
}

impl Claim {
    /// Asks for the right to write `path` and what belongs to it. The file itself need not exist.
    ///
    /// # Errors
    /// Another process has the right, or the folder cannot be written to.
    pub fn new(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().ok_or(FileFault::NoName)?.to_string_lossy();
        let place = folder(&path).join(format!(".{}.lock", name.trim_start_matches('.')));
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(&place)?;
            match file.try_lock() {
                // The process that had the lock may have removed the file meanwhile.
                Ok(()) if is_at(&file, &place) => return Ok(Self { lock: Some((file, place)) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(FileFault::Busy.into()),
                // The file system does not support locks; continue without one.
                Err(TryLockError::Error(_)) => {
                    let _ = std::fs::remove_file(&place);
                    return Ok(Self { lock: None });
                }
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some((file, place)) = self.lock.take() {
            // Before the lock is given up: afterwards the file may belong to another process.
            let _ = std::fs::remove_file(place);
            drop(file);
        }
    }
}

/// Whether an open file is still the one of this name.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let same = |(a, b): (std::fs::Metadata, std::fs::Metadata)| {
            (a.dev(), a.ino()) == (b.dev(), b.ino())
        };
        file.metadata().ok().zip(path.metadata().ok()).is_some_and(same)
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Whether another process is writing a temporary file.
fn is_locked(path: &Path) -> bool {
    // Elsewhere a lock keeps the process itself from opening the file a second time.
    // NFS gives such a lock only to files that are open for writing.
    cfg!(unix)
        && File::options()
            .write(true)
            .open(path)
            .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// A file under a temporary name. Dropping it removes it; [`NewFile::commit`] gives it its name.
pub struct NewFile {
    target: Target,
}

enum Target {
    /// A new or an existing regular file.
    Regular { temporary: NamedTempFile, path: PathBuf },
    /// Something that cannot be replaced, such as `/dev/stdout`: written to directly.
    Special { file: File, path: PathBuf },
}

impl NewFile {
    /// Creates an empty file that will replace `path`. If `path` is a symbolic link, the file it
    /// points to will be replaced; permissions of an existing file are kept.
    ///
    /// # Errors
    /// The folder does not exist or cannot be written to, or another process is writing the same file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let existing = path.metadata().ok();
        if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&path)?;
            return Ok(Self { target: Target::Special { file, path } });
        }
        let name = path.file_name().ok_or(FileFault::NoName)?;
        // Always the same name, so that what a killed process leaves does not accumulate.
        let hidden = temporary_name(name);
        if is_locked(&folder(&path).join(&hidden)) {
            return Err(FileFault::Busy.into());
        }
        remove_if_present(&folder(&path).join(&hidden))?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(&hidden).suffix("").rand_bytes(0);
        // As files of the standard library: less the process's umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder(&path))?;
        if cfg!(unix) {
            // A file system without locks is no reason to fail.
            let _ = temporary.as_file().try_lock();
        }
        if let Some(existing) = existing {
            temporary.as_file().set_permissions(existing.permissions())?;
        }
        Ok(Self { target: Target::Regular { temporary, path } })
    }

    /// Where the contents are until [`NewFile::commit`].
    pub fn path(&self) -> &Path {
        match &self.target {
            Target::Regular { temporary, .. } => temporary.path(),
            Target::Special { path, .. } => path,
        }
    }

    /// Leaves it to a writer that opens [`NewFile::path`] to keep other processes away: it would be kept away
    /// itself.
    pub fn unlock(&self) {
        if let Target::Regular { temporary, .. } = &self.target {
            let _ = temporary.as_file().unlock();
        }
    }

    /// The open file.
    pub fn file(&mut self) -> &mut File {
        match &mut self.target {
            Target::Regular { temporary, .. } => temporary.as_file_mut(),
            Target::Special { file, .. } => file,
        }
    }

    /// Syncs the contents to the disk and replaces the old file.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be renamed; the old file is still there.
    pub fn commit(mut self) -> io::Result<()> {
        let synced = self.file().sync_all();
        match self.target {
            Target::Regular { temporary, path } => {
                synced?;
                temporary.persist(&path)?;
                sync_folder(&path);
                Ok(())
            }
            // Pipes and terminals cannot be synced.
            Target::Special { .. } => Ok(()),
        }
    }
}

/// Writes a file through a buffer and replaces the old one when everything is on the disk.
///
/// # Errors
/// Errors of `write` and of the system; the old file is still there.
pub fn replace<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<T, E>,
) -> Result<T, E> {
    let mut new = NewFile::create(path)?;
    let mut out = BufWriter::with_capacity(1 << 16, new.file());
    let value = write(&mut out)?;
    out.flush()?;
    drop(out);
    new.commit()?;
    Ok(value)
}

/// Replaces a file's contents with these bytes.
///
/// # Errors
/// The system cannot write the file; the old one is still there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |out| out.write_all(bytes))
}

/// Syncs a finished file to the disk and gives it its final name, replacing what is there.
///
/// # Errors
/// The system cannot rename the file; both files are as they were.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    File::options().write(true).open(from)?.sync_all()?;
    std::fs::rename(from, to)?;
    sync_folder(to);
    Ok(())
}

/// Removes a file, if there is one, and the temporary file of a process that was killed.
///
/// # Errors
/// The system cannot remove the file.
pub fn remove(path: &Path) -> io::Result<()> {
    if let Some(name) = path.file_name() {
        remove_if_present(&folder(path).join(temporary_name(name)))?;
    }
    remove_if_present(path)
}

fn temporary_name(name: &OsStr) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".tmp");
    hidden
}

fn remove_if_present(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Makes the rename itself durable. Best effort: some file systems cannot sync a folder.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder(path)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read, read_dir};

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_created_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in [&b"first"[..], b"second, and longer", b""] {
            write(&path, text).unwrap();
            assert_eq!(read(&path).unwrap(), text);
            assert_eq!(names(folder.path()), ["a.txt"]);
        }
    }

    #[test]
    fn an_error_while_writing_keeps_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"old").unwrap();
        let failed = replace(&path, |out| {
            out.write_all(&[b'x'; 1 << 20])?;
            Err::<(), _>(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_claim_keeps_others_away_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.monomi");
        let claim = Claim::new(&path).unwrap();
        assert_eq!(names(folder.path()), [".list.monomi.lock"]);
        let busy = Claim::new(&path).unwrap_err();
        assert!(busy.to_string().contains("another process"), "{busy}");
        drop(Claim::new(&folder.path().join("other")).unwrap());
        drop(claim);
        assert!(names(folder.path()).is_empty());
        // What a killed process leaves does not matter.
        write(&folder.path().join(".list.monomi.lock"), b"").unwrap();
        drop(Claim::new(&path).unwrap());
        assert!(Claim::new(&folder.path().join("none").join("a")).is_err());
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none").join("a.txt");
        assert_eq!(write(&missing, b"x").unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(write(Path::new("/"), b"x").is_err());
    }

    /// What a killed process leaves: the temporary file, and the old one untouched.
    #[test]
    fn until_it_is_committed_the_old_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"old").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.file().write_all(b"half").unwrap();
        assert_eq!(read(&path).unwrap(), b"old");
        assert_eq!(new.path().parent(), Some(path.canonicalize().unwrap().parent().unwrap()));
        // Nobody else writes it meanwhile.
        #[cfg(unix)]
        assert!(write(&path, b"other").unwrap_err().to_string().contains("another process"));
        assert_eq!(read(new.path()).unwrap(), b"half");
        drop(new);
        std::fs::write(folder.path().join(".a.txt.tmp"), b"half").unwrap();
        assert_eq!(read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), [".a.txt.tmp", "a.txt"]);
        // The next run removes it.
        write(&path, b"new").unwrap();
        assert_eq!(
            (read(&path).unwrap(), names(folder.path())),
            (b"new".to_vec(), vec!["a.txt".into()])
        );
    }

    #[test]
    fn a_finished_file_gets_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let (part, path) = (folder.path().join("a.part"), folder.path().join("a"));
        std::fs::write(&part, b"done").unwrap();
        write(&path, b"old").unwrap();
        rename(&part, &path).unwrap();
        assert_eq!(
            (read(&path).unwrap(), names(folder.path())),
            (b"done".to_vec(), vec!["a".into()])
        );
        assert!(rename(&part, &path).is_err());
        assert_eq!(read(&path).unwrap(), b"done");
    }

    #[test]
    fn removing_a_file_removes_what_a_killed_process_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"old").unwrap();
        std::fs::write(folder.path().join(".a.txt.tmp"), b"half").unwrap();
        assert_eq!(names(folder.path()), [".a.txt.tmp", "a.txt"]);
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn folders_devices_and_pipes_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        write(&plain, b"text").unwrap();
        assert_eq!(super::read(&plain).unwrap(), b"text");
        assert_eq!(read_text(&plain).unwrap(), "text");
        assert_eq!(super::read(Path::new("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(open(folder.path()).unwrap_err().to_string().contains("folder"));
        assert!(append(folder.path()).is_err());
        #[cfg(unix)]
        {
            let fifo = folder.path().join("fifo");
            let made = std::process::Command::new("mkfifo").arg(&fifo).status().unwrap();
            assert!(made.success());
            for path in [&fifo, Path::new("/dev/zero")] {
                assert!(open(path).unwrap_err().to_string().contains("device"), "{path:?}");
                assert!(append(path).is_err(), "{path:?}");
            }
        }
        assert_eq!(read_all(&b"abc"[..]).unwrap(), b"abc");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_devices_are_respected() {
        use std::fs::Permissions;
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let (plain, path) = (folder.path().join("plain"), folder.path().join("a"));
        std::fs::write(&plain, b"").unwrap();
        write(&path, b"x").unwrap();
        assert_eq!(mode(&path), mode(&plain));
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let link = folder.path().join("link");
        symlink(&path, &link).unwrap();
        write(&link, b"through the link").unwrap();
        assert_eq!((read(&path).unwrap(), mode(&path)), (b"through the link".to_vec(), 0o640));
        assert!(link.symlink_metadata().unwrap().is_symlink());
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
        if Path::new("/dev/full").exists() {
            let full = write(Path::new("/dev/full"), b"x").unwrap_err();
            assert_eq!(full.kind(), io::ErrorKind::StorageFull);
        }
    }
}
