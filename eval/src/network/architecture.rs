//! The shapes of networks: feature sets, layer sizes, hashes, and sizes in bytes.
//!
//! Two families share one description:
//!
//! | | plain | SFNN |
//! |---|---|---|
//! | first layer's output | clamped to 0..=127 | the product of the clamped halves |
//! | first hidden layer | clamped | squared and clamped, both kept |
//! | skip connection | no | optional |
//! | layer stacks | 1 | 1 or more, chosen by position |

use monomi_support::text::{error_message, messages};

/// Number of piece indices "P" of one perspective: hands and board, promoted small pieces counted
/// as golds, kings not counted.
pub const PIECE_INPUTS: usize = 1548;
/// First index of the enemy king's squares; the own king's start at [`PIECE_INPUTS`].
pub const ENEMY_KING: usize = PIECE_INPUTS + 81;
/// Number of indices with both kings.
pub const ALL_INPUTS: usize = ENEMY_KING + 81;

/// Largest number of inputs of the first affine layer that is accepted.
pub const MAX_INPUTS: usize = 8192;
/// Largest hidden layer that is accepted.
pub const MAX_HIDDEN: usize = 128;

/// The inputs of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum FeatureSet {
    /// Each king on its square, each other piece on its place: 1,710 inputs.
    KP,
    /// Each piece except the kings on its place, for each square of the own king: 125,388 inputs.
    HalfKP,
    /// Each piece on its place with both kings sharing 81 indices, and each king on its square
    /// again: 1,791 inputs.
    KA2,
    /// As HalfKP, mirrored so that the own king is on files 1 to 5: 69,660 inputs.
    HalfKPVm,
    /// Each piece and both kings, for each square of the own king: 138,510 inputs.
    HalfKA1,
    /// As HalfKA1 with both kings sharing 81 indices: 131,949 inputs.
    HalfKA2,
    /// As HalfKA1, mirrored so that the own king is on files 1 to 5: 76,950 inputs.
    HalfKAHm1,
    /// As HalfKA2, mirrored so that the own king is on files 1 to 5: 73,305 inputs.
    HalfKAHm2,
}

impl FeatureSet {
    /// All that can be read.
    pub const ALL: [FeatureSet; 8] = [
        FeatureSet::KP,
        FeatureSet::HalfKP,
        FeatureSet::KA2,
        FeatureSet::HalfKPVm,
        FeatureSet::HalfKA1,
        FeatureSet::HalfKA2,
        FeatureSet::HalfKAHm1,
        FeatureSet::HalfKAHm2,
    ];

    /// Number of inputs of one perspective.
    pub const fn inputs(self) -> usize {
        match self {
            FeatureSet::KP => ALL_INPUTS,
            FeatureSet::KA2 => ENEMY_KING + 2 * 81,
            _ => self.block() * self.king_squares(),
        }
    }

    /// Number of inputs of one square of the own king (a king bucket); 0 for the sets that do not
    /// depend on it.
    pub const fn block(self) -> usize {
        match self {
            FeatureSet::KP | FeatureSet::KA2 => 0,
            FeatureSet::HalfKP | FeatureSet::HalfKPVm => PIECE_INPUTS,
            FeatureSet::HalfKA1 | FeatureSet::HalfKAHm1 => ALL_INPUTS,
            FeatureSet::HalfKA2 | FeatureSet::HalfKAHm2 => ENEMY_KING,
        }
    }

    /// Number of king buckets: 81, or 45 with mirroring.
    pub(crate) const fn king_squares(self) -> usize {
        if self.is_mirrored() { 45 } else { 81 }
    }

    /// Whether the board is mirrored while the own king is on files 6 to 9.
    pub(crate) const fn is_mirrored(self) -> bool {
        matches!(self, FeatureSet::HalfKPVm | FeatureSet::HalfKAHm1 | FeatureSet::HalfKAHm2)
    }

