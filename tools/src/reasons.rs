//! `monomi-tools reasons`: for how many bad moves `monomi analyze` says why they are bad, and how many of these reasons
//! another engine confirms.

mod page;
mod referee;
mod shuffle;

use crate::analyses;
use crate::progress_line::ProgressLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::win_scale;
use anyhow::{Context, Result, ensure};
use clap::Args;
use referee::{Referee, Ruling};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::OpenOptions;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi analyze --nodes 20000 -o out -f jsonl games/
  monomi-tools reasons out
  monomi-tools reasons out --engine 'cmd=target/release/monomi EvalFile=nn.bin USI_Hash=64' \\
      --nodes 300000 --win-scale 270 --rulings rulings.jsonl --shuffle 1
  monomi-tools reasons out --page blind.html

The table says how many of the moves that lost at least --least have a reason, by phase and by claim. With --engine
another engine searches the counterfactual of each reason: a reason is confirmed if at least half of the loss is gone,
and a move is no mistake if it loses less than 5 % by that engine. With --shuffle each counterfactual is given to a move of
another game, where it takes away another move (or piece) of the same kind. --page writes a page on which a player can judge
reasons.")]
pub struct Arguments {
    /// Results of `monomi analyze -f jsonl`: files or folders
    #[arg(required = true)]
    analysis: Vec<PathBuf>,
    /// Smallest loss of winning probability of the moves that count
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    least: f64,
    /// Engine that judges the reasons: `cmd=... OPTION=VALUE ...`, see `match --help`
    #[arg(long, value_name = "SPEC")]
    engine: Option<EngineSpec>,
    /// Nodes of each of its searches
    #[arg(long, value_name = "N", default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Score of that engine, in centipawns, that wins 73 % of the games (see `win-scale`)
    #[arg(long, value_name = "N", default_value_t = win_scale::USUAL)]
    win_scale: NonZeroU16,
    /// File of what the engine found, created if missing and continued if not
    #[arg(long, value_name = "FILE")]
    rulings: Option<PathBuf>,
    /// Judge the counterfactuals of other games; the number chooses which
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
    /// Judge only so many reasons, chosen at random
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Number of reasons judged at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Write a page with reasons that a player can judge
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Write a page with one reason of each kind
    #[arg(long, value_name = "FILE")]
    examples: Option<PathBuf>,
    /// Number of reasons on the page
    #[arg(long, value_name = "N", default_value_t = 60)]
    on_page: usize,
    /// List the reasons with what the engine says
    #[arg(long)]
    verbose: bool,
}

/// The columns of the analysis that are needed.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Row {
    game: String,
    ply: usize,
    phase: String,
    sfen: String,
    played: Option<String>,
    played_ja: Option<String>,
    best: Option<String>,
    pv_ja: String,
    loss: Option<f64>,
    class: Option<String>,
    missed_mate: Option<usize>,
    reason: Option<String>,
    reason_ja: Option<String>,
    claim: Option<String>,
    confirmed: Option<f64>,
    counterfactual: Option<String>,
    squares: Option<String>,
    plan: Option<String>,
    plan_ja: Option<String>,
}

/// A bad move: its row, and the engine's line after it.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    row: Row,
    /// The line after the move, in Japanese.
    replies: String,
}

impl Mistake {
    fn id(&self) -> String {
        format!("{} {}", self.row.game, self.row.ply)
    }
}

/// A ruling in the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    id: String,
    counterfactual: String,
    nodes: u64,
    ruling: Ruling,
}

/// The moves that lost at least so much or missed a mate, and the number of games.
fn read(paths: &[PathBuf], least: f64) -> Result<(Vec<Mistake>, usize)> {
    let mut mistakes = Vec::new();
    let mut games = 0;
    for rows in analyses::read::<Row>(paths)? {
        games += rows.iter().filter(|row| row.ply == 0).count();
        for pair in rows.windows(2) {
            let [row, next] = pair else { continue };
            let is_bad = row.class.as_deref().is_some_and(|class| analyses::BAD.contains(&class));
            if is_bad && row.loss.is_some_and(|loss| loss >= least) && next.ply == row.ply + 1 {
                mistakes.push(Mistake { row: row.clone(), replies: next.pv_ja.clone() });
            }
        }
    }
    ensure!(games > 0, "no analysed game");
    Ok((mistakes, games))
}

