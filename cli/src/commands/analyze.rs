//! `monomi analyze`.

pub(super) mod list_output;
mod messages;
pub(super) mod outputs;
mod positions;
mod progress;
mod search;

use crate::commands::arguments::{EvalArg, LimitArgs};
use crate::commands::games::{Game, read_games};
use crate::commands::values::{at_least, notation, parsed, within};
use crate::commands::{INTERRUPTED, PARTLY, cancel_on_interrupt, complain};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use messages::{BROWSER_ENGINE, Problem, Task};
use monomi_analysis::output::{BrowserEngine, CommentStyle, EngineInfo, Terminal, summary};
use monomi_analysis::{
    AnalysisSettings, AnalyzedGame, Journal, Notation, SolvedPosition, WinScale, analyze, game_key,
};
use monomi_datagen::fingerprint;
use monomi_eval::Evaluation;
use monomi_record::Record;
use monomi_support::batch::files::Claim;
use monomi_support::batch::shard::Shard;
use monomi_support::text::say;
use outputs::{OutputFormat, Outputs};
use progress::{ProgressDisplay, ProgressStyle};
pub(super) use search::Search;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

const AFTER_HELP: &str = "\
The default is 200,000 nodes for each position. Without a clock (--nodes, --depth) results are
reproducible. Without --output a summary is printed.

Examples:
  monomi analyze game.kif
  monomi analyze --nodes 1000000 -o reports -f html,kifu,jsonl games/
  monomi analyze --live -o reports -f html game.kif
  monomi analyze --movetime 1000 --multipv 3 -o - -f jsonl game.csa > game.jsonl
  monomi analyze --positions --nodes 50000 list.sfen > list.jsonl
  monomi analyze --positions --nodes 50000 --shard 3/8 -o out -f jsonl list.sfen
  monomi merge out/list.*of8.monomi.jsonl > list.jsonl

Ctrl-C, SIGTERM and SIGHUP stop the analysis within two seconds; the same command continues it.

Exit codes: 0 success; 1 failure; 2 invalid arguments; 3 some records or lines could not be read
completely; 130 interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Records (KIF, KI2, CSA, JKF or USI lines in any encoding), folders of records, or `-` for
    /// standard input.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The files are lists of positions, one per line: an SFEN or `startpos`, optionally followed
    /// by `moves ...`. Results are written in the order of the list.
    #[arg(long, conflicts_with_all = ["time_per_game", "comment_style", "notation"])]
    positions: bool,
    /// Search only lines I, I+N, I+2N, ... of the list (I from 1 to N).
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "positions",
          value_parser = parsed::<Shard>)]
    shard: Shard,
    /// What happens to lines of a list that hold no position.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t, requires = "positions")]
    errors: BadLines,
    /// Number of lines before this list in a longer one, of which it is a part: it is added to the
    /// line numbers.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "positions",
          value_parser = at_least(0u64))]
    line_offset: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Time for each game in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = at_least(1u64))]
    time_per_game: Option<u64>,
    /// Total number of threads [default: number of cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16))]
    threads: Option<u16>,
    /// Number of games analysed in parallel, which share the threads [default: number of threads].
    /// Ignored without a clock.
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16))]
    jobs: Option<u16>,
    /// Number of lines for each position.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = within(1..=600u16))]
    multipv: u16,
    /// Size of the transposition tables in MiB: of all together with a clock [default: 256], of
    /// each thread without one [default: enough for the nodes, or 32].
    #[arg(long, value_name = "MIB", value_parser = at_least(1u32))]
    hash: Option<u32>,
    #[command(flatten)]
    eval: EvalArg,
    /// Score in centipawns that counts as a winning probability of 73 % [default: 287 for the built-in
    /// network, for others what their file says, else 600].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parsed::<NonZeroU16>)]
    win_scale: Option<NonZeroU16>,
    /// Folder for the output files, created if missing; `-` writes one format to standard output.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: Option<PathBuf>,
    /// Formats to write [default: html,kifu to a folder, jsonl to standard output and for
    /// --positions].
    #[arg(short, long, value_enum, value_delimiter = ',', requires = "output")]
    format: Vec<OutputFormat>,
    /// Do not search why bad moves are bad.
    #[arg(long, conflicts_with = "positions")]
    no_reasons: bool,
    /// Format of the comments in annotated records.
    #[arg(long, value_enum, value_name = "STYLE", default_value_t)]
    comment_style: CommentStyle,
    /// Put the engine into HTML reports, so that readers can try their own moves in any browser,
    /// offline. FILE is monomi-live.js [default: the one beside this program].
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    live: Option<Option<PathBuf>>,
    /// How summaries write moves [default: by the language].
    #[arg(long, value_name = "NOTATION", value_parser = notation())]
    notation: Option<Notation>,
    /// Print neither summaries nor progress.
    #[arg(short, long)]
    quiet: bool,
    /// Print the progress for programs: each second a JSON object on a line of standard error.
    #[arg(long)]
    json_progress: bool,
}

