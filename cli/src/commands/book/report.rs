//! `monomi book report`: what an opponent plays.

use crate::commands::arguments::EvalArg;
use crate::commands::book::leaves::{cores, eval_of_mate};
use crate::commands::book::{Problem, complain, exit_code, html, outcome};
use crate::commands::games::each_game;
use crate::commands::records::{games_text, positions_text};
use crate::commands::values::{at_least, parsed};
use crate::commands::{INTERRUPTED, cancel_on_interrupt};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use crossbeam_channel::unbounded;
use monomi_analysis::{AnalysisSettings, ListedPosition, Notation, WinScale, search_list};
use monomi_book::{Book, BookMove, Lookup, PlayedMove, Results};
use monomi_movegen::square::Dense as _;
use monomi_movegen::{PackedMove, Position};
use monomi_record::write::write;
use monomi_record::{Branch, Encoding, Format, Played, Record};
use monomi_search::Score;
use monomi_support::batch::files;
use monomi_support::text::{messages, say};
use shogi_core::Color;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Limit for pages, variations and searches, in positions.
const MOST: usize = 20_000;
/// Places where the book was left: how many are listed.
const DEPARTURES: usize = 10;

const HELP: &str = "\
Takes the games from the start position in which a player's name contains NAME (in any case) and
writes to the folder, for the games with Black and those with White, a page for browsers and a KIF
file with variations: the moves of both sides, how often they were played, their results for the
side that moves, and their values by a search. With --book it also lists where the player leaves
that book.

Examples:
  monomi book report --against Rival -o report floodgate/
  monomi book report --against Rival --book my.db --min-count 2 -o report games/ more.csa

Exit codes: 0 success; 1 failure, such as no game of this player; 2 invalid arguments; 3 some
records could not be read completely; 130 interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::commands) struct Args {
    /// Game records (KIF, KI2, CSA, JKF or USI lines in any encoding), folders of records, or `-` for
    /// standard input.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    files: Vec<PathBuf>,
    /// The player: a part of the name.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    against: String,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Number of moves taken from the start of each game.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = at_least(1usize))]
    plies: usize,
    /// Leave out moves played less often than this.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = at_least(1u32))]
    min_count: u32,
    /// Nodes of the search that gives the value of each move; 0 for no values.
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = parsed::<u64>)]
    nodes: u64,
    /// List where the player leaves this book (.db, .ybb, or Apery's .bin).
    #[arg(long, value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: Option<PathBuf>,
    #[command(flatten)]
    eval: EvalArg,
}

