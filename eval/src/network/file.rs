//! Reading and writing network files (`nn.bin`), as they are stored.
//!
//! Layout, all little-endian: u32 version, u32 file hash, u32 length of a text, the text; u32
//! transformer hash, i16 bias\[L1\], i16 weight\[feature\]\[L1\]; u32 network hash, then for each affine
//! layer i32 bias\[out\], i8 weight\[out\]\[in padded to 32\]. Nothing may follow.
//!
//! What the file is, its hashes and its size say; its text is skipped. Nothing is allocated that
//! the file's length does not back.

use super::architecture::{Architecture, padded};
use monomi_memory::Aligned;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

/// The only version of the format.
const VERSION: u32 = 0x7AF3_2F16;
/// Longest descriptive text that is accepted.
const MAX_TEXT: u32 = 1 << 16;

/// Why a network file was not read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The system could not open or read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder, a device or the like.
    #[error("not a regular file")]
    NotAFile,
    /// It ends too early.
    #[error("truncated: {found} bytes, at least {needed} needed")]
    Truncated {
        /// Length of the file.
        found: u64,
        /// Least length that the part that was read asks for.
        needed: u64,
    },
    /// It goes on too long.
    #[error("{extra} trailing bytes behind a {architecture} network")]
    Trailing {
        /// What the file holds.
        architecture: Architecture,
        /// Bytes too many.
        extra: u64,
    },
    /// It does not start as a network file.
    #[error("wrong version {found:08X}, expected {VERSION:08X}")]
    Version {
        /// The file's first word.
        found: u32,
    },
    /// The text of the header is longer than any sensible one.
    #[error("a header text of {length} bytes, at most {MAX_TEXT} are accepted")]
    TextTooLong {
        /// Its length as stated.
        length: u32,
    },
    /// The hash in front of the transformer belongs to no features and size that are known.
    #[error("unknown architecture (transformer hash {0:08X})")]
    UnknownTransformer(u32),
    /// The hash in front of the layers belongs to no sizes that are known.
    #[error(
        "unknown architecture (transformer hash {transformer:08X}, network hash {network:08X})"
    )]
    UnknownLayers {
        /// The transformer's hash.
        transformer: u32,
        /// The layers' hash.
        network: u32,
    },
    /// The header's hash is not that of the parts.
    #[error("wrong hash {found:08X} in the header, the parts' is {expected:08X}")]
    FileHash {
        /// Hash in the header.
        found: u32,
        /// Hash of transformer and layers.
        expected: u32,
    },
}

/// An affine layer as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affine {
    /// One for each output.
    pub bias: Vec<i32>,
    /// By output, then by input, the latter padded to a multiple of 32.
    pub weights: Vec<i8>,
}

impl Affine {
    fn all_zeroed(architecture: Architecture) -> [Self; 3] {
        architecture.affine_sizes().map(|(inputs, outputs)| Affine {
            bias: vec![0; outputs],
            weights: vec![0; outputs * padded(inputs)],
        })
    }
}

/// The parameters of a network as a file holds them.
pub struct NetworkFile {
    /// Features and sizes.
    pub architecture: Architecture,
    pub(super) transformer_bias: Aligned<i16>,
    pub(super) transformer_weights: Aligned<i16>,
    /// The affine layers, in order.
    pub layers: [Affine; 3],
}

impl NetworkFile {
    /// A network of zeros, for filling in.
    pub fn zeroed(architecture: Architecture) -> Self {
        let weights = architecture.features.inputs() * architecture.l1;
        Self {
            architecture,
            transformer_bias: Aligned::zeroed(architecture.l1),
            transformer_weights: Aligned::zeroed(weights),
            layers: Affine::all_zeroed(architecture),
        }
    }

