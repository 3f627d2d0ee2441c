//! `monomi-tools generation`.

use crate::match_command::trial_columns;
use crate::runner::Stop;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const EXAMPLES: &str = "\
Plays games with the present network, trains the next network on them, and plays matches between the two:
  games     monomi datagen          FOLDER/games.mgr
  run-N     monomi-trainer net      FOLDER/run-N.bin, FOLDER/run-N.ckpt; --runs of them
  average   monomi-trainer average  FOLDER/new.bin, FOLDER/new.ckpt
  match     monomi-tools match      FOLDER/match.jsonl, FOLDER/match.json
  curve     monomi-tools curve      FOLDER/curve-*.jsonl, FOLDER/curve.json
Each stage is one command, which is printed before it runs and stored in FOLDER/STAGE.done when it is complete. After
an interruption the same command goes on where it was. On several machines run these commands yourself, see
docs/distributed.md. At the end come the rows for trials/networks.tsv and eval/nets/README.md.

Example:
  cargo build --release -p monomi -p monomi-trainer -p monomi-tools
  target/release/monomi-tools generation next --positions 1000000 --seed 36001";

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Where everything is written
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Number of positions to play
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,
    /// Nodes for each move of the games
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,
    /// Seed of the games: each generation needs another one
    #[arg(long, value_name = "SEED")]
    seed: u64,
    /// Noise of the network's style in the games
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    style: f64,
    /// More files of games to train on
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// The weights that training starts from
    #[arg(long, value_name = "FILE", default_value = "eval/nets/monomi.ckpt")]
    from: PathBuf,
    /// The network that plays the games and is to be beaten [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    base: Option<PathBuf>,
    /// FV_SCALE of the base [default: that of its file]
    #[arg(long, value_name = "N", requires = "base")]
    base_fv_scale: Option<u16>,
    /// Number of training runs, with different seeds, whose weights are averaged
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    runs: u8,
    /// FV_SCALE of the new network
    #[arg(long, value_name = "N", default_value_t = 16)]
    fv_scale: u16,
    /// Learning rate
    #[arg(long, value_name = "RATE", default_value_t = 0.00004)]
    rate: f64,
    /// Weight of the rest of the game in the score of each position
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    look_ahead: f64,
    /// Nodes for each move of the match
    #[arg(long, value_name = "N", default_value_t = 25_000)]
    match_nodes: u64,
    /// The sequential test that ends the match
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", allow_hyphen_values = true)]
    sprt: String,
    /// Largest number of pairs of games in the match
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pairs: usize,
    /// Points of the curve [default: those of `curve`]
    #[arg(long, value_name = "NODES:PAIRS,...")]
    points: Option<String>,
    /// List of openings for games and matches
    #[arg(long, value_name = "FILE", default_value = "tools/openings/even.sfen")]
    openings: PathBuf,
    /// Number of threads [default: number of cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Only print the commands
    #[arg(long)]
    dry_run: bool,
}

/// A stage: its name, its command, and the file that gets what it prints.
#[derive(Clone)]
struct Stage {
    name: String,
    command: Vec<String>,
    output: Option<PathBuf>,
}

impl Stage {
    /// The command as a shell reads it.
    fn shown(&self) -> String {
        let quoted = |word: &String| match word.contains(' ') {
            true => format!("'{word}'"),
            false => word.clone(),
        };
        self.command.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }

    /// Runs the command, unless it has been completed before.
    fn run(&self, folder: &Path, stop: &Stop) -> Result<()> {
        let (done, shown) = (folder.join(format!("{}.done", self.name)), self.shown());
        if let Ok(earlier) = std::fs::read_to_string(&done) {
            ensure!(
                earlier.trim_end() == shown,
                "{} was made by another command; choose another folder, or remove that file to repeat the stage",
                done.display()
            );
            say(&format!("{}: done already", self.name))?;
            return Ok(());
        }
        say(&format!("{}: {shown}", self.name))?;
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        let part = self.output.as_ref().map(|path| path.with_extension("part"));
        if let Some(part) = &part {
            let file =
                File::create(part).with_context(|| format!("cannot write {}", part.display()))?;
            command.stdout(Stdio::from(file));
        }
        let status = command
            .status()
            .with_context(|| format!("{}: cannot start {}", self.name, self.command[0]))?;
        if stop.interrupted() {
            bail!("{}: interrupted; the same command goes on", self.name);
        }
        ensure!(status.success(), "{}: {status}", self.name);
        if let (Some(part), Some(output)) = (&part, &self.output) {
            std::fs::rename(part, output)
                .with_context(|| format!("cannot write {}", output.display()))?;
        }
        std::fs::write(&done, shown + "\n")
            .with_context(|| format!("cannot write {}", done.display()))
    }
}

fn say(line: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{line}")?)
}

