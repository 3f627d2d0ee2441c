//! Network files (`nn.bin`) as they are stored: contents and writing. `read.rs` reads them.

use super::affine::Affine;
use super::architecture::Architecture;
use super::format::{
    PROGRESS_HASH, SFNN_FILE_HASH, SFNN_HASH, STACK_HASH, VERSION, VERSION_STACKS,
};
use super::leb128;
use super::reason::Reason;
use super::routing::{KingPart, ProgressWeights, Routing};
use crate::score::DEFAULT_WIN_SCALE;
use monomi_support::memory::Aligned;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroU16;

/// The usual divisor of a network's output.
pub const DEFAULT_FV_SCALE: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// The usual divisor of the output of SFNN networks.
const SFNN_FV_SCALE: NonZeroU16 = NonZeroU16::new(28).unwrap();

/// The piece-square term of some SFNN networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Psqt {
    /// One for each stack.
    pub bias: Vec<i32>,
    /// By input, then by stack.
    pub weights: Vec<i32>,
}

/// The parameters of a network as a file holds them.
pub struct NetworkFile {
    /// Features, family and sizes.
    pub architecture: Architecture,
    /// How the layer stack is chosen.
    pub routing: Routing,
    pub(super) bias: Aligned<i16>,
    pub(super) weights: Aligned<i16>,
    /// The affine layers of each stack, in order; one for plain networks.
    pub stacks: Vec<[Affine; 3]>,
    /// The piece-square term.
    pub psqt: Option<Psqt>,
    /// Weights of the progress, if the routing needs them.
    pub progress: Option<ProgressWeights>,
    /// What the file itself says, and why it was classified as it is.
    pub info: FileInfo,
}

/// Without the parameters.
impl std::fmt::Debug for NetworkFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { architecture, routing, info, .. } = self;
        let mut shown = f.debug_struct("NetworkFile");
        shown.field("architecture", architecture).field("routing", routing).field("info", info);
        shown.finish_non_exhaustive()
    }
}

/// What a file says besides its parameters.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FileInfo {
    /// Version of the format.
    pub version: u32,
    /// The header's hash.
    pub hash: u32,
    /// The header's text, with replacement characters for bytes that are no UTF-8.
    pub text: String,
    /// The divisor that the text states (`fv_scale=N`).
    pub stated_fv_scale: Option<NonZeroU16>,
    /// The scale of the winning probability that the text states (`win_scale=N`), in centipawns.
    pub stated_win_scale: Option<NonZeroU16>,
    /// Whether the first layer is compressed.
    pub compressed: bool,
    /// Why the shape and the routing are what they are.
    pub reasons: Vec<Reason>,
}

/// How to write a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WriteOptions {
    /// The header's text; by default one that names the shape.
    pub text: Option<String>,
    /// Write the two hashes of a plain network. SFNN files always have theirs.
    pub hashes: bool,
    /// Compress the first layer. SFNN files always do.
    pub compressed: bool,
}

impl WriteOptions {
    /// With the header's text.
    #[must_use]
    pub fn with_text(self, text: impl Into<Option<String>>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// With the two hashes of a plain network, or without.
    #[must_use]
    pub fn with_hashes(self, hashes: bool) -> Self {
        Self { hashes, ..self }
    }

    /// With a compressed first layer, or not.
    #[must_use]
    pub fn with_compressed(self, compressed: bool) -> Self {
        Self { compressed, ..self }
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { text: None, hashes: true, compressed: false }
    }
}

impl NetworkFile {
    /// A network of zeros to be filled in; nine stacks are routed by `k3k3`.
    pub fn zeroed(architecture: Architecture) -> Self {
        let weights = architecture.features.inputs() * architecture.l1;
        let stacks = architecture.stacks();
        let nine = Routing::by_kings(KingPart::K3);
        let psqt = architecture.has_psqt().then(|| Psqt {
            bias: vec![0; stacks],
            weights: vec![0; stacks * architecture.features.inputs()],
        });
        Self {
            architecture,
            routing: if stacks == nine.stacks() { nine } else { Routing::default() },
            bias: Aligned::zeroed(architecture.l1),
            weights: Aligned::zeroed(weights),
            stacks: vec![Affine::all_zeroed(architecture); stacks],
            psqt,
            progress: None,
            info: FileInfo::default(),
        }
    }