messages! {
    /// A name that occurs in no record.
    struct NoSuchPlayer(name: String) =>
        "no game from the start position has a player whose name contains `{name}`",
        "名前に「{name}」を含む対局者の、平手の棋譜がありません";
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let book = match &args.book {
        Some(path) => {
            let (book, opened) = Book::open(path, true)?;
            complain(path, &opened.faults, opened.fault_count, lang);
            Some(book)
        }
        None => None,
    };
    let startpos = Position::startpos();
    let (mut games, mut sides) = (0, [Side::default(), Side::default()]);
    let mut names = BTreeSet::new();
    let all_good = each_game(&args.files, lang, |game| {
        games += 1;
        let record = &game.record;
        for color in Color::all() {
            let name = record.players()[color.dense()];
            let named = name.to_lowercase().contains(&args.against.to_lowercase());
            if named && record.start.key() == startpos.key() {
                names.insert(name.to_owned());
                sides[color.dense()].add(record, color, args.plies);
            }
        }
    });
    if games == 0 {
        return Err(Problem::NoGame.into());
    }
    if names.is_empty() {
        return Err(NoSuchPlayer(args.against.clone()).into());
    }
    let names: Vec<String> =
        names.iter().map(|name| name.replace(char::is_control, "\u{FFFD}")).collect();
    writeln!(out, "{}", names.join(", "))?;
    let evaluation = (args.nodes > 0).then(|| args.eval.load(lang)).transpose()?;
    let cancel = cancel_on_interrupt()?;
    std::fs::create_dir_all(&args.output).with_context(|| Doing::Writing(args.output.clone()))?;
    for (color, mut side) in Color::all().into_iter().zip(sides) {
        if side.games.is_empty() {
            continue;
        }
        side.prune(args.min_count);
        let positions = side.reachable(&startpos);
        if let Some(evaluation) = &evaluation {
            let settings = AnalysisSettings {
                nodes: Some(args.nodes),
                depth: None,
                movetime: None,
                time_per_game: None,
                threads: cores(),
                jobs: cores(),
                multi_pv: 1,
                hash_mib: None,
                win_scale: WinScale::default(),
                reasons: false,
            };
            let (sender, receiver) = unbounded();
            for position in &positions {
                // The receiver lives longer.
                let _ = sender.send(Ok(ListedPosition::new(position.clone())));
            }
            drop(sender);
            search_list(&receiver, &settings, evaluation, &cancel, &mut |entry, result| {
                if let (Ok(position), Some(result)) = (&entry.position, result)
                    && let Some((score, _)) = result.lines().next()
                {
                    let value = match score {
                        Score::Cp(cp) => cp,
                        Score::Mate(plies) => eval_of_mate(plies.into()),
                    };
                    side.values.insert(position.key(), (value, result.depth()));
                }
            })?;
            if cancel.is_cancelled() {
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
        side.write(color, args, positions.len(), out, lang)?;
        if let Some(book) = &book {
            side.departures(book, color, out, lang)?;
        }
    }
    Ok(exit_code(all_good))
}

/// The player's games with one color.
#[derive(Default)]
struct Side {
    games: Vec<Vec<PackedMove>>,
    /// For the player.
    results: Results,
    /// The moves that were played in each position, by its key; most frequent ones first.
    moves: HashMap<u64, Vec<PlayedMove>>,
    /// The scores of positions in centipawns for the side to move, and their depths.
    values: HashMap<u64, (i32, u32)>,
}

impl Side {
    /// Adds a game in which the player had this color.
    fn add(&mut self, record: &Record, color: Color, plies: usize) {
        let result = outcome(record);
        self.results += result.for_side(color);
        let mut position = record.start.clone();
        let moves: Vec<_> = record.moves.iter().map(|played| played.mv).take(plies).collect();
        for &mv in &moves {
            let known = self.moves.entry(position.key()).or_default();
            let index = known.iter().position(|played| played.found.mv == mv);
            let index = index.unwrap_or_else(|| {
                let found = BookMove { mv, ponder: None, eval: 0, depth: 0, count: 0 };
                known.push(PlayedMove { found, results: Some(Results::default()) });
                known.len() - 1
            });
            known[index].found.count += 1;
            if let Some(results) = &mut known[index].results {
                *results += result.for_side(position.side_to_move());
            }
            position.do_move(mv);
        }
        self.games.push(moves);
    }

    /// Leaves out rare moves, and puts the others in order.
    fn prune(&mut self, least: u32) {
        for moves in self.moves.values_mut() {
            moves.retain(|played| played.found.count >= least);
            moves.sort_by_key(|played| (Reverse(played.found.count), played.found.mv.to_string()));
        }
    }

    /// The positions after the moves that are left, nearest ones first; at most [`MOST`].
    fn reachable(&self, start: &Position) -> Vec<Position> {
        let (mut found, mut known) = (Vec::new(), HashSet::from([start.key()]));
        let mut open = VecDeque::from([start.clone()]);
        while let Some(position) = open.pop_front() {
            for played in self.moves.get(&position.key()).into_iter().flatten() {
                let mut after = position.clone();
                after.do_move(played.found.mv);
                if found.len() < MOST && known.insert(after.key()) {
                    found.push(after.clone());
                    open.push_back(after);
                }
            }
        }
        found
    }

    /// The moves of a position with their values.
    fn valued(&self, position: &Position) -> Vec<PlayedMove> {
        let mut moves = self.moves.get(&position.key()).cloned().unwrap_or_default();
        for PlayedMove { found, .. } in &mut moves {
            let mut after = position.clone();
            after.do_move(found.mv);
            if let Some(&(value, depth)) = self.values.get(&after.key()) {
                (found.eval, found.depth) = (-value, depth + 1);
            }
        }
        moves
    }

    fn write(
        &self,
        color: Color,
        args: &Args,
        positions: usize,
        out: &mut impl Write,
        lang: Lang,
    ) -> Result<(), Failure> {
        let file = if color == Color::Black { "black" } else { "white" };
        let (name, played) = (&args.against, side_name(color, lang));
        let title = say!(lang, "{name} as {played}", "{name}（{played}）");
        let start = Position::startpos();
        let valued = |position: &Position| Ok(self.valued(position));
        let (page, _) = html::page(title.clone(), &start, args.plies, valued)
            .with_context(|| Doing::Writing(args.output.clone()))?;
        let mut record = Record::new(start.clone());
        record.headers.push(("表題".to_owned(), title));
        let mut writer = Variations { side: self, lang, seen: HashSet::new() };
        (record.moves, record.branches) = writer.line(start, 0);
        let kif = write(&record, Format::Kif, Encoding::Utf8);
        for (extension, text) in [("html", page), ("kif", kif)] {
            let path = args.output.join(format!("{file}.{extension}"));
            files::replace(&path, |file| file.write_all(text.as_bytes()))
                .with_context(|| Doing::Writing(path.clone()))?;
        }
        let Results { won, drawn, lost } = self.results;
        let games = games_text(self.games.len() as u64, lang);
        let positions = positions_text(positions as u64, lang);
        let path = args.output.join(format!("{file}.html"));
        let (side, path) = (side_name(color, lang), path.display());
        say!(
            lang,
            out,
            "{side}: {games} ({won} won, {drawn} drawn, {lost} lost), {positions}: {path}\n",
            "{side}: {games}（{won} 勝 {drawn} 分 {lost} 敗）、{positions}: {path}\n"
        )?;
        Ok(())
    }

    /// Where the player first plays a move that the book does not have, most frequent places first.
    fn departures(
        &self,
        book: &Book,
        color: Color,
        out: &mut impl Write,
        lang: Lang,
    ) -> Result<(), Failure> {
        let lookup = Lookup { ignore_ply: true, flipped: true };
        let mut places: BTreeMap<(usize, String, String), u32> = BTreeMap::new();
        let (mut inside, mut others) = (0_u64, 0_u64);
        for game in &self.games {
            let mut position = Position::startpos();
            let mut ply = 0;
            let left = loop {
                let Some(&mv) = game.get(ply) else { break None };
                let known = book
                    .find(&position, lookup)
                    .with_context(|| Doing::File(book.path().to_owned()))?;
                if !known.iter().any(|found| found.mv == mv) {
                    break Some(mv);
                }
                position.do_move(mv);
                ply += 1;
            };
            match left {
                None => inside += 1,
                Some(mv) if position.side_to_move() == color => {
                    let name = Notation::of(lang).line(&position, &[mv]);
                    *places.entry((ply + 1, name, position.to_sfen())).or_default() += 1;
                }
                Some(_) => others += 1,
            }
        }
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|(_, games)| Reverse(*games));
        for ((ply, name, sfen), games) in places.iter().take(DEPARTURES) {
            let games = games_text(u64::from(*games), lang);
            say!(
                lang,
                out,
                "  leaves the book at move {ply} with {name}: {games}, {sfen}\n",
                "  {ply} 手目 {name} で定跡を外れる: {games}、{sfen}\n"
            )?;
        }
        let (others_text, inside_text) =
            (count(others, "game", "games"), count(inside, "game", "games"));
        say!(
            lang,
            out,
            "  left by the other side: {others_text}; still in the book after the moves taken: {inside_text}\n",
            "  相手が先に外れた: {others} 局、最後まで定跡内: {inside} 局\n"
        )?;
        Ok(())
    }
}

fn side_name(color: Color, lang: Lang) -> String {
    match color {
        Color::Black => say!(lang, "Black", "先手"),
        Color::White => say!(lang, "White", "後手"),
    }
}

/// Writes moves as a main line with variations. Each position is continued once, where it is reached first.
struct Variations<'a> {
    side: &'a Side,
    lang: Lang,
    seen: HashSet<u64>,
}

