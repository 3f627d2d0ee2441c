//! `monomi book`.

mod choice;
mod convert;
mod diff;
mod html;
mod leaves;
mod mine;
mod minimax;
mod report;
mod tree;

use crate::commands::games::each_game;
use crate::commands::records::{games_text, positions_text};
use crate::commands::values::{at_least, parsed};
use crate::commands::{PARTLY, PositionArg};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_book::{
    Book, BookBuilder, BookMove, Fault, Format, GameResult, Lookup, NAMED_FAULTS, PlayedMove,
    Results, inspect,
};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::official;
use monomi_record::{Ending, Record};
use monomi_support::batch::files;
use monomi_support::text::{Message, messages, say};
use shogi_core::Color;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const AFTER_HELP: &str = "\
Examples:
  monomi book build -o my.db games/
  monomi book merge -o all.db my.db other.db
  monomi book convert all.db -o all.ybb
  monomi book mine --time 3600 mined.ybb
  monomi book minimax mined.ybb -o tournament.ybb
  monomi book report --against Rival -o report floodgate/
  monomi book check all.db
  monomi book show all.db startpos moves 7g7f

The USI options BookFile and BookDir select the book from which the engine plays.

Exit codes: 0 success; 1 failure; 2 invalid arguments or position; 3 some input could not be read,
or the book has faults.";

const BUILD_HELP: &str = "\
Examples:
  monomi book build -o my.db games/
  monomi book build -o my.db --plies 24 --min-count 3 --not-lost games/ more.csa
  monomi book build -o strong.db --min-rating 4000 --min-count 5 floodgate/
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
  monomi book show --tree 12 --moves 2 --ignore-ply all.ybb
  monomi book show --html book.html --ignore-ply all.ybb
  monomi book show --ignore-ply book.bin 'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2'";

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Builds a book (.db) from game records: for each move how often it was played, the most frequent
    /// reply, and the results as a comment.
    Build(Build),
    /// Merges books (.db): counts are added, evaluations are taken from the deeper search.
    Merge(Merge),
    /// Converts books between .db, .ybb and Apery's .bin, and from ShogiGUI's .sbk; sorts and merges
    /// them. Books may be larger than the memory.
    Convert(convert::Args),
    /// Carries values from the leaves of a book to its roots (peta shock).
    Minimax(minimax::Args),
    /// Lists the positions where the best lines of a book end, to be searched next.
    Leaves(leaves::Leaves),
    /// Adds positions searched by `monomi analyze` to a book.
    Add(leaves::Add),
    /// Extends a book: searches where its best lines end, on all cores, until it is stopped.
    Mine(mine::Args),
    /// Compares two books.
    Diff(diff::Args),
    /// Checks a book: invalid lines, illegal moves, order. The exit code is 3 if anything is wrong.
    Check(Check),
    /// Writes what an opponent plays, by its games: a page and a KIF file with results and values.
    Report(report::Args),
    /// Shows the moves of a book in a position, as a tree, or as a page for browsers.
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
    /// Take only the moves of players with at least this rating, which CSA records of floodgate give.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = parsed::<i32>)]
    min_rating: Option<i32>,
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
    /// The book (.db or .ybb).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
}

#[derive(Debug, clap::Args)]
#[command(after_help = SHOW_HELP)]
pub(super) struct Show {
    /// The book (.db, .ybb, or Apery's .bin).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    /// Accept the position with any move number.
    #[arg(long)]
    ignore_ply: bool,
    /// Show the moves that follow too, as a tree of this many plies.
    #[arg(long, value_name = "PLIES", value_parser = at_least(1usize))]
    tree: Option<usize>,
    /// Write a page for browsers with the positions that follow [--tree: 30 if not given].
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// The number of moves of each position of the tree, best first.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least(1usize))]
    moves: usize,
    #[command(flatten)]
    position: PositionArg,
}

messages! {
    /// Why there is no book.
    enum Problem {
        NoGame => "no game to read", "読める棋譜がありません";
        OnlyKeys(path: PathBuf) =>
            "{path}: Apery's books contain no positions, only their keys",
            "{path}: Apery の定跡には局面の情報がありません（キーのみ）";
        NotText(path: PathBuf) =>
            "{path}: only for .db; `monomi book convert` merges and converts .ybb",
            "{path}: .db 専用です。.ybb の併合と変換は `monomi book convert` で行えます";
    }
}

