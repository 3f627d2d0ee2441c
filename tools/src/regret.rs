//! `monomi-tools regret`: how much winning probability the moves of an engine give away.

mod chart;
mod report;
mod store;

use crate::info_line::InfoLine;
use crate::opening::Opening;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::{Silence, UsiEngine};
use crate::win_scale;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use report::Report;
use std::collections::{HashSet, VecDeque};
use std::io::Write;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::{Choice, Store, Verdict};

/// How long a search may take.
const PATIENCE: Duration = Duration::from_secs(3600);
/// The score of a mate in centipawns.
const MATE: i32 = 30_000;

/// The command line.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
  monomi-tools regret games.jsonl --store regret.jsonl --nodes 25000,100000 \\
      --engine 'name=base cmd=./monomi-base Threads=1' \\
      --engine 'name=new cmd=target/release/monomi Threads=1' \\
      --referee 'name=judge cmd=target/release/monomi Threads=1 USI_Hash=256' --referee-nodes 2000000

Every engine chooses a move in every position. The referees search the positions after the moves that were
chosen; the value of a move is the mean of their winning probabilities. The regret of a choice is the best
value found in its position minus its own. Positions in which all chose the same move have no regret and are
not judged, so an engine whose choices are stored costs nothing, and a variant costs little more than its own
searches. Positions in which the best move has more than 95 % or less than 5 % are left out.

Referees must be much stronger than the searches that they judge: their own errors agree with the choices of
the same engine at fewer nodes.")]
pub struct Arguments {
    /// Games: a position with `moves ...` in each line, or the file of `match --games`
    games: PathBuf,
    /// An engine to examine, see `match --help`; its name identifies its choices in the store
    #[arg(long = "engine", value_name = "ENGINE", required = true)]
    engines: Vec<EngineSpec>,
    /// Nodes a move, one or more numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "25000,100000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Vec<u64>,
    /// An engine that judges; give several for the mean of their judgements
    #[arg(long = "referee", value_name = "ENGINE", required = true)]
    referees: Vec<EngineSpec>,
    /// Nodes of a referee's search
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    referee_nodes: u64,
    /// Store choices and verdicts here (JSON lines); a file that exists is continued
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// The first ply of a game whose position is examined
    #[arg(long, value_name = "N", default_value_t = 20)]
    first: usize,
    /// The last ply of a game whose position is examined
    #[arg(long, value_name = "N", default_value_t = 84)]
    last: usize,
    /// Distance of the positions of a game in plies
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u16).range(1..))]
    step: u16,
    /// Clear the engines' tables before every position, not only at the start of each game
    #[arg(long)]
    cold: bool,
    /// Score of the referees, in centipawns, that wins 73 % of the games (see `win-scale`)
    #[arg(long, value_name = "N", default_value_t = win_scale::USUAL)]
    win_scale: NonZeroU16,
    /// The engine that the others are compared with [default: the first]
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    /// Number of searches at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Draw the regret of each engine by nodes a move into this file (SVG)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or written, or an engine does not answer.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let names: Vec<&str> = arguments.engines.iter().map(|engine| engine.name.as_str()).collect();
    for (index, name) in names.iter().enumerate() {
        ensure!(!names[..index].contains(name), "two engines are named `{name}`");
    }
    if let Some(base) = &arguments.base {
        ensure!(names.contains(&base.as_str()), "no engine is named `{base}`");
    }
    let games = read_games(&arguments.games, arguments)?;
    let stop = Stop::on_interrupt()?;
    let store = Mutex::new(Store::open(&arguments.store)?);
    let choices = choices_to_make(arguments, &games, &lock(&store));
    work(arguments.concurrency, choices, &stop, |engines, task| {
        choose(arguments, &games, task, engines, &store, &stop)
    })?;
    let verdicts = verdicts_to_make(arguments, &games, &lock(&store));
    work(arguments.concurrency, verdicts, &stop, |engines, task| {
        judge(arguments, &task, engines, &store, &stop)
    })?;
    let store = lock(&store);
    let report =
        Report::new(&store, &games, &names, &referee_names(arguments), arguments.win_scale);
    let base = arguments.base.as_deref().unwrap_or(names[0]);
    let text = if arguments.json { report.json(base) } else { report.text(base) };
    std::io::stdout().write_all(text.as_bytes())?;
    if let Some(path) = &arguments.chart {
        std::fs::write(path, report.chart()?)
            .with_context(|| format!("cannot write the chart {}", path.display()))?;
    }
    Ok(if stop.interrupted() { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The positions to examine, as after USI's `position`, by game. A position that several games share, as the
/// two games of a pair do at the start, belongs to the first of them.
fn read_games(path: &Path, arguments: &Arguments) -> Result<Vec<Vec<String>>> {
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read the games {shown}"))?;
    let mut games = Vec::new();
    let mut seen = HashSet::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut line = line.trim().to_owned();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with('{') {
            let value: serde_json::Value =
                serde_json::from_str(&line).with_context(|| format!("{shown} line {number}"))?;
            // The first line of a file of `match --games` contains its settings.
            let Some(game) = value.get("game").and_then(|game| game.as_str()) else { continue };
            line = game.to_owned();
        }
        let game = Opening::parse(&line).with_context(|| format!("{shown} line {number}"))?;
        let plies = arguments.first..=arguments.last.min(game.moves.len().saturating_sub(1));
        let positions: Vec<String> = plies
            .step_by(usize::from(arguments.step))
            .map(|ply| match ply {
                0 => game.base.clone(),
                _ => format!("{} moves {}", game.base, game.moves[..ply].join(" ")),
            })
            .filter(|position| seen.insert(position.clone()))
            .collect();
        if !positions.is_empty() {
            games.push(positions);
        }
    }
    ensure!(!games.is_empty(), "{shown}: no game has a position from ply {} on", arguments.first);
    Ok(games)
}

fn referee_names(arguments: &Arguments) -> Vec<String> {
    let nodes = arguments.referee_nodes;
    arguments.referees.iter().map(|referee| format!("{} {nodes}", referee.name)).collect()
}

/// The engines that a thread has started, by their number.
type Running<'a> = Vec<Option<UsiEngine<'a>>>;

/// Does all tasks on several threads, each with its own engines. The first error ends all.
fn work<'a, T: Send>(
    threads: u16,
    tasks: VecDeque<T>,
    stop: &'a Stop,
    each: impl Fn(&mut Running<'a>, T) -> Result<()> + Sync,
) -> Result<()> {
    let tasks = Mutex::new(tasks);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut engines = Vec::new();
                while !stop.interrupted() && lock(&failed).is_none() {
                    let Some(task) = lock(&tasks).pop_front() else { break };
                    if let Err(error) = each(&mut engines, task) {
                        lock(&failed).get_or_insert(error);
                    }
                }
            });
        }
    });
    let failed = lock(&failed).take();
    failed.map_or(Ok(()), Err)
}

