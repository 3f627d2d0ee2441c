//! Reads mate problems from the command line: SFENs, lists of SFENs, game records and diagrams.

use crate::commands::complain;
use crate::commands::values::parsed;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use monomi_movegen::position_text;
use monomi_movegen::{PackedMove, Position};
use monomi_record::{Format, ReadError, Record, read_usi_line};
use monomi_support::batch::files;
use monomi_support::text::{AnyMessage, Message, messages};
use std::io::{BufRead, BufReader, Cursor, Read as _};
use std::path::Path;

/// A problem to solve.
pub(super) struct Problem {
    /// The SFEN, or the file and the number of the record.
    pub name: String,
    pub position: Position,
    /// The moves that follow in the record or after the SFEN.
    pub solution: Vec<PackedMove>,
}

/// Which position of a game to solve.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// After this many moves.
    After(usize),
    Last,
}

pub(super) fn place(text: &str) -> Result<Place, AnyMessage> {
    Ok(if text == "last" { Place::Last } else { Place::After(parsed(text)?) })
}

messages! {
    /// A problem has too few moves.
    struct TooShort {
        moves: usize,
    } =>
        let english = count(*moves as u64, "move", "moves");
        "--at: the game has {english}", "--at: 指し手は {moves} 手です";
}

/// The problem in a record: a position, and the moves from there.
fn problem_of(record: &Record, at: Option<Place>, name: String) -> Result<Problem, Failure> {
    let moves = record.moves.len();
    let after = match at {
        None => 0,
        Some(Place::After(moves)) => moves,
        Some(Place::Last) => moves,
    };
    let position = record.positions().nth(after).ok_or(TooShort { moves })?;
    let solution = record.moves[after..].iter().map(|played| played.mv).collect();
    Ok(Problem { name, position, solution })
}

/// Calls a function with the problems of the arguments: SFENs, files with an SFEN in each line, game
/// records and diagrams. Errors in files are printed; the result is whether there were none.
///
/// # Errors
/// An SFEN in the arguments is invalid, a file cannot be read, or an error of the function.
pub(super) fn each_problem(
    words: &[String],
    at: Option<Place>,
    lang: Lang,
    mut take: impl FnMut(Problem) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut all_good = true;
    for (sfen, read) in problems(words) {
        match read {
            Source::Position => take(start(&sfen, at)?)?,
            Source::File => all_good &= each_in_file(&sfen, at, lang, &mut take)?,
        }
    }
    Ok(all_good)
}

fn each_in_file(
    name: &str,
    at: Option<Place>,
    lang: Lang,
    take: &mut dyn FnMut(Problem) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let path = Path::new(name);
    let source: Box<dyn BufRead + Send> = if name == "-" {
        Box::new(BufReader::new(std::io::stdin()))
    } else {
        let file = files::open(path).with_context(|| Doing::input(path))?;
        Box::new(BufReader::new(file))
    };
    let mut reader = monomi_record::list_in_utf8(source).with_context(|| Doing::input(path))?;
    let (head, is_list) = head(&mut *reader).with_context(|| Doing::input(path))?;
    if is_list {
        return each_line(path, Box::new(Cursor::new(head).chain(reader)), at, lang, take);
    }
    // Not an SFEN: a game or a diagram, perhaps.
    let mut bytes = head;
    bytes.extend(files::read_all(reader).with_context(|| Doing::input(path))?);
    match monomi_record::read(&bytes) {
        Err(ReadError::NoRecord | ReadError::Empty) => {}
        Err(error) => {
            complain(format!("{name}: {}", error.in_lang(lang)));
            return Ok(false);
        }
        Ok(file) if file.records.iter().all(|game| game.format == Format::Usi) => {}
        Ok(file) => return each_record(name, &file.records, at, lang, take),
    }
    each_line(path, Box::new(Cursor::new(bytes)), at, lang, take)
}

fn each_record(
    file: &str,
    records: &[Record],
    at: Option<Place>,
    lang: Lang,
    take: &mut dyn FnMut(Problem) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut all_good = true;
    for (record, number) in records.iter().zip(1..) {
        let name = match records.len() {
            1 => file.to_owned(),
            _ => format!("{file}#{number}"),
        };
        for fault in &record.faults {
            all_good = false;
            complain(format!("{name}: {}", fault.in_lang(lang)));
        }
        match problem_of(record, at, name.clone()) {
            Ok(problem) => take(problem)?,
            Err(error) => {
                all_good = false;
                complain(format!("{name}: {}", error.in_lang(lang)));
            }
        }
    }
    Ok(all_good)
}

fn each_line(
    path: &Path,
    reader: Box<dyn BufRead + Send>,
    at: Option<Place>,
    lang: Lang,
    take: &mut dyn FnMut(Problem) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut all_good = true;
    for (line, number) in reader.split(b'\n').zip(1..) {
        let line = line.with_context(|| Doing::Line(path.to_owned(), number))?;
        let line = String::from_utf8_lossy(&line);
        let problem = line.trim().trim_start_matches('\u{FEFF}');
        if problem.is_empty() || problem.starts_with('#') {
            continue;
        }
        match start(problem, at) {
            Ok(problem) => take(problem)?,
            Err(error) => {
                all_good = false;
                let place = Doing::Line(path.to_owned(), number);
                complain(format!("{}: {}", place.in_lang(lang), error.in_lang(lang)));
            }
        }
    }
    Ok(all_good)
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

/// The problem in an SFEN, by default without the moves after it, which are its solution.
fn start(problem: &str, at: Option<Place>) -> Result<Problem, Failure> {
    let name = problem.to_owned();
    let problem = problem.trim_start_matches("position ");
    if at.is_some() {
        let record = read_usi_line(1, problem).map_err(Failure::invalid)?;
        if let Some(fault) = record.faults.first() {
            return Err(Failure::invalid(fault.clone()));
        }
        return problem_of(&record, at, name);
    }
    let (start, moves) = problem.split_once(" moves").unwrap_or((problem, ""));
    let position = position_text::read(start).map_err(Failure::invalid)?;
    Ok(Problem { name, solution: legal_moves(&position, moves), position })
}

/// The moves of a text up to the first word that is no legal move.
fn legal_moves(start: &Position, text: &str) -> Vec<PackedMove> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let Some(mv) = word.parse().ok().filter(|&mv| position.is_legal(mv)) else { break };
        position.do_move(mv);
        moves.push(mv);
    }
    moves
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
