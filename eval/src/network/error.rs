//! Why a network file was not read.

use super::architecture::{Architecture, SizeError};
use super::format::{MAX_STATED_STACKS, MAX_TEXT};
use super::leb128::Leb128Error;
use super::routing::{ProgressWeights, Routing};
use monomi_support::text::{Lang, Message, error_message, say, shown};
use std::{fmt, io};

/// Why a network file was not read.
#[derive(Debug)]
pub enum NetworkError {
    /// The system could not open or read the file.
    Io(io::Error),
    /// A folder, a device or similar.
    NotAFile,
    /// The file ends too early.
    Truncated {
        /// Length of the file.
        found: u64,
        /// Smallest length that the part read so far requires.
        needed: u64,
    },
    /// The file is too long.
    Trailing {
        /// What the file contains.
        architecture: Architecture,
        /// Number of surplus bytes.
        extra: u64,
    },
    /// The file does not start as a network file.
    Version {
        /// The file's first word.
        found: u32,
    },
    /// The text of the header is longer than any real one.
    TextTooLong {
        /// Its length as stated.
        length: u32,
    },
    /// A kind of network that exists but is not supported.
    Unsupported(Unsupported),
    /// No known shape has this size and these hashes.
    UnknownShape {
        /// Bytes after the text.
        bytes: u64,
        /// The first word after the text.
        hash: u32,
        /// The text, shortened.
        text: String,
    },
    /// Several shapes fit: the likeliest of them.
    Ambiguous(Vec<Architecture>),
    /// The header states a number of stacks that no network has.
    StatedStacks {
        /// The number in the header.
        stated: u32,
    },
    /// The compressed first layer fits no feature set.
    UnknownCounts {
        /// Numbers in the first block.
        biases: usize,
        /// Numbers in the second block.
        weights: usize,
    },
    /// The stacks have no known sizes.
    UnknownStacks {
        /// Bytes of all stacks.
        bytes: u64,
        /// The feature set.
        features: &'static str,
        /// Width of an accumulator.
        l1: usize,
    },
    /// A compressed block is damaged.
    Compressed(Leb128Error),
    /// A compressed block does not start with its mark.
    NoBlock,
    /// A size that no network has.
    Size(SizeError),
    /// The system has no memory for it.
    Memory {
        /// What was asked for.
        bytes: u64,
    },
    /// The file does not say how its stacks are chosen.
    UnknownRouting {
        /// Number of stacks.
        stacks: usize,
        /// Routings with this number of stacks.
        choices: Vec<Routing>,
    },
    /// The routing that was asked for does not fit.
    WrongRouting {
        /// What was asked for.
        routing: Routing,
        /// Number of stacks.
        stacks: usize,
        /// Whether the file has weights of the progress.
        progress: bool,
    },
    /// The routing that the header text names does not fit.
    WrongTextRouting {
        /// What the text names.
        routing: Routing,
        /// Number of stacks in the file.
        stacks: usize,
        /// Whether the file has weights of the progress.
        progress: bool,
    },
    /// The header states another number of stacks than there are.
    WrongStacks {
        /// The number in the header.
        stated: usize,
        /// The number that the file's size gives.
        found: usize,
    },
    /// The header text names shards that do not divide the first affine layer.
    WrongShards {
        /// As the text names them: `cC_sSxG`.
        shards: String,
        /// What the file contains.
        architecture: Architecture,
    },
    /// `progress.bin` is needed and cannot be used.
    ProgressFile {
        /// The routing.
        routing: Routing,
        /// What is wrong.
        fault: ProgressFault,
    },
}

/// A kind of network that exists but is not supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// Version 7AF32F17.
    Nn16,
    /// HalfKP with the effects of both sides.
    HalfKpe9,
    /// A piece-square term with more layer stacks than supported.
    LargePsqt,
    /// The activation of some plain networks.
    ScRelu,
    /// The activation of SFNN in a plain network.
    Pairwise,
    /// Buckets of inputs by effect.
    EffectBucket,
    /// Threats as inputs.
    Threats,
}

