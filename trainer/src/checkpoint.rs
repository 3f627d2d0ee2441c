//! Training interrupted and taken up again.
//!
//! Layout, all little-endian: 8 bytes of magic; u32 features (0 K+P, 1 HalfKP), l1, l2, l3; u64
//! steps, u64 epochs done; then as f32 the first layer's weights, the other parameters, and twice
//! the same for Adam's averages; last a u32 CRC-32 of all before it.

use crate::net::Net;
use crate::objective::Objective;
use crate::trainer::Trainer;
use crc32fast::Hasher;
use monomi_eval::network::{Architecture, FeatureSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"MonomiT1";

/// Why a checkpoint was not read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system could not read it, or it ends too early.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is something else, or damaged.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
}

/// Writes a file so that it is there whole or not at all: under another name first.
///
/// # Errors
/// Those of the system.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let mut file = BufWriter::new(File::create(&part)?);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(&part, path)
}

/// A trainer and the number of epochs it has behind it.
pub struct Checkpoint {
    /// As it was.
    pub trainer: Trainer,
    /// Epochs done.
    pub epochs: u64,
}

/// Saves a trainer.
///
/// # Errors
/// Those of the system.
pub fn save(path: &Path, trainer: &Trainer, epochs: u64) -> io::Result<()> {
    write_whole(path, |file| {
        let mut out = Summed { stream: file, sum: Hasher::new() };
        out.write_all(&MAGIC)?;
        let Architecture { features, l1, l2, l3 } = trainer.net.architecture;
        let features = usize::from(features == FeatureSet::HalfKP);
        for number in [features, l1, l2, l3] {
            out.write_all(&(number as u32).to_le_bytes())?;
        }
        out.write_all(&trainer.steps.to_le_bytes())?;
        out.write_all(&epochs.to_le_bytes())?;
        for value in parts(trainer).into_iter().flatten() {
            out.write_all(&value.to_le_bytes())?;
        }
        let sum = out.sum.clone().finalize();
        out.write_all(&sum.to_le_bytes())
    })
}

/// All numbers, in order.
fn parts(trainer: &Trainer) -> [&[f32]; 6] {
    let [first, second] = &trainer.averages;
    let net = &trainer.net;
    [&net.rows, &net.dense, &first.rows, &first.dense, &second.rows, &second.dense]
}

/// Reads a saved trainer, to go on.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn load(path: &Path, objective: Objective) -> Result<Checkpoint, CheckpointError> {
    let io = |error| CheckpointError::Io { path: path.to_owned(), error };
    let malformed = |what| CheckpointError::Malformed { path: path.to_owned(), what };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut input = Summed { stream: BufReader::new(file), sum: Hasher::new() };
    if input.array().map_err(io)? != MAGIC {
        return Err(malformed("not a checkpoint of this trainer"));
    }
    let mut word = || Ok(u32::from_le_bytes(input.array().map_err(io)?) as usize);
    let [features, l1, l2, l3] = [word()?, word()?, word()?, word()?];
    let features = match features {
        0 => FeatureSet::KP,
        1 => FeatureSet::HalfKP,
        _ => return Err(malformed("a checkpoint of unknown features")),
    };
    let architecture = Architecture { features, l1, l2, l3 };
    architecture.check().map_err(|_| malformed("a checkpoint of impossible sizes"))?;
    let steps = u64::from_le_bytes(input.array().map_err(io)?);
    let epochs = u64::from_le_bytes(input.array().map_err(io)?);
    // Before anything large is allocated.
    let layout = crate::net::Layout::new(architecture);
    let expected = 8 + 16 + 16 + 3 * 4 * (layout.rows * l1 + layout.dense) as u64 + 4;
    if length != expected {
        return Err(malformed("a checkpoint of the wrong length"));
    }
    let mut trainer = Trainer::new(Net::zeroed(architecture), objective);
    trainer.steps = steps;
    let [first, second] = &mut trainer.averages;
    let net = &mut trainer.net;
    let parts: [&mut [f32]; 6] = [
        &mut net.rows,
        &mut net.dense,
        &mut first.rows,
        &mut first.dense,
        &mut second.rows,
        &mut second.dense,
    ];
    for value in parts.into_iter().flatten() {
        *value = f32::from_le_bytes(input.array().map_err(io)?);
    }
    let sum = input.sum.clone().finalize();
    if u32::from_le_bytes(input.array().map_err(io)?) != sum {
        return Err(malformed("a damaged checkpoint (wrong checksum)"));
    }
    Ok(Checkpoint { trainer, epochs })
}

/// A stream whose bytes are summed on the way.
struct Summed<S> {
    stream: S,
    sum: Hasher,
}

impl<S: Write> Summed<S> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.stream.write_all(bytes)
    }
}

impl<S: Read> Summed<S> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes)?;
        self.sum.update(&bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;
