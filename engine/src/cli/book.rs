//! `monomi book`.

use crate::analyze::record::{Ending, Record};
use crate::book::{Book, BookBuilder, Fault, GameResult, Lookup, NAMED_FAULTS, inspect};
use crate::cli::games::each_game;
use crate::cli::{PARTLY, PositionArg};
use anyhow::Context as _;
use monomi_batch::files;
use monomi_movegen::Repetition;
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

The engine plays from a book that the USI options BookFile and BookDir name.

Exit codes: 0 all done; 1 failed; 2 the command line or a position was not understood; 3 done, but
for input that could not be read, or a book with faults.";

const BUILD_HELP: &str = "\
Examples:
  monomi book build -o my.db games/
  monomi book build -o my.db --plies 24 --min-count 3 --not-lost games/ more.csa
  monomi book build -o my.db --score-by-results - < games.kif";

const MERGE_HELP: &str = "\
The book written is sorted, as BookOnTheFly needs it.

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
    /// Makes a book (.db) from game records: each move with how often it was played, the reply
    /// played most, and the results as a comment.
    Build(Build),
    /// Makes one book (.db) of several: counts add up, values come from the deeper search.
    Merge(Merge),
    /// Looks a book through: broken lines, illegal moves, order. Exit code 3 when something is
    /// wrong.
    Check(Check),
    /// Shows a book's moves for a position.
    Show(Show),
}

#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_HELP)]
pub(super) struct Build {
    /// Records (KIF, KI2, CSA, JKF, USI lines; any encoding), folders of them, `-` for standard
    /// input.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Moves taken from the beginning of each game.
    #[arg(long, default_value_t = 32)]
    plies: usize,
    /// Leave out moves played less often.
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_count: u32,
    /// Take only the moves of a side that won or drew.
    #[arg(long)]
    not_lost: bool,
    /// Write the results as values, in centipawns: 600 for odds of e to 1. Without this values are
    /// 0.
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
    /// Leave out moves played less often.
    #[arg(long, default_value_t = 0, value_name = "N")]
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
    /// Take the position at any move of the game.
    #[arg(long)]
    ignore_ply: bool,
    #[command(flatten)]
    position: PositionArg,
}

pub(super) fn run(command: &Command, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    match command {
        Command::Build(args) => build(args, out),
        Command::Merge(args) => merge(args, out),
        Command::Check(args) => check(args, out),
        Command::Show(args) => show(args, out),
    }
}

fn build(args: &Build, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut draft = BookBuilder::default();
    let mut games = 0usize;
    let all_good = each_game(&args.files, |game| {
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
    anyhow::ensure!(games > 0, "there is no game to read");
    draft.prune(args.min_count);
    if args.score_by_results {
        draft.score_by_results();
    }
    write(&draft, &args.output)?;
    let (positions, moves) = (draft.positions(), draft.moves());
    writeln!(out, "{games} games: {positions} positions, {moves} moves")?;
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

fn merge(args: &Merge, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let mut draft = BookBuilder::default();
    let mut all_good = true;
    for path in &args.books {
        refuse_bin(path)?;
        let (faults, count) =
            draft.add_book(open(path)?).with_context(|| path.display().to_string())?;
        all_good &= count == 0;
        complain(path, &faults, count);
    }
    draft.prune(args.min_count);
    write(&draft, &args.output)?;
    let (positions, moves) = (draft.positions(), draft.moves());
    writeln!(out, "{} books: {positions} positions, {moves} moves", args.books.len())?;
    Ok(exit_code(all_good))
}

fn check(args: &Check, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    refuse_bin(&args.book)?;
    let found = inspect(open(&args.book)?).with_context(|| args.book.display().to_string())?;
    complain(&args.book, &found.faults, found.fault_count);
    writeln!(out, "{} positions, {} moves", found.positions, found.moves)?;
    writeln!(out, "{} faults, {} positions twice", found.fault_count, found.duplicates)?;
    match found.unsorted_at {
        None => writeln!(out, "sorted: BookOnTheFly can search it on disk")?,
        Some(line) => {
            writeln!(out, "not sorted (line {line}): `monomi book merge -o SORTED FILE` sorts it")?;
        }
    }
    Ok(exit_code(found.fault_count == 0 && found.duplicates == 0))
}

fn show(args: &Show, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let position = args.position.read()?;
    let (book, opened) = Book::open(&args.book, true)?;
    complain(&args.book, &opened.faults, opened.fault_count);
    let lookup = Lookup { ignore_ply: args.ignore_ply, flipped: true };
    let moves = book.find(&position, lookup).with_context(|| args.book.display().to_string())?;
    for found in &moves {
        let ponder = found.ponder.map_or("none".to_owned(), |ponder| ponder.to_string());
        let illegal = if position.is_legal(found.mv) { "" } else { "  (illegal)" };
        writeln!(
            out,
            "{:6} {ponder:6} eval {:6} depth {:3} count {}{illegal}",
            found.mv.to_string(),
            found.eval,
            found.depth,
            found.count
        )?;
    }
    if moves.is_empty() {
        writeln!(out, "not in the book")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn exit_code(all_good: bool) -> ExitCode {
    if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) }
}

/// Apery's books contain only position keys, from which the positions cannot be recovered.
fn refuse_bin(path: &Path) -> anyhow::Result<()> {
    let is_bin = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin"));
    anyhow::ensure!(!is_bin, "{}: Apery's books name no positions", path.display());
    Ok(())
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Replaces the file only after writing all of it, because `merge` may overwrite one of its inputs.
fn write(builder: &BookBuilder, path: &Path) -> anyhow::Result<()> {
    files::replace(path, |out| builder.write(out))
        .with_context(|| format!("cannot write {}", path.display()))
}

fn complain(path: &Path, faults: &[Fault], count: usize) {
    for fault in faults {
        super::complain(&format!("{}: {fault}", path.display()));
    }
    if count > NAMED_FAULTS {
        super::complain(&format!("{}: {count} broken lines in all", path.display()));
    }
}
