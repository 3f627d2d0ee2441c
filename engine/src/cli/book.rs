//! `monomi book`.

use crate::cli::games::each_game;
use crate::cli::values::parsed;
use crate::cli::{PARTLY, PositionArg};
use crate::lang::Lang;
use crate::lang::{DataTexts as _, FixedTexts as _, MessageTexts as _};
use anyhow::Context as _;
use monomi_batch::files;
use monomi_book::{
    Book, BookBuilder, Fault, GameResult, Lookup, NAMED_FAULTS, PlayedMove, inspect,
};
use monomi_movegen::Repetition;
use monomi_record::{Ending, Record};
use shogi_core::Color;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const AFTER_HELP: &str = "\
Examples:
  monomi book build -o my.db games/
  monomi book merge -o all.db my.db other.db
  monomi book check all.db
  monomi book show all.db startpos moves 7g7f

The USI options BookFile and BookDir select the book from which the engine plays.

Exit codes: 0 success; 1 failure; 2 invalid arguments or position; 3 some input could not be read,
or the book has faults.";

const BUILD_HELP: &str = "\
Examples:
  monomi book build -o my.db games/
  monomi book build -o my.db --plies 24 --min-count 3 --not-lost games/ more.csa
  monomi book build -o my.db --score-by-results - < games.kif";

const MERGE_HELP: &str = "\
The output is sorted, as BookOnTheFly requires.

Examples:
  monomi book merge -o all.db mine.db other.db
  monomi book merge -o sorted.db unsorted.db
  monomi book merge -o often.db --min-count 5 all.db";

const CHECK_HELP: &str = "\
Examples:
  monomi book check all.db
  monomi book check all.db 2> faults.txt || echo faulty";

const SHOW_HELP: &str = "\
Examples:
  monomi book show all.db
  monomi book show all.db startpos moves 7g7f
  monomi book show --ignore-ply book.bin 'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2'";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Builds a book (.db) from game records: for each move how often it was played, the most frequent
    /// reply, and the results as a comment.
    Build(Build),
    /// Merges books (.db): counts are added, evaluations are taken from the deeper search.
    Merge(Merge),
    /// Checks a book: invalid lines, illegal moves, order. The exit code is 3 if anything is wrong.
    Check(Check),
    /// Shows the moves of a book in a position.
    Show(Show),
}

#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_HELP)]
pub(super) struct Build {
    /// Game records (KIF, KI2, CSA, JKF or USI lines in any encoding), folders of records, or `-` for
    /// standard input.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Number of moves taken from the start of each game.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = parsed::<usize>)]
    plies: usize,
    /// Leave out moves played less often than this.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = parsed::<u32>)]
    min_count: u32,
    /// Take only the moves of the side that won, or of both sides if the game was drawn.
    #[arg(long)]
    not_lost: bool,
    /// Write evaluations computed from the results, in centipawns: 600 for odds of e to 1. Otherwise
    /// all evaluations are 0.
    #[arg(long)]
    score_by_results: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MERGE_HELP)]
pub(super) struct Merge {
    /// Books (.db).
    #[arg(required = true, value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    books: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Leave out moves played less often than this.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = parsed::<u32>)]
    min_count: u32,
}