/// What happens to lines of a list that hold no position.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum BadLines {
    /// They are named on standard error and left out; the exit code is 3.
    #[default]
    Report,
    /// They become rows with `error`; the exit code is 0.
    Rows,
}

impl Args {
    /// How the progress is shown.
    fn progress(&self) -> ProgressStyle {
        match self.json_progress {
            true => ProgressStyle::Json,
            false if self.quiet => ProgressStyle::Quiet,
            false => ProgressStyle::Text,
        }
    }

    /// The formats to write.
    fn formats(&self) -> Vec<OutputFormat> {
        match &self.output {
            _ if !self.format.is_empty() => self.format.clone(),
            _ if self.positions => vec![OutputFormat::Jsonl],
            Some(path) if path == Path::new("-") => vec![OutputFormat::Jsonl],
            Some(_) => vec![OutputFormat::Html, OutputFormat::Kifu],
            None => Vec::new(),
        }
    }

    fn search(&self) -> Search<'_> {
        Search {
            limits: &self.limits,
            time_per_game: self.time_per_game,
            threads: self.threads,
            win_scale: self.win_scale,
        }
    }

    /// The engine for reports with `--live`.
    fn browser_engine(&self) -> Result<Option<BrowserEngine>, Failure> {
        let Some(file) = &self.live else { return Ok(None) };
        if !self.formats().contains(&OutputFormat::Html) {
            return Err(Failure::usage(Problem::LiveNeedsReports));
        }
        let file = match file {
            Some(file) => file.clone(),
            None => beside_this_program(BROWSER_ENGINE)?,
        };
        let script = std::fs::read_to_string(&file)
            .with_context(|| Problem::NoBrowserEngine(file.clone()))?;
        let engine = BrowserEngine::new(script).ok_or(Problem::BadBrowserEngine(file))?;
        Ok(Some(engine))
    }

    fn settings(&self, evaluation: &Evaluation) -> AnalysisSettings {
        let settings = self.search().settings(evaluation);
        AnalysisSettings {
            jobs: self.jobs.map_or(settings.threads, usize::from),
            multi_pv: self.multipv.into(),
            hash_mib: self.hash.map(|mib| mib as usize),
            reasons: !self.no_reasons,
            ..settings
        }
    }
}

/// What summaries are written for.
fn terminal() -> Terminal {
    let terminal = console::Term::stdout();
    let columns = terminal.is_term().then(|| terminal.size_checked()).flatten();
    Terminal {
        columns: columns.map_or(usize::MAX, |(_, columns)| usize::from(columns.max(20))),
        colours: console::colors_enabled(),
    }
}

/// A path in the folder of this program.
fn beside_this_program(name: &str) -> Result<PathBuf, Failure> {
    let program = std::env::current_exe().context(Problem::NoProgramFolder)?;
    Ok(program.with_file_name(name))
}

