//! `monomi drill`.

mod games;
mod messages;

use crate::commands::analyze::Search;
use crate::commands::arguments::{EvalArg, LimitArgs};
use crate::commands::games::{Game, read_games};
use crate::commands::values::{at_least, parsed, within};
use crate::commands::{INTERRUPTED, PARTLY, cancel_on_interrupt, complain};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use games::Analysis;
use messages::{Notice, Problem};
use monomi_analysis::drill::{DrillPosition, Mistake, read_mistakes, search_mistakes, select};
use monomi_analysis::output::{EngineInfo, drill_page, next_moves};
use monomi_analysis::{AnalysisSettings, AnalyzedGame};
use monomi_eval::Evaluation;
use monomi_support::batch::files;
use monomi_support::batch::jobs::Cancel;
use monomi_support::text::Message as _;
use shogi_core::Color;
use std::io::Write;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Names of the files written.
const PAGE: &str = "drill.monomi.html";
const NEXT_MOVES: &str = "drill.monomi.json";

const AFTER_HELP: &str = "\
Every move that loses 10 % winning chances or misses a mate becomes an exercise, unless the move
turns out to be good. Answers within 3 % of the best one are right. Records are searched as by
`monomi analyze`; of its results (.jsonl) only the positions of exercises are searched again.

DIR gets drill.monomi.html, a page that works offline, and drill.monomi.json, next-move problems
for ShogiHome.

Examples:
  monomi drill -o mine --player Habu games/
  monomi drill -o mine --side black game.kif
  monomi drill -o mine --player Habu out/game1.monomi.jsonl out/game2.monomi.jsonl

Ctrl-C stops the search; the same command continues it.

Exit codes: 0 success; 1 failure, or no exercise was found; 2 invalid arguments; 3 some records
could not be read completely; 130 interrupted.";