/// An engine's choices in the positions of a game, or in one position if tables are cleared before each.
struct ToChoose {
    engine: usize,
    nodes: u64,
    game: usize,
    positions: std::ops::Range<usize>,
}

fn choices_to_make(
    arguments: &Arguments,
    games: &[Vec<String>],
    store: &Store,
) -> VecDeque<ToChoose> {
    let mut tasks = VecDeque::new();
    for (game, positions) in games.iter().enumerate() {
        let whole = 0..positions.len();
        let parts: Vec<_> =
            if arguments.cold { whole.map(|at| at..at + 1).collect() } else { vec![whole] };
        for positions_of_part in parts {
            for (engine, spec) in arguments.engines.iter().enumerate() {
                for &nodes in &arguments.nodes {
                    let made = |position| store.choice(&spec.name, nodes, position).is_some();
                    if !positions[positions_of_part.clone()].iter().all(|position| made(position)) {
                        let positions = positions_of_part.clone();
                        tasks.push_back(ToChoose { engine, nodes, game, positions });
                    }
                }
            }
        }
    }
    tasks
}

/// Lets an engine choose. Choices of a game are stored together, as later ones depend on the tables that
/// the earlier ones left.
fn choose<'a>(
    arguments: &Arguments,
    games: &[Vec<String>],
    task: ToChoose,
    engines: &mut Running<'a>,
    store: &Mutex<Store>,
    stop: &'a Stop,
) -> Result<()> {
    let spec = &arguments.engines[task.engine];
    let engine = running(engines, task.engine, spec, stop)?;
    engine.new_game()?;
    let mut choices = Vec::new();
    for position in &games[task.game][task.positions] {
        let Some(found) = search(engine, position, task.nodes)
            .with_context(|| format!("engine `{}`", spec.name))?
        else {
            return Ok(());
        };
        choices.push(Choice {
            engine: spec.name.clone(),
            nodes: task.nodes,
            position: position.clone(),
            mv: found.mv,
            cp: found.cp,
            depth: found.depth,
        });
    }
    lock(store).add_choices(choices)
}

fn running<'e, 'a>(
    engines: &'e mut Running<'a>,
    number: usize,
    spec: &EngineSpec,
    stop: &'a Stop,
) -> Result<&'e mut UsiEngine<'a>> {
    if engines.len() <= number {
        engines.resize_with(number + 1, || None);
    }
    let slot = &mut engines[number];
    match slot {
        Some(engine) => Ok(engine),
        None => Ok(slot.insert(UsiEngine::start(spec, stop.flag())?)),
    }
}