#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_HELP)]
pub(super) struct Check {
    /// The book (.db).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_HELP)]
pub(super) struct Show {
    /// The book (.db, or Apery's .bin).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    /// Accept the position with any move number.
    #[arg(long)]
    ignore_ply: bool,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(command: &Command, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
    match command {
        Command::Build(args) => build(args, out, lang),
        Command::Merge(args) => merge(args, out, lang),
        Command::Check(args) => check(args, out, lang),
        Command::Show(args) => show(args, out, lang),
    }
}

fn build(args: &Build, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
    let mut draft = BookBuilder::default();
    let mut games = 0usize;
    let all_good = each_game(&args.files, lang, |game| {
        let outcome = outcome(&game.record);
        let moves: Vec<_> = game.record.moves.iter().map(|played| played.mv).collect();
        let mut only = [true; 2];
        if args.not_lost {
            only = match outcome {
                GameResult::BlackWon => [true, false],
                GameResult::WhiteWon => [false, true],
                GameResult::Drawn => [true; 2],
                GameResult::Unknown => [false; 2],
            };
        }
        draft.add_game(&game.record.start, &moves, args.plies, outcome, only);
        games += 1;
    });
    anyhow::ensure!(games > 0, lang.no_game_to_read());
    draft.prune(args.min_count);
    if args.score_by_results {
        draft.score_by_results();
    }
    write(&draft, &args.output, lang)?;
    let (positions, moves) = (draft.positions(), draft.moves());
    writeln!(out, "{}", lang.book_built(games, positions, moves))?;
    Ok(exit_code(all_good))
}

/// The result, if the record gives it.
fn outcome(record: &Record) -> GameResult {
    let last = record.positions().last();
    let Some(to_move) = last.as_ref().map(|position| position.side_to_move()) else {
        return GameResult::Unknown;
    };
    let won_by = |color| match color {
        Color::Black => GameResult::BlackWon,
        Color::White => GameResult::WhiteWon,
    };
    match &record.ending {
        Some(Ending::Resign | Ending::TimeUp | Ending::FoulLoss | Ending::Mate) => {
            won_by(to_move.flip())
        }
        Some(Ending::FoulWin | Ending::Declaration) => won_by(to_move),
        Some(Ending::Draw | Ending::Impasse | Ending::MaxMoves) => GameResult::Drawn,
        // Perpetual check loses, but not every record says so.
        Some(Ending::Repetition) => match last.and_then(|position| position.repeated(4)) {
            Some(Repetition::Win) => won_by(to_move),
            Some(Repetition::Lose) => won_by(to_move.flip()),
            _ => GameResult::Drawn,
        },
        // It is unknown whether the illegal move itself was recorded, and so whose turn it is.
        Some(Ending::IllegalMove | Ending::Interrupted | Ending::NoMate | Ending::Other(_))
        | None => GameResult::Unknown,
    }
}

fn merge(args: &Merge, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
    let mut draft = BookBuilder::default();
    let mut all_good = true;
    for path in &args.books {
        refuse_bin(path, lang)?;
        let (faults, count) =
            draft.add_book(open(path)?).with_context(|| path.display().to_string())?;
        all_good &= count == 0;
        complain(path, &faults, count, lang);
    }
    draft.prune(args.min_count);
    write(&draft, &args.output, lang)?;
    let (positions, moves) = (draft.positions(), draft.moves());
    writeln!(out, "{}", lang.books_merged(args.books.len(), positions, moves))?;
    Ok(exit_code(all_good))
}

fn check(args: &Check, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
    refuse_bin(&args.book, lang)?;
    let found = inspect(open(&args.book)?).with_context(|| args.book.display().to_string())?;
    complain(&args.book, &found.faults, found.fault_count, lang);
    writeln!(out, "{}", lang.book_size(found.positions, found.moves))?;
    writeln!(out, "{}", lang.book_faults(found.fault_count, found.duplicates))?;
    match found.unsorted_at {
        None => writeln!(out, "{}", lang.book_is_sorted())?,
        Some(line) => writeln!(out, "{}", lang.book_unsorted(line))?,
    }
    Ok(exit_code(found.fault_count == 0 && found.duplicates == 0))
}

fn show(args: &Show, out: &mut impl Write, lang: Lang) -> anyhow::Result<ExitCode> {
    let position = args.position.read(lang)?;
    let (book, opened) = Book::open(&args.book, true)?;
    complain(&args.book, &opened.faults, opened.fault_count, lang);
    let lookup = Lookup { ignore_ply: args.ignore_ply, flipped: true };
    let moves =
        book.find_played(&position, lookup).with_context(|| args.book.display().to_string())?;
    for PlayedMove { found, results } in &moves {
        let ponder = found.ponder.map_or("none".to_owned(), |ponder| ponder.to_string());
        let illegal = if position.is_legal(found.mv) { "" } else { lang.illegal_book_move() };
        let results = results.map(|results| lang.results(results)).unwrap_or_default();
        let mv = found.mv.to_string();
        let numbers = lang.book_move(found.eval, found.depth, found.count);
        writeln!(out, "{mv:6} {ponder:6} {numbers}{results}{illegal}")?;
    }
    if moves.is_empty() {
        writeln!(out, "{}", lang.not_in_the_book())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn exit_code(all_good: bool) -> ExitCode {
    if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) }
}

/// Apery's books contain only position keys, from which the positions cannot be recovered.
fn refuse_bin(path: &Path, lang: Lang) -> anyhow::Result<()> {
    let is_bin = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
    anyhow::ensure!(!is_bin, "{}: {}", path.display(), lang.no_positions_in_bin());
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = files::open(path).with_context(|| path.display().to_string())?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Replaces the file only after writing all of it, because `merge` may overwrite one of its inputs.
fn write(builder: &BookBuilder, path: &Path, lang: Lang) -> anyhow::Result<()> {
    files::replace(path, |out| builder.write(out)).with_context(|| lang.cannot_write(path))
}

fn complain(path: &Path, faults: &[Fault], count: usize, lang: Lang) {
    for fault in faults {
        super::complain(&format!("{}: {}", path.display(), lang.fault(fault)));
    }
    if count > NAMED_FAULTS {
        super::complain(&format!("{}: {}", path.display(), lang.broken_lines(count)));
    }
}
