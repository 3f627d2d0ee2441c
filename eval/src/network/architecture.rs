//! The shapes of networks, and how a file's hashes tell them.
//!
//! A network of this family is `features -> L1 (one accumulator for each side) -> L2 -> L3 -> 1`,
//! with clipped ReLU between the layers. Its file holds three hashes, built from the features and
//! the sizes; the descriptive text of the header is not to be trusted and not looked at.

/// Number of piece indices "P" of one side's view: hands and board, promoted small pieces counted
/// as golds, kings not counted.
pub(crate) const PIECE_INPUTS: usize = 1548;

/// Largest accumulator that is accepted.
pub(crate) const MAX_L1: usize = 4096;
/// Largest hidden layer that is accepted.
pub(crate) const MAX_HIDDEN: usize = 64;

/// The inputs of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FeatureSet {
    /// Each king on its square, each other piece on its place: 1,710 inputs.
    KP,
    /// Each piece but the kings on its place, for each square of the own king: 125,388 inputs.
    HalfKP,
}

impl FeatureSet {
    /// All that can be read.
    pub const ALL: [FeatureSet; 2] = [FeatureSet::KP, FeatureSet::HalfKP];

    /// Number of inputs of one side's view.
    pub fn inputs(self) -> usize {
        match self {
            FeatureSet::KP => PIECE_INPUTS + 2 * 81,
            FeatureSet::HalfKP => PIECE_INPUTS * 81,
        }
    }

    /// The name that the field uses.
    pub fn name(self) -> &'static str {
        match self {
            FeatureSet::KP => "K+P",
            FeatureSet::HalfKP => "HalfKP",
        }
    }

    fn hash(self) -> u32 {
        match self {
            FeatureSet::KP => 0x3F57_17FF,
            FeatureSet::HalfKP => 0x5D69_D5B8,
        }
    }
}

/// Features and layer sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Architecture {
    /// The inputs.
    pub features: FeatureSet,
    /// Width of one side's accumulator, a multiple of 32.
    pub l1: usize,
    /// Outputs of the first affine layer, whose inputs are both accumulators: a multiple of 8 up
    /// to 64.
    pub l2: usize,
    /// Outputs of the second affine layer: a multiple of 8 up to 64.
    pub l3: usize,
}

/// Inputs of an affine layer as stored: rows are padded to 32.
pub const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(32)
}

/// Sizes that no network of this family has, or that are beyond what is supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0}: L1 must be a multiple of 32 up to {MAX_L1}, L2 and L3 multiples of 8 up to {MAX_HIDDEN}"
)]
pub struct SizeError(pub Architecture);

impl Architecture {
    /// Whether a network can have these sizes.
    ///
    /// # Errors
    /// Says which sizes there are.
    pub fn check(self) -> Result<(), SizeError> {
        let hidden = |size: usize| (8..=MAX_HIDDEN).contains(&size) && size.is_multiple_of(8);
        let fits = (32..=MAX_L1).contains(&self.l1) && self.l1.is_multiple_of(32);
        if fits && hidden(self.l2) && hidden(self.l3) { Ok(()) } else { Err(SizeError(self)) }
    }

    /// The hash in front of the transformer.
    pub fn transformer_hash(self) -> u32 {
        self.features.hash() ^ (2 * self.l1) as u32
    }

    /// The hash in front of the affine layers.
    pub fn network_hash(self) -> u32 {
        let affine =
            |prev: u32, out: usize| (0xCC03_DAE4 + out as u32) ^ (prev >> 1) ^ (prev << 31);
        let relu = |prev: u32| 0x538D_24C7_u32.wrapping_add(prev);
        let input = 0xEC42_E90D ^ (2 * self.l1) as u32;
        affine(relu(affine(relu(affine(input, self.l2)), self.l3)), 1)
    }

    /// The hash in the file's header.
    pub fn file_hash(self) -> u32 {
        self.transformer_hash() ^ self.network_hash()
    }

    /// Inputs and outputs of the affine layers.
    pub fn affine_sizes(self) -> [(usize, usize); 3] {
        [(2 * self.l1, self.l2), (self.l2, self.l3), (self.l3, 1)]
    }

    /// Bytes of the transformer with its hash.
    pub(crate) fn transformer_bytes(self) -> u64 {
        4 + 2 * (self.l1 as u64) * (1 + self.features.inputs() as u64)
    }

