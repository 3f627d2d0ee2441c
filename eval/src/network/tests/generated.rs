//! Networks of any shape with weights from a seed, as `../shared/tools/nets/gen.py` makes them:
//! number `i` of a file's parameters is `low + splitmix64(seed + i) % (high - low + 1)`.

use crate::network::{
    Architecture, Family, FeatureSet, NetworkFile, ProgressWeights, Routing, WriteOptions,
};

/// The parts of a name such as `SFNN_halfka2_128_7_64_hand16_k3k3_progress8`.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) sfnn: bool,
    pub(super) features: String,
    pub(super) l1: usize,
    pub(super) l2: usize,
    pub(super) l3: usize,
    pub(super) hand: Option<String>,
    pub(super) king: Option<String>,
    pub(super) progress: usize,
}

impl Name {
    pub(super) fn new(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let sfnn = lower.starts_with("sfnn_");
        let mut parts = lower.trim_start_matches("nnue_").trim_start_matches("sfnn_").split('_');
        let mut next = || parts.next().unwrap().to_owned();
        let features = next();
        let mut size = || next().trim_end_matches("x2").parse().unwrap();
        let (l1, l2, l3) = (size(), size(), size());
        let (mut hand, mut king, mut progress) = (None, None, 1);
        for part in parts {
            if let Some(steps) = part.strip_prefix("progress") {
                progress = steps.parse().unwrap();
            } else if part.starts_with("hand") {
                hand = Some(part.to_owned());
            } else {
                king = Some(part.to_owned());
            }
        }
        Self { name: name.to_owned(), sfnn, features, l1, l2, l3, hand, king, progress }
    }

    pub(super) fn inputs(&self) -> usize {
        match self.features.as_str() {
            "halfkp" => 125_388,
            "kp" => 1_710,
            "ka2" => 1_791,
            "halfkpvm" => 69_660,
            "halfka1" => 138_510,
            "halfkahm1" => 76_950,
            "halfka2" => 131_949,
            _ => 73_305,
        }
    }

    pub(super) fn first_outputs(&self) -> usize {
        self.l2 + usize::from(self.sfnn && self.l2 % 8 == 7)
    }

    pub(super) fn hand_kinds(hand: &str) -> usize {
        match hand {
            "hand4" => 2,
            "hand16" => 4,
            "hand256" => 16,
            "hand1024" => 32,
            _ => 8,
        }
    }

    pub(super) fn king_groups(king: &str) -> usize {
        king[1..].split('k').next().unwrap().parse().unwrap()
    }

    pub(super) fn stacks(&self) -> usize {
        let hands = self.hand.as_ref().map_or(1, |hand| Self::hand_kinds(hand).pow(2));
        let kings = self.king.as_ref().map_or(1, |king| Self::king_groups(king).pow(2));
        hands * kings * self.progress
    }

    fn routing(&self) -> Routing {
        let progress = (self.progress > 1).then(|| format!("progress{}", self.progress));
        let parts: Vec<_> =
            [self.hand.clone(), self.king.clone(), progress].into_iter().flatten().collect();
        if parts.is_empty() { Routing::default() } else { parts.join("_").parse().unwrap() }
    }

    pub(super) fn architecture(&self) -> Architecture {
        let features = FeatureSet::named(&self.features).unwrap();
        let family = match self.sfnn {
            true => Family::Sfnn { skip: self.l2 % 8 == 7, stacks: self.stacks(), psqt: false },
            false => Family::Plain,
        };
        Architecture { features, family, l1: self.l1, l2: self.l2, l3: self.l3 }
    }
}

struct Numbers(u64);

impl Numbers {
    fn draw(&mut self, low: i64, high: i64) -> i64 {
        let mut z = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.0 += 1;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (z % (high - low + 1) as u64) as i64
    }
}

/// The network that `gen.py NAME SEED` writes.
pub(super) fn network(name: &Name, seed: u64) -> NetworkFile {
    let mut numbers = Numbers(seed);
    let shape = name.architecture();
    let mut file = NetworkFile::zeroed(shape);
    file.routing = name.routing();
    let (bias, weights) = file.transformer_mut();
    bias.iter_mut().for_each(|bias| *bias = numbers.draw(-15, 54) as i16);
    weights.iter_mut().for_each(|weight| *weight = numbers.draw(-17, 17) as i16);
    if name.progress > 1 {
        let mut weights = vec![0; ProgressWeights::COUNT];
        weights.iter_mut().for_each(|weight| *weight = numbers.draw(-34_000, 34_000) as i32);
        file.progress = Some(ProgressWeights { bias: 1234, weights });
    }
    let first = if name.sfnn { 24 } else { 12 };
    for layers in &mut file.stacks {
        let sizes = shape.affine_sizes();
        let limits = [(2600, first), (2600, 24), (1400, 17)];
        for ((layer, (inputs, _)), (bias, weight)) in layers.iter_mut().zip(sizes).zip(limits) {
            layer.bias.iter_mut().for_each(|b| *b = numbers.draw(-bias, bias) as i32);
            for row in layer.weights.chunks_mut(inputs.next_multiple_of(32)) {
                row[..inputs].iter_mut().for_each(|w| *w = numbers.draw(-weight, weight) as i8);
            }
        }
    }
    file
}

/// The bytes that `gen.py NAME SEED` writes.
pub(super) fn bytes(name: &Name, seed: u64) -> Vec<u8> {
    let text = Some(format!("random {}", name.name));
    let mut bytes = Vec::new();
    network(name, seed)
        .write_with(&mut bytes, &WriteOptions { text, ..Default::default() })
        .unwrap();
    bytes
}
