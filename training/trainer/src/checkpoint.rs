//! Checkpoints (`.ckpt`): a network in floating point with the state of its optimiser.
//!
//! Layout, all little-endian: 8 bytes of magic; u32 features (0 K+P, 1 HalfKP, then in the order of
//! [`FeatureSet::ALL`]), l1, l2, l3; u64 steps, u64 epochs done; u32 flags (1: averaged parameters
//! follow, 2: rounded parameters are in use in the forward pass, 4: without the optimiser's state; bits
//! 8 to 15: number of layer stacks of an SFNN network, 0 for a plain one); then as f32 the first layer's
//! weights and the other parameters, and the same for Adam's averages of the gradient and of its square
//! unless flag 4 is set, and for the averaged parameters; finally a u32 CRC-32 of everything before it.
//!
//! The order of the parameters is that of `net.rs`: the first layer in blocks of 32 neurons, `[block][row][32]`, then its
//! bias, then for each stack its three layers, each `[input][output]` with outputs padded to 32 and then the bias. Another
//! program reads the `.npz` of `npz.rs` instead, which has every layer as a matrix without padding (docs/training.md).
//!
//! A trainer that has not made a step is saved without the optimiser's state, which is all zeros.

pub mod npz;

use crate::net::{Layout, Net, is_trainable};
use crate::objective::Objective;
use crate::trainer::{Parameters, Trainer};
use crc32fast::Hasher;
use monomi_eval::network::{Architecture, Family, FeatureSet};
use monomi_support::batch::files;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: [u8; 8] = *b"MonomiT2";
const HEADER: u64 = 8 + 4 * 4 + 2 * 8 + 4;
const CHECKSUM: u64 = 4;
/// Flag: averaged parameters follow.
const AVERAGED: u32 = 1;
/// Flag: the forward pass uses rounded parameters.
const ROUNDED: u32 = 2;
/// Flag: without the optimiser's state.
const STATELESS: u32 = 4;
/// Where the number of layer stacks of an SFNN network stands in the flags.
const STACKS_SHIFT: u32 = 8;

/// Why a checkpoint could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read, or ends too early.
    #[error("{}: {error}", path.display())]
    Io {
        /// Path of the checkpoint.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is something else, or damaged.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// Path of the checkpoint.
        path: PathBuf,
        /// Its fault, in English.
        what: Cow<'static, str>,
    },
}

/// A trainer and the number of epochs that it has done.
pub struct Checkpoint {
    /// The trainer as it was saved.
    pub trainer: Trainer,
    /// Epochs done.
    pub epochs: u64,
}

/// Saves a trainer.
///
/// # Errors
/// The file cannot be written.
pub fn save(path: &Path, trainer: &Trainer, epochs: u64) -> io::Result<()> {
    files::replace(path, |file| {
        let mut out = Summed { stream: file, sum: Hasher::new() };
        out.write_all(&MAGIC)?;
        let Architecture { features, l1, l2, l3, family } = trainer.net.architecture;
        let features = FeatureSet::ALL.iter().position(|set| *set == features).unwrap_or(0);
        let stacks = match family {
            Family::Plain => 0,
            Family::Sfnn { stacks, .. } => stacks as u32,
        };
        for number in [features, l1, l2, l3] {
            out.write_all(&(number as u32).to_le_bytes())?;
        }
        out.write_all(&trainer.steps.to_le_bytes())?;
        out.write_all(&epochs.to_le_bytes())?;
        let averaged = if trainer.average.is_some() { AVERAGED } else { 0 };
        let rounded = if trainer.rounded.is_some() { ROUNDED } else { 0 };
        let stateless = if trainer.steps == 0 { STATELESS } else { 0 };
        let flags = averaged | rounded | stateless | stacks << STACKS_SHIFT;
        out.write_all(&flags.to_le_bytes())?;
        for value in parts(trainer).into_iter().flatten() {
            out.write_all(&value.to_le_bytes())?;
        }
        let sum = out.sum.clone().finalize();
        out.write_all(&sum.to_le_bytes())
    })
}