    /// Bytes of the affine layers with their hash.
    pub(crate) fn layers_bytes(self) -> u64 {
        let layer =
            |(inputs, outputs): (usize, usize)| outputs as u64 * (4 + padded(inputs) as u64);
        4 + self.affine_sizes().into_iter().map(layer).sum::<u64>()
    }

    /// Bytes of the file behind its descriptive text.
    pub fn body_bytes(self) -> u64 {
        self.transformer_bytes() + self.layers_bytes()
    }

    /// Features and L1 of the transformer with this hash.
    pub(crate) fn of_transformer(hash: u32) -> Option<(FeatureSet, usize)> {
        FeatureSet::ALL.into_iter().find_map(|features| {
            let l1 = ((features.hash() ^ hash) / 2) as usize;
            let fits = (32..=MAX_L1).contains(&l1) && l1.is_multiple_of(32);
            let shape = Architecture { features, l1, l2: 1, l3: 1 };
            (fits && shape.transformer_hash() == hash).then_some((features, l1))
        })
    }

    /// The architectures with these hashes. The hash of the layers is a weak one: 32-32 shares it
    /// with 48-40 and 64-48. The file's length tells which it is.
    pub fn with_hashes(transformer: u32, network: u32) -> impl Iterator<Item = Self> {
        let shape = Self::of_transformer(transformer);
        let hidden = || (8..=MAX_HIDDEN).step_by(8);
        let sizes = hidden().flat_map(move |l2| hidden().map(move |l3| (l2, l3)));
        sizes.filter_map(move |(l2, l3)| {
            let (features, l1) = shape?;
            let candidate = Architecture { features, l1, l2, l3 };
            (candidate.network_hash() == network).then_some(candidate)
        })
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}x2-{}-{}", self.features.name(), self.l1, self.l2, self.l3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn shape(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Architecture {
        Architecture { features, l1, l2, l3 }
    }

    /// Hashes and sizes of the networks in use.
    const KNOWN: [(Architecture, u32, u32, u32, u64); 4] = [
        (shape(FeatureSet::HalfKP, 256, 32, 32), 0x5D69D7B8, 0x63337156, 0x3E5AA6EE, 64_216_876),
        (shape(FeatureSet::KP, 256, 32, 32), 0x3F5715FF, 0x63337156, 0x5C6464A9, 893_740),
        (shape(FeatureSet::HalfKP, 512, 16, 32), 0x5D69D1B8, 0x633376CA, 0x3E5AA772, 128_415_980),
        (shape(FeatureSet::HalfKP, 1024, 8, 32), 0x5D69DDB8, 0x63336A54, 0x3E5AB7EC, 256_814_284),
    ];

    #[test]
    fn known_networks_have_their_hashes_and_sizes() {
        for (shape, transformer, network, file, bytes) in KNOWN {
            assert_eq!(shape.transformer_hash(), transformer, "{shape}");
            assert_eq!(shape.network_hash(), network, "{shape}");
            assert_eq!(shape.file_hash(), file, "{shape}");
            assert_eq!(shape.body_bytes(), bytes, "{shape}");
        }
    }

    #[test]
    fn hashes_tell_the_architecture() {
        for (shape, transformer, network, ..) in KNOWN {
            let mut found = Architecture::with_hashes(transformer, network);
            assert_eq!(found.find(|found| found.body_bytes() == shape.body_bytes()), Some(shape));
        }
        assert_eq!(Architecture::with_hashes(0x5D69D7B9, 0x63337156).count(), 0);
        assert_eq!(Architecture::with_hashes(0x5D69D7B8, 0x63337157).count(), 0);
    }

    #[test]
    fn hashes_and_size_together_are_unambiguous() {
        for l1 in [32, 256, 1024, MAX_L1] {
            for l2 in (8..=MAX_HIDDEN).step_by(8) {
                for l3 in (8..=MAX_HIDDEN).step_by(8) {
                    let shape = shape(FeatureSet::KP, l1, l2, l3);
                    let found =
                        Architecture::with_hashes(shape.transformer_hash(), shape.network_hash());
                    let found: Vec<_> =
                        found.filter(|other| other.body_bytes() == shape.body_bytes()).collect();
                    assert_eq!(found, [shape]);
                }
            }
        }
    }
}
