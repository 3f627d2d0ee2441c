//! `monomi merge`: joins the results of the shards of a list.

use super::analyze::list_output::{Manifest, head};
use super::analyze::outputs::OutputFormat;
use super::complain;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_support::batch::files;
use monomi_support::text::{messages, say};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Every shard must be there once, from the same list, settings and network; otherwise the message
names the file.

Examples:
  monomi analyze --positions --nodes 50000 --shard 1/2 -o out -f jsonl list.sfen
  monomi analyze --positions --nodes 50000 --shard 2/2 -o out -f jsonl list.sfen
  monomi merge out/list.*of2.monomi.jsonl > list.jsonl

Exit codes: 0 done; 1 failure; 2 invalid arguments.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The results of all shards of a list, as `monomi analyze --positions --shard I/N -o ...` wrote them
    /// (.jsonl or .csv).
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// File to write [default: standard output].
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
}

messages! {
    /// Why results cannot be joined.
    enum Problem {
        NotOfAShard(path: PathBuf) =>
            "{path}: this is not the result of a shard: its name does not end in .monomi.jsonl or .monomi.csv",
            "{path}: 分割した一覧の結果ではありません（名前が .monomi.jsonl または .monomi.csv で終わっていません）";
        NoManifest(path: PathBuf, manifest: PathBuf) =>
            "{path}: there is no {manifest} beside it. `monomi analyze --positions --shard I/N -o ...` writes it \
             when a shard is complete",
            "{path}: 同じフォルダに {manifest} がありません。`monomi analyze --positions --shard I/N -o ...` が、\
             その部分を終えたときに書くファイルです";
        BadManifest(path: PathBuf) => "{path}: this is not the manifest of a shard", "{path}: 分割の記録ではありません";
        Twice(path: PathBuf, other: PathBuf, shard: u64) =>
            "{path}: shard {shard} is already there, in {other}", "{path}: {shard} 番目の部分は {other} にもあります";
        OtherNumber(path: PathBuf, other: PathBuf) =>
            "{path}: the list was divided into another number of shards than for {other}",
            "{path}: 分割数が {other} と異なります";
        OtherFormat(path: PathBuf, other: PathBuf) =>
            "{path}: the format is not that of {other}", "{path}: 形式が {other} と異なります";
        OtherSettings(path: PathBuf, other: PathBuf) =>
            "{path}: settings, network or version of Monomi are not those of {other}",
            "{path}: 設定、評価関数または Monomi のバージョンが {other} と異なります";
        OtherList(path: PathBuf, other: PathBuf) =>
            "{path}: the list was not that of {other}", "{path}: 一覧が {other} のものと異なります";
        Missing(shards: String, of: u64) =>
            "missing shards: {shards} (of {of})", "足りない部分があります: {shards}（全 {of}）";
        NotARow(path: PathBuf, number: u64) =>
            "{path}: line {number} is not a result", "{path}: {number} 行目が結果ではありません";
        OutOfOrder(path: PathBuf, number: u64, line: u64) =>
            "{path}: line {number} has the result of line {line} of the list, which is there already, or is out of \
             order",
            "{path}: {number} 行目は一覧の {line} 行目の結果ですが、すでにあるか、順番が違います";
    }
}

/// A result file being read.
struct ShardFile {
    path: PathBuf,
    manifest: Manifest,
    format: OutputFormat,
    lines: Lines<BufReader<File>>,
    /// Number of the line read last.
    number: u64,
}

impl ShardFile {
    fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        let Some((place, format)) = Manifest::of_results(&path) else {
            return Err(Problem::NotOfAShard(path).into());
        };
        if !place.exists() {
            let name = PathBuf::from(place.file_name().unwrap_or_default());
            return Err(Problem::NoManifest(path, name).into());
        }
        let bytes = files::read(&place).with_context(|| Doing::Reading(place.clone()))?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).map_err(|_| Problem::BadManifest(place.clone()))?;
        let [index, of] = manifest.shard;
        if !(1..=of).contains(&index) {
            return Err(Problem::BadManifest(place).into());
        }
        let file = files::open(&path).with_context(|| Doing::Reading(path.clone()))?;
        let mut shard =
            Self { path, manifest, format, lines: BufReader::new(file).lines(), number: 0 };
        if format == OutputFormat::Csv {
            shard.line()?;
        }
        Ok(shard)
    }

    fn line(&mut self) -> Result<Option<String>, Failure> {
        let line = self.lines.next().transpose();
        self.number += 1;
        line.with_context(|| Doing::Reading(self.path.clone()))
    }

    /// The next row and its line of the list.
    fn row(&mut self) -> Result<Option<(u64, String)>, Failure> {
        let Some(mut row) = self.line()? else { return Ok(None) };
        let begin = self.number;
        // A quoted field of CSV may contain line feeds.
        while self.format == OutputFormat::Csv && row.matches('"').count() % 2 != 0 {
            let Some(more) = self.line()? else { break };
            row.push('\n');
            row.push_str(&more);
        }
        match head(self.format, &row) {
            Some((line, _)) => Ok(Some((line, row))),
            None => Err(Problem::NotARow(self.path.clone(), begin).into()),
        }
    }
}

