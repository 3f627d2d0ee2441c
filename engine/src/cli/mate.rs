//! `monomi mate`.

use crate::cli::values::{at_least, parsed, within};
use crate::cli::{PARTLY, complain};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_analysis::usi as usi_moves;
use monomi_batch::files;
use monomi_mate::{MateAnswer, MateLimits, MateResult, MateSolver};
use monomi_movegen::{PackedMove, Position};
use monomi_record::position_text;
use monomi_record::{Format, ReadError, Record, read_usi_line};
use monomi_text::{AnyMessage, Message, say};
use std::fmt;
use std::io::{BufRead, BufReader, Cursor, Read as _, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Examples:
  monomi mate '4k4/9/4P4/9/9/9/9/9/9 b G 1'
  monomi mate --movetime 1000 problems.sfen
  grep -v '^#' problems.sfen | monomi mate --nodes 1000000 -
  monomi mate --at last game.kif

Exit codes: 0 done, solved or not; 1 failure; 2 invalid arguments or position; 3 done, except for
invalid lines of a file.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Time limit for each problem in milliseconds, 0 for none.
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = parsed::<u64>)]
    movetime: u64,
    /// Node limit for each problem.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    nodes: Option<u64>,
    /// Search only for mates of at most this many plies.
    #[arg(long, value_name = "N", value_parser = within(1..=999u16))]
    plies: Option<u16>,
    /// Size of the hash table in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB",
          value_parser = at_least(1usize))]
    hash: usize,
    /// Solve the position after this many moves of each problem, or after the `last` one [default: 0].
    #[arg(long, value_name = "N|last", value_parser = place)]
    at: Option<Place>,
    /// SFENs, files with one SFEN per line, or files with a game or a diagram (KIF, KI2, BOD, CSA,
    /// JKF; `-` for standard input). The moves of a game and `moves ...` after an SFEN, a solution,
    /// are ignored; see --at.
    #[arg(value_name = "SFEN|FILE", required = true, value_hint = clap::ValueHint::FilePath)]
    problems: Vec<String>,
}

/// A position of a game.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// After this many moves.
    After(usize),
    Last,
}

fn place(text: &str) -> Result<Place, AnyMessage> {
    Ok(if text == "last" { Place::Last } else { Place::After(parsed(text)?) })
}

/// A problem has too few moves.
struct TooShort {
    moves: usize,
}

impl Message for TooShort {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves;
        let english = count(moves as u64, "move", "moves");
        say!(lang, f, "--at: the game has {english}", "--at: 指し手は {moves} 手です")
    }
}

/// The position of a record to solve.
fn position_of(record: &Record, at: Option<Place>) -> Result<Position, Failure> {
    let moves = record.moves.len();
    let after = match at {
        None => 0,
        Some(Place::After(moves)) => moves,
        Some(Place::Last) => moves,
    };
    record.positions().nth(after).ok_or(TooShort { moves }.into())
}

/// Counts and times over all problems.
#[derive(Default)]
struct Summary {
    mates: Vec<(Duration, usize)>,
    without: usize,
    unknown: usize,
    nodes: u64,
    time: Duration,
}

impl Summary {
    fn add(&mut self, result: &MateResult) {
        self.nodes += result.nodes;
        self.time += result.time;
        match &result.answer {
            MateAnswer::Mate(line) => self.mates.push((result.time, line.len())),
            MateAnswer::NoMate => self.without += 1,
            MateAnswer::Unknown => self.unknown += 1,
        }
    }

