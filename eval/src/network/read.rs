//! Reading network files.
//!
//! Every length and count is checked against the file's length before memory is reserved.

use super::architecture::{Architecture, Family, FeatureSet, MAX_INPUTS, padded};
use super::detect::{self, SfnnClues, TextInfo};
use super::file::{Affine, FileInfo, NetworkError, NetworkFile, Psqt};
use super::leb128;
use super::routing::{ProgressPart, ProgressWeights, Routing};
use monomi_memory::Aligned;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The usual version of the format.
pub(super) const VERSION: u32 = 0x7AF3_2F16;
/// "NN16": wider weights, an experiment.
const VERSION_NN16: u32 = 0x7AF3_2F17;
/// HalfKA networks and nine layer stacks of rshogi and others.
const VERSION_NINE: u32 = 0x7AF3_2F20;
/// As [`VERSION_NINE`], the number of stacks follows the text.
pub(super) const VERSION_STACKS: u32 = 0x7AF3_2F21;
/// Longest descriptive text that is accepted.
pub(super) const MAX_TEXT: u32 = 1 << 16;

/// Before the first layer of SFNN files.
pub(super) const SFNN_HASH: u32 = 0x5F13_4AB8;
/// Header of SFNN files.
pub(super) const SFNN_FILE_HASH: u32 = 0x3C20_3B32;
/// Before the weights of the progress.
pub(super) const PROGRESS_HASH: u32 = 0x6F50_524F;
/// Before each layer stack.
pub(super) const STACK_HASH: u32 = 0x6333_718A;

/// Most layer stacks of rshogi's files.
const MAX_STATED_STACKS: u32 = 16;
/// HalfKPE9 has the hash of HalfKP and nine times as many inputs.
const HALF_KPE9_INPUTS: u64 = 1_128_492;
/// Name of the file with the weights of the progress.
const PROGRESS_FILE: &str = "progress.bin";

/// What a file may not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How the layer stack is chosen, or parts of it; `None` leaves it to the file.
    pub routing: Option<Routing>,
    /// Where `progress.bin` is.
    pub folder: Option<PathBuf>,
}

impl NetworkFile {
    /// Reads a file.
    ///
    /// # Errors
    /// See [`NetworkError`]; no more memory is used than the file's length requires.
    pub fn open(path: &Path) -> Result<Self, NetworkError> {
        Self::open_with(path, None, &mut |_, _| ())
    }

    /// Reads a file whose stacks are chosen by `routing`, or as the file says. `progress` is told
    /// from time to time how many bytes of how many have been read.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn open_with(
        path: &Path,
        routing: Option<Routing>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, NetworkError> {
        // Checked before opening, because opening a named pipe would wait for a writer.
        if !path.metadata()?.is_file() {
            return Err(NetworkError::NotAFile);
        }
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        let folder = Some(path.parent().unwrap_or(Path::new("")).to_owned());
        let options = ReadOptions { routing, folder };
        let input = BufReader::with_capacity(1 << 16, file);
        Source { input, length, used: 0, pending: Vec::new(), progress }.network(&options)
    }

    /// Reads a network from a stream that holds `length` bytes.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn read(input: impl Read, length: u64) -> Result<Self, NetworkError> {
        Self::read_with(input, length, &ReadOptions::default())
    }

    /// Reads a network from a stream that holds `length` bytes.
    ///
    /// # Errors
    /// See [`NetworkFile::open`].
    pub fn read_with(
        input: impl Read,
        length: u64,
        options: &ReadOptions,
    ) -> Result<Self, NetworkError> {
        let progress = &mut |_, _| ();
        Source { input, length, used: 0, pending: Vec::new(), progress }.network(options)
    }
}

/// Bytes that are read between two reports of progress.
const CHUNK: usize = 4 << 20;

/// A stream of known length.
struct Source<'a, R> {
    input: R,
    length: u64,
    /// Bytes taken, without those in `pending`.
    used: u64,
    /// Bytes read ahead, to be taken first.
    pending: Vec<u8>,
    progress: &'a mut dyn FnMut(u64, u64),
}

