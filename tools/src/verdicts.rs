//! `monomi-tools verdicts`: compares the verdicts of `monomi analyze` with much longer searches.

mod estimate;
mod reference;
mod sample;

use crate::analyses;
use crate::progress_line::ProgressLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::win_scale;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use estimate::{Estimate, Judged};
use reference::{Reference, References};
use sample::Sample;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi analyze --nodes 10000 -o pilot -f jsonl games/
  monomi analyze --nodes 100000 -o out -f jsonl games/
  monomi-tools verdicts --frame pilot out --references references.jsonl --count 400 \\
      --engine 'cmd=target/release/monomi Threads=1 USI_Hash=256' --nodes 5000000 \\
      --group professional=kifu --group programs=WCSC

A sample of the moves is drawn from the frame, an analysis of any quality: moves that seem bad in it
have a higher chance to be drawn, and every figure is weighted accordingly. Each drawn move is
searched: the position before it with --nodes, and the move alone to the same depth. Results are
added to the file of references, so a second run with the same sample only reads them. Without
--engine nothing is searched.

A move is accused if its class is dubious, mistake or blunder; with --hints those of class inaccuracy
(緩手, 5 % to 10 %) are, too. Confirmed: the reference
loses at least two thirds of what the analysis says; exactly: it differs by at most a third. Found:
the share of the moves that lose 5 % by the reference that are accused. Games are divided at random
into a tuning half and a test half, always in the same way. Intervals (95 %) come from resampling
games.")]
pub struct Arguments {
    /// Results of `monomi analyze -f jsonl` to examine: files or folders
    #[arg(required = true)]
    analysis: Vec<PathBuf>,
    /// Results of the same kind from which the sample is drawn [default: those examined]
    #[arg(long, value_name = "PATH")]
    frame: Vec<PathBuf>,
    /// File of reference searches, created if missing
    #[arg(long, value_name = "FILE")]
    references: PathBuf,
    /// Engine for reference searches that are missing: `cmd=... OPTION=VALUE ...`, see `match --help`
    #[arg(long, value_name = "SPEC")]
    engine: Option<EngineSpec>,
    /// Nodes of a reference search
    #[arg(long, value_name = "N", default_value_t = 5_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Score of the reference engine, in centipawns, that wins 73 % of the games (see `win-scale`)
    #[arg(long, value_name = "N", default_value_t = win_scale::USUAL)]
    win_scale: NonZeroU16,
    /// Number of moves in the sample
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of reference searches at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// A group of games, reported separately: those whose name contains TEXT
    #[arg(long, value_name = "NAME=TEXT", value_parser = group)]
    group: Vec<(String, String)>,
    /// Judge by the two searches before and after a move instead of by the losses of the analysis
    #[arg(long)]
    two_searches: bool,
    /// Count moves that lose 5 % to 10 % as accused
    #[arg(long)]
    hints: bool,
    /// List the accused moves and the missed ones
    #[arg(long)]
    verbose: bool,
}

fn group(text: &str) -> Result<(String, String)> {
    let (name, part) = text.split_once('=').context("expected NAME=TEXT")?;
    ensure!(!name.is_empty() && !part.is_empty(), "expected NAME=TEXT");
    Ok((name.to_owned(), part.to_owned()))
}

/// The columns of the analysis that are needed.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    game: String,
    ply: usize,
    sfen: String,
    played: Option<String>,
    best: Option<String>,
    win: f64,
    nodes: u64,
    #[serde(default)]
    comparison_nodes: u64,
    loss: Option<f64>,
    class: Option<String>,
}

impl Row {
    /// Whether the analysis accuses the move, or hints at a better one.
    fn is_named(&self) -> bool {
        self.is_accused() || self.class.as_deref() == Some("inaccuracy")
    }

    fn is_accused(&self) -> bool {
        let class = self.class.as_deref().unwrap_or_default();
        analyses::BAD.contains(&class)
    }
}

/// Analysed games by name, each with a row for every position.
type Games = BTreeMap<String, Vec<Row>>;

/// A move of a game: the game's name and the number of moves before it.
type MoveId = (String, usize);

fn read(paths: &[PathBuf]) -> Result<Games> {
    let mut games = Games::new();
    for row in analyses::read::<Row>(paths)?.into_iter().flatten() {
        let name = Path::new(&row.game).file_name().map(|name| name.to_string_lossy());
        let name = name.context("a row without the name of its game")?.into_owned();
        games.entry(name).or_default().push(row);
    }
    ensure!(!games.is_empty(), "no analysed game");
    for (name, rows) in &mut games {
        rows.sort_by_key(|row| row.ply);
        let complete = rows.iter().enumerate().all(|(ply, row)| row.ply == ply);
        ensure!(complete, "{name}: rows are missing, or the game is there twice");
    }
    Ok(games)
}

/// The loss of a move by two independent searches, before and after the move.
fn provisional_loss(before: &Row, after: &Row) -> f64 {
    if before.best == before.played { 0.0 } else { before.win - (1.0 - after.win) }
}

