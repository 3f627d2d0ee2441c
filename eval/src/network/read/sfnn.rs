//! Networks with a compressed first layer: most are SFNN networks with layer stacks.

use super::header::Header;
use super::routing;
use super::source::{FirstLayer, Source};
use crate::network::affine::Affine;
use crate::network::architecture::{Architecture, FeatureSet, MAX_INPUTS};
use crate::network::detect::{self, SfnnClues, TextInfo};
use crate::network::error::{NetworkError, Unsupported};
use crate::network::file::{NetworkFile, Psqt};
use crate::network::format::{MAX_STATED_STACKS, PROGRESS_HASH, STACK_HASH, VERSION};
use crate::network::leb128;
use crate::network::reason::Reason;
use crate::network::routing::{ProgressWeights, Routing};
use monomi_support::memory::Aligned;
use std::io::Read;

impl<R: Read> Source<'_, R> {
    /// Reads everything after the header and the `hash` before the first layer.
    pub(super) fn compressed(
        mut self,
        mut header: Header<'_>,
        hash: u32,
    ) -> Result<NetworkFile, NetworkError> {
        let first = self.first_layer(&header.text)?;
        let (features, l1) = (first.features, first.bias.len());
        header.because(Reason::FirstLayerSize { features, l1, weights: first.weights.len() });
        if let Some(shape) = self.compressed_plain_shape(hash, &first, &mut header)? {
            return self.plain_layers(shape, first, header);
        }
        let psqt = self.psqt(features, &header)?;
        let mut progress = None;
        if self.peek(4)? == PROGRESS_HASH.to_le_bytes() {
            self.word()?;
            let bias = self.word()? as i32;
            progress = Some(ProgressWeights { bias, weights: self.words(ProgressWeights::COUNT)? });
            header.because(Reason::ProgressHash);
        }
        let tail = self.vec(self.left())?;
        let architecture =
            stacked_shape(&first, psqt.is_some(), progress.is_some(), &tail, &mut header)?;
        let routing = routing::choose(architecture, progress.is_some(), &mut header)?;
        if routing.needs_progress_file() {
            progress = Some(routing::read_progress_file(routing, header.options)?);
        }
        let stacks = read_stacks(architecture, &tail, &mut header)?;
        let FirstLayer { bias, weights, .. } = first;
        let info = header.info;
        Ok(NetworkFile { architecture, routing, bias, weights, stacks, psqt, progress, info })
    }

    fn psqt(
        &mut self,
        features: FeatureSet,
        header: &Header<'_>,
    ) -> Result<Option<Psqt>, NetworkError> {
        if !header.text.psqt {
            return Ok(None);
        }
        let stacks = header.stacks.unwrap_or(9);
        if stacks > MAX_STATED_STACKS as usize {
            return Err(NetworkError::Unsupported(Unsupported::LargePsqt));
        }
        // Checked together first: the text may state any number of stacks.
        self.need(4 * (stacks as u64).saturating_mul(1 + features.inputs() as u64))?;
        let bias = self.words(stacks)?;
        Ok(Some(Psqt { bias, weights: self.words(stacks * features.inputs())? }))
    }

    /// Biases and weights of a compressed first layer, with features and L1.
    fn first_layer(&mut self, text: &TextInfo) -> Result<FirstLayer, NetworkError> {
        let decoded = |block: &[u8]| {
            let count = leb128::count(block);
            let bytes = 2 * count as u64;
            let mut numbers = Aligned::try_zeroed(count).ok_or(NetworkError::Memory { bytes })?;
            leb128::decode(block, &mut numbers)?;
            Ok::<_, NetworkError>(numbers)
        };
        let first = self.block()?;
        let biases = leb128::count(&first);
        if biases <= MAX_INPUTS {
            let bias = decoded(&first)?;
            let second = self.block()?;
            let weights = leb128::count(&second);
            let features = weights.checked_div(biases).filter(|inputs| inputs * biases == weights);
            let features = features.and_then(FeatureSet::with_inputs);
            let features = features.ok_or(NetworkError::UnknownCounts { biases, weights })?;
            return Ok(FirstLayer { features, bias, weights: decoded(&second)? });
        }
        // One block for both.
        let wide = |features: &FeatureSet| {
            let l1 = biases / (1 + features.inputs());
            let fits =
                l1 * (1 + features.inputs()) == biases && l1.is_multiple_of(32) && l1 <= MAX_INPUTS;
            fits && text.features.is_none_or(|stated| stated == *features)
        };
        let features = FeatureSet::ALL.into_iter().find(wide);
        let features = features.ok_or(NetworkError::UnknownCounts { biases, weights: 0 })?;
        let both: Aligned<i16> = decoded(&first)?;
        let (bias, weights) = both.split_at(biases / (1 + features.inputs()));
        let copy = |part: &[i16]| part.iter().copied().collect();
        Ok(FirstLayer { features, bias: copy(bias), weights: copy(weights) })
    }
}

