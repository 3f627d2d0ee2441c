//! Plain networks: the shape by size, hashes and text.

use super::header::Header;
use super::routing;
use super::source::{FirstLayer, Source};
use crate::network::architecture::{Architecture, FeatureSet};
use crate::network::detect::{self, PlainGuess, TextInfo};
use crate::network::error::{NetworkError, Unsupported};
use crate::network::file::NetworkFile;
use crate::network::reason::Reason;
use std::io::Read;

/// HalfKPE9 has the hash of HalfKP and nine times as many inputs.
const HALF_KPE9_INPUTS: u64 = 1_128_492;

impl<R: Read> Source<'_, R> {
    /// A plain network whose first layer is not compressed.
    pub(super) fn plain(mut self, mut header: Header<'_>) -> Result<NetworkFile, NetworkError> {
        let bytes = self.left();
        let ahead = self.peek(4)?;
        let Ok(word) = <[u8; 4]>::try_from(ahead) else {
            return Err(self.need(4).err().unwrap_or(NetworkError::NoBlock));
        };
        let hash = u32::from_le_bytes(word);
        let PlainGuess { architecture, hashed } = self.plain_shape(bytes, hash, &mut header)?;
        if hashed {
            self.word()?;
        }
        let bias = self.halves(architecture.l1)?;
        let weights = self.halves(architecture.features.inputs() * architecture.l1)?;
        let first = FirstLayer { features: architecture.features, bias, weights };
        let architecture = if hashed {
            self.checked_by_hash(architecture, hash, &mut header)?
        } else {
            architecture
        };
        self.plain_layers(architecture, first, header)
    }

    /// The shape of a plain network whose first layer is compressed and has been read; `hash`
    /// stands before it. `None` if what follows is no set of plain layers.
    pub(super) fn compressed_plain_shape(
        &mut self,
        hash: u32,
        first: &FirstLayer,
        header: &mut Header<'_>,
    ) -> Result<Option<Architecture>, NetworkError> {
        let shape = Architecture::plain(first.features, first.bias.len(), 1, 1);
        if hash != shape.transformer_hash() || header.text.sfnn {
            return Ok(None);
        }
        let hash_of_layers = self.peek(4)?.try_into().map_or(0, u32::from_le_bytes);
        let left = self.left().saturating_sub(4);
        let named = header.text.sizes.map(|(_, l2, l3)| (l2, l3));
        let best = detect::hidden_layers(shape, left).max_by_key(|shape| {
            (shape.network_hash() == hash_of_layers, named == Some((shape.l2, shape.l3)))
        });
        best.map(|guess| self.checked_by_hash(guess, hash, header)).transpose()
    }

    /// The layers after the first, with which a plain file ends.
    pub(super) fn plain_layers(
        mut self,
        architecture: Architecture,
        first: FirstLayer,
        mut header: Header<'_>,
    ) -> Result<NetworkFile, NetworkError> {
        if header.text.squares {
            // tatara's word for SCReLU.
            return Err(NetworkError::Unsupported(Unsupported::ScRelu));
        }
        let routing = routing::choose(architecture, false, &mut header)?;
        let stacks = vec![self.affine(architecture)?];
        debug_assert_eq!(self.left(), 0);
        let FirstLayer { bias, weights, .. } = first;
        let (psqt, progress, info) = (None, None, header.info);
        Ok(NetworkFile { architecture, routing, bias, weights, stacks, psqt, progress, info })
    }

    /// The plain shape that a file has by size, hash and text.
    fn plain_shape(
        &mut self,
        bytes: u64,
        hash: u32,
        header: &mut Header<'_>,
    ) -> Result<PlainGuess, NetworkError> {
        let (found, unique) = detect::plain(bytes, hash, &header.text);
        let by_hash = detect::with_transformer_hash(hash);
        if let Some((features, l1)) = by_hash {
            // The hash is there, so the first layer is known; only the hidden layers are open.
            let same = |guess: &&PlainGuess| {
                let Architecture { features: set, l1: width, .. } = guess.architecture;
                guess.hashed && (set, width) == (features, l1)
            };
            if let Some(guess) = found.iter().find(same) {
                header.because(Reason::FirstLayerHash { features, l1, hash });
                return Ok(*guess);
            }
            let nine = 2 * l1 as u64 * (1 + HALF_KPE9_INPUTS);
            if features == FeatureSet::HalfKP && (nine..nine + (4 << 20)).contains(&bytes) {
                return Err(NetworkError::Unsupported(Unsupported::HalfKpe9));
            }
            // A known hash of another size: only a text that names the shape outweighs it.
            if found.is_empty() || header.text.sizes.is_none() {
                return Err(self.size_error(features, l1, &header.text));
            }
        }
        match (found.first(), unique) {
            (Some(guess), true) => {
                let text = header.text.features.is_some() || header.text.sizes.is_some();
                header.because(Reason::FileSize { shape: guess.architecture, text });
                Ok(*guess)
            }
            (Some(_), false) => {
                let shapes = found.iter().take(4).map(|guess| guess.architecture);
                Err(NetworkError::Ambiguous(shapes.collect()))
            }
            (None, _) => {
                let text = header.info.text.chars().take(80).collect();
                Err(NetworkError::UnknownShape { bytes, hash, text })
            }
        }
    }

    /// What is wrong with a file whose first layer is known and whose size fits no shape.
    fn size_error(&mut self, features: FeatureSet, l1: usize, text: &TextInfo) -> NetworkError {
        let first = Architecture::plain(features, l1, 32, 32);
        let skipped = self.word().and_then(|_| self.skip(first.first_layer_bytes()));
        let hash = match skipped.and_then(|()| self.word()) {
            Ok(hash) => hash,
            Err(error) => return error,
        };
        let left = self.left();
        let nearest = self.nearest(first, hash, text).unwrap_or(first);
        match self.need(nearest.stack_bytes()) {
            Err(error) => error,
            Ok(()) => NetworkError::Trailing {
                architecture: nearest,
                extra: left - nearest.stack_bytes(),
            },
        }
    }

    /// Reads the hash before the affine layers, which tells shapes of one size apart.
    fn checked_by_hash(
        &mut self,
        guess: Architecture,
        first: u32,
        header: &mut Header<'_>,
    ) -> Result<Architecture, NetworkError> {
        let Header { text, info, .. } = header;
        let hash = self.word()?;
        let left = self.left();
        let same_size = || detect::hidden_layers(guess, left).filter(|s| s.network_hash() == hash);
        let plausible = |shape: &Architecture| detect::is_plausible(*shape, text);
        let mut accept = |shape: Architecture| {
            info.reasons.push(Reason::LayersHash { shape, hash });
            if first ^ hash != info.hash {
                let (found, expected) = (info.hash, first ^ hash);
                info.reasons.push(Reason::HeaderHash { found, expected });
            }
            Ok(shape)
        };
        if let Some(shape) = same_size().find(plausible) {
            return accept(shape);
        }
        // The hash is weak: prefer a likely shape of another size to an unlikely one.
        if let Some(shape) = self.nearest(guess, hash, text) {
            self.need(shape.stack_bytes())?;
            let extra = left - shape.stack_bytes();
            return Err(NetworkError::Trailing { architecture: shape, extra });
        }
        if let Some(shape) = same_size().next() {
            return accept(shape);
        }
        info.reasons.push(Reason::LayersSize { shape: guess, hash });
        Ok(guess)
    }

    /// Of the likely shapes with this hash before the affine layers, the one whose size is nearest
    /// to what is left.
    fn nearest(&self, first: Architecture, hash: u32, text: &TextInfo) -> Option<Architecture> {
        let left = self.left();
        detect::with_network_hash(first.features, first.l1, hash)
            .filter(|shape| detect::is_plausible(*shape, text))
            .min_by_key(|shape| left.abs_diff(shape.stack_bytes()))
    }
}