/// Identifies the settings on which results depend.
pub(super) fn dependence(settings: &AnalysisSettings, evaluation: &Arc<Evaluation>) -> String {
    // Its values, not its path: the file may be replaced by another one.
    format!("{} evaluation {:08x}", settings.fingerprint(), fingerprint(evaluation))
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let formats = args.formats();
    // A folder that cannot be written is reported before anything is searched.
    let evaluation = args.eval.load(lang)?;
    let live = args.browser_engine()?;
    let settings = args.settings(&evaluation);
    let limits = format!("{}, MultiPV {}", args.search().in_words(&settings), args.multipv);
    let engine = EngineInfo { network: evaluation.describe(), limits, live };
    let mut outputs = Outputs::new(args.output.as_deref(), &formats, args.comment_style, engine)?;
    let (games, all_good) =
        if args.positions { (Vec::new(), true) } else { read_games(&args.files, lang) };
    let settings = match args.positions {
        true => settings,
        false => AnalysisSettings { jobs: settings.jobs.min(games.len().max(1)), ..settings },
    };
    let cancel = cancel_on_interrupt()?;
    if args.positions {
        return positions::run(args, &settings, &evaluation, &cancel, out, lang);
    }
    if games.is_empty() {
        return Err(Problem::NoGame.into());
    }
    let journal_path = outputs.journal_path();
    let _claim = journal_path.as_deref().map(Claim::new).transpose();
    let _claim = _claim.with_context(|| Doing::Writing(args.output.clone().unwrap_or_default()))?;
    let journal = match journal_path {
        Some(path) => {
            let journal = Journal::open(&path, &dependence(&settings, &evaluation));
            Some(journal.with_context(|| Doing::Writing(path))?)
        }
        None => None,
    };
    if let Some(others) = journal.as_ref().map(Journal::of_other_settings).filter(|&n| n > 0)
        && !args.quiet
    {
        complain(say!(
            lang,
            "{others} results of an earlier run are not used: its settings or its network were different",
            "前回の実行の結果 {others} 件は、設定または評価関数が違うため使いません"
        ));
    }

    let known = |game: &Game| match &journal {
        Some(journal) => journal.known(&game.record),
        None => vec![None; game.record.moves.len() + 1],
    };
    let known: Vec<Vec<Option<SolvedPosition>>> = games.iter().map(known).collect();
    let is_known: Vec<Vec<bool>> =
        known.iter().map(|game| game.iter().map(Option::is_some).collect()).collect();
    let mut writer = GameWriter {
        games: &games,
        results: known.clone(),
        next: 0,
        outputs: &mut outputs,
        progress: ProgressDisplay::of_games(args.progress(), &is_known, lang),
        quiet: args.quiet,
        scale: settings.win_scale,
        lang,
        notation: args.notation.unwrap_or(Notation::of(lang)),
        out,
        failed: None,
    };
    let records: Vec<&Record> = games.iter().map(|game| &game.record).collect();
    let mut journal = journal;
    writer.write_complete();
    analyze(&records, &settings, &evaluation, &cancel, &known, &mut |game, ply, result| {
        if let Some(journal) = &mut journal
            && let Err(failure) =
                journal.add(&game_key(records[game]), ply, &result).context(Task::StoringResults)
        {
            writer.fail(failure);
        }
        writer.take(game, ply, result);
        if writer.failed.is_some() {
            cancel.cancel();
        }
    })?;
    if cancel.is_cancelled() {
        writer.write_partial();
    }
    writer.progress.finish(None);
    if let Some(error) = writer.failed {
        return Err(error);
    }
    outputs.finish()?;
    if cancel.is_cancelled() {
        complain(say!(
            lang,
            "interrupted; finished results are written",
            "中断しました。終わった分の結果は書き出してあります"
        ));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(journal) = journal {
        journal.remove().context(Task::RemovingTheJournal)?;
    }
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

/// Collects results, which arrive in any order, and writes the games in order.
struct GameWriter<'a, W> {
    games: &'a [Game],
    results: Vec<Vec<Option<SolvedPosition>>>,
    /// The first game not yet written.
    next: usize,
    outputs: &'a mut Outputs,
    progress: ProgressDisplay,
    quiet: bool,
    scale: WinScale,
    lang: Lang,
    notation: Notation,
    out: &'a mut W,
    failed: Option<Failure>,
}

impl<W: Write> GameWriter<'_, W> {
    fn take(&mut self, game: usize, ply: usize, result: SolvedPosition) {
        // The result of a bad move comes again with its reason.
        if self.results[game][ply].replace(result).is_none() {
            self.progress.position(&self.games[game].name);
        }
        self.write_complete();
    }

    /// Writes the games that are complete.
    fn write_complete(&mut self) {
        let is_done = |game: &Vec<Option<SolvedPosition>>| game.iter().all(Option::is_some);
        while self.failed.is_none() && self.results.get(self.next).is_some_and(is_done) {
            self.write_next();
        }
    }

    /// After an interruption: writes the games that have any result.
    fn write_partial(&mut self) {
        while self.failed.is_none() && self.next < self.games.len() {
            if self.results[self.next].iter().any(Option::is_some) {
                self.write_next();
            } else {
                self.next += 1;
            }
        }
    }

    fn write_next(&mut self) {
        let game = &self.games[self.next];
        let results = std::mem::take(&mut self.results[self.next]);
        self.next += 1;
        let analysis = AnalyzedGame::new(&game.name, &game.record, &results, self.scale);
        let to_stdout = self.outputs.text(&analysis);
        let written = match to_stdout {
            Ok(Some(text)) => Ok(text),
            Ok(None) if self.quiet => Ok(Vec::new()),
            Ok(None) => {
                let text = summary(&analysis, self.lang, self.notation, terminal());
                Ok((text + "\n").into_bytes())
            }
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

    fn fail(&mut self, error: Failure) {
        self.failed.get_or_insert(error);
    }
}