/// Sizes and number of the layer stacks in `tail`, which ends the file.
fn stacked_shape(
    first: &FirstLayer,
    psqt: bool,
    progress: bool,
    tail: &[u8],
    header: &mut Header<'_>,
) -> Result<Architecture, NetworkError> {
    let hash_every = |bytes: u64| {
        tail.chunks(bytes as usize).all(|stack| stack.starts_with(&STACK_HASH.to_le_bytes()))
    };
    let mut text = header.text.clone();
    if header.options.routing.is_some() {
        // The caller's routing overrides the text.
        text.routing = Routing::default();
    }
    let (features, l1, bytes) = (first.features, first.bias.len(), tail.len() as u64);
    let find = |stacks, text: &TextInfo| {
        let counts_skip = header.info.version != VERSION;
        let hash_every = &hash_every;
        detect::sfnn(&SfnnClues {
            features,
            l1,
            psqt,
            bytes,
            stacks,
            counts_skip,
            text,
            hash_every,
        })
    };
    let (found, equal) = find(header.stacks, &text);
    let Some(&architecture) = found.first() else {
        // Would there be a shape if nothing were stated about the stacks?
        let silent = TextInfo { routing: Routing::default(), stacks: None, ..text.clone() };
        let Some(other) = find(None, &silent).0.first().map(|shape| shape.stacks()) else {
            return Err(NetworkError::UnknownStacks { bytes, features: features.name(), l1 });
        };
        return Err(match header.stacks {
            Some(stated) if stated != other => NetworkError::WrongStacks { stated, found: other },
            _ => {
                let routing = text.routing;
                NetworkError::WrongTextRouting { routing, stacks: other, progress }
            }
        });
    };
    if equal > 1 {
        return Err(NetworkError::Ambiguous(found[..equal.min(4)].to_vec()));
    }
    architecture.check()?;
    let stated = text.sizes.is_some_and(|(_, _, l3)| l3 == architecture.l3);
    header.because(Reason::Stacks { shape: architecture, text: stated });
    Ok(architecture)
}

fn read_stacks(
    architecture: Architecture,
    tail: &[u8],
    header: &mut Header<'_>,
) -> Result<Vec<[Affine; 3]>, NetworkError> {
    let shards = header.text.shards;
    if let Some(shards) = shards {
        if !shards.fit(architecture) {
            return Err(NetworkError::WrongShards { shards: shards.to_string(), architecture });
        }
        header.because(Reason::Shards(shards));
    }
    let mut ignored = |_, _| ();
    let mut rest = Source::new(tail, tail.len() as u64, &mut ignored);
    let read = |_| {
        rest.word()?;
        let mut layers = rest.affine(architecture)?;
        if let Some(shards) = shards {
            shards.clear_outside(architecture, &mut layers[0]);
        }
        Ok(layers)
    };
    (0..architecture.stacks()).map(read).collect()
}
