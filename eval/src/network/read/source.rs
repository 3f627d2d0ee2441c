//! A stream of known length, of which no more is reserved than follows.

use crate::network::affine::Affine;
use crate::network::architecture::{Architecture, FeatureSet, padded};
use crate::network::error::NetworkError;
use crate::network::leb128;
use monomi_support::memory::Aligned;
use std::io::{self, Read};

/// Bytes that are read between two reports of progress.
const CHUNK: usize = 1 << 20;

pub(super) struct FirstLayer {
    pub(super) features: FeatureSet,
    pub(super) bias: Aligned<i16>,
    pub(super) weights: Aligned<i16>,
}

/// A stream of known length.
pub(super) struct Source<'a, R> {
    input: R,
    length: u64,
    /// Bytes taken, without those in `pending`.
    used: u64,
    /// Bytes read ahead, to be taken first.
    pending: Vec<u8>,
    progress: &'a mut dyn FnMut(u64, u64),
}

impl<'a, R: Read> Source<'a, R> {
    /// A stream that holds `length` bytes. `progress` is told from time to time how many have been
    /// read.
    pub(super) fn new(input: R, length: u64, progress: &'a mut dyn FnMut(u64, u64)) -> Self {
        Self { input, length, used: 0, pending: Vec::new(), progress }
    }

    /// Bytes that follow.
    pub(super) fn left(&self) -> u64 {
        self.length.saturating_sub(self.used)
    }

    /// Makes sure that this many bytes follow.
    pub(super) fn need(&self, bytes: u64) -> Result<(), NetworkError> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.length {
            return Err(NetworkError::Truncated { found: self.length, needed });
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        self.need(bytes.len() as u64)?;
        let ahead = bytes.len().min(self.pending.len());
        let (first, rest) = bytes.split_at_mut(ahead);
        first.copy_from_slice(&self.pending[..ahead]);
        self.pending.drain(..ahead);
        self.used += ahead as u64;
        for chunk in rest.chunks_mut(CHUNK) {
            self.input.read_exact(chunk)?;
            self.used += chunk.len() as u64;
            if chunk.len() == CHUNK {
                (self.progress)(self.used, self.length);
            }
        }
        Ok(())
    }

    /// The next bytes, which stay there; fewer at the end.
    pub(super) fn peek(&mut self, bytes: usize) -> Result<&[u8], NetworkError> {
        let wanted = bytes.min(self.left() as usize);
        if self.pending.len() < wanted {
            let more = (wanted - self.pending.len()) as u64;
            let read = (&mut self.input).take(more).read_to_end(&mut self.pending)? as u64;
            if read < more {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
        }
        Ok(&self.pending[..wanted])
    }

    pub(super) fn vec(&mut self, bytes: u64) -> Result<Vec<u8>, NetworkError> {
        self.need(bytes)?;
        let out_of_memory = |_| NetworkError::Memory { bytes };
        let mut all = Vec::new();
        all.try_reserve_exact(bytes as usize).map_err(out_of_memory)?;
        all.resize(bytes as usize, 0);
        self.fill(&mut all)?;
        Ok(all)
    }

    pub(super) fn skip(&mut self, bytes: u64) -> Result<(), NetworkError> {
        self.need(bytes)?;
        let mut left = bytes;
        let mut buffer = vec![0; 1 << 16];
        while left > 0 {
            let now = left.min(buffer.len() as u64) as usize;
            self.fill(&mut buffer[..now])?;
            left -= now as u64;
        }
        Ok(())
    }

    pub(super) fn word(&mut self) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    pub(super) fn words(&mut self, count: usize) -> Result<Vec<i32>, NetworkError> {
        let bytes = self.vec(4 * count as u64)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect())
    }

    /// Numbers of a first layer, not compressed.
    pub(super) fn halves(&mut self, count: usize) -> Result<Aligned<i16>, NetworkError> {
        let bytes = 2 * count as u64;
        self.need(bytes)?;
        let mut halves = Aligned::try_zeroed(count).ok_or(NetworkError::Memory { bytes })?;
        self.fill(bytemuck::cast_slice_mut(&mut halves))?;
        if cfg!(target_endian = "big") {
            halves.iter_mut().for_each(|half: &mut i16| *half = i16::from_le(*half));
        }
        Ok(halves)
    }

    /// The affine layers of one stack, without its hash.
    pub(super) fn affine(&mut self, shape: Architecture) -> Result<[Affine; 3], NetworkError> {
        self.need(shape.stack_bytes())?;
        let mut layers = shape.affine_sizes().map(|_| Affine { bias: vec![], weights: vec![] });
        for (layer, (inputs, outputs)) in layers.iter_mut().zip(shape.affine_sizes()) {
            layer.bias = self.words(outputs)?;
            let weights = self.vec((outputs * padded(inputs)) as u64)?;
            layer.weights = weights.into_iter().map(|byte| byte as i8).collect();
        }
        Ok(layers)
    }

    /// A LEB128 block, without its start.
    pub(super) fn block(&mut self) -> Result<Vec<u8>, NetworkError> {
        if self.peek(1)? == b"_" {
            self.skip(1)?;
        }
        let mut magic = [0; leb128::MAGIC.len()];
        self.fill(&mut magic)?;
        if magic != *leb128::MAGIC {
            return Err(NetworkError::NoBlock);
        }
        let bytes = self.word()?;
        self.vec(bytes.into())
    }
}