/// Reports, searches what is missing, and writes the page.
///
/// # Errors
/// A file cannot be read or written, or the engine fails.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (mistakes, games) = read(&arguments.analysis, arguments.least)?;
    let mut out = std::io::stdout().lock();
    coverage(&mistakes, games, arguments.least, &mut out)?;
    let write = |path: &PathBuf, text: String| {
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if let Some(path) = &arguments.page {
        write(path, page::page(&mistakes, arguments.on_page))?;
    }
    if let Some(path) = &arguments.examples {
        write(path, page::examples(&mistakes))?;
    }
    let Some(engine) = &arguments.engine else { return Ok(ExitCode::SUCCESS) };
    let stop = Stop::on_interrupt()?;
    let mut asked: Vec<(&Mistake, String)> = match arguments.shuffle {
        None => mistakes
            .iter()
            .filter_map(|mistake| Some((mistake, mistake.row.counterfactual.clone()?)))
            .collect(),
        Some(seed) => shuffle::shuffled(&mistakes, seed),
    };
    if let Some(count) = arguments.count {
        fastrand::Rng::with_seed(1).shuffle(&mut asked);
        asked.truncate(count);
    }
    let rulings = judge(arguments, engine, &asked, &stop)?;
    truth(arguments, &rulings, &mut out)?;
    Ok(ExitCode::from(if stop.interrupted() { 130 } else { 0 }))
}

fn percent(part: usize, all: usize) -> String {
    format!("{:.0} %", part as f64 * 100.0 / all.max(1) as f64)
}

/// How many bad moves have a reason.
fn coverage(mistakes: &[Mistake], games: usize, least: f64, out: &mut impl Write) -> Result<()> {
    let count = mistakes.len();
    writeln!(out, "{count} moves of {games} games lost {:.0} % or more", least * 100.0)?;
    writeln!(
        out,
        "{:<10} {:>6} {:>14} {:>14} {:>6}",
        "phase", "moves", "reason", "or missed mate", "plan"
    )?;
    for phase in ["opening", "middle", "endgame", "all"] {
        let of_phase: Vec<&Row> = mistakes
            .iter()
            .map(|mistake| &mistake.row)
            .filter(|row| phase == "all" || row.phase == phase)
            .collect();
        let number = |is: &dyn Fn(&Row) -> bool| of_phase.iter().filter(|row| is(row)).count();
        let reasons = number(&|row| row.reason.is_some());
        let explained = number(&|row| row.reason.is_some() || row.missed_mate.is_some());
        let plans = number(&|row| row.plan.is_some());
        let all = of_phase.len();
        writeln!(
            out,
            "{phase:<10} {all:>6} {:>14} {:>14} {plans:>6}",
            format!("{reasons} ({})", percent(reasons, all)),
            format!("{explained} ({})", percent(explained, all)),
        )?;
    }
    let mut claims: BTreeMap<&str, usize> = BTreeMap::new();
    for claim in mistakes.iter().filter_map(|mistake| mistake.row.claim.as_deref()) {
        *claims.entry(claim).or_default() += 1;
    }
    let mut claims: Vec<_> = claims.into_iter().collect();
    claims.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    for (claim, count) in claims {
        writeln!(out, "  {claim:<24} {count:>4}")?;
    }
    Ok(())
}