impl Arguments {
    fn file(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// The stages in their order; `programs` is the folder of the programs.
    fn stages(&self, programs: &Path) -> Vec<Stage> {
        let program =
            |name: &str| programs.join(name).with_extension(std::env::consts::EXE_EXTENSION);
        let program = |name: &str| program(name).display().to_string();
        let (monomi, threads) = (program("monomi"), self.threads().to_string());
        let openings = self.openings.display().to_string();
        let stage = |name: &str, command: &[&str]| Stage {
            name: name.to_owned(),
            command: command.iter().map(|&word| word.to_owned()).collect(),
            output: None,
        };
        let (positions, nodes, seed) =
            (self.positions.to_string(), self.nodes.to_string(), self.seed.to_string());
        let (games_file, net) = (self.file("games.mgr"), self.file("new.bin"));
        let style = self.style.to_string();
        let base = self.base.as_ref().map(|path| path.display().to_string());
        let base_scale = self.base_fv_scale.map(|scale| scale.to_string());

        let mut games =
            stage("games", &[&monomi, "datagen", &games_file, "--positions", &positions]);
        let mut add =
            |words: &[&str]| games.command.extend(words.iter().map(|&word| word.to_owned()));
        add(&["--nodes", &nodes, "--style", &style, "--tree", "0", "--seed", &seed]);
        add(&["--openings", &openings, "--random-plies", "1-3", "--opening-score", "500"]);
        add(&["--adjudicate-score", "4000", "--threads", &threads]);
        if let Some(base) = &base {
            add(&["--eval-file", base]);
        }
        if let Some(scale) = &base_scale {
            add(&["--fv-scale", scale]);
        }
        let trainer = program("monomi-trainer");
        let mut average = stage("average", &[&trainer, "average"]);
        let mut runs = Vec::new();
        for seed in (1..=self.runs).map(|seed| seed.to_string()) {
            let name = format!("run-{seed}");
            let mut run = stage(&name, &[&trainer, "net", &games_file]);
            let mut add =
                |words: &[&str]| run.command.extend(words.iter().map(|&word| word.to_owned()));
            for more in &self.with {
                add(&[&more.display().to_string()]);
            }
            add(&["--out", &self.file(&format!("{name}.bin"))]);
            add(&["--from", &self.from.display().to_string(), "--no-tree", "--scale", "600"]);
            add(&["--max-score", "2000", "--result-share", "0", "--exponent", "2"]);
            add(&["--look-ahead", &self.look_ahead.to_string(), "--rate", &self.rate.to_string()]);
            add(&["--epochs", "1", "--warm-up", "20", "--batch", "256", "--ema", "0.99"]);
            add(&["--seed", &seed, "--threads", &threads]);
            runs.push(run);
            average.command.push(self.file(&format!("{name}.ckpt")));
        }
        average.command.extend(["--out".to_owned(), net.clone()]);

        let engine = |name: &str, net: Option<&str>, scale: Option<&str>| {
            let mut words = format!("name={name} cmd={monomi} Threads=1 USI_Hash=64");
            for (option, value) in [("EvalFile", net), ("FV_SCALE", scale)] {
                words += &value.map_or(String::new(), |value| format!(" {option}={value}"));
            }
            words
        };
        let new_engine = engine("new", Some(&net), Some(&self.fv_scale.to_string()));
        let base_engine = engine("base", base.as_deref(), base_scale.as_deref());
        let players = ["--a", &new_engine, "--b", &base_engine, "--openings", &openings];
        let more =
            ["--concurrency", &threads, "--seed", &seed, "--adjudicate-win", "3,2000", "--json"];
        let tools = program("monomi-tools");
        let matches = |name: &str, words: &[&str], output: &str| Stage {
            output: Some(self.folder.join(output)),
            ..stage(name, &[&[tools.as_str()], words, &players, &more].concat())
        };
        let (match_nodes, pairs) = (self.match_nodes.to_string(), self.pairs.to_string());
        let (match_games, curve_games) = (self.file("match.jsonl"), self.file("curve.jsonl"));
        let test =
            ["match", "--games", &match_games, "--nodes", &match_nodes, "--sprt", &self.sprt];
        let test = matches("match", &[&test[..], &["--pairs", &pairs]].concat(), "match.json");
        let mut curve = vec!["curve", "--games", &curve_games];
        if let Some(points) = &self.points {
            curve.extend(["--points", points]);
        }
        let curve = matches("curve", &curve, "curve.json");
        [vec![games], runs, vec![average, test, curve]].concat()
    }

    /// The rows for trials/networks.tsv and eval/nets/README.md.
    fn rows(&self, found: &monomi_games::Scan) -> Result<String> {
        let read = |name: &str| -> Result<Value> {
            let path = self.folder.join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_str(&text).with_context(|| format!("{} is no result", path.display()))
        };
        let name =
            self.folder.file_name().unwrap_or(OsStr::new("new")).to_string_lossy().into_owned();
        let base = self
            .base
            .as_ref()
            .map_or("the built-in network".to_owned(), |path| path.display().to_string());
        let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).output();
        let commit = commit.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        let commit = commit.unwrap_or_default();
        let row = |result: &Value, nodes: u64, decision: &str| {
            let (scale, seed, columns) = (self.fv_scale, self.seed, trial_columns(result));
            format!(
                "{name}\t{commit}\t{name} (`FV_SCALE={scale}`)\t{base}\tnodes {nodes}\t{seed}\t{columns}\t{decision}\t"
            )
        };
        let test = read("match.json")?;
        let decision = test["sprt"]["decision"].as_str().unwrap_or_default();
        let mut rows =
            vec![row(&test, self.match_nodes, &format!("SPRT {}: {decision}", self.sprt))];
        for point in read("curve.json")?.as_array().into_iter().flatten() {
            rows.push(row(point, point["nodes"].as_u64().unwrap_or_default(), ""));
        }
        let style = if self.style > 0.0 { ", in styles" } else { "" };
        rows.push(format!(
            "| {name} | {base}{style} | {} | {} | {} | {} |",
            found.games, self.nodes, self.seed, found.positions
        ));
        Ok(rows.join("\n"))
    }
}

