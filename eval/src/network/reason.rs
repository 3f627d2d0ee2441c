//! Why a network file was taken for what it is.

use super::affine::Shards;
use super::architecture::{Architecture, FeatureSet};
use super::routing::Routing;
use monomi_support::text::{Lang, Message, messages, say};
use std::fmt;

/// A fact about a file that determined its shape or its routing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The hash before the first layer is that of these features and width.
    FirstLayerHash {
        /// The inputs that the hash or the size belongs to.
        features: FeatureSet,
        /// Width of an accumulator.
        l1: usize,
        /// As stored before the layers.
        hash: u32,
    },
    /// The compressed first layer has the size of these features and width.
    FirstLayerSize {
        /// The inputs that the hash or the size belongs to.
        features: FeatureSet,
        /// Width of an accumulator, and number of biases.
        l1: usize,
        /// Number of weights.
        weights: usize,
    },
    /// The size of the file fits this shape only.
    FileSize {
        /// The shape that fits.
        shape: Architecture,
        /// Whether the header text was used, too.
        text: bool,
    },
    /// The hash before the layers and the size fit this shape.
    LayersHash {
        /// The shape that fits.
        shape: Architecture,
        /// As stored before the layers.
        hash: u32,
    },
    /// The size fits this shape, the hash before the layers is unknown.
    LayersSize {
        /// The shape that fits.
        shape: Architecture,
        /// As stored before the layers.
        hash: u32,
    },
    /// The hash in the header is not that of the shape, which is of no consequence.
    HeaderHash {
        /// The hash in the header.
        found: u32,
        /// The shape's hash.
        expected: u32,
    },
    /// Sizes and number of the layer stacks.
    Stacks {
        /// The shape that fits.
        shape: Architecture,
        /// Whether the header text states the sizes; otherwise the hashes of the stacks show them.
        text: bool,
    },
    /// The first affine layer is divided as the header text states.
    Shards(Shards),
    /// The hash after the first layer is that of weights of the progress.
    ProgressHash,
    /// Why the layer stack is chosen in this way.
    Routing(Routing, RoutingReason),
}

messages! {
    /// Why a layer stack is chosen as it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum RoutingReason {
        /// The option says so.
        Option => "option EvalRouting", "オプション EvalRouting";
        /// The option says so in part; only one routing has this number of stacks.
        OptionAndStacks =>
            "option EvalRouting and number of stacks", "オプション EvalRouting と層スタックの数";
        /// The header text says so.
        Text => "header text", "ヘッダの文字列";
        /// There are nine stacks, and `progress.bin` is in the same folder.
        ProgressFile =>
            "nine stacks and a file progress.bin in the same folder",
            "層スタックが 9 個で、同じフォルダに progress.bin があるため";
        /// Only one routing has this number of stacks.
        Stacks => "the only one with this number of stacks", "この層スタック数に合う唯一の方式";
    }
}

#[doc(hidden)]
impl Message for Reason {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::FirstLayerHash { features, l1, hash } => say!(
                lang,
                f,
                "{} with L1 = {l1}: hash {hash:08X} before the first layer",
                "{}、L1 = {l1}: 第一層の前のハッシュ値 {hash:08X}",
                features.name()
            ),
            Self::FirstLayerSize { features, l1, weights } => say!(
                lang,
                f,
                "{} with L1 = {l1}: {l1} biases and {weights} weights",
                "{}、L1 = {l1}: バイアス {l1} 個、重み {weights} 個",
                features.name()
            ),
            Self::FileSize { shape, text: true } => say!(
                lang,
                f,
                "{shape}: size and header text of the file",
                "{shape}: ファイルの大きさとヘッダの文字列"
            ),
            Self::FileSize { shape, text: false } => {
                say!(lang, f, "{shape}: size of the file", "{shape}: ファイルの大きさ")
            }
            Self::LayersHash { shape: Architecture { l2, l3, .. }, hash } => say!(
                lang,
                f,
                "{l2}-{l3}: size, and hash {hash:08X} before the layers",
                "{l2}-{l3}: ファイルの大きさと、層の前のハッシュ値 {hash:08X}"
            ),
            Self::LayersSize { shape: Architecture { l2, l3, .. }, hash } => say!(
                lang,
                f,
                "{l2}-{l3}: size; hash {hash:08X} before the layers is unknown (ignored)",
                "{l2}-{l3}: ファイルの大きさ。層の前のハッシュ値 {hash:08X} は未知です（無視します）"
            ),
            Self::HeaderHash { found, expected } => say!(
                lang,
                f,
                "hash {found:08X} in the header, {expected:08X} expected (ignored)",
                "ヘッダのハッシュ値は {found:08X} ですが、正しくは {expected:08X} です（無視します）"
            ),
            Self::Stacks { shape, text } => {
                let Architecture { l2, l3, .. } = shape;
                let by = if text {
                    say!(lang, "header text and size", "ヘッダの文字列とファイルの大きさ")
                } else {
                    say!(
                        lang,
                        "size and the stacks' hashes",
                        "ファイルの大きさと各層スタックのハッシュ値"
                    )
                };
                say!(
                    lang,
                    f,
                    "{l2}-{l3} and {} stack(s): {by}",
                    "{l2}-{l3}、層スタック {} 個: {by}",
                    shape.stacks()
                )
            }
            Self::Shards(shards) => {
                say!(lang, f, "{shards}: header text", "{shards}: ヘッダの文字列")
            }
            Self::ProgressHash => say!(
                lang,
                f,
                "weights of the progress: their hash after the first layer",
                "進行度の重み: 第一層の後ろのハッシュ値"
            ),
            Self::Routing(routing, reason) => {
                let reason = reason.in_lang(lang);
                say!(
                    lang,
                    f,
                    "routing {routing}: {reason}",
                    "層スタックの選択方式 {routing}: {reason}"
                )
            }
        }
    }
}
