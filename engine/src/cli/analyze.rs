//! `monomi analyze`.

mod list_output;
mod outputs;
mod positions;
mod progress;

use crate::analyze::found::Found;
use crate::analyze::journal::{Journal, game_key};
use crate::analyze::list::Shard;
use crate::analyze::output::CommentStyle;
use crate::analyze::record::Record;
use crate::analyze::rows::Analysis;
use crate::analyze::run::run as search;
use crate::analyze::settings::{Cancel, Settings};
use crate::analyze::summary::summary;
use crate::cli::arguments::{EvalArg, LimitArgs};
use crate::cli::games::{Game, read_games};
use crate::cli::{INTERRUPTED, PARTLY};
use anyhow::Context as _;
use outputs::{Kind, Outputs};
use progress::Progress;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Nodes for each position when nothing else is said.
const DEFAULT_NODES: u64 = 200_000;

const AFTER_HELP: &str = "\
Without a limit each position gets 200,000 nodes. Without a clock (--nodes, --depth) results are the
same each time.

Examples:
  monomi analyze game.kif
  monomi analyze --nodes 1000000 -o reports -f html,kifu,jsonl games/
  monomi analyze --movetime 1000 --multipv 3 -o - -f jsonl game.csa > game.jsonl
  monomi analyze --positions --nodes 50000 list.sfen > list.jsonl
  monomi analyze --positions --nodes 50000 --shard 3/8 -o out -f jsonl list.sfen

Exit codes: 0 all done; 1 failed; 2 the command line was not understood; 3 done, but some records
or lines could not be read, or not to their end; 130 interrupted (the same command goes on from
there).";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Records (KIF, KI2, CSA, JKF, USI lines; any encoding), folders of them, `-` for standard
    /// input.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The files are lists of positions: an sfen or `startpos` a line, with or without `moves ...`,
    /// of any length. Each is searched by itself; rows leave in the list's order.
    #[arg(long, conflicts_with_all = ["time_per_game", "comment_style"])]
    positions: bool,
    /// Of a list of positions, the lines I, I+N, I+2N, ... (I from 1 to N).
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "positions")]
    shard: Shard,
    #[command(flatten)]
    limits: LimitArgs,
    /// Time for a whole game in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    time_per_game: Option<u64>,
    /// Threads in all [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Games at a time, which share the threads [default: as many as there are threads]. Without a
    /// clock, positions are shared out instead and this means nothing.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Number of best lines for each position.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    multipv: u16,
    /// Size of the tables in MiB: all of them with a clock [default: 256], each thread's without
    /// one [default: what the nodes fill, or 32].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    hash: Option<u32>,
    #[command(flatten)]
    eval: EvalArg,
    /// Folder for the files to write, made when missing; `-` writes the one format to standard
    /// output.
    #[arg(short, long, value_name = "DIR", requires = "format", value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
    /// What to write.
    #[arg(short, long, value_enum, value_delimiter = ',', requires = "output")]
    format: Vec<Kind>,
    /// How comments in annotated records are written.
    #[arg(long, value_enum, default_value_t)]
    comment_style: CommentStyle,
    /// No summaries and no progress.
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    fn settings(&self, games: usize) -> Settings {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(cores, usize::from);
        let unlimited = self.limits.is_empty() && self.time_per_game.is_none();
        Settings {
            nodes: self.limits.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth: self.limits.depth,
            movetime: self.limits.movetime(),
            time_per_game: self.time_per_game.map(Duration::from_secs),
            threads,
            jobs: self.jobs.map_or(threads, usize::from).min(games.max(1)),
            multi_pv: self.multipv.into(),
            hash_mib: self.hash.map(|mib| mib as usize),
        }
    }
}

