//! `monomi net`: what network files hold, and rewriting them for other programs.

use super::complain;
use crate::lang::{FixedTexts as _, MessageTexts as _};
use crate::lang::{Lang, NetworkFact as Fact};
use anyhow::{Context as _, bail};
use clap::Subcommand;
use monomi_batch::files;
use monomi_eval::network::{NetworkFile, Routing, WriteOptions};
use monomi_search::eval_source::{Loading, SlowLoad};
use monomi_text::Message as _;
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
        #[arg(long, value_name = "ROUTING")]
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

pub(super) fn run(command: &Command, out: &mut impl Write, lang: Lang) -> anyhow::Result<()> {
    match command {
        Command::Info { file, eval_routing } => {
            let network = open(file, *eval_routing, lang)?;
            write!(out, "{}", description(&network, lang))?;
        }
        Command::Convert(args) => convert(args, out, lang)?,
    }
    Ok(())
}

fn open(path: &Path, routing: Option<Routing>, lang: Lang) -> anyhow::Result<NetworkFile> {
    let mut tell = |loading: Loading| complain(&loading.in_lang(lang).to_string());
    let mut slow = SlowLoad::new(path, &mut tell);
    NetworkFile::open_with(path, routing, &mut |done, all| slow.progress(done, all))
        .with_context(|| path.display().to_string())
}

fn description(network: &NetworkFile, lang: Lang) -> String {
    let shape = network.architecture;
    let info = &network.info;
    let [first, second, third] = shape.affine_sizes();
    let layers =
        [first, second, third].map(|(inputs, outputs)| format!("{inputs} -> {outputs}")).join(", ");
    let stated = info.stated_fv_scale.is_some();
    let mut facts = vec![
        (Fact::Shape, shape.to_string()),
        (Fact::Features, lang.inputs(shape.features.name(), shape.features.inputs())),
        (Fact::FirstLayer, lang.per_perspective(shape.l1, info.compressed)),
        (Fact::Layers, layers),
        (Fact::Skip, lang.yes_no(shape.has_skip()).to_owned()),
        (Fact::Stacks, shape.stacks().to_string()),
        (Fact::Routing, network.routing.to_string()),
        (Fact::FvScale, lang.fv_scale(network.fv_scale(), stated)),
        (Fact::Version, lang.hash(info.version, info.hash)),
        (Fact::Text, info.text.escape_debug().to_string()),
    ];
    facts
        .extend(info.reasons.iter().map(|reason| (Fact::Reason, reason.in_lang(lang).to_string())));
    facts.iter().map(|(fact, value)| lang.network_line(*fact, value) + "\n").collect()
}

fn convert(args: &Convert, out: &mut impl Write, lang: Lang) -> anyhow::Result<()> {
    let network = open(&args.input, None, lang)?;
    if !network.architecture.is_plain() {
        bail!("{}: {}", args.input.display(), lang.only_plain_networks());
    }
    if args.output.exists() && !args.force {
        bail!("{}: {}", args.output.display(), lang.exists_force());
    }
    let options = WriteOptions {
        text: args.text.clone(),
        hashes: !args.no_hashes,
        compressed: args.compressed,
    };
    let mut bytes = Vec::new();
    network.write_with(&mut bytes, &options)?;
    // What cannot be read again must not be written.
    let again = NetworkFile::read(bytes.as_slice(), bytes.len() as u64)
        .context(lang.not_recognised_again())?;
    if again.architecture != network.architecture {
        bail!(lang.taken_for(&again.architecture.to_string()));
    }
    files::write(&args.output, &bytes).with_context(|| args.output.display().to_string())?;
    writeln!(out, "{}", lang.bytes(&args.output, bytes.len()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_eval::network::{Architecture, FeatureSet};

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
        assert!(format!("{missing:#}").contains("none: "), "{missing:#}");
    }
}
