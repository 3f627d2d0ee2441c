//! Which layer stack a position uses.
//!
//! Files do not say it. A routing has up to three parts: `index = (hand * kings + king) * progress
//! + bucket`, each part from the perspective of the side to move, except progress.

use super::architecture::{FeatureSet, PIECE_INPUTS};
use super::features::{FeatureMap, VIEWS, king_slot, missing_pieces};
use monomi_movegen::Position;
use monomi_movegen::square::SQUARES;
use monomi_support::text::{error_message, messages, shown};
use shogi_core::{Color, PieceKind};
use std::fmt;
use std::str::FromStr;

/// The part by the squares of both kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum KingPart {
    /// `k3k3`: three groups of ranks.
    K3,
    /// `k9k9`: each rank.
    K9,
    /// `k9k9z`: the far ranks in groups, the last two in groups of three files.
    K9z,
    /// `k13k13z`: each rank, the last two in groups of three files.
    K13z,
    /// `k21k21`: the far ranks in groups, each square of the last two.
    K21,
    /// `k29k29`: the far ranks in groups, each square of the last three.
    K29,
}

impl KingPart {
    const ALL: [(Self, &'static str); 6] = [
        (Self::K3, "k3k3"),
        (Self::K9, "k9k9"),
        (Self::K9z, "k9k9z"),
        (Self::K13z, "k13k13z"),
        (Self::K21, "k21k21"),
        (Self::K29, "k29k29"),
    ];

    /// The part's share of the index of the layer stack, for the squares (`0..81`) of the kings of
    /// the side to move and of the other side, each as its own side sees it.
    pub const fn stack(self, ours: usize, theirs: usize) -> usize {
        self.group(ours) * self.groups() + self.group(theirs)
    }

    /// Groups of squares of one king.
    const fn groups(self) -> usize {
        match self {
            Self::K3 => 3,
            Self::K9 | Self::K9z => 9,
            Self::K13z => 13,
            Self::K21 => 21,
            Self::K29 => 29,
        }
    }

    /// The group of a king's square as its own side sees it.
    const fn group(self, square: usize) -> usize {
        let (file, rank) = (square / 9, square % 9);
        match self {
            Self::K3 => rank / 3,
            Self::K9 => rank,
            Self::K9z | Self::K21 if rank < 6 => rank / 3,
            Self::K9z | Self::K21 if rank == 6 => 2,
            Self::K9z => 3 + 3 * (rank - 7) + file / 3,
            Self::K21 => 3 + 9 * (rank - 7) + file,
            Self::K13z if rank < 7 => rank,
            Self::K13z => 7 + 3 * (rank - 7) + file / 3,
            Self::K29 if rank < 6 => rank / 3,
            Self::K29 => 2 + 9 * (rank - 6) + file,
        }
    }
}

/// The part by the pieces in both hands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum HandPart {
    /// `hand4`: a bishop.
    H4,
    /// `hand16`: a pawn, a bishop.
    H16,
    /// `hand64`: a pawn, lance or knight; a silver, gold or rook; a bishop.
    H64,
    /// `hand64z`: the value of the hand in eight steps.
    H64z,
    /// `hand256`: a pawn, lance or knight; a silver or gold; a bishop; a rook.
    H256,
    /// `hand1024`: a pawn; a lance or knight; a silver or gold; a bishop; a rook.
    H1024,
}

