//! `monomi net`: what network files hold, and rewriting them for other programs.

use super::complain;
use crate::commands::values::parsed;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use clap::Subcommand;
use monomi_eval::network::{Architecture, NetworkFile, ReadOptions, Routing, WriteOptions};
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
  monomi net convert nn.bin out.bin --no-hashes --force
  monomi net convert sfnn.bin out.bin --eval-routing k3k3 --text 'SFNN_halfkahm2_1536_15_32_k3k3,fv_scale=28'

A network whose layer stacks are chosen by a progress file needs that file beside it again.";

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
    /// How the layer stack is chosen, for files that do not say it: k3k3, hand16_k3k3, ... The new
    /// text says it.
    #[arg(long, value_name = "ROUTING", value_parser = parsed::<Routing>)]
    eval_routing: Option<Routing>,
    /// Leave out the two hashes (not for SFNN, whose files always have them).
    #[arg(long, conflicts_with = "compressed")]
    no_hashes: bool,
    /// Compress the first layer (LEB128), as SFNN files always do.
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
        NeedsHashes(path: PathBuf) =>
            "{path}: files of SFNN networks always have their hashes",
            "{path}: SFNN のファイルにはハッシュ値が必要です";
        Exists(path: PathBuf) =>
            "{path}: exists already; --force replaces it",
            "{path}: すでに存在します。置き換えるには --force を付けてください";
        NotRecognised =>
            "with these options the network could not be recognised again",
            "この指定では、書いたファイルを正しく判別できません";
        TakenFor(shape: Architecture) =>
            "with this text the network would be taken for {shape}",
            "この文字列では {shape} と判別されてしまいます";
        OtherRouting(routing: Routing) =>
            "with this text the layer stacks would be chosen by {routing}: name the routing in it",
            "この文字列では層スタックの選択方式が {routing} と判別されてしまいます。文字列に方式を入れて\
             ください";
        Changed =>
            "the network that was written is another one than the one read; this is a fault of Monomi",
            "書いた評価関数が元と一致しません（Monomi の不具合です）";
    }
}

fn convert(args: &Convert, out: &mut impl Write, lang: Lang) -> Result<(), Failure> {
    let network = open(&args.input, args.eval_routing, lang)?;
    if args.no_hashes && !network.architecture.is_plain() {
        return Err(Problem::NeedsHashes(args.input.clone()).into());
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
    let mut reading = ReadOptions::default();
    reading.folder = args.input.parent().map(Path::to_owned);
    let again = NetworkFile::read_with(bytes.as_slice(), bytes.len() as u64, &reading)
        .context(Problem::NotRecognised)?;
    if again.architecture != network.architecture {
        return Err(Problem::TakenFor(again.architecture).into());
    }
    if again.routing != network.routing {
        return Err(Problem::OtherRouting(again.routing).into());
    }
    let mut same = Vec::new();
    again.write_with(&mut same, &options.with_text(again.info.text.clone()))?;
    if same != bytes {
        return Err(Problem::Changed.into());
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
            eval_routing: None,
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
    /// SFNN networks with stacks, routings and PSQT keep all their numbers under another text.
    #[test]
    fn sfnn_networks_are_converted() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["in.bin", "out.bin"].map(|name| folder.path().join(name));
        let shape = Architecture::sfnn(FeatureSet::HalfKAHm2, 64, 15, 32, 9);
        let mut file = NetworkFile::zeroed(shape);
        let (bias, weights) = file.transformer_mut();
        bias[3] = -300;
        for (n, weight) in weights.iter_mut().enumerate().step_by(7) {
            *weight = (n % 2_001) as i16 - 1_000;
        }
        file.stacks[8][1].weights[5] = -7;
        file.write(std::fs::File::create(&input).unwrap()).unwrap();
        let text = "made elsewhere, SFNN_halfkahm2_64_15_32_k3k3,fv_scale=24".to_owned();
        let mut args = Convert {
            input: input.clone(),
            output: output.clone(),
            text: Some(text.clone()),
            eval_routing: None,
            no_hashes: false,
            compressed: false,
            force: true,
        };
        convert(&args, &mut Vec::new(), Lang::En).unwrap();
        let converted = open(&output, None, Lang::En).unwrap();
        assert_eq!((converted.architecture, converted.routing), (shape, file.routing));
        assert_eq!((converted.info.text.as_str(), converted.fv_scale().get()), (text.as_str(), 24));
        // Back with the usual text: the bytes are those from before, but for the scale.
        args.input = output;
        args.output = folder.path().join("back.bin");
        args.text = Some(open(&input, None, Lang::En).unwrap().info.text);
        convert(&args, &mut Vec::new(), Lang::En).unwrap();
        assert!(std::fs::read(&args.output).unwrap() == std::fs::read(&input).unwrap());
        args.no_hashes = true;
        let error = convert(&args, &mut Vec::new(), Lang::En).unwrap_err().to_string();
        assert!(error.contains("always have their hashes"), "{error}");
        // What would be read as another network is not written.
        args.no_hashes = false;
        args.text = Some("SFNN_halfkahm2_64_15_32_k9k9".to_owned());
        let error = convert(&args, &mut Vec::new(), Lang::En).unwrap_err().to_string();
        assert!(error.contains("could not be recognised again"), "{error}");
    }
}
