//! `monomi net`: what network files hold, and rewriting them for other programs.

use super::complain;
use crate::commands::values::parsed;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use clap::Subcommand;
use monomi_eval::network::{Architecture, NetworkFile, Routing, WriteOptions};
use monomi_eval::source::{Loading, SlowLoad};
use monomi_support::batch::files;
use monomi_support::text::{Message, messages, say};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(super) const AFTER_HELP: &str = "\
Examples:
  monomi net info nn.bin
  monomi net convert nn.bin out.bin --compressed
  monomi net convert nn.bin out.bin --text 'Features=HalfKP(Friend)[125388->256x2],fv_scale=24'";

const INFO_HELP: &str = "\
Examples:
  monomi net info nn.bin
  monomi net info nn.bin --eval-routing k3k3";

const CONVERT_HELP: &str = "\
Examples:
  monomi net convert nn.bin out.bin --compressed
  monomi net convert nn.bin out.bin --no-hashes --force";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Describes a network file, and says how its shape was recognised.
    #[command(after_help = INFO_HELP)]
    Info {
        /// The network (nn.bin).
        #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
        file: PathBuf,
        /// How the layer stack is chosen, for files that do not say it: k3k3, hand16_k3k3, ...
        #[arg(long, value_name = "ROUTING", value_parser = parsed::<Routing>)]
        eval_routing: Option<Routing>,
    },
    /// Rewrites a network with another header text, with or without hashes and compression.
    #[command(after_help = CONVERT_HELP)]
    Convert(Convert),
}