    fn text(mut self, lang: Lang) -> String {
        let solved = self.mates.len();
        self.mates.sort();
        let of_mates = self.mates.get(solved / 2).map(|(median, _)| {
            let plies: usize = self.mates.iter().map(|mate| mate.1).sum();
            let (median, mean) = (median.as_secs_f64() * 1e3, plies as f64 / solved as f64);
            say!(
                lang,
                " (median {median:.3} ms, mean length {mean:.1})",
                "（時間の中央値 {median:.3} ミリ秒、平均 {mean:.1} 手）"
            )
        });
        let of_mates = of_mates.unwrap_or_default();
        let Self { without, unknown, nodes, .. } = self;
        let (all, seconds) = (solved + without + unknown, self.time.as_secs_f64());
        match lang {
            Lang::En => format!(
                "{}: {}{of_mates}, {without} without, {unknown} unknown; {} in {seconds:.3} s",
                count(all as u64, "problem", "problems"),
                count(solved as u64, "mate", "mates"),
                count(nodes, "node", "nodes"),
            ),
            Lang::Ja => format!(
                "{all} 問: 詰み {solved}{of_mates}、不詰 {without}、不明 {unknown}、{nodes} ノード、\
                 {seconds:.3} 秒"
            ),
        }
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let mut solver = MateSolver::new(args.hash);
    let mut summary = Summary::default();
    let mut solve = |position: &Position, name: &str| -> Result<(), Failure> {
        let deadline =
            (args.movetime > 0).then(|| Instant::now() + Duration::from_millis(args.movetime));
        let limits = MateLimits { deadline, nodes: args.nodes, plies: args.plies };
        let result = solver.solve(position, &limits, &|| false);
        summary.add(&result);
        let ms = result.time.as_secs_f64() * 1e3;
        let answer = describe(&result, lang);
        let nodes = result.nodes;
        let english = count(nodes, "node", "nodes");
        say!(
            lang,
            out,
            "{answer} | {ms:.3} ms, {english} | {name}\n",
            "{answer} | {ms:.3} ミリ秒、{nodes} ノード | {name}\n"
        )?;
        Ok(())
    };
    let mut all_good = true;
    for (sfen, read) in problems(&args.problems) {
        match read {
            Source::Position => solve(&start(&sfen, args.at)?, &sfen)?,
            Source::File => {
                let path = Path::new(&sfen);
                let source: Box<dyn BufRead + Send> = if sfen == "-" {
                    Box::new(BufReader::new(std::io::stdin()))
                } else {
                    let file = files::open(path).with_context(|| Doing::input(path))?;
                    Box::new(BufReader::new(file))
                };
                let mut reader =
                    monomi_record::list_in_utf8(source).with_context(|| Doing::input(path))?;
                let (head, is_list) = head(&mut *reader).with_context(|| Doing::input(path))?;
                if !is_list {
                    // Not an SFEN: a game or a diagram, perhaps.
                    let mut bytes = head.clone();
                    let rest = files::read_all(reader).with_context(|| Doing::input(path))?;
                    bytes.extend(rest);
                    match monomi_record::read(&bytes) {
                        Err(ReadError::NoRecord | ReadError::Empty) => {}
                        Err(error) => {
                            all_good = false;
                            complain(format!("{sfen}: {}", error.in_lang(lang)));
                            continue;
                        }
                        Ok(file) if file.records.iter().all(|game| game.format == Format::Usi) => {}
                        Ok(file) => {
                            let several = file.records.len() > 1;
                            for (record, number) in file.records.iter().zip(1..) {
                                let name = match several {
                                    true => format!("{sfen}#{number}"),
                                    false => sfen.clone(),
                                };
                                for fault in &record.faults {
                                    all_good = false;
                                    complain(format!("{name}: {}", fault.in_lang(lang)));
                                }
                                match position_of(record, args.at) {
                                    Ok(position) => solve(&position, &name)?,
                                    Err(error) => {
                                        all_good = false;
                                        complain(format!("{name}: {}", error.in_lang(lang)));
                                    }
                                }
                            }
                            continue;
                        }
                    }
                    reader = Box::new(Cursor::new(bytes));
                } else {
                    reader = Box::new(Cursor::new(head).chain(reader));
                }
                for (line, number) in reader.split(b'\n').zip(1..) {
                    let line = line.with_context(|| Doing::Line(path.to_owned(), number))?;
                    let line = String::from_utf8_lossy(&line);
                    let problem = line.trim().trim_start_matches('\u{FEFF}');
                    if problem.is_empty() || problem.starts_with('#') {
                        continue;
                    }
                    match start(problem, args.at) {
                        Ok(position) => solve(&position, problem)?,
                        Err(error) => {
                            all_good = false;
                            let place = Doing::Line(path.to_owned(), number);
                            let (place, error) = (place.in_lang(lang), error.in_lang(lang));
                            complain(format!("{place}: {error}"));
                        }
                    }
                }
            }
        }
    }
    writeln!(out, "{}", summary.text(lang))?;
    Ok(if all_good { ExitCode::SUCCESS } else { ExitCode::from(PARTLY) })
}

/// Reads a file up to its first problem; whether that is an SFEN, as in a list.
fn head(reader: &mut dyn BufRead) -> std::io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    loop {
        let before = bytes.len();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            return Ok((bytes, false));
        }
        let line = String::from_utf8_lossy(&bytes[before..]);
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            let line = line.trim_start_matches('\u{FEFF}');
            let is_list = start(line, None).is_ok();
            return Ok((bytes, is_list));
        }
    }
}