/// What findings depend on, as a text to compare.
fn dependence(args: &Args, settings: &Settings) -> String {
    format!("{} {}", settings.fingerprint(), args.eval.fingerprint())
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut outputs = Outputs::new(args.output.as_deref(), &args.format, args.comment_style)?;
    let evaluation = args.eval.load()?;
    let (games, all_good) =
        if args.positions { (Vec::new(), true) } else { read_games(&args.files) };
    let settings = args.settings(if args.positions { usize::MAX } else { games.len() });
    let cancel = Arc::new(Cancel::new(&settings));
    let handler = Arc::clone(&cancel);
    ctrlc::set_handler(move || handler.cancel()).context("catching Ctrl-C")?;
    if args.positions {
        return positions::run(args, &settings, &evaluation, &cancel, out);
    }
    anyhow::ensure!(!games.is_empty(), "there is no game to analyse");
    let journal = match outputs.journal_path() {
        Some(path) => {
            let journal = Journal::open(&path, &dependence(args, &settings));
            Some(journal.with_context(|| format!("cannot write {}", path.display()))?)
        }
        None => None,
    };

    let known = |game: &Game| match &journal {
        Some(journal) => journal.known(&game.record),
        None => vec![None; game.record.moves.len() + 1],
    };
    let found: Vec<Vec<Option<Found>>> = games.iter().map(known).collect();
    let is_known: Vec<Vec<bool>> =
        found.iter().map(|found| found.iter().map(Option::is_some).collect()).collect();
    let mut desk = Desk {
        games: &games,
        found,
        next: 0,
        outputs: &mut outputs,
        progress: Progress::of_games(args.quiet, &is_known),
        quiet: args.quiet,
        out,
        failed: None,
    };
    let records: Vec<&Record> = games.iter().map(|game| &game.record).collect();
    let mut journal = journal;
    desk.hand_out();
    let known = |game: usize, ply: usize| is_known[game][ply];
    search(&records, &settings, &evaluation, &cancel, &known, &mut |game, ply, found| {
        if let Some(journal) = &mut journal
            && let Err(error) = journal.add(&game_key(records[game]), ply, &found)
        {
            desk.fail(anyhow::Error::new(error).context("noting what was found"));
        }
        desk.take(game, ply, found);
        if desk.failed.is_some() {
            cancel.cancel();
        }
    })?;
    if cancel.is_cancelled() {
        desk.hand_out_rest();
    }
    desk.progress.finish();
    if let Some(error) = desk.failed {
        return Err(error);
    }
    if cancel.is_cancelled() {
        let _ = writeln!(std::io::stderr(), "monomi: interrupted; what is done is written");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(journal) = journal {
        journal.remove().context("removing what an interrupted run would need")?;
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

/// Where findings arrive in any order and games leave in theirs.
struct Desk<'a, W> {
    games: &'a [Game],
    found: Vec<Vec<Option<Found>>>,
    /// The first game that has not left.
    next: usize,
    outputs: &'a mut Outputs,
    progress: Progress,
    quiet: bool,
    out: &'a mut W,
    failed: Option<anyhow::Error>,
}

impl<W: Write> Desk<'_, W> {
    fn take(&mut self, game: usize, ply: usize, found: Found) {
        self.progress.position(&self.games[game].name);
        self.found[game][ply] = Some(found);
        self.hand_out();
    }

    /// Lets the games leave that are complete.
    fn hand_out(&mut self) {
        let is_done = |found: &Vec<Option<Found>>| found.iter().all(Option::is_some);
        while self.failed.is_none() && self.found.get(self.next).is_some_and(is_done) {
            self.leave();
        }
    }

    /// The analysis was cut short: lets the games leave of which anything is known.
    fn hand_out_rest(&mut self) {
        while self.failed.is_none() && self.next < self.games.len() {
            if self.found[self.next].iter().any(Option::is_some) {
                self.leave();
            } else {
                self.next += 1;
            }
        }
    }

    fn leave(&mut self) {
        let game = &self.games[self.next];
        let found = std::mem::take(&mut self.found[self.next]);
        self.next += 1;
        let analysis = Analysis { name: &game.name, record: &game.record, found: &found };
        let to_stdout = self.outputs.text(&analysis);
        let written = match to_stdout {
            Ok(Some(text)) => Ok(text),
            Ok(None) if self.quiet => Ok(Vec::new()),
            Ok(None) => Ok((summary(&analysis) + "\n").into_bytes()),
            Err(error) => Err(error),
        };
        let out = &mut *self.out;
        let done = written
            .and_then(|text| self.progress.aside(|| Ok(out.write_all(&text)?)))
            .and_then(|()| self.outputs.write(&game.stem, &analysis));
        match done {
            Ok(()) => self.progress.game(&game.name, self.next, self.games.len()),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.failed.get_or_insert(error);
    }
}
