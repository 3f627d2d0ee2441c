//! Why a network file was not read.

use super::architecture::{Architecture, SizeError};
use super::format::{MAX_STATED_STACKS, MAX_TEXT};
use super::leb128::Leb128Error;
use super::routing::{ProgressWeights, Routing};
use monomi_support::text::{Lang, error_message, messages, say, shown};
use std::io;

messages! {
    /// Why a network file was not read.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum NetworkError {
        /// The system could not open or read the file.
        Io(error: io::Error) => both "{error}";
        /// A folder, a device or similar.
        NotAFile => "not a regular file", "通常のファイルではありません";
        /// The file ends too early.
        Truncated {
            /// Length of the file.
            found: u64,
            /// Smallest length that the part read so far requires.
            needed: u64,
        } =>
            "truncated: {found} bytes, at least {needed} needed",
            "ファイルが途中で切れています（{found} バイト、少なくとも {needed} バイト必要）";
        /// The file is too long.
        Trailing {
            /// What the file contains.
            architecture: Architecture,
            /// Number of surplus bytes.
            extra: u64,
        } =>
            "{extra} trailing bytes after a network {architecture}",
            "{architecture} の後ろに余分な {extra} バイトがあります";
        /// The file does not start as a network file.
        Version {
            /// The file's first word.
            found: u32,
        } =>
            "not a network file: version {found:08X} is unknown",
            "評価関数ファイルではありません（未知のバージョン {found:08X}）";
        /// The text of the header is longer than any real one.
        TextTooLong {
            /// Its length as stated.
            length: u32,
        } =>
            "a header text of {length} bytes, at most {MAX_TEXT} are accepted",
            "ヘッダの文字列が長すぎます（{length} バイト、{MAX_TEXT} バイトまで）";
        /// A kind of network that exists but is not supported.
        Unsupported(what: Unsupported) => "{what}: not supported", "{what}には対応していません";
        /// No known shape has this size and these hashes.
        UnknownShape {
            /// Bytes after the text.
            bytes: u64,
            /// The first word after the text.
            hash: u32,
            /// The text, shortened.
            text: String,
        } =>
            let text = shown(text);
            "unknown architecture: no supported shape has {bytes} bytes after the header \
             text (first hash {hash:08X}, text `{text}`)",
            "未知の構造です（ヘッダの後ろが {bytes} バイト、最初のハッシュ値 {hash:08X}、\
             文字列 `{text}`）";
        /// Several shapes fit: the likeliest of them.
        Ambiguous(shapes: Vec<Architecture>) => |lang, f| {
            let shapes = list(shapes, say!(lang, " or ", "、"));
            say!(
                lang,
                f,
                "ambiguous: the file could be {shapes}",
                "複数の構造が考えられます: {shapes}"
            )
        };
        /// The header states a number of stacks that no network has.
        StatedStacks {
            /// The number in the header.
            stated: u32,
        } =>
            "damaged: {stated} layer stacks stated, 1 to {MAX_STATED_STACKS} expected",
            "破損しています（層スタックが {stated} 個とありますが、1 から {MAX_STATED_STACKS} 個の\
             はずです）";
        /// The compressed first layer fits no feature set.
        UnknownCounts {
            /// Numbers in the first block.
            biases: usize,
            /// Numbers in the second block.
            weights: usize,
        } =>
            "unknown architecture: {biases} biases and {weights} weights in the first layer",
            "未知の構造です（第一層のバイアス {biases} 個、重み {weights} 個）";
        /// The stacks have no known sizes.
        UnknownStacks {
            /// Bytes of all stacks.
            bytes: u64,
            /// The feature set.
            features: &'static str,
            /// Width of an accumulator.
            l1: usize,
        } =>
            "unknown architecture: layer stacks of {bytes} bytes after {features} with L1 = {l1}",
            "未知の構造です（{features}、L1 = {l1} の後ろの層スタックが {bytes} バイト）";
        /// A compressed block is damaged.
        Compressed(error: Leb128Error) => both "{error}";
        /// A compressed block does not start with its mark.
        NoBlock =>
            "a compressed block does not start with COMPRESSED_LEB128",
            "圧縮部分が COMPRESSED_LEB128 で始まっていません";
        /// A size that no network has.
        Size(error: SizeError) => both "{error}";
        /// The system has no memory for it.
        Memory {
            /// What was asked for.
            bytes: u64,
        } => "not enough memory for {bytes} bytes", "メモリが足りません（{bytes} バイト）";
        /// The file does not say how its stacks are chosen.
        UnknownRouting {
            /// Number of stacks.
            stacks: usize,
            /// Routings with this number of stacks.
            choices: Vec<Routing>,
        } => |lang, f| {
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
        };
        /// The routing that was asked for does not fit.
        WrongRouting {
            /// What was asked for.
            routing: Routing,
            /// Number of stacks.
            stacks: usize,
            /// Whether the file has weights of the progress.
            progress: bool,
        } => |lang, f| {
            let weights = progress_weights(*progress, lang);
            say!(
                lang,
                f,
                "EvalRouting {routing} does not fit a file with {stacks} layer stack(s){weights}",
                "EvalRouting {routing} は、層スタックが {stacks} 個{weights}のファイルに合いません"
            )
        };
        /// The routing that the header text names does not fit.
        WrongTextRouting {
            /// What the text names.
            routing: Routing,
            /// Number of stacks in the file.
            stacks: usize,
            /// Whether the file has weights of the progress.
            progress: bool,
        } => |lang, f| {
            let weights = progress_weights(*progress, lang);
            say!(
                lang,
                f,
                "the header text names the routing {routing}, which does not fit {stacks} layer \
                 stack(s){weights}; if the text is wrong, set EvalRouting",
                "ヘッダの文字列にある選択方式 {routing} は、層スタックが {stacks} 個{weights}の\
                 ファイルに合いません。文字列が誤りなら EvalRouting を指定してください"
            )
        };
        /// The header states another number of stacks than there are.
        WrongStacks {
            /// The number in the header.
            stated: usize,
            /// The number that the file's size gives.
            found: usize,
        } =>
            "the header states {stated} layer stack(s), the file has {found}",
            "ヘッダでは層スタックが {stated} 個ですが、ファイルには {found} 個あります";
        /// The header text names shards that do not divide the first affine layer.
        WrongShards {
            /// As the text names them: `cC_sSxG`.
            shards: String,
            /// What the file contains.
            architecture: Architecture,
        } => |lang, f| {
            let [(inputs, outputs), ..] = architecture.affine_sizes();
            say!(
                lang,
                f,
                "the header text names the shards {shards}, which do not fit {inputs} inputs \
                 and {outputs} outputs of the first affine layer ({architecture})",
                "ヘッダの文字列にある分割 {shards} は、後続の最初の層（入力 {inputs}、出力 {outputs}、\
                 {architecture}）に合いません"
            )
        };
        /// `progress.bin` is needed and cannot be used.
        ProgressFile {
            /// The routing.
            routing: Routing,
            /// What is wrong.
            fault: ProgressFault,
        } =>
            "EvalRouting {routing} needs progress.bin in the same folder: {fault}",
            "EvalRouting {routing} には同じフォルダの progress.bin が必要です: {fault}";
    }

    /// A kind of network that exists but is not supported.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Unsupported {
        /// Version 7AF32F17.
        Nn16 => "NN16 (version 7AF32F17)", "NN16（バージョン 7AF32F17）";
        /// HalfKP with the effects of both sides.
        HalfKpe9 => "HalfKPE9 features", "特徴量 HalfKPE9 ";
        /// A piece-square term with more layer stacks than supported.
        LargePsqt =>
            "PSQT with more than {MAX_STATED_STACKS} layer stacks",
            "層スタックが {MAX_STATED_STACKS} 個を超える PSQT ";
        /// The activation of some plain networks.
        ScRelu => "SCReLU activation", "活性化関数 SCReLU ";
        /// The activation of SFNN in a plain network.
        Pairwise => "pairwise activation of a plain network", "通常の NNUE の活性化関数 pairwise ";
        /// Buckets of inputs by effect.
        EffectBucket => "EffectBucket inputs", "入力 EffectBucket ";
        /// Threats as inputs.
        Threats => "threat inputs", "入力 Threat ";
    }

    /// What is wrong with `progress.bin`.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum ProgressFault {
        /// The network was not read from a file.
        NoFolder => "no folder is known", "フォルダがわかりません";
        /// The system could not read the file.
        Io(error: io::Error) => both "{error}";
        /// Not a regular file of the right length.
        Length(found: u64) =>
            let expected = ProgressWeights::FILE_BYTES;
            "{found} bytes, expected {expected}",
            "{found} バイトですが、正しくは {expected} バイトです";
        /// A weight is not a finite number.
        NotFinite => "a weight is not finite", "有限の数でない重みがあります";
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

impl From<io::Error> for ProgressFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