#[derive(Debug, clap::Args)]
pub(super) struct Convert {
    /// The network to read.
    #[arg(value_name = "INPUT", value_hint = clap::ValueHint::FilePath)]
    input: PathBuf,
    /// The file to write.
    #[arg(value_name = "OUTPUT", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Text of the header [default: one that names the shape].
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Leave out the two hashes.
    #[arg(long, conflicts_with = "compressed")]
    no_hashes: bool,
    /// Compress the first layer (LEB128).
    #[arg(long)]
    compressed: bool,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(command: &Command, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    match command {
        Command::Info { file, eval_routing } => {
            let network = open(file, *eval_routing, lang)?;
            write!(out, "{}", description(&network, lang))?;
        }
        Command::Convert(args) => convert(args, out, lang)?,
    }
    Ok(())
}

fn open(path: &Path, routing: Option<Routing>, lang: Lang) -> Result<NetworkFile, Failure> {
    let mut tell = |loading: Loading| complain(loading.in_lang(lang));
    let mut slow = SlowLoad::new(path, &mut tell);
    NetworkFile::open_with(path, routing, &mut |done, all| slow.progress(done, all))
        .with_context(|| Doing::File(path.to_owned()))
}

fn description(network: &NetworkFile, lang: Lang) -> String {
    let shape = network.architecture;
    let info = &network.info;
    let [first, second, third] = shape.affine_sizes();
    let layers =
        [first, second, third].map(|(inputs, outputs)| format!("{inputs} -> {outputs}")).join(", ");
    let (features, inputs) = (shape.features.name(), shape.features.inputs());
    let skip = match shape.has_skip() {
        true => say!(lang, "yes", "あり"),
        false => say!(lang, "no", "なし"),
    };
    let scale = network.fv_scale();
    let scale = match info.stated_fv_scale {
        Some(_) => say!(lang, "{scale} (stated)", "{scale}（ファイルに記載）"),
        None => say!(lang, "{scale} (usual for this family)", "{scale}（この系統の標準）"),
    };
    let (version, hash) = (info.version, info.hash);
    let mut lines = vec![
        say!(lang, "shape: {shape}", "構造: {shape}"),
        say!(lang, "features: {features}, {inputs} inputs", "特徴量: {features}（入力 {inputs}）"),
        say!(
            lang,
            "first layer: {} per perspective{}",
            "第一層: 視点ごとに {}{}",
            shape.l1,
            if info.compressed { say!(lang, ", LEB128", "、LEB128") } else { String::new() }
        ),
        say!(lang, "layers: {layers}", "後続の層: {layers}"),
        say!(lang, "skip connection: {skip}", "スキップ接続: {skip}"),
        say!(lang, "stacks: {}", "層スタック: {}", shape.stacks()),
        say!(lang, "routing: {}", "層スタックの選択方式: {}", network.routing),
        format!("FV_SCALE: {scale}"),
        say!(
            lang,
            "version: {version:08X}, hash {hash:08X}",
            "バージョン: {version:08X}、ハッシュ値 {hash:08X}"
        ),
        say!(lang, "text: {}", "文字列: {}", info.text.escape_debug()),
    ];
    lines.extend(info.reasons.iter().map(|reason| {
        let reason = reason.in_lang(lang);
        say!(lang, "because: {reason}", "判別の根拠: {reason}")
    }));
    lines.join("\n") + "\n"
}

messages! {
    /// Why a network is not rewritten.
    enum Problem {
        NotPlain(path: PathBuf) =>
            "{path}: only plain networks can be converted",
            "{path}: 通常の NNUE しか変換できません";
        Exists(path: PathBuf) =>
            "{path}: exists already; --force replaces it",
            "{path}: すでに存在します。置き換えるには --force を付けてください";
        NotRecognised =>
            "with these options the network could not be recognised again",
            "この指定では、書いたファイルを正しく判別できません";
        TakenFor(shape: Architecture) =>
            "with this text the network would be taken for {shape}",
            "この文字列では {shape} と判別されてしまいます";
    }
}

fn convert(args: &Convert, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let network = open(&args.input, None, lang)?;
    if !network.architecture.is_plain() {
        return Err(Problem::NotPlain(args.input.clone()).into());
    }
    if args.output.exists() && !args.force {
        return Err(Problem::Exists(args.output.clone()).into());
    }
    let options = WriteOptions::default()
        .with_text(args.text.clone())
        .with_hashes(!args.no_hashes)
        .with_compressed(args.compressed);
    let mut bytes = Vec::new();
    network.write_with(&mut bytes, &options)?;
    // What cannot be read again must not be written.
    let again =
        NetworkFile::read(bytes.as_slice(), bytes.len() as u64).context(Problem::NotRecognised)?;
    if again.architecture != network.architecture {
        return Err(Problem::TakenFor(again.architecture).into());
    }
    files::write(&args.output, &bytes).with_context(|| Doing::File(args.output.clone()))?;
    let (output, bytes) = (args.output.display(), bytes.len());
    let english = count(bytes as u64, "byte", "bytes");
    say!(lang, out, "{output}: {english}\n", "{output}: {bytes} バイト\n")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_eval::network::FeatureSet;

    #[test]
    fn networks_are_described_and_converted() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["in.bin", "out.bin"].map(|name| folder.path().join(name));
        let shape = Architecture::plain(FeatureSet::KP, 32, 8, 32);
        NetworkFile::zeroed(shape).write(std::fs::File::create(&input).unwrap()).unwrap();
        let mut args = Convert {
            input: input.clone(),
            output: output.clone(),
            text: Some("fv_scale=24".to_owned()),
            no_hashes: false,
            compressed: true,
            force: false,
        };
        convert(&args, &mut Vec::new(), Lang::En).unwrap();
        let text = description(&open(&output, None, Lang::En).unwrap(), Lang::En);
        for line in ["shape: K+P 32x2-8-32", "LEB128", "FV_SCALE: 24 (stated)", "because: "] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let text = description(&open(&output, None, Lang::Ja).unwrap(), Lang::Ja);
        let reason = "判別の根拠: 8-32: ファイルの大きさと、層の前のハッシュ値";
        assert!(text.contains(reason), "{text}");
        let error = convert(&args, &mut Vec::new(), Lang::En).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        args.force = true;
        convert(&args, &mut Vec::new(), Lang::En).unwrap();
        let missing = open(&folder.path().join("none"), None, Lang::En).err().unwrap();
        assert!(missing.to_string().contains("none: "), "{missing}");
    }
}