impl HandPart {
    const ALL: [(Self, &'static str); 6] = [
        (Self::H4, "hand4"),
        (Self::H16, "hand16"),
        (Self::H64, "hand64"),
        (Self::H64z, "hand64z"),
        (Self::H256, "hand256"),
        (Self::H1024, "hand1024"),
    ];

    /// Kinds of one hand.
    const fn kinds(self) -> usize {
        match self {
            Self::H4 => 2,
            Self::H16 => 4,
            Self::H64 | Self::H64z => 8,
            Self::H256 => 16,
            Self::H1024 => 32,
        }
    }

    fn kind(self, position: &Position, side: Color) -> usize {
        use PieceKind::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
        let count = |kinds: &[PieceKind]| -> usize {
            kinds.iter().map(|&kind| usize::from(position.hand_count(side, kind))).sum()
        };
        let any = |kinds: &[PieceKind]| usize::from(count(kinds) > 0);
        match self {
            Self::H4 => any(&[Bishop]),
            Self::H16 => any(&[Pawn]) + 2 * any(&[Bishop]),
            Self::H64 => {
                any(&[Pawn, Lance, Knight]) + 2 * any(&[Silver, Gold, Rook]) + 4 * any(&[Bishop])
            }
            Self::H64z => {
                let small = count(&[Pawn]) + 2 * count(&[Lance, Knight]);
                let value = small + 3 * count(&[Silver, Gold]) + 5 * count(&[Bishop, Rook]);
                value.div_ceil(4).min(7)
            }
            Self::H256 => {
                let small = any(&[Pawn, Lance, Knight]) + 2 * any(&[Silver, Gold]);
                small + 4 * any(&[Bishop]) + 8 * any(&[Rook])
            }
            Self::H1024 => {
                let small = any(&[Pawn]) + 2 * any(&[Lance, Knight]) + 4 * any(&[Silver, Gold]);
                small + 8 * any(&[Bishop]) + 16 * any(&[Rook])
            }
        }
    }
}

/// The part by the progress of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum ProgressPart {
    /// `progressN`: N steps, with weights in the network's file.
    Steps(usize),
    /// `progress8kpabs`: nine stacks, eight of them in use, weights in `progress.bin`.
    Absolute,
    /// `progress8ek`: as [`ProgressPart::Absolute`], the ninth stack once both kings have entered.
    EnteringKings,
}

impl ProgressPart {
    const ALL: [(Self, &'static str); 8] = [
        (Self::Steps(2), "progress2"),
        (Self::Steps(3), "progress3"),
        (Self::Steps(4), "progress4"),
        (Self::Steps(8), "progress8"),
        (Self::Steps(16), "progress16"),
        (Self::Steps(32), "progress32"),
        (Self::Absolute, "progress8kpabs"),
        (Self::EnteringKings, "progress8ek"),
    ];

    const fn stacks(self) -> usize {
        match self {
            Self::Steps(steps) => steps,
            Self::Absolute | Self::EnteringKings => 9,
        }
    }

    /// Whether the weights are in a file of their own, `progress.bin`.
    const fn is_separate(self) -> bool {
        !matches!(self, Self::Steps(_))
    }
}

/// How the layer stack is chosen; the default uses the only one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[non_exhaustive]
pub struct Routing {
    /// The part by hands.
    pub hand: Option<HandPart>,
    /// The part by kings.
    pub king: Option<KingPart>,
    /// The part by progress.
    pub progress: Option<ProgressPart>,
}

impl Routing {
    /// Names of all parts, as the option `EvalRouting` offers them.
    pub fn part_names() -> impl Iterator<Item = &'static str> {
        let kings = KingPart::ALL.into_iter().map(|(_, name)| name);
        let hands = HandPart::ALL.into_iter().map(|(_, name)| name);
        kings.chain(hands).chain(ProgressPart::ALL.into_iter().map(|(_, name)| name))
    }

    /// Routing by kings only.
    pub const fn by_kings(part: KingPart) -> Self {
        Self { hand: None, king: Some(part), progress: None }
    }

    /// Number of layer stacks.
    pub fn stacks(self) -> usize {
        let hand = self.hand.map_or(1, |part| part.kinds().pow(2));
        let king = self.king.map_or(1, |part| part.groups().pow(2));
        hand * king * self.progress.map_or(1, ProgressPart::stacks)
    }

    /// Whether the weights of the progress are in `progress.bin`.
    pub(crate) fn needs_progress_file(self) -> bool {
        self.progress.is_some_and(ProgressPart::is_separate)
    }

    /// All routings with this number of stacks whose progress part has weights in the network's
    /// file exactly if `progress` says so. `wanted` names parts that must be there.
    pub fn candidates(stacks: usize, progress: bool, wanted: Self) -> Vec<Self> {
        let hands = || std::iter::once(None).chain(HandPart::ALL.map(|(part, _)| Some(part)));
        let kings = || std::iter::once(None).chain(KingPart::ALL.map(|(part, _)| Some(part)));
        let progresses = ProgressPart::ALL.into_iter().map(|(part, _)| Some(part));
        let progresses: Vec<_> = std::iter::once(None)
            .chain(progresses)
            .filter(|part| match part {
                Some(ProgressPart::Steps(_)) => progress,
                // Only on request: a file does not show which nine stacks it has.
                Some(_) => !progress && wanted.needs_progress_file(),
                None => !progress,
            })
            .collect();
        let mut found = Vec::new();
        for hand in hands() {
            for king in kings() {
                for &progress in &progresses {
                    let routing = Self { hand, king, progress };
                    let fits = (wanted.hand.is_none() || wanted.hand == hand)
                        && (wanted.king.is_none() || wanted.king == king)
                        && (wanted.progress.is_none() || wanted.progress == progress);
                    let alone =
                        !routing.needs_progress_file() || (hand.is_none() && king.is_none());
                    if fits && alone && routing.stacks() == stacks {
                        found.push(routing);
                    }
                }
            }
        }
        found
    }