/// Searches what is missing, and reports.
///
/// # Errors
/// A file cannot be read or written, or the engine fails.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let examined = read(&arguments.analysis)?;
    let frame = match arguments.frame[..] {
        [] => examined.clone(),
        _ => read(&arguments.frame)?,
    };
    let sample = Sample::draw(&frame, arguments.count as usize, arguments.seed);
    let mut references = References::open(&arguments.references, arguments.nodes)?;
    let stop = Stop::on_interrupt()?;
    if let Some(engine) = &arguments.engine {
        search(arguments, engine, &frame, &sample, &mut references, &stop)?;
    }
    report(arguments, &examined, &sample, references.known())?;
    Ok(ExitCode::from(if stop.interrupted() { 130 } else { 0 }))
}

/// Searches the moves of the sample that have no reference, those drawn first first.
fn search(
    arguments: &Arguments,
    engine: &EngineSpec,
    frame: &Games,
    sample: &Sample,
    references: &mut References,
    stop: &Stop,
) -> Result<()> {
    let missing: Vec<&MoveId> =
        sample.moves().filter(|id| !references.known().contains_key(*id)).collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::unbounded::<Result<Reference>>();
    std::thread::scope(|scope| {
        for _ in 0..usize::from(arguments.concurrency).min(missing.len()) {
            let (sender, next, missing) = (sender.clone(), &next, &missing);
            scope.spawn(move || {
                let work = || -> Result<()> {
                    let mut engine = reference::Examiner::new(engine, arguments.nodes, stop)?;
                    while let Some(&id) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Some(reference) = engine.examine(id, &frame[&id.0])? else { break };
                        let _ = sender.send(Ok(reference));
                    }
                    Ok(())
                };
                if let Err(error) = work() {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut progress = ProgressLine::default();
        for (index, reference) in receiver.into_iter().enumerate() {
            references.add(reference?)?;
            let done = index + 1;
            let line = format!("{done} of {} reference searches", missing.len());
            progress.show(&line, done % 100 == 0 || done == missing.len());
        }
        progress.end();
        Ok(())
    })
}

fn report(
    arguments: &Arguments,
    examined: &Games,
    sample: &Sample,
    references: &HashMap<MoveId, Reference>,
) -> Result<()> {
    let mut judged = Vec::new();
    let mut missing = 0;
    for (id, weight) in sample.weights() {
        let Some(rows) = examined.get(&id.0) else { continue };
        let (Some(before), Some(after)) = (rows.get(id.1), rows.get(id.1 + 1)) else {
            bail!("{}: the frame and the analysis differ at ply {}", id.0, id.1);
        };
        let Some(reference) = references.get(id) else {
            missing += 1;
            continue;
        };
        ensure!(
            before.played.as_ref() == Some(&reference.played),
            "{}: another move was played at ply {} when the reference was made",
            id.0,
            id.1
        );
        let (loss, accused) = if arguments.two_searches {
            let loss = provisional_loss(before, after).max(0.0);
            (loss, (loss * 1000.0).round() >= 50.0)
        } else {
            let accused = if arguments.hints { before.is_named() } else { before.is_accused() };
            (before.loss.unwrap_or(0.0), accused)
        };
        judged.push(Judged {
            game: &id.0,
            ply: id.1,
            weight,
            loss,
            accused,
            truth: reference.loss(arguments.win_scale),
        });
    }
    let mut out = std::io::stdout().lock();
    if missing > 0 {
        writeln!(out, "{missing} moves of the sample have no reference; the figures are biased")?;
    }
    if arguments.verbose {
        for judged in judged.iter().filter(|judged| judged.accused || judged.is_bad()) {
            let reference = &references[&(judged.game.to_owned(), judged.ply)];
            writeln!(
                out,
                "{} {}: {} loses {:.1} %, reference {:.1} % ({}), weight {:.1}",
                judged.game,
                judged.ply,
                reference.played,
                judged.loss * 100.0,
                judged.truth * 100.0,
                reference.best,
                judged.weight
            )?;
        }
    }
    writeln!(
        out,
        "{:<14} {:<6} {:>6} {:>8} {:>8} {:>16} {:>16} {:>16} {:>10}",
        "games", "half", "sample", "moves", "accused", "confirmed", "exactly", "found", "nodes/pos"
    )?;
    let all = ("all".to_owned(), String::new());
    for (name, part) in std::iter::once(&all).chain(&arguments.group) {
        for half in ["both", "tuning", "test"] {
            let belongs = |game: &str| {
                game.contains(part.as_str()) && (half == "both" || half == sample::half(game))
            };
            let judged: Vec<&Judged<'_>> =
                judged.iter().filter(|judged| belongs(judged.game)).collect();
            let rows = || examined.iter().filter(|(game, _)| belongs(game)).flat_map(|game| game.1);
            let nodes: u64 = rows().map(|row| row.nodes + row.comparison_nodes).sum();
            let moves = rows().filter(|row| row.loss.is_some()).count();
            let estimate = Estimate::of(&judged);
            writeln!(
                out,
                "{name:<14} {half:<6} {:>6} {moves:>8} {:>8.0} {:>16} {:>16} {:>16} {:>10}",
                judged.len(),
                estimate.accused,
                estimate.confirmed.to_string(),
                estimate.exactly.to_string(),
                estimate.found.to_string(),
                nodes / (rows().count().max(1) as u64),
            )?;
        }
    }
    Ok(())
}