fn size_text(positions: usize, moves: usize, lang: Lang) -> String {
    let positions = positions_text(positions as u64, lang);
    let english = count(moves as u64, "move", "moves");
    say!(lang, "{positions}, {english}", "{positions}、{moves} 手")
}

/// The results of the games in which a move was played; follows its numbers.
fn results_text(results: Results, lang: Lang) -> String {
    let Results { won, drawn, lost } = results;
    let games = f64::from(won) + f64::from(drawn) + f64::from(lost);
    let score = 100.0 * (f64::from(won) + 0.5 * f64::from(drawn)) / games.max(1.0);
    say!(
        lang,
        "  won {won} drawn {drawn} lost {lost} ({score:.0} %)",
        "  {won} 勝 {drawn} 分 {lost} 敗（{score:.0} %）"
    )
}

pub(super) fn run(
    command: &Command,
    out: &mut impl Write,
    lang: Lang,
) -> Result<ExitCode, Failure> {
    match command {
        Command::Build(args) => build(args, out, lang),
        Command::Merge(args) => merge(args, out, lang),
        Command::Convert(args) => convert::run(args, out, lang),
        Command::Minimax(args) => minimax::run(args, out, lang),
        Command::Leaves(args) => leaves::run(args, out, lang),
        Command::Add(args) => leaves::add(args, out, lang),
        Command::Mine(args) => mine::run(args, out, lang),
        Command::Diff(args) => diff::run(args, out, lang),
        Command::Check(args) => check(args, out, lang),
        Command::Report(args) => report::run(args, out, lang),
        Command::Show(args) => show(args, out, lang),
    }
}

fn build(args: &Build, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
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
        if let Some(least) = args.min_rating {
            let strong = game.record.ratings.map(|rating| rating.is_some_and(|it| it >= least));
            only = [only[0] && strong[0], only[1] && strong[1]];
        }
        draft.add_game(&game.record.start, &moves, args.plies, outcome, only);
        games += 1;
    });
    if games == 0 {
        return Err(Problem::NoGame.into());
    }
    draft.prune(args.min_count);
    if args.score_by_results {
        draft.score_by_results();
    }
    write(&draft, &args.output)?;
    let size = size_text(draft.positions(), draft.moves(), lang);
    writeln!(out, "{}: {size}", games_text(games as u64, lang))?;
    Ok(exit_code(all_good))
}

/// The result, if the record gives it.
fn outcome(record: &Record) -> GameResult {
    match (record.defeat(), &record.ending) {
        (Some((Color::White, _)), _) => GameResult::BlackWon,
        (Some((Color::Black, _)), _) => GameResult::WhiteWon,
        (None, Some(Ending::Draw | Ending::Impasse | Ending::MaxMoves | Ending::Repetition)) => {
            GameResult::Drawn
        }
        (None, _) => GameResult::Unknown,
    }
}

fn merge(args: &Merge, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let mut draft = BookBuilder::default();
    let mut all_good = true;
    for path in &args.books {
        require_db(path)?;
        let (faults, count) =
            draft.add_book(open(path)?).with_context(|| Doing::File(path.to_owned()))?;
        all_good &= count == 0;
        complain(path, &faults, count, lang);
    }
    draft.prune(args.min_count);
    write(&draft, &args.output)?;
    let size = size_text(draft.positions(), draft.moves(), lang);
    let books = args.books.len();
    let english = count(books as u64, "book", "books");
    say!(lang, out, "{english}: {size}\n", "定跡 {books} 個: {size}\n")?;
    Ok(exit_code(all_good))
}

fn check(args: &Check, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    if Format::of(&args.book) == Format::Ybb {
        return convert::check(&args.book, out, lang);
    }
    require_db(&args.book)?;
    let found = inspect(open(&args.book)?).with_context(|| Doing::File(args.book.clone()))?;
    complain(&args.book, &found.faults, found.fault_count, lang);
    writeln!(out, "{}", size_text(found.positions, found.moves, lang))?;
    let (faults, twice) = (found.fault_count, found.duplicates);
    let english = count(faults as u64, "fault", "faults");
    let positions = count(twice as u64, "position", "positions");
    say!(
        lang,
        out,
        "{english}, {positions} twice\n",
        "誤り {faults} 件、重複した局面 {twice} 件\n"
    )?;
    match found.unsorted_at {
        None => say!(
            lang,
            out,
            "sorted: BookOnTheFly can search it on disk\n",
            "並び順は正しく、BookOnTheFly で使えます\n"
        )?,
        Some(line) => say!(
            lang,
            out,
            "not sorted (line {line}): `monomi book merge -o SORTED FILE` sorts it\n",
            "並び順が正しくありません（{line} 行目）。`monomi book merge -o 出力 ファイル` で\
             並べ替えられます\n"
        )?,
    }
    Ok(exit_code(found.fault_count == 0 && found.duplicates == 0))
}