/// Checks that these are all shards of one list, searched in the same way.
fn check(shards: &[ShardFile]) -> Result<(), Problem> {
    let Some(first) = shards.first() else { return Ok(()) };
    let [_, of] = first.manifest.shard;
    for (at, shard) in shards.iter().enumerate() {
        let (path, other) = (shard.path.clone(), first.path.clone());
        let [index, own_of] = shard.manifest.shard;
        if own_of != of {
            return Err(Problem::OtherNumber(path, other));
        }
        if shard.format != first.format {
            return Err(Problem::OtherFormat(path, other));
        }
        if shard.manifest.settings != first.manifest.settings {
            return Err(Problem::OtherSettings(path, other));
        }
        if shard.manifest.end != first.manifest.end {
            return Err(Problem::OtherList(path, other));
        }
        if let Some(same) = shards[..at].iter().find(|other| other.manifest.shard[0] == index) {
            return Err(Problem::Twice(path, same.path.clone(), index));
        }
    }
    let is_there = |index: u64| shards.iter().any(|shard| shard.manifest.shard[0] == index);
    let mut missing: Vec<String> = (1..=of)
        .filter(|&index| !is_there(index))
        .take(21)
        .map(|index| index.to_string())
        .collect();
    if missing.len() > 20 {
        missing[20] = "...".to_owned();
    }
    if missing.is_empty() { Ok(()) } else { Err(Problem::Missing(missing.join(", "), of)) }
}

/// Writes the rows of all shards in the order of the list.
fn join(shards: &mut [ShardFile], out: &mut impl Write) -> Result<(), Failure> {
    if shards.first().is_some_and(|shard| shard.format == OutputFormat::Csv) {
        out.write_all(monomi_analysis::output::list_csv_header().as_bytes())?;
    }
    let mut next = BinaryHeap::new();
    for (at, shard) in shards.iter_mut().enumerate() {
        next.extend(shard.row()?.map(|(line, row)| Reverse((line, at, row))));
    }
    let mut last = 0;
    while let Some(Reverse((line, at, row))) = next.pop() {
        let shard = &mut shards[at];
        if line <= last {
            return Err(Problem::OutOfOrder(shard.path.clone(), shard.number, line).into());
        }
        last = line;
        writeln!(out, "{row}")?;
        next.extend(shard.row()?.map(|(line, row)| Reverse((line, at, row))));
    }
    Ok(())
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let mut shards = Vec::new();
    for path in &args.files {
        shards.push(ShardFile::open(path)?);
    }
    check(&shards)?;
    match &args.output {
        Some(path) => {
            let mut part = path.clone().into_os_string();
            part.push(".part");
            let part = PathBuf::from(part);
            let writing = || Doing::Writing(part.clone());
            let mut file = BufWriter::new(File::create(&part).with_context(writing)?);
            let joined =
                join(&mut shards, &mut file).and_then(|()| file.flush().with_context(writing));
            drop(file);
            if let Err(failure) = joined {
                // Half a file is of no use.
                let _ = std::fs::remove_file(&part);
                return Err(failure);
            }
            files::rename(&part, path).with_context(|| Doing::Writing(path.clone()))?;
        }
        None => join(&mut shards, out)?,
    }
    let bad: u64 = shards.iter().map(|shard| shard.manifest.bad).sum();
    if bad > 0 {
        let lines = count(bad, "line", "lines");
        complain(say!(
            lang,
            "{lines} of the list held no position and have no row",
            "一覧のうち {bad} 行は局面でないため、結果がありません"
        ));
    }
    Ok(ExitCode::SUCCESS)
}
