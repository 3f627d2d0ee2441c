//! From a file's header text, counts and sizes to its architecture.
//!
//! Texts are unreliable (some trainers always write `256x2`), hashes are only advice, sizes are
//! certain. So: the shapes that have the file's size are the candidates; hashes, then the text,
//! then the shapes in use choose among them.

use super::affine::Shards;
use super::architecture::{Architecture, Family, FeatureSet, MAX_HIDDEN, MAX_INPUTS, padded};
use super::error::Unsupported;
use super::routing::Routing;
use std::num::NonZeroU16;

/// Hidden layers of plain networks in use.
const PLAIN_IN_USE: [(usize, usize); 9] =
    [(32, 32), (16, 32), (8, 32), (8, 64), (8, 96), (16, 64), (15, 32), (15, 64), (32, 64)];
/// Hidden layers of SFNN networks in use, without the skip connection.
const SFNN_IN_USE: [(usize, usize); 5] = [(15, 32), (7, 64), (15, 64), (7, 32), (31, 32)];

/// What a header text says, as far as it is understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextInfo {
    pub features: Option<FeatureSet>,
    /// L1, L2 and L3 of a name such as `halfkp_256x2-32-32` or `SFNN_halfka2_1024_7_64_k3k3`.
    pub sizes: Option<(usize, usize, usize)>,
    pub stacks: Option<usize>,
    pub routing: Routing,
    /// `c1024_s256x8`.
    pub shards: Option<Shards>,
    /// Whether the text names the SFNN family.
    pub sfnn: bool,
    pub psqt: bool,
    /// Whether the text names squared activations, which are normal in the SFNN family only.
    pub squares: bool,
    pub fv_scale: Option<NonZeroU16>,
    pub win_scale: Option<NonZeroU16>,
    /// A kind of network that is not supported.
    pub unsupported: Option<Unsupported>,
}

impl TextInfo {
    pub fn read(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        // Names of feature sets that contain a separator.
        let lower = lower.replace("halfka_hm", "halfkahm").replace("halfkp_vm", "halfkpvm");
        let has = |word: &str| lower.contains(word);
        let unsupported = [
            ("halfkpe9", Unsupported::HalfKpe9),
            ("screlu", Unsupported::ScRelu),
            ("-pairwise", Unsupported::Pairwise),
            ("effectbucket", Unsupported::EffectBucket),
            ("threatprofile", Unsupported::Threats),
            ("threat=", Unsupported::Threats),
        ];
        let mut info = Self {
            sfnn: has("sfnn") || has("layerstack"),
            psqt: has("psqt="),
            squares: has("sqrclippedrelu"),
            unsupported: unsupported.into_iter().find(|(word, _)| has(word)).map(|(_, what)| what),
            ..Self::default()
        };
        if info.sfnn && has("-pairwise") {
            // The normal activation of this family.
            info.unsupported = unsupported
                .into_iter()
                .find(|(word, _)| *word != "-pairwise" && has(word))
                .map(|(_, what)| what);
        }
        let number_after = |word: &str| -> Option<usize> {
            let (_, rest) = lower.split_once(word)?;
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse().ok()
        };
        let scale = number_after("fv_scale=").filter(|scale| (1..=128).contains(scale));
        info.fv_scale = scale.and_then(|scale| NonZeroU16::new(scale as u16));
        let scale = number_after("win_scale=").and_then(|scale| u16::try_from(scale).ok());
        info.win_scale = scale.and_then(NonZeroU16::new);
        info.stacks = number_after("layerstack=");
        info.sizes = number_after("sfnn-").map(|l1| (l1, 15, 32)).filter(|&(l1, ..)| l1 > 0);
        if let Some((_, rest)) = lower.split_once("features=") {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_+".contains(c));
            info.features = FeatureSet::named(&rest[..end.unwrap_or(rest.len())]);
        }
        let outside = |c: char| !c.is_ascii_alphanumeric() && !"_-+".contains(c);
        for word in lower.split(outside).filter(|word| !word.is_empty()) {
            info.read_name(&word.replace('-', "_"));
        }
        info
    }