/// The position of a problem, by default without its solution.
fn start(problem: &str, at: Option<Place>) -> Result<Position, Failure> {
    let problem = problem.trim_start_matches("position ");
    if at.is_some() {
        let record = read_usi_line(1, problem).map_err(Failure::invalid)?;
        if let Some(fault) = record.faults.first() {
            return Err(Failure::invalid(fault.clone()));
        }
        return position_of(&record, at);
    }
    let start = problem.split(" moves").next().unwrap_or(problem);
    position_text::read(start).map_err(Failure::invalid)
}

/// Ranks of a board, between slashes in an sfen.
const RANKS: usize = 9;

enum Source {
    Position,
    File,
}

/// Separates files from SFENs, and joins the words of an unquoted SFEN.
fn problems(words: &[String]) -> Vec<(String, Source)> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some(word) = rest.first() {
        let is_file = word == "-" || Path::new(word).is_file();
        if word == "position" && !is_file && rest.len() > 1 {
            rest = &rest[1..];
            continue;
        }
        // An unquoted SFEN: board, side, hands, number.
        let unquoted = rest.len() > 1 && matches!(rest[1].as_str(), "b" | "w");
        let taken = match (is_file, word == "sfen", unquoted) {
            (true, ..) => 1,
            (_, true, _) => rest.len().min(5),
            (.., true) => {
                let numbered = rest.get(3).is_some_and(|n| n.parse::<u16>().is_ok());
                rest.len().min(if numbered { 4 } else { 3 })
            }
            _ => 1,
        };
        let is_start = word == "startpos" || word.matches('/').count() == RANKS - 1;
        let is_start = is_start || word == "sfen";
        // An unquoted solution.
        let solution = match rest.get(taken) {
            Some(next) if next == "moves" && is_start && !is_file => {
                let more = rest[taken + 1..].iter();
                1 + more.take_while(|word| word.parse::<PackedMove>().is_ok()).count()
            }
            _ => 0,
        };
        let taken = taken + solution;
        // Anything but a board is reported as a missing file.
        let name = taken == 1
            && word != "startpos"
            && !word.contains(' ')
            && word.matches('/').count() != RANKS - 1;
        let source = if is_file || name { Source::File } else { Source::Position };
        found.push((rest[..taken].join(" "), source));
        rest = &rest[taken..];
    }
    found
}

fn describe(result: &MateResult, lang: Lang) -> String {
    match &result.answer {
        MateAnswer::Mate(line) => {
            let (plies, line) = (line.len(), usi_moves(line));
            say!(lang, "mate in {plies}: {line}", "{plies} 手詰: {line}")
        }
        MateAnswer::NoMate => say!(lang, "no mate", "不詰"),
        MateAnswer::Unknown => say!(lang, "unknown", "不明"),
    }
}