impl<R: Read> Source<'_, R> {
    fn left(&self) -> u64 {
        self.length.saturating_sub(self.used)
    }

    /// Makes sure that this many bytes follow.
    fn need(&self, bytes: u64) -> Result<(), NetworkError> {
        let needed = self.used.saturating_add(bytes);
        if needed > self.length {
            return Err(NetworkError::Truncated { found: self.length, needed });
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), NetworkError> {
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
    fn peek(&mut self, bytes: usize) -> Result<&[u8], NetworkError> {
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

    fn vec(&mut self, bytes: u64) -> Result<Vec<u8>, NetworkError> {
        self.need(bytes)?;
        let out_of_memory = |_| NetworkError::Memory { bytes };
        let mut all = Vec::new();
        all.try_reserve_exact(bytes as usize).map_err(out_of_memory)?;
        all.resize(bytes as usize, 0);
        self.fill(&mut all)?;
        Ok(all)
    }

    fn skip(&mut self, bytes: u64) -> Result<(), NetworkError> {
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

    fn word(&mut self) -> Result<u32, NetworkError> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn words(&mut self, count: usize) -> Result<Vec<i32>, NetworkError> {
        let bytes = self.vec(4 * count as u64)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|word| i32::from_le_bytes(*word)).collect())
    }

    /// Numbers of a first layer, not compressed.
    fn halves(&mut self, count: usize) -> Result<Aligned<i16>, NetworkError> {
        let bytes = 2 * count as u64;
        self.need(bytes)?;
        let mut halves = Aligned::try_zeroed(count).ok_or(NetworkError::Memory { bytes })?;
        self.fill(bytemuck::cast_slice_mut(&mut halves))?;
        if cfg!(target_endian = "big") {
            halves.iter_mut().for_each(|half: &mut i16| *half = i16::from_le(*half));
        }
        Ok(halves)
    }

    fn affine(&mut self, shape: Architecture) -> Result<[Affine; 3], NetworkError> {
        self.need(shape.stack_bytes())?;
        let mut layers = shape.affine_sizes().map(|_| Affine { bias: vec![], weights: vec![] });
        for (layer, (inputs, outputs)) in layers.iter_mut().zip(shape.affine_sizes()) {
            layer.bias = self.words(outputs)?;
            let weights = self.vec((outputs * padded(inputs)) as u64)?;
            layer.weights = weights.into_iter().map(|byte| byte as i8).collect();
        }
        Ok(layers)
    }

    fn network(mut self, options: &ReadOptions) -> Result<NetworkFile, NetworkError> {
        let version = self.word()?;
        match version {
            VERSION | VERSION_NINE | VERSION_STACKS => {}
            VERSION_NN16 => return Err(NetworkError::Unsupported("NN16 (version 7AF32F17)")),
            found => return Err(NetworkError::Version { found }),
        }
        let hash = self.word()?;
        let length = self.word()?;
        if length > MAX_TEXT {
            return Err(NetworkError::TextTooLong { length });
        }
        let text = String::from_utf8_lossy(&self.vec(length.into())?).into_owned();
        let known = TextInfo::read(&text);
        if let Some(what) = known.unsupported {
            return Err(NetworkError::Unsupported(what));
        }
        let mut info = FileInfo { version, hash, text, ..FileInfo::default() };
        info.stated_fv_scale = known.fv_scale;
        let mut stacks = known.stacks.filter(|_| known.sfnn);
        if version == VERSION_STACKS {
            let stated = self.word()?;
            if !(1..=MAX_STATED_STACKS).contains(&stated) {
                return Err(NetworkError::Ambiguous(format!(
                    "damaged: {stated} layer stacks stated, 1 to {MAX_STATED_STACKS} expected"
                )));
            }
            stacks = Some(stated as usize);
        }
        let start = self.find_block()?;
        match start {
            None => self.plain(&known, info),
            Some(before) => {
                info.compressed = true;
                let skipped = self.vec(before as u64)?;
                let hash = skipped
                    .rchunks_exact(4)
                    .next()
                    .map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
                if version == VERSION_NINE && stacks.is_none() {
                    stacks = Some(9);
                }
                self.compressed(&known, info, stacks, hash, options)
            }
        }
    }

    /// Bytes before the first compressed block: a hash, perhaps another word, perhaps a stray `_`.
    fn find_block(&mut self) -> Result<Option<usize>, NetworkError> {
        let ahead = self.peek(32)?;
        let starts =
            |&before: &usize| ahead.get(before..).is_some_and(|b| b.starts_with(leb128::MAGIC));
        Ok([4, 0, 8, 5, 1, 9].into_iter().find(starts))
    }

    fn plain(mut self, text: &TextInfo, mut info: FileInfo) -> Result<NetworkFile, NetworkError> {
        let bytes = self.left();
        let ahead = self.peek(4)?;
        let Ok(word) = <[u8; 4]>::try_from(ahead) else {
            return Err(self.need(4).err().unwrap_or(NetworkError::NoBlock));
        };
        let hash = u32::from_le_bytes(word);
        let shape = self.plain_shape(bytes, hash, text, &mut info)?;
        let (architecture, hashed) = (shape.architecture, shape.hashed);
        if hashed {
            self.word()?;
        }
        let bias = self.halves(architecture.l1)?;
        let weights = self.halves(architecture.features.inputs() * architecture.l1)?;
        let architecture = if hashed {
            self.checked_by_hash(architecture, hash, text, &mut info)?
        } else {
            architecture
        };
        let stacks = vec![self.affine(architecture)?];
        debug_assert_eq!(self.left(), 0);
        Ok(NetworkFile {
            architecture,
            routing: Routing::default(),
            bias,
            weights,
            stacks,
            psqt: None,
            progress: None,
            info,
        })
    }

    /// The plain shape that a file has by size, hash and text.
    fn plain_shape(
        &mut self,
        bytes: u64,
        hash: u32,
        text: &TextInfo,
        info: &mut FileInfo,
    ) -> Result<detect::PlainGuess, NetworkError> {
        let (found, unique) = detect::plain(bytes, hash, text);
        let by_hash = detect::with_transformer_hash(hash);
        if let Some((features, l1)) = by_hash {
            // The hash is there, so the first layer is known; only the hidden layers are open.
            let same = |guess: &&detect::PlainGuess| {
                let Architecture { features: set, l1: width, .. } = guess.architecture;
                guess.hashed && (set, width) == (features, l1)
            };
            if let Some(guess) = found.iter().find(same) {
                info.reasons.push(format!(
                    "{} with L1 = {l1}: hash {hash:08X} before the first layer",
                    features.name()
                ));
                return Ok(*guess);
            }
            let nine = 2 * l1 as u64 * (1 + HALF_KPE9_INPUTS);
            if features == FeatureSet::HalfKP && (nine..nine + (4 << 20)).contains(&bytes) {
                return Err(NetworkError::Unsupported("HalfKPE9 features"));
            }
            // A known hash of another size: only a text that names the shape outweighs it.
            if found.is_empty() || text.sizes.is_none() {
                return Err(self.size_error(features, l1, text));
            }
        }
        match (found.first(), unique) {
            (Some(guess), true) => {
                let by = if text.features.is_some() || text.sizes.is_some() {
                    "size and header text"
                } else {
                    "size"
                };
                info.reasons.push(format!("{}: {by} of the file", guess.architecture));
                Ok(*guess)
            }
            (Some(_), false) => {
                let names = found.iter().take(4).map(|guess| guess.architecture.to_string());
                Err(NetworkError::Ambiguous(names.collect::<Vec<_>>().join(" or ")))
            }
            (None, _) => {
                let text = info.text.chars().take(80).collect();
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
        text: &TextInfo,
        info: &mut FileInfo,
    ) -> Result<Architecture, NetworkError> {
        let hash = self.word()?;
        let left = self.left();
        let same_size = || detect::hidden_layers(guess, left).filter(|s| s.network_hash() == hash);
        let plausible = |shape: &Architecture| detect::is_plausible(*shape, text);
        let mut accept = |shape: Architecture| {
            let Architecture { l2, l3, .. } = shape;
            info.reasons.push(format!("{l2}-{l3}: size, and hash {hash:08X} before the layers"));
            if first ^ hash != info.hash {
                let expected = first ^ hash;
                info.reasons.push(format!(
                    "hash {:08X} in the header, {expected:08X} expected (ignored)",
                    info.hash
                ));
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
        let Architecture { l2, l3, .. } = guess;
        info.reasons.push(format!(
            "{l2}-{l3}: size; hash {hash:08X} before the layers is unknown (ignored)"
        ));
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

    /// A LEB128 block, without its start.
    fn block(&mut self) -> Result<Vec<u8>, NetworkError> {
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

    /// Biases and weights of a compressed first layer, with features and L1.
    fn first_layer(
        &mut self,
        text: &TextInfo,
    ) -> Result<(FeatureSet, Aligned<i16>, Aligned<i16>), NetworkError> {
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
            return Ok((features, bias, decoded(&second)?));
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
        Ok((features, bias.iter().copied().collect(), weights.iter().copied().collect()))
    }

    fn compressed(
        mut self,
        text: &TextInfo,
        mut info: FileInfo,
        stacks: Option<usize>,
        hash: u32,
        options: &ReadOptions,
    ) -> Result<NetworkFile, NetworkError> {
        let (features, bias, weights) = self.first_layer(text)?;
        let l1 = bias.len();
        info.reasons.push(format!(
            "{} with L1 = {l1}: {} biases and {} weights",
            features.name(),
            bias.len(),
            weights.len()
        ));
        if hash == Architecture::plain(features, l1, 1, 1).transformer_hash() && !text.sfnn {
            let hash_of_layers = self.peek(4)?.try_into().map_or(0, u32::from_le_bytes);
            let left = self.left().saturating_sub(4);
            let named = text.sizes.map(|(_, l2, l3)| (l2, l3));
            let fits: Vec<_> =
                detect::hidden_layers(Architecture::plain(features, l1, 1, 1), left).collect();
            let best = fits.iter().max_by_key(|shape| {
                (shape.network_hash() == hash_of_layers, named == Some((shape.l2, shape.l3)))
            });
            if let Some(&guess) = best {
                let architecture = self.checked_by_hash(guess, hash, text, &mut info)?;
                let stacks = vec![self.affine(architecture)?];
                let routing = Routing::default();
                let (psqt, progress) = (None, None);
                return Ok(NetworkFile {
                    architecture,
                    routing,
                    bias,
                    weights,
                    stacks,
                    psqt,
                    progress,
                    info,
                });
            }
        }
        let mut psqt = None;
        if text.psqt {
            let stacks = stacks.unwrap_or(9);
            let bias = self.words(stacks)?;
            psqt = Some(Psqt { bias, weights: self.words(stacks * features.inputs())? });
        }
        let mut progress = None;
        if self.peek(4)? == PROGRESS_HASH.to_le_bytes() {
            self.word()?;
            let bias = self.word()? as i32;
            progress = Some(ProgressWeights { bias, weights: self.words(ProgressWeights::COUNT)? });
            info.reasons.push("weights of the progress: their hash after the first layer".into());
        }
        let tail = self.vec(self.left())?;
        let hash_every = |bytes: u64| {
            tail.chunks(bytes as usize).all(|stack| stack.starts_with(&STACK_HASH.to_le_bytes()))
        };
        let clues = SfnnClues {
            features,
            l1,
            psqt: psqt.is_some(),
            bytes: tail.len() as u64,
            stacks,
            counts_skip: info.version != VERSION,
            text,
            hash_every: &hash_every,
        };
        let (found, equal) = detect::sfnn(&clues);
        let &architecture = found.first().ok_or(NetworkError::UnknownStacks {
            bytes: tail.len() as u64,
            features: features.name(),
            l1,
        })?;
        if equal > 1 {
            let names = found.iter().take(equal.min(4)).map(ToString::to_string);
            return Err(NetworkError::Ambiguous(names.collect::<Vec<_>>().join(" or ")));
        }
        architecture.check()?;
        let stated = text.sizes.is_some_and(|(_, _, l3)| l3 == architecture.l3);
        info.reasons.push(format!(
            "{}-{} and {} stack(s): {}",
            architecture.l2,
            architecture.l3,
            architecture.stacks(),
            if stated { "header text and size" } else { "size and the stacks' hashes" }
        ));
        let routing = routing(architecture, progress.is_some(), text, options, &mut info)?;
        if routing.needs_progress_file() {
            progress = Some(read_progress_file(routing, options)?);
        }
        let count = architecture.stacks();
        let mut rest = Source {
            input: tail.as_slice(),
            length: tail.len() as u64,
            used: 0,
            pending: Vec::new(),
            progress: &mut |_, _| (),
        };
        let mut stacks = Vec::with_capacity(count);
        for _ in 0..count {
            rest.word()?;
            let mut layers = rest.affine(architecture)?;
            if let Some(shards) = text.shards {
                clear_outside_shards(architecture, &mut layers[0], shards);
            }
            stacks.push(layers);
        }
        if let Some((common, size, count)) = text.shards {
            info.reasons.push(format!("c{common}_s{size}x{count}: header text"));
        }
        Ok(NetworkFile { architecture, routing, bias, weights, stacks, psqt, progress, info })
    }
}

/// How the stack is chosen: as asked for, else as the text says, else by a rule.
fn routing(
    shape: Architecture,
    progress: bool,
    text: &TextInfo,
    options: &ReadOptions,
    info: &mut FileInfo,
) -> Result<Routing, NetworkError> {
    let Family::Sfnn { stacks, .. } = shape.family else { return Ok(Routing::default()) };
    let mut decide = |routing: Routing, why: &str| {
        info.reasons.push(format!("routing {routing}: {why}"));
        Ok(routing)
    };
    let candidates = |wanted| Routing::candidates(stacks, progress, wanted);
    if let Some(wanted) = options.routing {
        return match candidates(wanted)[..] {
            [] => Err(NetworkError::WrongRouting { routing: wanted, stacks, progress }),
            ref found if found.contains(&wanted) => decide(wanted, "option EvalRouting"),
            [routing] => decide(routing, "option EvalRouting and number of stacks"),
            ref several => Err(NetworkError::UnknownRouting { stacks, choices: names(several) }),
        };
    }
    let stated = text.routing;
    if stated != Routing::default() && candidates(stated).contains(&stated) {
        return decide(stated, "header text");
    }
    let beside = options.folder.as_ref().map(|folder| folder.join(PROGRESS_FILE));
    if stacks == 9 && beside.is_some_and(|path| path.is_file()) {
        let routing = Routing { progress: Some(ProgressPart::Absolute), ..Routing::default() };
        return decide(routing, "nine stacks and a file progress.bin in the same folder");
    }
    match candidates(Routing::default())[..] {
        [routing] => decide(routing, "the only one with this number of stacks"),
        [] => Err(NetworkError::UnknownRouting { stacks, choices: "none is known".into() }),
        ref several => Err(NetworkError::UnknownRouting { stacks, choices: names(several) }),
    }
}

fn names(routings: &[Routing]) -> String {
    routings.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn read_progress_file(
    routing: Routing,
    options: &ReadOptions,
) -> Result<ProgressWeights, NetworkError> {
    let failed = |reason: String| NetworkError::ProgressFile { routing, reason };
    let folder = options.folder.as_ref().ok_or_else(|| failed("no folder is known".into()))?;
    let path = folder.join(PROGRESS_FILE);
    let metadata = path.metadata().map_err(|error| failed(error.to_string()))?;
    if !metadata.is_file() || metadata.len() != ProgressWeights::FILE_BYTES {
        let expected = ProgressWeights::FILE_BYTES;
        return Err(failed(format!("{} bytes, expected {expected}", metadata.len())));
    }
    let bytes = std::fs::read(&path).map_err(|error| failed(error.to_string()))?;
    ProgressWeights::from_file(&bytes).ok_or_else(|| failed("a weight is not finite".into()))
}

/// With shards, each group of outputs uses the common inputs and its own part of the others.
fn clear_outside_shards(
    shape: Architecture,
    layer: &mut Affine,
    (common, size, count): (usize, usize, usize),
) {
    let (inputs, outputs) = shape.affine_sizes()[0];
    let group_size = outputs.checked_div(count).unwrap_or(0).max(1);
    for (output, row) in layer.weights.chunks_exact_mut(padded(inputs)).enumerate() {
        let start = common.saturating_add(output / group_size * size);
        let end = start.saturating_add(size);
        for (input, weight) in row.iter_mut().enumerate().skip(common) {
            if input < start || input >= end {
                *weight = 0;
            }
        }
    }
}