fn show(args: &Show, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let position = args.position.read()?;
    let (book, opened) = Book::open(&args.book, true)?;
    complain(&args.book, &opened.faults, opened.fault_count, lang);
    if let Some(path) = &args.html {
        html::write(&book, args, &position, (path, lang), out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.tree.is_some() {
        tree::show(&book, args, &position, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let lookup = Lookup { ignore_ply: args.ignore_ply, flipped: true };
    let moves =
        book.find_played(&position, lookup).with_context(|| Doing::File(args.book.clone()))?;
    for PlayedMove { found, results } in &moves {
        let (mv, ponder) = names(&position, found, lang);
        let illegal = match position.is_legal(found.mv) {
            true => String::new(),
            false => say!(lang, "  (illegal)", "（反則手）"),
        };
        let results = results.map(|results| results_text(results, lang)).unwrap_or_default();
        let BookMove { eval, depth, count, .. } = found;
        let numbers = say!(
            lang,
            "eval {eval:6} depth {depth:3} count {count:6}",
            "評価値 {eval:6} 深さ {depth:3} 採用回数 {count:6}"
        );
        writeln!(out, "{mv} {ponder} {numbers}{results}{illegal}")?;
    }
    if moves.is_empty() {
        say!(lang, out, "not in the book\n", "定跡にありません\n")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The move and the reply to it in columns: in Japanese as players write them, else as USI does.
fn names(position: &Position, found: &BookMove, lang: Lang) -> (String, String) {
    let usi = |mv: Option<PackedMove>| mv.map_or("none".to_owned(), |mv| mv.to_string());
    let legal = position.is_legal(found.mv);
    if lang == Lang::En || !legal {
        return (format!("{:6}", usi(Some(found.mv))), format!("{:6}", usi(found.ponder)));
    }
    let mut after = position.clone();
    after.do_move(found.mv);
    let mut partial = position.to_partial();
    let first = official(position, &partial, found.mv).unwrap_or_else(|| usi(Some(found.mv)));
    let _ = partial.make_move(found.mv.to_core(position.side_to_move()));
    let ponder = found.ponder.filter(|&mv| after.is_legal(mv));
    let second = ponder.and_then(|mv| official(&after, &partial, mv));
    let second = second.unwrap_or_else(|| match found.ponder {
        Some(mv) => mv.to_string(),
        None => "なし".to_owned(),
    });
    let padded = |text: String| {
        let width = console::measure_text_width(&text);
        text + &" ".repeat(12usize.saturating_sub(width))
    };
    (padded(first), padded(second))
}

fn exit_code(all_good: bool) -> ExitCode {
    if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) }
}

/// Apery's books contain only position keys, from which the positions cannot be recovered; other
/// books than text are converted first.
fn require_db(path: &Path) -> Result<(), Failure> {
    match Format::of(path) {
        Format::Db => Ok(()),
        Format::Apery => Err(Problem::OnlyKeys(path.to_owned()).into()),
        _ => Err(Problem::NotText(path.to_owned()).into()),
    }
}

fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = files::open(path).with_context(|| Doing::File(path.to_owned()))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Replaces the file only after writing all of it, because `merge` may overwrite one of its inputs.
fn write(builder: &BookBuilder, path: &Path) -> Result<(), Failure> {
    files::replace(path, |out| builder.write(out)).with_context(|| Doing::Writing(path.to_owned()))
}

fn complain(path: &Path, faults: &[Fault], count: usize, lang: Lang) {
    for fault in faults {
        super::complain(format!("{}: {}", path.display(), fault.in_lang(lang)));
    }
    complain_count(path, count as u64, lang);
}

/// Says how many faults there are if not all of them are named.
fn complain_count(path: &Path, count: u64, lang: Lang) {
    if count > NAMED_FAULTS as u64 {
        let lines = monomi_support::text::count(count, "fault", "faults");
        super::complain(say!(
            lang,
            "{}: {lines} in all",
            "{}: 誤りは全部で {count} 件です",
            path.display()
        ));
    }
}