    /// Biases and weights (by input, then by neuron) of the first layer.
    pub fn transformer_mut(&mut self) -> (&mut [i16], &mut [i16]) {
        (&mut self.bias, &mut self.weights)
    }

    /// The divisor from the output to the score: what the text states, else 28 for SFNN networks
    /// and 16 for plain ones.
    pub fn fv_scale(&self) -> NonZeroU16 {
        let usual = if self.architecture.is_plain() { DEFAULT_FV_SCALE } else { SFNN_FV_SCALE };
        self.info.stated_fv_scale.unwrap_or(usual)
    }

    /// The scale of the winning probability in centipawns: what the text states, else 600.
    pub fn win_scale(&self) -> NonZeroU16 {
        self.info.stated_win_scale.unwrap_or(DEFAULT_WIN_SCALE)
    }

    /// The text that names the shape, from which it is recognised again; for SFNN networks with the
    /// stated FV_SCALE.
    fn usual_text(&self) -> String {
        let Architecture { features, l1, l2, l3, .. } = self.architecture;
        if self.architecture.is_plain() {
            return self.architecture.to_string();
        }
        let name = features.name().to_lowercase().replace(['_', '+'], "");
        // The text of stacks with PSQT counts the skip connection.
        let (l2, psqt) = match self.psqt {
            Some(_) => (self.architecture.first_outputs(), format!(",PSQT={}", self.stacks.len())),
            None => (l2, String::new()),
        };
        let routing = match self.routing {
            none if none == Routing::default() => String::new(),
            routing => format!("_{routing}"),
        };
        let scale = self.info.stated_fv_scale.map(|scale| format!(",fv_scale={scale}"));
        let scale = scale.unwrap_or_default();
        format!("SFNN_{name}_{l1}_{l2}_{l3}{routing}{psqt}{scale}")
    }

    /// Writes the network with a text that names its architecture.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn write(&self, output: impl Write) -> io::Result<()> {
        self.write_with(output, &WriteOptions::default())
    }

    /// Writes the network.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn write_with(&self, output: impl Write, options: &WriteOptions) -> io::Result<()> {
        let shape = self.architecture;
        let plain = shape.is_plain();
        let text = options.text.clone().unwrap_or_else(|| self.usual_text());
        let stored_progress =
            self.progress.as_ref().filter(|_| !self.routing.needs_progress_file());
        let version = if self.psqt.is_some() { VERSION_STACKS } else { VERSION };
        let hash = match stored_progress {
            _ if plain => shape.file_hash(),
            Some(_) => SFNN_FILE_HASH ^ PROGRESS_HASH,
            None => SFNN_FILE_HASH,
        };
        let mut output = BufWriter::with_capacity(1 << 16, output);
        let word = |word: u32, output: &mut BufWriter<_>| output.write_all(&word.to_le_bytes());
        for header in [version, hash, text.len() as u32] {
            word(header, &mut output)?;
        }
        output.write_all(text.as_bytes())?;
        if self.psqt.is_some() {
            word(self.stacks.len() as u32, &mut output)?;
        }
        if options.hashes || !plain {
            word(if plain { shape.transformer_hash() } else { SFNN_HASH }, &mut output)?;
        }
        for numbers in [&self.bias, &self.weights] {
            if options.compressed || !plain {
                let mut block = Vec::with_capacity(numbers.len() * 5 / 4);
                leb128::encode(numbers, &mut block);
                output.write_all(&block)?;
            } else {
                for number in numbers.iter() {
                    output.write_all(&number.to_le_bytes())?;
                }
            }
        }
        if let Some(psqt) = &self.psqt {
            for number in psqt.bias.iter().chain(&psqt.weights) {
                output.write_all(&number.to_le_bytes())?;
            }
        }
        if let Some(progress) = stored_progress {
            word(PROGRESS_HASH, &mut output)?;
            for number in std::iter::once(&progress.bias).chain(&progress.weights) {
                output.write_all(&number.to_le_bytes())?;
            }
        }
        for layers in &self.stacks {
            if options.hashes || !plain {
                word(if plain { shape.network_hash() } else { STACK_HASH }, &mut output)?;
            }
            for layer in layers {
                for bias in &layer.bias {
                    output.write_all(&bias.to_le_bytes())?;
                }
                output.write_all(bytemuck::cast_slice(&layer.weights))?;
            }
        }
        output.flush()
    }
}

#[cfg(test)]
mod tests;