    fn set(&mut self, part: &str) -> bool {
        if let Some((found, _)) = KingPart::ALL.into_iter().find(|row| row.1 == part) {
            return self.king.replace(found).is_none();
        }
        if let Some((found, _)) = HandPart::ALL.into_iter().find(|row| row.1 == part) {
            return self.hand.replace(found).is_none();
        }
        if part == "kingrank9" {
            return self.king.replace(KingPart::K3).is_none();
        }
        let found = ProgressPart::ALL.into_iter().find(|row| row.1 == part);
        found.is_some_and(|(found, _)| self.progress.replace(found).is_none())
    }
}

messages! {
    /// A name that is no routing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct UnknownRouting(name: String) =>
        let name = shown(name);
        "unknown routing `{name}`: expected parts such as k3k3, hand16 or progress8, joined by `_`",
        "未知の選択方式 `{name}` です。k3k3、hand16、progress8 などを `_` でつないで指定してください";
}
error_message!(UnknownRouting);

impl FromStr for Routing {
    type Err = UnknownRouting;

    fn from_str(name: &str) -> Result<Self, UnknownRouting> {
        let mut routing = Self::default();
        let lower = name.trim().to_ascii_lowercase();
        if lower == "none" {
            return Ok(routing);
        }
        if lower.split('_').all(|part| routing.set(part)) {
            return Ok(routing);
        }
        Err(UnknownRouting(name.to_owned()))
    }
}

impl fmt::Display for Routing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn of<T: PartialEq>(table: &[(T, &'static str)], part: &Option<T>) -> Option<&'static str> {
            table.iter().find(|row| Some(&row.0) == part.as_ref()).map(|row| row.1)
        }
        let hand = of(&HandPart::ALL, &self.hand);
        let king = of(&KingPart::ALL, &self.king);
        let progress = of(&ProgressPart::ALL, &self.progress);
        let parts: Vec<_> = hand.into_iter().chain(king).chain(progress).collect();
        f.write_str(if parts.is_empty() { "none".to_owned() } else { parts.join("_") }.as_str())
    }
}

/// Weights of the progress of the game: by the own king's square, then by piece index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgressWeights {
    /// Start of the sum, in 1/65536.
    pub bias: i32,
    /// `[81][1548]`, in 1/65536.
    pub weights: Vec<i32>,
}

impl ProgressWeights {
    /// Number of weights.
    pub const COUNT: usize = SQUARES * PIECE_INPUTS;
    /// Bytes of a file `progress.bin`.
    pub(crate) const FILE_BYTES: u64 = 8 * Self::COUNT as u64;

    /// From the bytes of `progress.bin`: 64-bit floating-point numbers. `None` if there are not
    /// exactly [`ProgressWeights::COUNT`] or one is not finite.
    pub fn from_file(bytes: &[u8]) -> Option<Self> {
        if bytes.len() as u64 != Self::FILE_BYTES {
            return None;
        }
        let number = |bytes: &[u8; 8]| {
            let scaled = f64::from_le_bytes(*bytes) * 65536.0;
            scaled.is_finite().then(|| scaled.round() as i32)
        };
        let weights = bytes.as_chunks::<8>().0.iter().map(number).collect::<Option<_>>()?;
        Some(Self { bias: 0, weights })
    }
}

/// A routing ready to use.
#[derive(Clone)]
pub struct Router {
    routing: Routing,
    /// The king part: the group of each square times one, for the side to move times `groups`.
    groups: [u16; SQUARES],
    progress: Option<ProgressStacks>,
}

#[derive(Clone)]
struct ProgressStacks {
    weights: ProgressWeights,
    map: FeatureMap,
    /// The bucket is the number of limits that the sum reaches.
    limits: Vec<i64>,
}

/// The logistic function's inverse in 1/65536, rounded half away from zero.
fn logit(q: f64) -> i64 {
    ((q / (1.0 - q)).ln() * 65536.0).round() as i64
}

