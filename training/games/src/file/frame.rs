//! Frames: a tag, a length, a checksum and the contents. A records file is a sequence of frames;
//! docs/records.md describes the format.

use std::fs::File;
use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Size in bytes of the frame header: tag, length, checksum.
pub const HEAD: usize = 12;
/// Maximum length of a frame's contents.
pub const MAX_LEN: usize = 1 << 22;

/// The type of a frame's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// Settings: lines of text.
    Settings,
    /// Games, entropy-coded.
    Games,
}

impl Tag {
    fn bytes(self) -> [u8; 4] {
        match self {
            Tag::Settings => *b"MGS1",
            Tag::Games => *b"MGG2",
        }
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        [Tag::Settings, Tag::Games].into_iter().find(|tag| tag.bytes() == bytes)
    }
}

fn checksum(head: &[u8], contents: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(contents);
    hasher.finalize()
}

/// The bytes of a frame with these contents, which are at most [`MAX_LEN`] bytes.
pub fn frame(tag: Tag, contents: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + contents.len());
    bytes.extend(tag.bytes());
    bytes.extend((contents.len() as u32).to_le_bytes());
    bytes.extend(checksum(&bytes, contents).to_le_bytes());
    bytes.extend(contents);
    bytes
}

/// What a reader found.
#[derive(Debug)]
pub enum Chunk {
    /// A valid frame. Its contents are in the reader's buffer.
    Frame(Tag),
    /// Bytes that are not part of a frame, followed by a valid frame.
    Damage {
        /// Number of bytes.
        bytes: u64,
    },
    /// Bytes up to the end of the file that are not a complete frame.
    Torn {
        /// Number of bytes.
        bytes: u64,
    },
    /// The end of the file.
    End,
}

/// Reads frames one by one, with only one in memory.
pub struct FrameReader {
    file: BufReader<File>,
    /// Offset of the next frame.
    at: u64,
    len: u64,
    contents: Vec<u8>,
}

/// Opens a file for reading. Opening a pipe would wait for a writer, and a device may have no end.
pub fn open_regular(path: &Path) -> std::io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// An error if the path is something else than a regular file.
pub fn check_regular(path: &Path) -> std::io::Result<()> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => {
            Err(std::io::Error::other("this is not a regular file"))
        }
        _ => Ok(()),
    }
}

impl FrameReader {
    /// Opens a file, to be read up to its current length.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        Self::new(open_regular(path)?)
    }

    /// Reads an open file from its beginning.
    pub fn new(file: File) -> std::io::Result<Self> {
        let len = file.metadata()?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        file.rewind()?;
        Ok(Self { file, at: 0, len, contents: Vec::new() })
    }

    /// Offset of the next frame.
    pub fn offset(&self) -> u64 {
        self.at
    }

    /// The contents of the last frame found.
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// Continues to the next frame. Damaged bytes are skipped up to the next valid frame.
    pub fn next(&mut self) -> std::io::Result<Chunk> {
        if self.at >= self.len {
            return Ok(Chunk::End);
        }
        if let Some(tag) = self.read()? {
            return Ok(Chunk::Frame(tag));
        }
        let bad = self.at;
        loop {
            match self.find_tag()? {
                Some(at) => {
                    self.seek(at)?;
                    if self.read()?.is_some() {
                        self.seek(at)?;
                        return Ok(Chunk::Damage { bytes: at - bad });
                    }
                }
                None => {
                    self.at = self.len;
                    return Ok(Chunk::Torn { bytes: self.len - bad });
                }
            }
        }
    }

    /// Continues at an offset in the file.
    pub fn seek(&mut self, at: u64) -> std::io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.at = at;
        Ok(())
    }

    /// Reads the frame at `at`, and advances past it if it is valid.
    fn read(&mut self) -> std::io::Result<Option<Tag>> {
        let left = self.len - self.at;
        if left < HEAD as u64 {
            return Ok(None);
        }
        let mut head = [0; HEAD];
        self.file.read_exact(&mut head)?;
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| head[at + i]));
        let (len, sum) = (number(4) as usize, number(8));
        let Some(tag) = Tag::from_bytes(&head[..4]) else { return Ok(None) };
        if len > MAX_LEN || len as u64 > left - HEAD as u64 {
            return Ok(None);
        }
        self.contents.resize(len, 0);
        self.file.read_exact(&mut self.contents)?;
        if checksum(&head[..8], &self.contents) != sum {
            return Ok(None);
        }
        self.at += (HEAD + len) as u64;
        Ok(Some(tag))
    }

    /// The next offset after `at` that holds a tag.
    fn find_tag(&mut self) -> std::io::Result<Option<u64>> {
        let mut at = self.at + 1;
        let mut window = [0; 1 << 12];
        while at + (HEAD as u64) <= self.len {
            self.seek(at)?;
            let size = window.len().min((self.len - at) as usize);
            self.file.read_exact(&mut window[..size])?;
            let tag = window[..size].windows(4).position(|four| Tag::from_bytes(four).is_some());
            if let Some(tag) = tag {
                return Ok(Some(at + tag as u64));
            }
            // A tag may cross the border of two windows.
            at += (size - 3) as u64;
        }
        Ok(None)
    }
}