    /// The usual name.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureSet::KP => "K+P",
            FeatureSet::HalfKP => "HalfKP",
            FeatureSet::KA2 => "K+A2",
            FeatureSet::HalfKPVm => "HalfKP_vm",
            FeatureSet::HalfKA1 => "HalfKA1",
            FeatureSet::HalfKA2 => "HalfKA2",
            FeatureSet::HalfKAHm1 => "HalfKA_hm1",
            FeatureSet::HalfKAHm2 => "HalfKA_hm2",
        }
    }

    /// The hash of the set in a file's hashes.
    pub const fn hash(self) -> u32 {
        match self {
            FeatureSet::KP => 0x3F57_17FF,
            FeatureSet::HalfKP => 0x5D69_D5B8,
            FeatureSet::KA2 => 0x97D5_765E,
            FeatureSet::HalfKPVm => 0x0B6B_1D9A,
            FeatureSet::HalfKA1 => 0x5F13_4CB8,
            FeatureSet::HalfKA2 => 0x5F23_4CB8,
            FeatureSet::HalfKAHm1 => 0x7F13_4CB8,
            FeatureSet::HalfKAHm2 => 0x7F23_4CB8,
        }
    }

    /// The set with this many inputs.
    pub(crate) fn with_inputs(inputs: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.inputs() == inputs)
    }

    /// The set that a name in a header text means, in any case and with or without separators.
    pub fn named(name: &str) -> Option<Self> {
        let plain = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        Some(match plain.to_ascii_lowercase().as_str() {
            "kp" | "kp256" => FeatureSet::KP,
            "halfkp" => FeatureSet::HalfKP,
            "ka2" => FeatureSet::KA2,
            "halfkpvm" => FeatureSet::HalfKPVm,
            "halfka1" | "halfkasplit" => FeatureSet::HalfKA1,
            "halfka2" | "halfkamerged" => FeatureSet::HalfKA2,
            "halfkahm1" | "halfkahmsplit" => FeatureSet::HalfKAHm1,
            "halfkahm2" | "halfkahm" | "halfkahmmerged" => FeatureSet::HalfKAHm2,
            _ => return None,
        })
    }
}

/// What a network does with its first layer, and how many sets of the other layers it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Family {
    /// Clipped ReLU everywhere, one set of layers.
    Plain,
    /// Pairwise products, squares and layer stacks.
    Sfnn {
        /// The first hidden layer has one more output, which is added to the network's output.
        skip: bool,
        /// Number of layer stacks.
        stacks: usize,
        /// A piece-square term for each stack is added to the output.
        psqt: bool,
    },
}

/// Features, family and layer sizes of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Architecture {
    /// The inputs.
    pub features: FeatureSet,
    /// The family.
    pub family: Family,
    /// Width of one perspective's accumulator: a multiple of 32, for SFNN of 64.
    pub l1: usize,
    /// Neurons of the first hidden layer, without the skip connection: 1 to 128.
    pub l2: usize,
    /// Neurons of the second hidden layer: 1 to 128.
    pub l3: usize,
}

/// Inputs of an affine layer as stored: rows are padded to 32.
pub const fn padded(inputs: usize) -> usize {
    inputs.next_multiple_of(32)
}

messages! {
    /// Sizes that no network has, or that are larger than supported.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct SizeError(pub shape: Architecture) =>
        "{shape}: L1 must be a multiple of 32 up to 4096 (SFNN: of 64 up to {MAX_INPUTS}), the \
         hidden layers 1 to {MAX_HIDDEN} wide",
        "{shape}: L1 は 4096 以下の 32 の倍数（SFNN では {MAX_INPUTS} 以下の 64 の倍数）、\
         隠れ層の幅は 1 から {MAX_HIDDEN} でなければなりません";
}
error_message!(SizeError);