/// What is wrong with `progress.bin`.
#[derive(Debug)]
pub enum ProgressFault {
    /// The network was not read from a file.
    NoFolder,
    /// The system could not read the file.
    Io(io::Error),
    /// Not a regular file of the right length.
    Length(u64),
    /// A weight is not a finite number.
    NotFinite,
}

impl Message for NetworkError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.write(lang, f),
            Self::NotAFile => say!(lang, f, "not a regular file", "通常のファイルではありません"),
            Self::Truncated { found, needed } => say!(
                lang,
                f,
                "truncated: {found} bytes, at least {needed} needed",
                "ファイルが途中で切れています（{found} バイト、少なくとも {needed} バイト必要）"
            ),
            Self::Trailing { architecture, extra } => say!(
                lang,
                f,
                "{extra} trailing bytes after a network {architecture}",
                "{architecture} の後ろに余分な {extra} バイトがあります"
            ),
            Self::Version { found } => say!(
                lang,
                f,
                "not a network file: version {found:08X} is unknown",
                "評価関数ファイルではありません（未知のバージョン {found:08X}）"
            ),
            Self::TextTooLong { length } => say!(
                lang,
                f,
                "a header text of {length} bytes, at most {MAX_TEXT} are accepted",
                "ヘッダの文字列が長すぎます（{length} バイト、{MAX_TEXT} バイトまで）"
            ),
            Self::Unsupported(what) => {
                say!(lang, f, "{}: not supported", "{}には対応していません", what.in_lang(lang))
            }
            Self::UnknownShape { bytes, hash, text } => {
                let text = shown(text);
                say!(
                    lang,
                    f,
                    "unknown architecture: no supported shape has {bytes} bytes after the header \
                     text (first hash {hash:08X}, text `{text}`)",
                    "未知の構造です（ヘッダの後ろが {bytes} バイト、最初のハッシュ値 {hash:08X}、\
                     文字列 `{text}`）"
                )
            }
            Self::Ambiguous(shapes) => {
                let shapes = list(shapes, say!(lang, " or ", "、"));
                say!(
                    lang,
                    f,
                    "ambiguous: the file could be {shapes}",
                    "複数の構造が考えられます: {shapes}"
                )
            }
            Self::StatedStacks { stated } => say!(
                lang,
                f,
                "damaged: {stated} layer stacks stated, 1 to {MAX_STATED_STACKS} expected",
                "破損しています（層スタックが {stated} 個とありますが、1 から {MAX_STATED_STACKS} 個の\
                 はずです）"
            ),
            Self::UnknownCounts { biases, weights } => say!(
                lang,
                f,
                "unknown architecture: {biases} biases and {weights} weights in the first layer",
                "未知の構造です（第一層のバイアス {biases} 個、重み {weights} 個）"
            ),
            Self::UnknownStacks { bytes, features, l1 } => say!(
                lang,
                f,
                "unknown architecture: layer stacks of {bytes} bytes after {features} with L1 = {l1}",
                "未知の構造です（{features}、L1 = {l1} の後ろの層スタックが {bytes} バイト）"
            ),
            Self::Compressed(error) => error.write(lang, f),
            Self::NoBlock => say!(
                lang,
                f,
                "a compressed block does not start with COMPRESSED_LEB128",
                "圧縮部分が COMPRESSED_LEB128 で始まっていません"
            ),
            Self::Size(error) => error.write(lang, f),
            Self::Memory { bytes } => say!(
                lang,
                f,
                "not enough memory for {bytes} bytes",
                "メモリが足りません（{bytes} バイト）"
            ),
            Self::UnknownRouting { stacks, choices } => {
                let choices = if choices.is_empty() {
                    say!(lang, "none is known", "既知のものはありません")
                } else {
                    list(choices, ", ".to_owned())
                };
                say!(
                    lang,
                    f,
                    "{stacks} layer stacks: set EvalRouting to how they are chosen ({choices})",
                    "層スタックが {stacks} 個あります。選択方式を EvalRouting で指定してください（{choices}）"
                )
            }
            Self::WrongRouting { routing, stacks, progress } => {
                let weights = progress_weights(*progress, lang);
                say!(
                    lang,
                    f,
                    "EvalRouting {routing} does not fit a file with {stacks} layer stack(s){weights}",
                    "EvalRouting {routing} は、層スタックが {stacks} 個{weights}のファイルに合いません"
                )
            }
            Self::WrongTextRouting { routing, stacks, progress } => {
                let weights = progress_weights(*progress, lang);
                say!(
                    lang,
                    f,
                    "the header text names the routing {routing}, which does not fit {stacks} layer \
                     stack(s){weights}; if the text is wrong, set EvalRouting",
                    "ヘッダの文字列にある選択方式 {routing} は、層スタックが {stacks} 個{weights}の\
                     ファイルに合いません。文字列が誤りなら EvalRouting を指定してください"
                )
            }
            Self::WrongStacks { stated, found } => say!(
                lang,
                f,
                "the header states {stated} layer stack(s), the file has {found}",
                "ヘッダでは層スタックが {stated} 個ですが、ファイルには {found} 個あります"
            ),
            Self::WrongShards { shards, architecture } => {
                let [(inputs, outputs), ..] = architecture.affine_sizes();
                say!(
                    lang,
                    f,
                    "the header text names the shards {shards}, which do not fit {inputs} inputs \
                     and {outputs} outputs of the first affine layer ({architecture})",
                    "ヘッダの文字列にある分割 {shards} は、後続の最初の層（入力 {inputs}、出力 {outputs}、\
                     {architecture}）に合いません"
                )
            }
            Self::ProgressFile { routing, fault } => {
                let fault = fault.in_lang(lang);
                say!(
                    lang,
                    f,
                    "EvalRouting {routing} needs progress.bin in the same folder: {fault}",
                    "EvalRouting {routing} には同じフォルダの progress.bin が必要です: {fault}"
                )
            }
        }
    }
}
error_message!(NetworkError, Io: io::Error, Compressed: Leb128Error, Size: SizeError);