/// A side as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    /// Black.
    Black,
    /// White.
    White,
}

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Records (KIF, KI2, CSA, JKF or USI lines in any encoding), folders of records, `-` for standard
    /// input, or results of `monomi analyze` (.jsonl).
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// Folder for the output files, created if missing.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Only mistakes of players whose name contains this text.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only mistakes of this side.
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<Side>,
    /// Largest number of exercises; those with the largest losses are kept.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least(1usize))]
    most: usize,
    #[command(flatten)]
    limits: LimitArgs,
    /// Total number of threads [default: number of cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16))]
    threads: Option<u16>,
    #[command(flatten)]
    eval: EvalArg,
    /// Score in centipawns that counts as a winning probability of 73 % [default: 287 for the built-in
    /// network, for others what their file says, else 600].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parsed::<NonZeroU16>)]
    win_scale: Option<NonZeroU16>,
    /// Print no progress.
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    fn search(&self) -> Search<'_> {
        Search {
            limits: &self.limits,
            time_per_game: None,
            threads: self.threads,
            win_scale: self.win_scale,
        }
    }

    /// Whether a player is asked for; the name of the player may be empty.
    fn wants(&self, name: &str, color: Color) -> bool {
        let side = match self.side {
            None => true,
            Some(Side::Black) => color == Color::Black,
            Some(Side::White) => color == Color::White,
        };
        side && self.player.as_ref().is_none_or(|player| name.contains(player.as_str()))
    }

    fn wants_game(&self, game: &Game) -> bool {
        let players = game.record.players();
        Color::all().into_iter().zip(players).any(|(color, name)| self.wants(name, color))
    }

    fn wants_mistake(&self, mistake: &Mistake) -> bool {
        self.wants(mistake.player(), mistake.color())
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let evaluation = args.eval.load(lang)?;
    let settings = args.search().settings(&evaluation);
    let (rows, files): (Vec<PathBuf>, Vec<PathBuf>) =
        args.files.iter().cloned().partition(|path| has_rows(path));
    let mut mistakes = Vec::new();
    for path in &rows {
        mistakes.extend(mistakes_of(path)?);
    }
    mistakes.retain(|mistake| args.wants_mistake(mistake));
    let (mut games, all_good) =
        if files.is_empty() { (Vec::new(), true) } else { read_games(&files, lang) };
    if games.is_empty() && rows.is_empty() {
        return Err(Problem::NoGame.into());
    }
    games.retain(|game| args.wants_game(game));
    if games.is_empty() && mistakes.is_empty() {
        return Err(args.nothing_found());
    }
    std::fs::create_dir_all(&args.output).with_context(|| Doing::Writing(args.output.clone()))?;
    let cancel = cancel_on_interrupt()?;
    let task = Task { args, settings: &settings, evaluation: &evaluation, cancel: &cancel, lang };
    let mut exercises = task.analyze(&games)?;
    exercises.extend(task.search(mistakes)?);
    if cancel.is_cancelled() {
        complain(Notice::Interrupted.in_lang(lang));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let exercises = select(exercises, args.most);
    if exercises.is_empty() {
        return Err(args.nothing_found());
    }
    task.write(&exercises, out)?;
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

impl Args {
    fn nothing_found(&self) -> Failure {
        Problem::NoExercise(self.player.clone()).into()
    }
}

/// Whether a file is named as one with results of `monomi analyze`.
fn has_rows(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

fn mistakes_of(path: &Path) -> Result<Vec<Mistake>, Failure> {
    let doing = || Doing::File(path.to_owned());
    let bytes = files::read(path).with_context(doing)?;
    read_mistakes(&String::from_utf8_lossy(&bytes)).with_context(doing)
}

/// What all steps need.
struct Task<'a> {
    args: &'a Args,
    settings: &'a AnalysisSettings,
    evaluation: &'a Arc<Evaluation>,
    cancel: &'a Cancel,
    lang: Lang,
}

impl Task<'_> {
    /// Analyses the games. Their exercises, as far as the analysis was not interrupted.
    fn analyze(&self, games: &[Game]) -> Result<Vec<DrillPosition>, Failure> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let mut analysis = Analysis::open(&self.args.output, self.settings, self.evaluation)?;
        let mut tell = |game: &str, done| {
            if !self.args.quiet {
                let notice = Notice::Analysed(game.to_owned(), done, games.len());
                complain(notice.in_lang(self.lang));
            }
        };
        let search = (self.settings, self.evaluation, self.cancel);
        let results = analysis.run(games, search, &mut tell)?;
        let mut exercises = Vec::new();
        for (game, results) in games.iter().zip(&results) {
            let game =
                AnalyzedGame::new(&game.name, &game.record, results, self.settings.win_scale);
            exercises.extend(DrillPosition::of_game(&game));
        }
        exercises.retain(|exercise| self.args.wants_mistake(exercise.mistake()));
        if !self.cancel.is_cancelled() {
            analysis.remove()?;
        }
        Ok(exercises)
    }

    /// Searches the answers for mistakes of games that were analysed earlier.
    fn search(&self, mistakes: Vec<Mistake>) -> Result<Vec<DrillPosition>, Failure> {
        let mut answers = vec![None; mistakes.len()];
        if !mistakes.is_empty() {
            search_mistakes(
                &mistakes,
                self.settings,
                self.evaluation,
                self.cancel,
                &mut |index, found| answers[index] = found,
            )?;
        }
        let both = mistakes.into_iter().zip(answers);
        Ok(both.filter_map(|(mistake, answers)| DrillPosition::new(mistake, answers)).collect())
    }

    fn write(&self, exercises: &[DrillPosition], out: &mut impl Write) -> Result<(), Failure> {
        let limits = self.args.search().in_words(self.settings);
        let engine = EngineInfo { network: self.evaluation.describe(), limits, live: None };
        let page = drill_page(exercises, &engine)?;
        let problems = next_moves(exercises, self.settings.win_scale)?;
        for (name, text) in [(PAGE, page), (NEXT_MOVES, problems)] {
            let path = self.args.output.join(name);
            files::write(&path, text.as_bytes()).with_context(|| Doing::Writing(path))?;
        }
        let [page, problems] = [PAGE, NEXT_MOVES].map(|name| self.args.output.join(name));
        let notice = Notice::Written(exercises.len(), page, problems);
        Ok(writeln!(out, "{}", notice.in_lang(self.lang))?)
    }
}