/// All numbers, in order.
fn parts(trainer: &Trainer) -> Vec<&[f32]> {
    let mut parts: Vec<&[f32]> = vec![&trainer.net.rows, &trainer.net.dense];
    let state = if trainer.steps == 0 { &[] } else { &trainer.moments[..] };
    for Parameters { rows, dense } in state.iter().chain(&trainer.average) {
        parts.extend([&rows[..], &dense[..]]);
    }
    parts
}

/// Whether a file begins as a checkpoint.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn is_checkpoint(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    Ok(start == MAGIC)
}

/// Reads a saved trainer.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn load(path: &Path, objective: Objective) -> Result<Checkpoint, CheckpointError> {
    let io = |error| CheckpointError::Io { path: path.to_owned(), error };
    let malformed = |what: &'static str| CheckpointError::Malformed {
        path: path.to_owned(),
        what: what.into(),
    };
    let file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    let mut input = Summed { stream: BufReader::new(file), sum: Hasher::new() };
    if input.array().map_err(io)? != MAGIC {
        return Err(malformed("not a checkpoint of this trainer"));
    }
    let mut word = || Ok(u32::from_le_bytes(input.array().map_err(io)?));
    let [features, l1, l2, l3] = [word()?, word()?, word()?, word()?].map(|word| word as usize);
    let features = *FeatureSet::ALL
        .get(features)
        .ok_or_else(|| malformed("a checkpoint with unknown features"))?;
    let steps = u64::from_le_bytes(input.array().map_err(io)?);
    let epochs = u64::from_le_bytes(input.array().map_err(io)?);
    let flags = u32::from_le_bytes(input.array().map_err(io)?);
    if flags & !(AVERAGED | ROUNDED | STATELESS | 0xFF << STACKS_SHIFT) != 0 {
        return Err(malformed("a checkpoint with unknown flags"));
    }
    let architecture = match flags >> STACKS_SHIFT {
        0 => Architecture::plain(features, l1, l2, l3),
        stacks => Architecture::sfnn(features, l1, l2, l3, stacks as usize),
    };
    let stateless = flags & STATELESS != 0;
    if stateless && steps != 0 {
        return Err(malformed("a checkpoint whose optimiser's state is missing"));
    }
    if !is_trainable(architecture) {
        return Err(malformed("a checkpoint with impossible sizes"));
    }
    // Checked before anything large is allocated.
    let layout = Layout::new(architecture);
    let sets = 1 + if stateless { 0 } else { 2 } + u64::from(flags & AVERAGED != 0);
    let numbers = sets * (layout.rows * l1 + layout.dense) as u64;
    if length != HEADER + 4 * numbers + CHECKSUM {
        return Err(malformed("a checkpoint of the wrong length"));
    }
    let mut trainer = Trainer::new(Net::zeroed(architecture), objective);
    trainer.steps = steps;
    trainer.average = (flags & AVERAGED != 0).then(|| Parameters::zeroed(&trainer.net));
    let net = &mut trainer.net;
    let mut parts: Vec<&mut [f32]> = vec![&mut net.rows, &mut net.dense];
    let state = if stateless { &mut [] } else { &mut trainer.moments[..] };
    for Parameters { rows, dense } in state.iter_mut().chain(&mut trainer.average) {
        parts.extend([&mut rows[..], &mut dense[..]]);
    }
    for value in parts.into_iter().flatten() {
        *value = f32::from_le_bytes(input.array().map_err(io)?);
    }
    let sum = input.sum.clone().finalize();
    if u32::from_le_bytes(input.array().map_err(io)?) != sum {
        return Err(malformed("a damaged checkpoint (wrong checksum)"));
    }
    if flags & ROUNDED != 0 {
        trainer.start_rounding();
    }
    Ok(Checkpoint { trainer, epochs })
}

/// A stream that computes a checksum of its bytes.
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