/// What the engine says about the counterfactuals; those in the file are not searched again.
fn judge<'a>(
    arguments: &Arguments,
    engine: &EngineSpec,
    asked: &'a [(&'a Mistake, String)],
    stop: &Stop,
) -> Result<Vec<(&'a Mistake, &'a str, Ruling)>> {
    let mut known: HashMap<(String, String), Ruling> = HashMap::new();
    let mut file = None;
    if let Some(path) = &arguments.rulings {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {shown}")),
        };
        for (number, line) in text.lines().enumerate() {
            let stored: Stored = serde_json::from_str(line)
                .with_context(|| format!("{shown} line {}", number + 1))?;
            ensure!(
                stored.nodes == arguments.nodes,
                "{shown} line {}: searched with {} nodes",
                number + 1,
                stored.nodes
            );
            known.insert((stored.id, stored.counterfactual), stored.ruling);
        }
        let opened = OpenOptions::new().append(true).create(true).open(path);
        file = Some(opened.with_context(|| format!("cannot write {shown}"))?);
    }
    let key = |mistake: &Mistake, text: &str| (mistake.id(), text.to_owned());
    let missing: Vec<&(&Mistake, String)> =
        asked.iter().filter(|(mistake, text)| !known.contains_key(&key(mistake, text))).collect();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..usize::from(arguments.concurrency).min(missing.len()) {
            let (sender, next, missing) = (sender.clone(), &next, &missing);
            scope.spawn(move || {
                let work = || -> Result<()> {
                    let mut referee =
                        Referee::new(engine, arguments.nodes, arguments.win_scale, stop)?;
                    while let Some((mistake, text)) =
                        missing.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let ruling = referee
                            .judge(&mistake.row, text)
                            .with_context(|| format!("{}: `{text}`", mistake.id()))?;
                        let Some(ruling) = ruling else { break };
                        let _ = sender.send(Ok((*mistake, text, ruling)));
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
        for (index, found) in receiver.into_iter().enumerate() {
            let (mistake, text, ruling) = found?;
            known.insert(key(mistake, text), ruling);
            if let Some(file) = &mut file {
                let (id, counterfactual) = key(mistake, text);
                let stored = Stored { id, counterfactual, nodes: arguments.nodes, ruling };
                writeln!(file, "{}", serde_json::to_string(&stored)?)?;
            }
            let done = index + 1;
            progress.show(&format!("{done} of {} reasons", missing.len()), done % 50 == 0);
        }
        progress.end();
        Ok(())
    })?;
    let found = asked.iter().filter_map(|(mistake, text)| {
        Some((*mistake, text.as_str(), *known.get(&key(mistake, text))?))
    });
    Ok(found.collect())
}

/// How many reasons the engine confirms.
fn truth(
    arguments: &Arguments,
    rulings: &[(&Mistake, &str, Ruling)],
    out: &mut impl Write,
) -> Result<()> {
    let mut claims: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (mistake, text, ruling) in rulings {
        let claim = mistake.row.claim.as_deref().unwrap_or("-");
        for name in [claim, "all"] {
            let counts = claims.entry(name).or_default();
            counts[0] += 1;
            counts[1] += usize::from(ruling.is_mistake());
            counts[2] += usize::from(ruling.is_mistake() && ruling.confirms());
        }
        if arguments.verbose {
            let row = &mistake.row;
            writeln!(
                out,
                "{} {} {claim}: {} | loss {:.2}, here {:.2}, gone {:.2} (analysis {:.2}) | {text}",
                if ruling.is_mistake() && ruling.confirms() { "+" } else { "-" },
                mistake.id(),
                row.reason.as_deref().unwrap_or_default(),
                row.loss.unwrap_or(0.0),
                ruling.loss,
                ruling.share,
                row.confirmed.unwrap_or(0.0),
            )?;
        }
    }
    let what = if arguments.shuffle.is_some() { "shuffled" } else { "reasons" };
    writeln!(
        out,
        "{what:<24} {:>6} {:>9} {:>10} {:>12} {:>9}",
        "asked", "mistakes", "confirmed", "of mistakes", "of all"
    )?;
    for (claim, [asked, mistakes, confirmed]) in claims {
        writeln!(
            out,
            "{claim:<24} {asked:>6} {mistakes:>9} {confirmed:>10} {:>12} {:>9}",
            percent(confirmed, mistakes),
            percent(confirmed, asked)
        )?;
    }
    Ok(())
}

/// The name of a file without its folder.
fn stem(game: &str) -> String {
    let name = Path::new(game).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| game.to_owned())
}