impl Architecture {
    /// A plain network, `features -> L1 x 2 - L2 - L3`.
    pub const fn plain(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Self {
        Self { features, family: Family::Plain, l1, l2, l3 }
    }

    /// An SFNN network with a skip connection and without PSQT: `l1` neurons for each perspective,
    /// `l2` without the skip (7, 15, ...), `l3`, and a number of layer stacks.
    pub const fn sfnn(
        features: FeatureSet,
        l1: usize,
        l2: usize,
        l3: usize,
        stacks: usize,
    ) -> Self {
        let family = Family::Sfnn { skip: l2 % 8 == 7, stacks, psqt: false };
        Self { features, family, l1, l2, l3 }
    }

    /// Whether a network can have these sizes.
    ///
    /// # Errors
    /// Says which sizes there are.
    pub fn check(self) -> Result<(), SizeError> {
        let hidden = |size: usize| (1..=MAX_HIDDEN).contains(&size);
        let step = if self.is_plain() { 32 } else { 64 };
        let fits = self.l1 >= step && self.l1.is_multiple_of(step) && self.joined() <= MAX_INPUTS;
        let fits = fits && self.stacks() > 0 && hidden(self.first_outputs());
        if fits && hidden(self.l2) && hidden(self.l3) { Ok(()) } else { Err(SizeError(self)) }
    }

    /// Whether it is of the plain family.
    pub const fn is_plain(self) -> bool {
        matches!(self.family, Family::Plain)
    }

    /// Number of layer stacks, 1 for plain networks.
    pub const fn stacks(self) -> usize {
        match self.family {
            Family::Plain => 1,
            Family::Sfnn { stacks, .. } => stacks,
        }
    }

    /// Whether there is a skip connection.
    pub const fn has_skip(self) -> bool {
        matches!(self.family, Family::Sfnn { skip: true, .. })
    }

    /// Whether there is a piece-square term.
    pub const fn has_psqt(self) -> bool {
        matches!(self.family, Family::Sfnn { psqt: true, .. })
    }

    /// Inputs of the first affine layer.
    pub const fn joined(self) -> usize {
        if self.is_plain() { 2 * self.l1 } else { self.l1 }
    }

    /// Outputs of the first affine layer, with the skip connection.
    pub(crate) const fn first_outputs(self) -> usize {
        self.l2 + self.has_skip() as usize
    }

    /// The hash before the first layer of a plain network.
    pub(crate) fn transformer_hash(self) -> u32 {
        self.features.hash() ^ (2 * self.l1) as u32
    }

    /// The hash before the affine layers of a plain network.
    pub(crate) fn network_hash(self) -> u32 {
        let affine = |prev: u32, out: usize| {
            0xCC03_DAE4_u32.wrapping_add(out as u32) ^ (prev >> 1) ^ (prev << 31)
        };
        let relu = |prev: u32| 0x538D_24C7_u32.wrapping_add(prev);
        let input = 0xEC42_E90D ^ (2 * self.l1) as u32;
        affine(relu(affine(relu(affine(input, self.l2)), self.l3)), 1)
    }

    /// The hash in the header of a plain network.
    pub(crate) fn file_hash(self) -> u32 {
        self.transformer_hash() ^ self.network_hash()
    }

    /// Inputs and outputs of the affine layers of one stack.
    pub const fn affine_sizes(self) -> [(usize, usize); 3] {
        let second = if self.is_plain() { self.l2 } else { 2 * self.l2 };
        [(self.joined(), self.first_outputs()), (second, self.l3), (self.l3, 1)]
    }

    /// Bytes of the first layer of a plain network, without its hash and not compressed.
    pub(crate) fn first_layer_bytes(self) -> u64 {
        2 * (self.l1 as u64) * (1 + self.features.inputs() as u64)
    }

    /// Bytes of the affine layers of one stack, without its hash.
    pub(crate) fn stack_bytes(self) -> u64 {
        let layer =
            |(inputs, outputs): (usize, usize)| outputs as u64 * (4 + padded(inputs) as u64);
        self.affine_sizes().into_iter().map(layer).sum::<u64>()
    }

    /// Bytes of a plain network's file after its header text, with both hashes.
    #[cfg(test)]
    pub(crate) fn body_bytes(self) -> u64 {
        8 + self.first_layer_bytes() + self.stack_bytes()
    }
}

impl Architecture {
    /// The text of its `Display`, in Japanese.
    pub fn in_japanese(&self) -> String {
        let Architecture { features, family, l1, l2, l3 } = *self;
        let features = features.name();
        match family {
            Family::Plain => format!("{features} {l1}x2-{l2}-{l3}"),
            Family::Sfnn { skip, stacks, psqt } => {
                let skip = if skip { "" } else { "（スキップなし）" };
                let psqt = if psqt { "（PSQT あり）" } else { "" };
                format!("SFNN {features} {l1}-{l2}-{l3}{skip}{psqt}、{stacks} スタック")
            }
        }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Architecture { features, family, l1, l2, l3 } = *self;
        let features = features.name();
        match family {
            Family::Plain => write!(f, "{features} {l1}x2-{l2}-{l3}"),
            Family::Sfnn { skip, stacks, psqt } => {
                write!(f, "SFNN {features} {l1}-{l2}-{l3}")?;
                if !skip {
                    f.write_str(" without skip")?;
                }
                if psqt {
                    f.write_str(" with PSQT")?;
                }
                let plural = if stacks == 1 { "" } else { "s" };
                write!(f, ", {stacks} stack{plural}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hashes and sizes of networks in use.
    const KNOWN: [(Architecture, u32, u32, u32, u64); 4] = {
        use FeatureSet::{HalfKP, KP};
        let of = Architecture::plain;
        [
            (of(HalfKP, 256, 32, 32), 0x5D69D7B8, 0x63337156, 0x3E5AA6EE, 64_216_876),
            (of(KP, 256, 32, 32), 0x3F5715FF, 0x63337156, 0x5C6464A9, 893_740),
            (of(HalfKP, 512, 16, 32), 0x5D69D1B8, 0x633376CA, 0x3E5AA772, 128_415_980),
            (of(HalfKP, 1024, 8, 32), 0x5D69DDB8, 0x63336A54, 0x3E5AB7EC, 256_814_284),
        ]
    };

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
    fn feature_sets_have_the_documented_number_of_inputs() {
        let expected = [1_710, 125_388, 1_791, 69_660, 138_510, 131_949, 76_950, 73_305];
        assert_eq!(FeatureSet::ALL.map(FeatureSet::inputs), expected);
        for set in FeatureSet::ALL {
            assert_eq!(FeatureSet::with_inputs(set.inputs()), Some(set));
            assert_eq!(FeatureSet::named(set.name()), Some(set));
        }
        assert_eq!(FeatureSet::named("HalfKPE9"), None);
    }

    #[test]
    fn payloads_equal_the_published_table() {
        let payload =
            |features, (l1, l2, l3)| Architecture::plain(features, l1, l2, l3).body_bytes() - 8;
        let table = [
            (FeatureSet::HalfKAHm2, (256, 32, 32), 37_550_372),
            (FeatureSet::HalfKAHm2, (512, 8, 64), 75_075_940),
            (FeatureSet::HalfKAHm2, (1024, 8, 96), 150_150_660),
            (FeatureSet::HalfKPVm, (256, 32, 32), 35_684_132),
            (FeatureSet::HalfKP, (512, 8, 96), 128_410_116),
            (FeatureSet::HalfKP, (768, 16, 64), 192_624_516),
            (FeatureSet::HalfKP, (1024, 8, 64), 256_815_460),
            (FeatureSet::KP, (256, 32, 32), 893_732),
        ];
        for (features, sizes, bytes) in table {
            assert_eq!(payload(features, sizes), bytes, "{features:?} {sizes:?}");
        }
    }
}