    /// Reads a name such as `sfnn_halfka2_1024_7_64_hand16_k3k3`, `k+p` or `256x2_32_32`.
    fn read_name(&mut self, name: &str) {
        let mut parts = name.split('_').peekable();
        while let Some(part) = parts.next() {
            if let Some(features) = FeatureSet::named(part) {
                self.features = self.features.or(Some(features));
                continue;
            }
            // Sizes: three numbers, the first perhaps with `x2`.
            let first = part.strip_suffix("x2").unwrap_or(part).parse::<usize>();
            let mut rest = parts.clone();
            let mut hidden = || rest.next().and_then(|size| size.parse::<usize>().ok());
            let Ok(l1) = first else {
                self.read_part(part);
                continue;
            };
            let sizes = hidden().zip(hidden());
            if let Some((l2, l3)) = sizes {
                self.sizes = self.sizes.or(Some((l1, l2, l3)));
                parts.nth(1);
            }
        }
        let mut rest = name.split('_');
        while let Some(part) = rest.next() {
            let Some(common) = part.strip_prefix('c').and_then(|n| n.parse().ok()) else {
                continue;
            };
            let shard =
                rest.clone().next().and_then(|part| part.strip_prefix('s')?.split_once('x'));
            let shard = shard.and_then(|(size, count)| size.parse().ok().zip(count.parse().ok()));
            self.shards = shard.map(|(size, count)| Shards { common, size, count }).or(self.shards);
        }
    }

    fn read_part(&mut self, part: &str) {
        if let Ok(Routing { hand, king, progress }) = part.parse() {
            self.routing.hand = self.routing.hand.or(hand);
            self.routing.king = self.routing.king.or(king);
            self.routing.progress = self.routing.progress.or(progress);
        }
    }
}

/// A plain network that fits a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainGuess {
    pub architecture: Architecture,
    /// Whether the two hashes are in the file.
    pub hashed: bool,
}

/// Plain networks whose file has `bytes` bytes after the header text and, if there is a hash,
/// starts there with `hash`. Those that fit best come first; the flag says whether only one fits
/// as well as the first.
pub fn plain(bytes: u64, hash: u32, text: &TextInfo) -> (Vec<PlainGuess>, bool) {
    let mut found = Vec::new();
    for features in FeatureSet::ALL {
        for l1 in (32..=MAX_INPUTS / 2).step_by(32) {
            for hashed in [true, false] {
                let shape = Architecture::plain(features, l1, 1, 1);
                let other = shape.first_layer_bytes() + if hashed { 8 } else { 0 };
                let Some(rest) = bytes.checked_sub(other) else { continue };
                found.extend(hidden_layers(shape, rest).map(|architecture| {
                    let guess = PlainGuess { architecture, hashed };
                    (score(guess, hash, text), guess)
                }));
            }
        }
    }
    found.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    // Without a hash, a text or a shape in use, a size alone proves nothing.
    found.retain(|&(score, _)| score > 0);
    let best = found.first().map_or(0, |&(score, _)| score);
    let unique = found.iter().filter(|&&(score, _)| score == best).count() == 1;
    (found.into_iter().map(|(_, guess)| guess).collect(), unique)
}

/// The shapes with other hidden layers whose affine layers take `bytes`.
pub fn hidden_layers(
    shape: Architecture,
    bytes: u64,
) -> impl Iterator<Item = Architecture> + Clone {
    let row = 4 + padded(shape.joined()) as u64;
    let most = MAX_HIDDEN as u64 * (row + 4 + padded(2 * MAX_HIDDEN) as u64) + 256;
    let end = if bytes > most { 0 } else { MAX_HIDDEN };
    (1..=end).take_while(move |&l2| l2 as u64 * row < bytes).flat_map(move |l2| {
        let candidates = (1..=MAX_HIDDEN).map(move |l3| Architecture { l2, l3, ..shape });
        candidates.filter(move |candidate| candidate.stack_bytes() == bytes)
    })
}

fn score(guess: PlainGuess, hash: u32, text: &TextInfo) -> u32 {
    let Architecture { features, l1, l2, l3, .. } = guess.architecture;
    let hashed = guess.hashed && guess.architecture.transformer_hash() == hash;
    let named = text.sizes == Some((l1, l2, l3)) && text.features.is_none_or(|set| set == features);
    let same_features = text.features == Some(features);
    let in_use = PLAIN_IN_USE.contains(&(l2, l3));
    // Features and L1 by hash outweigh the text, a whole name outweighs a usual shape.
    8 * u32::from(hashed)
        + 4 * u32::from(named)
        + if in_use { 2 + u32::from(same_features) } else { 0 }
}