/// Runs the stages that are not complete yet.
///
/// # Errors
/// A stage fails or was made by another command, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let folder = &arguments.folder;
    let program = std::env::current_exe().context("cannot find the folder of this program")?;
    let stages = arguments.stages(program.parent().unwrap_or(Path::new(".")));
    if arguments.dry_run {
        stages.iter().try_for_each(|stage| say(&stage.shown()))?;
        return Ok(ExitCode::SUCCESS);
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    let stop = Stop::on_interrupt()?;
    for stage in stages {
        let done = stage.run(folder, &stop);
        if stop.interrupted() {
            let _ = writeln!(std::io::stderr(), "interrupted; the same command goes on");
            return Ok(ExitCode::from(130));
        }
        done?;
    }
    let rows = arguments.rows(&monomi_games::scan(&folder.join("games.mgr"))?)?;
    let path = folder.join("rows.txt");
    std::fs::write(&path, rows.clone() + "\n")
        .with_context(|| format!("cannot write {}", path.display()))?;
    say(&rows)?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_stage_runs_once_and_not_after_another_command() {
        let folder = tempfile::tempdir().unwrap();
        let stage = |words: &[&str]| Stage {
            name: "games".to_owned(),
            command: words.iter().map(|&word| word.to_owned()).collect(),
            output: Some(folder.path().join("games.json")),
        };
        let program = std::env::current_exe().unwrap().display().to_string();
        let stop = Stop::default();
        stage(&[&program, "--list", "nothing"]).run(folder.path(), &stop).unwrap();
        let written = std::fs::read_to_string(folder.path().join("games.json")).unwrap();
        std::fs::write(folder.path().join("games.json"), "kept").unwrap();
        stage(&[&program, "--list", "nothing"]).run(folder.path(), &stop).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path().join("games.json")).unwrap(), "kept");
        assert!(!written.is_empty());
        let error = stage(&[&program, "--list"]).run(folder.path(), &stop).unwrap_err();
        assert!(error.to_string().contains("another command"), "{error}");
        let failing =
            Stage { name: "average".to_owned(), ..stage(&[&program, "--no-such-option"]) };
        let error = failing.run(folder.path(), &stop).unwrap_err().to_string();
        assert!(error.starts_with("average: exit"), "{error}");
        assert!(!folder.path().join("average.done").exists());
    }

    #[test]
    fn the_stages_use_the_files_of_each_other() {
        let line =
            ["x", "out", "--seed", "5", "--base", "old.bin", "--with", "more.mgr", "--runs", "2"];
        let arguments = Line::try_parse_from(line).unwrap().arguments;
        let stages = arguments.stages(Path::new("bin"));
        let shown: Vec<String> = stages.iter().map(Stage::shown).collect();
        let file = |name: &str| Path::new("out").join(name).display().to_string();
        for (stage, part) in [
            (0, file("games.mgr")),
            (0, "--eval-file old.bin".to_owned()),
            (1, file("games.mgr")),
            (1, "more.mgr".to_owned()),
            (1, file("run-1.bin")),
            (2, file("run-2.bin")),
            (2, "--seed 2".to_owned()),
            (3, format!("{} {} --out {}", file("run-1.ckpt"), file("run-2.ckpt"), file("new.bin"))),
            (4, format!("EvalFile={}", file("new.bin"))),
            (4, "EvalFile=old.bin".to_owned()),
            (4, "--sprt 0,10".to_owned()),
            (5, file("curve.jsonl")),
        ] {
            assert!(shown[stage].contains(&part), "{part} in {}", shown[stage]);
        }
    }
}