fn list(items: &[impl ToString], between: String) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(&between)
}

/// Follows the number of stacks.
fn progress_weights(has_them: bool, lang: Lang) -> String {
    if has_them {
        say!(lang, " and progress weights", "で進行度の重みを持つ")
    } else {
        String::new()
    }
}

impl Message for Unsupported {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nn16 => say!(lang, f, "NN16 (version 7AF32F17)", "NN16（バージョン 7AF32F17）"),
            Self::HalfKpe9 => say!(lang, f, "HalfKPE9 features", "特徴量 HalfKPE9 "),
            Self::LargePsqt => say!(
                lang,
                f,
                "PSQT with more than {MAX_STATED_STACKS} layer stacks",
                "層スタックが {MAX_STATED_STACKS} 個を超える PSQT "
            ),
            Self::ScRelu => say!(lang, f, "SCReLU activation", "活性化関数 SCReLU "),
            Self::Pairwise => say!(
                lang,
                f,
                "pairwise activation of a plain network",
                "通常の NNUE の活性化関数 pairwise "
            ),
            Self::EffectBucket => say!(lang, f, "EffectBucket inputs", "入力 EffectBucket "),
            Self::Threats => say!(lang, f, "threat inputs", "入力 Threat "),
        }
    }
}

impl Message for ProgressFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder => say!(lang, f, "no folder is known", "フォルダがわかりません"),
            Self::Io(error) => error.write(lang, f),
            Self::Length(found) => say!(
                lang,
                f,
                "{found} bytes, expected {}",
                "{found} バイトですが、正しくは {} バイトです",
                ProgressWeights::FILE_BYTES
            ),
            Self::NotFinite => {
                say!(lang, f, "a weight is not finite", "有限の数でない重みがあります")
            }
        }
    }
}

impl From<io::Error> for ProgressFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