    /// Biases and weights (by feature, then by neuron) of the transformer.
    pub fn transformer_mut(&mut self) -> (&mut [i16], &mut [i16]) {
        (&mut self.transformer_bias, &mut self.transformer_weights)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// See [`NetworkError`]; at most the stated architecture's size is read or allocated.
    pub fn open(path: &Path) -> Result<Self, NetworkError> {
        // Asked before opening, which would wait for somebody to write to a named pipe.
        if !path.metadata()?.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Self::read(BufReader::with_capacity(1 << 16, file), length)
    }

    /// Reads a network from a stream that holds `length` bytes.
    ///
    /// # Errors
    /// As [`NetworkFile::open`].
    pub fn read(input: impl Read, length: u64) -> Result<Self, NetworkError> {
        let mut source = Source { input, length, used: 0 };
        let version = source.word()?;
        if version != VERSION {
            return Err(NetworkError::Version { found: version });
        }
        let file_hash = source.word()?;
        source.skip_text()?;

        let transformer = source.word()?;
        let (features, l1) = Architecture::of_transformer(transformer)
            .ok_or(NetworkError::UnknownTransformer(transformer))?;
        source.need(Architecture { features, l1, l2: 1, l3: 1 }.transformer_bytes())?;
        let mut transformer_bias = Aligned::zeroed(l1);
        let mut transformer_weights = Aligned::zeroed(features.inputs() * l1);
        source.halves(&mut transformer_bias)?;
        source.halves(&mut transformer_weights)?;

        let network = source.word()?;
        // Of the sizes with this hash, the one that comes nearest to the file's length.
        let left = source.left();
        let architecture = Architecture::with_hashes(transformer, network)
            .min_by_key(|shape| left.abs_diff(shape.layers_bytes() - 4))
            .ok_or(NetworkError::UnknownLayers { transformer, network })?;
        if architecture.file_hash() != file_hash {
            let expected = architecture.file_hash();
            return Err(NetworkError::FileHash { found: file_hash, expected });
        }
        let layers_bytes = architecture.layers_bytes() - 4;
        source.need(layers_bytes)?;
        if left > layers_bytes {
            return Err(NetworkError::Trailing { architecture, extra: left - layers_bytes });
        }
        let mut layers = Affine::all_zeroed(architecture);
        for layer in &mut layers {
            for bias in &mut layer.bias {
                *bias = source.word()? as i32;
            }
            for weight in &mut layer.weights {
                *weight = source.array::<1>()?[0] as i8;
            }
        }
        Ok(Self { architecture, transformer_bias, transformer_weights, layers })
    }

    /// Writes the network, with a text that names its architecture.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&self, output: impl Write) -> io::Result<()> {
        let architecture = self.architecture;
        let text = architecture.to_string();
        let mut output = BufWriter::new(output);
        for word in [VERSION, architecture.file_hash(), text.len() as u32] {
            output.write_all(&word.to_le_bytes())?;
        }
        output.write_all(text.as_bytes())?;
        output.write_all(&architecture.transformer_hash().to_le_bytes())?;
        for half in self.transformer_bias.iter().chain(self.transformer_weights.iter()) {
            output.write_all(&half.to_le_bytes())?;
        }
        output.write_all(&architecture.network_hash().to_le_bytes())?;
        for layer in &self.layers {
            for bias in &layer.bias {
                output.write_all(&bias.to_le_bytes())?;
            }
            for weight in &layer.weights {
                output.write_all(&weight.to_le_bytes())?;
            }
        }
        output.flush()
    }
}

/// A stream of known length.
struct Source<R> {
    input: R,
    length: u64,
    used: u64,
}

impl<R: Read> Source<R> {
    fn left(&self) -> u64 {
        self.length.saturating_sub(self.used)
    }

    /// Makes sure that as many bytes follow.
    fn need(&self, bytes: u64) -> Result<(), NetworkError> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.length {
            return Err(NetworkError::Truncated { found: self.length, needed });
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
        self.need(bytes.len() as u64)?;
        self.input.read_exact(bytes)?;
        self.used += bytes.len() as u64;
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn skip_text(&mut self) -> Result<(), NetworkError> {
        let length = self.word()?;
        if length > MAX_TEXT {
            return Err(NetworkError::TextTooLong { length });
        }
        self.fill(&mut vec![0; length as usize])
    }

    fn halves(&mut self, halves: &mut Aligned<i16>) -> Result<(), NetworkError> {
        self.fill(bytemuck::cast_slice_mut(halves))?;
        if cfg!(target_endian = "big") {
            halves.iter_mut().for_each(|half| *half = i16::from_le(*half));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