impl Router {
    /// `progress` must be there if the routing has a progress part.
    pub fn new(routing: Routing, progress: Option<&ProgressWeights>) -> Self {
        let group = |square| routing.king.map_or(0, |part| part.group(square) as u16);
        let progress = routing.progress.zip(progress).map(|(part, weights)| ProgressStacks {
            weights: weights.clone(),
            map: FeatureMap::new(FeatureSet::HalfKP),
            limits: match part {
                ProgressPart::Steps(steps) => (1..steps)
                    .map(|step| logit((256 * step).div_ceil(steps) as f64 / 256.0))
                    .collect(),
                _ => (1..8).map(|step| logit(f64::from(step) / 8.0)).collect(),
            },
        });
        Self { routing, groups: std::array::from_fn(group), progress }
    }

    /// The stack for a position.
    #[inline]
    pub fn stack(&self, position: &Position) -> usize {
        let us = position.side_to_move();
        let kings = [us, us.flip()].map(|side| king_slot(side, position));
        let mut index = 0;
        if let Some(part) = self.routing.hand {
            let [ours, theirs] = [us, us.flip()].map(|side| part.kind(position, side));
            index = ours * part.kinds() + theirs;
        }
        if let Some(part) = self.routing.king {
            let [ours, theirs] = kings.map(|square| usize::from(self.groups[square]));
            index = (index * part.groups() + ours) * part.groups() + theirs;
        }
        match (self.routing.progress, &self.progress) {
            (Some(ProgressPart::EnteringKings), _) if kings.iter().all(|king| king % 9 <= 4) => 8,
            (Some(ProgressPart::Steps(steps)), Some(progress)) => {
                index * steps + progress.bucket(position)
            }
            (Some(_), Some(progress)) => progress.bucket(position),
            _ => index,
        }
    }
}

impl ProgressStacks {
    fn bucket(&self, position: &Position) -> usize {
        let weight = |input: u32| i64::from(self.weights.weights[input as usize]);
        let mut sum = i64::from(self.weights.bias);
        let missing = missing_pieces(position) as i64;
        for view in VIEWS {
            let block = self.map.block(view, position);
            let inputs =
                position.places().filter_map(|(place, _)| self.map.input(view, block, place));
            sum += inputs.map(weight).sum::<i64>() + missing * weight(FeatureMap::missing(block));
        }
        self.limits.partition_point(|&limit| limit <= sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        let names = ["none", "k3k3", "hand64z", "hand16_k3k3_progress8", "progress8kpabs"];
        for name in names.into_iter().chain(Routing::part_names()) {
            assert_eq!(name.parse::<Routing>().unwrap().to_string(), name);
        }
        for bad in ["", "k3", "k3k3_k9k9", "progress5", "hand16k3k3"] {
            assert!(bad.parse::<Routing>().is_err(), "{bad}");
        }
        assert_eq!("KINGRANK9".parse(), Ok(Routing::by_kings(KingPart::K3)));
    }

    #[test]
    fn stacks_are_the_product_of_the_parts() {
        let stacks = |name: &str| name.parse::<Routing>().unwrap().stacks();
        let known = [("none", 1), ("k3k3", 9), ("k29k29", 841), ("hand1024", 1024)];
        for (name, count) in known {
            assert_eq!(stacks(name), count, "{name}");
        }
        assert_eq!(stacks("hand16_k3k3_progress8"), 16 * 9 * 8);
        let any = Routing::default();
        assert_eq!(Routing::candidates(9, false, any), [Routing::by_kings(KingPart::K3)]);
        assert_eq!(Routing::candidates(81, false, any).len(), 2, "k9k9 and k9k9z");
        let wanted = "k9k9z".parse().unwrap();
        assert_eq!(Routing::candidates(81, false, wanted), [wanted]);
        assert_eq!(Routing::candidates(10, false, any), []);
    }

    #[test]
    fn every_group_is_used_and_none_beyond() {
        for (part, name) in KingPart::ALL {
            let used: std::collections::BTreeSet<_> = (0..81).map(|s| part.group(s)).collect();
            assert!(used.iter().copied().eq(0..part.groups()), "{name}: {used:?}");
        }
    }

    #[test]
    fn limits_of_the_progress_are_the_published_ones() {
        let limits: Vec<i64> = (1..8).map(|step| logit(f64::from(step) / 8.0)).collect();
        assert_eq!(limits, [-127_527, -71_999, -33_477, 0, 33_477, 71_999, 127_527]);
    }
}