/// A move to be valued by a referee.
struct ToJudge {
    referee: usize,
    position: String,
    mv: String,
}

fn verdicts_to_make(
    arguments: &Arguments,
    games: &[Vec<String>],
    store: &Store,
) -> VecDeque<ToJudge> {
    let names = referee_names(arguments);
    let engines: Vec<&str> = arguments.engines.iter().map(|engine| engine.name.as_str()).collect();
    let mut tasks = VecDeque::new();
    for position in games.iter().flatten() {
        let moves = store.moves(position, &engines);
        if moves.len() < 2 {
            continue;
        }
        for (referee, name) in names.iter().enumerate() {
            for mv in moves.iter().filter(|mv| store.verdict(name, position, mv).is_none()) {
                let (position, mv) = (position.clone(), (*mv).to_owned());
                tasks.push_back(ToJudge { referee, position, mv });
            }
        }
    }
    tasks
}

fn judge<'a>(
    arguments: &Arguments,
    task: &ToJudge,
    engines: &mut Running<'a>,
    store: &Mutex<Store>,
    stop: &'a Stop,
) -> Result<()> {
    let ToJudge { referee, position, mv } = task;
    let cp = match mv.as_str() {
        "resign" => -MATE,
        "win" => MATE,
        _ => {
            let separator = if position.contains(" moves ") { " " } else { " moves " };
            let after = format!("{position}{separator}{mv}");
            let reached = Opening::parse(&after)
                .with_context(|| format!("an engine chose `{mv}` in {position}"))?;
            if reached.position.has_legal_move() {
                let spec = &arguments.referees[*referee];
                let engine = running(engines, *referee, spec, stop)?;
                // The same verdict whatever was judged before.
                engine.new_game()?;
                match search(engine, &after, arguments.referee_nodes)
                    .with_context(|| format!("referee `{}`", spec.name))?
                {
                    Some(found) => -found.cp,
                    None => return Ok(()),
                }
            } else {
                MATE
            }
        }
    };
    let referee = referee_names(arguments).swap_remove(*referee);
    lock(store).add_verdict(Verdict { referee, position: position.clone(), mv: mv.clone(), cp })
}

/// The result of a search.
struct Found {
    mv: String,
    /// Score in centipawns for the side to move; mates are 30,000.
    cp: i32,
    depth: u32,
}

/// Searches a position. `None` after an interruption.
fn search(engine: &mut UsiEngine<'_>, position: &str, nodes: u64) -> Result<Option<Found>> {
    let mut last = None;
    let see = |line: &str| last = score_and_depth(line).or(last);
    match engine.ask(position, &format!("go nodes {nodes}"), "bestmove", PATIENCE, see) {
        Ok(answer) => {
            let mv = answer.line.split_ascii_whitespace().nth(1).unwrap_or_default().to_owned();
            // Without a line: resignation, declaration or a book move.
            let (cp, depth) = last.unwrap_or(match mv.as_str() {
                "resign" => (-MATE, 0),
                "win" => (MATE, 0),
                _ => (0, 0),
            });
            Ok(Some(Found { mv, cp, depth }))
        }
        Err(Silence::Interrupted) => Ok(None),
        Err(Silence::TimedOut) => bail!("no answer in {position}"),
        Err(Silence::Ended | Silence::Killed) => bail!("it ended in {position}"),
    }
}

/// Score in centipawns and depth of an `info` line with the best line's moves.
fn score_and_depth(line: &str) -> Option<(i32, u32)> {
    let info = InfoLine::parse(line).filter(|info| info.first_move.is_some())?;
    Some((info.best_score()?.centipawns(MATE), info.depth.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_that_of_the_main_line() {
        assert_eq!(score_and_depth("info depth 9 score cp -35 nodes 5 pv 7g7f"), Some((-35, 9)));
        assert_eq!(score_and_depth("info depth 9 score mate -2 pv 7g7f"), Some((-MATE, 9)));
        assert_eq!(score_and_depth("info depth 9 multipv 2 score cp 1 pv 7g7f"), None);
        assert_eq!(score_and_depth("info depth 9 score cp 1"), None);
    }

    #[derive(clap::Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn a_position_that_games_share_is_examined_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let games = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d 6g6f 8c8d 7i6h\n";
        std::fs::write(&path, games).unwrap();
        let path_text = path.display().to_string();
        let words =
            ["regret", &path_text, "--engine", "cmd=a", "--referee", "cmd=b", "--store", "s"];
        let words = words.into_iter().chain(["--first", "2", "--step", "2"]);
        let Cli { arguments } = clap::Parser::parse_from(words);
        let read = read_games(&path, &arguments).unwrap();
        assert_eq!(read, [["startpos moves 7g7f 3c3d"], ["startpos moves 7g7f 3c3d 6g6f 8c8d"]]);
    }
}
