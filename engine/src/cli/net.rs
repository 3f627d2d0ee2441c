//! `monomi net`: what network files hold, and rewriting them for other programs.

use anyhow::{Context as _, bail};
use clap::Subcommand;
use monomi_eval::network::{NetworkFile, Routing, WriteOptions};
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
    /// Shows what a network file holds, and why it was classified that way.
    #[command(after_help = INFO_HELP)]
    Info {
        /// The network (nn.bin).
        #[arg(value_hint = clap::ValueHint::FilePath)]
        file: PathBuf,
        /// How the layer stack is chosen, where the file does not say it: k3k3, hand16_k3k3, ...
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
    #[arg(value_hint = clap::ValueHint::FilePath)]
    input: PathBuf,
    /// The file to write.
    #[arg(value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// The header's text; by default one that names the shape.
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Leave the two hashes out.
    #[arg(long, conflicts_with = "compressed")]
    no_hashes: bool,
    /// Compress the first layer (LEB128).
    #[arg(long)]
    compressed: bool,
    /// Replace an existing file.
    #[arg(long)]
    force: bool,
}

pub(super) fn run(command: &Command, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Command::Info { file, eval_routing } => {
            let network = open(file, *eval_routing)?;
            write!(out, "{}", description(&network))?;
        }
        Command::Convert(args) => convert(args, out)?,
    }
    Ok(())
}

fn open(path: &Path, routing: Option<Routing>) -> anyhow::Result<NetworkFile> {
    NetworkFile::open_with(path, routing, &mut |_, _| ())
        .with_context(|| path.display().to_string())
}

fn description(network: &NetworkFile) -> String {
    let shape = network.architecture;
    let info = &network.info;
    let [first, second, third] = shape.affine_sizes();
    let stated = if info.stated_fv_scale.is_some() { "stated" } else { "usual for this family" };
    let mut lines = vec![
        format!("shape: {shape}"),
        format!("features: {}, {} inputs", shape.features.name(), shape.features.inputs()),
        format!(
            "first layer: {} per perspective{}",
            shape.l1,
            match info.compressed {
                true => ", LEB128",
                false => "",
            }
        ),
        format!(
            "layers: {} -> {}, {} -> {}, {} -> {}",
            first.0, first.1, second.0, second.1, third.0, third.1
        ),
        format!("skip connection: {}", if shape.has_skip() { "yes" } else { "no" }),
        format!("stacks: {}", shape.stacks()),
        format!("routing: {}", network.routing),
        format!("FV_SCALE: {} ({stated})", network.fv_scale()),
        format!("version: {:08X}, hash {:08X}", info.version, info.hash),
        format!("text: {}", info.text.escape_debug()),
    ];
    lines.extend(info.reasons.iter().map(|reason| format!("because: {reason}")));
    lines.join("\n") + "\n"
}

fn convert(args: &Convert, out: &mut impl Write) -> anyhow::Result<()> {
    let network = open(&args.input, None)?;
    if !network.architecture.is_plain() {
        bail!("{}: only plain networks are converted", args.input.display());
    }
    if args.output.exists() && !args.force {
        bail!("{}: exists already; --force replaces it", args.output.display());
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
        .context("with these options the network could not be recognised again")?;
    if again.architecture != network.architecture {
        bail!("with this text the network would be taken for {}", again.architecture);
    }
    // An unfinished file never has the final name.
    let unfinished = args.output.with_extension("unfinished");
    std::fs::write(&unfinished, &bytes)
        .and_then(|()| std::fs::rename(&unfinished, &args.output))
        .with_context(|| args.output.display().to_string())?;
    writeln!(out, "{}: {} bytes", args.output.display(), bytes.len())?;
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
        convert(&args, &mut Vec::new()).unwrap();
        let text = description(&open(&output, None).unwrap());
        for line in ["shape: K+P 32x2-8-32", "LEB128", "FV_SCALE: 24 (stated)", "because: "] {
            assert!(text.contains(line), "{line}: {text}");
        }
        let error = convert(&args, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        args.force = true;
        convert(&args, &mut Vec::new()).unwrap();
        let missing = open(&folder.path().join("none"), None).err().unwrap();
        assert!(format!("{missing:#}").contains("none: "), "{missing:#}");
    }
}