/// Whether a network is likely to have these hidden layers: usual ones, those that the text names,
/// and multiples of 8.
pub fn is_plausible(shape: Architecture, text: &TextInfo) -> bool {
    let Architecture { l1, l2, l3, .. } = shape;
    PLAIN_IN_USE.contains(&(l2, l3))
        || text.sizes == Some((l1, l2, l3))
        || l2.is_multiple_of(8) && l3.is_multiple_of(8)
}

/// Which of the plain shapes has this hash before its affine layers, the usual ones first.
pub fn with_network_hash(
    features: FeatureSet,
    l1: usize,
    hash: u32,
) -> impl Iterator<Item = Architecture> {
    let all = (1..=MAX_HIDDEN).flat_map(|l2| (1..=MAX_HIDDEN).map(move |l3| (l2, l3)));
    let sizes = PLAIN_IN_USE.into_iter().chain(all);
    sizes
        .map(move |(l2, l3)| Architecture::plain(features, l1, l2, l3))
        .filter(move |shape| shape.network_hash() == hash)
}

/// Features and L1 of a plain network's first layer with this hash.
pub fn with_transformer_hash(hash: u32) -> Option<(FeatureSet, usize)> {
    FeatureSet::ALL.into_iter().find_map(|features| {
        let l1 = ((features.hash() ^ hash) / 2) as usize;
        let shape = Architecture::plain(features, l1, 1, 1);
        (shape.check().is_ok() && shape.transformer_hash() == hash).then_some((features, l1))
    })
}

/// What is known of an SFNN file before its layer stacks are read.
pub struct SfnnClues<'a> {
    pub features: FeatureSet,
    pub l1: usize,
    pub psqt: bool,
    /// Bytes of all stacks.
    pub bytes: u64,
    /// Number of stacks that the header states.
    pub stacks: Option<usize>,
    /// Sizes in the text count the skip connection.
    pub counts_skip: bool,
    pub text: &'a TextInfo,
    /// Whether the hash of a stack stands at the start of each part of this many bytes.
    pub hash_every: &'a dyn Fn(u64) -> bool,
}

