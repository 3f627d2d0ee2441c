//! Reading a file at any offset from several threads.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

/// A file that is read at given offsets.
#[derive(Debug)]
pub struct FileAt {
    file: Mutex<File>,
    len: u64,
}

impl FileAt {
    /// A file that is open for reading.
    pub fn new(file: File) -> std::io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file: Mutex::new(file), len })
    }

    /// The length in bytes when the file was opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns the file.
    pub fn into_file(self) -> File {
        self.file.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the buffer from an offset on as far as the file goes, and returns the number of bytes.
    pub fn read(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        // After a panic elsewhere only the file offset may be wrong, and it is set here.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        let mut read = 0;
        while read < buffer.len() {
            match file.read(&mut buffer[read..])? {
                0 => break,
                more => read += more,
            }
        }
        Ok(read)
    }
}