impl Variations<'_> {
    /// The line of the most frequent moves from a position after `before` moves, and the variations from it in the
    /// order of KIF: the last ones first, each followed by those from it.
    fn line(&mut self, mut position: Position, before: usize) -> (Vec<Played>, Vec<Branch>) {
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        while self.seen.insert(position.key()) && self.seen.len() < MOST {
            let found = self.side.valued(&position);
            let Some((first, rest)) = found.split_first() else { break };
            if !rest.is_empty() {
                others.push((position.clone(), before + moves.len(), rest.to_vec()));
            }
            moves.push(self.played(first));
            position.do_move(first.found.mv);
        }
        let mut branches = Vec::new();
        for (position, before, rest) in others.into_iter().rev() {
            for other in rest {
                let mut after = position.clone();
                after.do_move(other.found.mv);
                let (more, from_it) = self.line(after, before + 1);
                let mut moves = vec![self.played(&other)];
                moves.extend(more);
                branches.push(Branch::new(before, moves));
                branches.extend(from_it);
            }
        }
        (moves, branches)
    }

    fn played(&self, PlayedMove { found, results }: &PlayedMove) -> Played {
        let lang = self.lang;
        let Results { won, drawn, lost } = results.unwrap_or_default();
        let games = games_text(u64::from(found.count), lang);
        let mut comment = say!(
            lang,
            "{games}: {won} won, {drawn} drawn, {lost} lost",
            "{games}: {won} 勝 {drawn} 分 {lost} 敗"
        );
        if found.depth > 0 {
            let value = found.eval;
            comment += &say!(lang, "; value {value:+}", "、評価値 {value:+}");
        }
        let mut played = Played::new(found.mv);
        played.comments.push(comment);
        played
    }
}