/// SFNN shapes that fit; those that fit best first, with the number that fit equally well.
pub fn sfnn(clues: &SfnnClues<'_>) -> (Vec<Architecture>, usize) {
    let SfnnClues { features, l1, psqt, bytes, stacks, text, .. } = *clues;
    let sizes = text.sizes.filter(|&(stated, ..)| stated == l1).map(|(_, l2, l3)| {
        let odd = l2 - usize::from(clues.counts_skip && l2 % 8 == 0 && l2 > 0);
        (odd, l3)
    });
    let mut found = Vec::new();
    for l2 in (1..=MAX_HIDDEN).filter(|l2| matches!(l2 % 8, 0 | 7)) {
        for l3 in 1..=MAX_HIDDEN {
            let family = Family::Sfnn { skip: l2 % 8 == 7, stacks: 1, psqt };
            let shape = Architecture { features, family, l1, l2, l3 };
            let one = 4 + shape.stack_bytes();
            if shape.check().is_err() || bytes == 0 || bytes % one != 0 {
                continue;
            }
            let number = (bytes / one) as usize;
            let stated = sizes == Some((l2, l3));
            if stacks.is_some_and(|stated| stated != number) || !(stated || (clues.hash_every)(one))
            {
                continue;
            }
            let family = Family::Sfnn { skip: l2 % 8 == 7, stacks: number, psqt };
            let in_use = SFNN_IN_USE.contains(&(l2, l3));
            let routed = text.routing != Routing::default() && text.routing.stacks() == number;
            let agrees = routed || text.stacks == Some(number);
            if text.routing != Routing::default() && !routed {
                continue;
            }
            // Stacks that start at every multiple of a size also do at twice that size: the
            // smallest is right. With 7 and 8 neurons the sizes are the same; a skip connection is
            // usual.
            let score = (stated, agrees, number, in_use, l2 % 8 == 7);
            found.push((score, Architecture { family, ..shape }));
        }
    }
    found.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    let best = found.first().map(|&(score, _)| score);
    let equal = found.iter().filter(|&&(score, _)| Some(score) == best).count();
    (found.into_iter().map(|(_, shape)| shape).collect(), equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TextInfo {
        TextInfo::read(text)
    }

    #[test]
    fn texts_of_all_writers_are_understood() {
        let old = read("Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32]");
        assert_eq!((old.features, old.sizes), (Some(FeatureSet::HalfKP), None));
        let text = "ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2(Friend)[73305->1536x2],\
                    Network=SFNN-1536{LayerStack=9}";
        let suisho = read(text);
        assert_eq!(suisho.features, Some(FeatureSet::HalfKAHm2));
        assert_eq!((suisho.sizes, suisho.stacks), (Some((1536, 15, 32)), Some(9)));
        assert!(suisho.sfnn && !suisho.psqt);
        let new = read("SFNN_HALFKA2_1024_7_64_C512_S64x8_HAND16_K3K3_PROGRESS8");
        assert_eq!(new.sizes, Some((1024, 7, 64)));
        assert_eq!(new.routing.to_string(), "hand16_k3k3_progress8");
        assert_eq!(new.shards, Some(Shards { common: 512, size: 64, count: 8 }));
        let ours = read("K+P 256x2-32-32");
        assert_eq!((ours.features, ours.sizes), (Some(FeatureSet::KP), Some((256, 32, 32))));
        let scaled = read("halfkahm_512x2-8-64,fv_scale=13,qa=127");
        let stated = scaled.fv_scale.map(NonZeroU16::get);
        assert_eq!((stated, scaled.sizes), (Some(13), Some((512, 8, 64))));
        assert_eq!(read("fv_scale=129").fv_scale, None);
        let win = |text| read(text).win_scale.map(NonZeroU16::get);
        assert_eq!(win("K+P 256x2-32-32,win_scale=340"), Some(340));
        assert_eq!([win("win_scale=0"), win("win_scale=70000"), win("win_scale=")], [None; 3]);
        assert_eq!(read("anything at all \u{7f} c s_c1_sx"), TextInfo::default());
    }

    #[test]
    fn unsupported_networks_are_named() {
        let named = |text| read(text).unsupported;
        assert_eq!(named("Features=HalfKPE9(Friend)[1128492->256x2]"), Some(Unsupported::HalfKpe9));
        assert_eq!(named("HalfKA_hm[73305->512x2]-SCReLU"), Some(Unsupported::ScRelu));
        assert_eq!(named("LayerStacks,Threat=1"), Some(Unsupported::Threats));
        assert_eq!(named("Features=HalfKP(Friend)"), None);
    }

    /// Every shape in use is found by its size alone, and by size and hash.
    #[test]
    fn sizes_are_enough_for_the_shapes_in_use() {
        for features in FeatureSet::ALL {
            for l1 in [256, 512, 768, 1024] {
                for (l2, l3) in PLAIN_IN_USE {
                    let shape = Architecture::plain(features, l1, l2, l3);
                    let hash = shape.transformer_hash();
                    let text = TextInfo::default();
                    let (found, unique) = plain(shape.body_bytes(), hash, &text);
                    let expected = PlainGuess { architecture: shape, hashed: true };
                    assert_eq!((found.first(), unique), (Some(&expected), true), "{shape}");
                    let (found, unique) = plain(shape.body_bytes() - 8, 0, &text);
                    let expected = PlainGuess { architecture: shape, hashed: false };
                    assert_eq!((found.first(), unique), (Some(&expected), true), "{shape}");
                }
            }
        }
    }

    #[test]
    fn hashes_and_sizes_tell_unusual_shapes() {
        for (l2, l3) in [(8, 8), (24, 16), (64, 64), (1, 1), (128, 128)] {
            let shape = Architecture::plain(FeatureSet::KA2, 96, l2, l3);
            let hash = shape.transformer_hash();
            assert_eq!(with_transformer_hash(hash), Some((FeatureSet::KA2, 96)));
            let mut same = with_network_hash(FeatureSet::KA2, 96, shape.network_hash());
            assert!(same.any(|other| other == shape));
        }
        assert_eq!(with_transformer_hash(0x5D69_D7B9), None);
    }
}
