//! USI notation as a record, one game per line: `[position] startpos|sfen ... [moves ...]`, an SFEN
//! alone, or moves alone from the normal starting position.

use crate::build::Builder;
use crate::ending::Ending;
use crate::fault::{Fault, ReadError, Reason};
use crate::format::Format;
use crate::record::Record;
use monomi_movegen::position_text::{PASSES, is_ending};
use monomi_movegen::{PackedMove, Position};

pub fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let mut records: Vec<Record> = Vec::new();
    let mut first_fault = None;
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(number, line) {
            Ok(record) => records.push(record),
            Err(fault) => match records.last_mut() {
                Some(record) => record.faults.push(fault),
                None => first_fault = first_fault.or(Some(fault)),
            },
        }
    }
    match (records.first_mut(), first_fault) {
        (None, Some(fault)) => return Err(ReadError::Fault(fault)),
        (None, None) => return Err(ReadError::NoRecord),
        (Some(record), fault) => record.faults.extend(fault),
    }
    Ok(records)
}

/// The ending that programs write after the last move: ShogiHome's words, those of `bestmove` and of CSA.
pub fn ending(word: &str) -> Option<Ending> {
    if !is_ending(word) {
        return None;
    }
    Some(match word.trim_start_matches('%').to_ascii_lowercase().as_str() {
        "resign" | "toryo" => Ending::Resign,
        "win" | "kachi" => Ending::Declaration,
        "rep_draw" | "rep_win" | "rep_lose" | "rep_inf" | "sennichite" => Ending::Repetition,
        "draw" | "hikiwake" => Ending::Draw,
        "jishogi" | "impass" | "impasse" => Ending::Impasse,
        "timeout" | "time_up" => Ending::TimeUp,
        "break" | "interrupt" | "abort" | "chudan" => Ending::Interrupted,
        "mate" | "tsumi" | "checkmate" => Ending::Mate,
        "max_moves" => Ending::MaxMoves,
        "illegal" | "illegal_move" => Ending::IllegalMove,
        _ => return Ending::from_kif(word),
    })
}

/// Reads one line. An invalid move becomes a fault of the record, and so does a pass.
///
/// # Errors
/// The starting position is missing or invalid.
pub fn read_line(number: usize, line: &str) -> Result<Record, Fault> {
    build(number, line, false)
}

/// Reads the position at the end of a line. A pass is accepted where the side to move is not in check.
///
/// # Errors
/// The starting position or a move is missing or invalid.
pub fn read_position(number: usize, line: &str) -> Result<Position, Fault> {
    let mut record = build(number, line, true)?;
    match record.faults.pop() {
        Some(fault) => Err(fault),
        None => Ok(record.last_position()),
    }
}

/// With `passes` the record begins after the last pass.
fn build(number: usize, line: &str, passes: bool) -> Result<Record, Fault> {
    let fault = |reason| Fault { line: number, ply: None, text: line.to_owned(), reason };
    let mut words = line.split_whitespace().peekable();
    words.next_if_eq(&"position");
    let mut start = Vec::new();
    let is_move = |word: &str| {
        word.parse::<PackedMove>().is_ok() || ending(word).is_some() || PASSES.contains(&word)
    };
    let first = words.peek().copied();
    while let Some(word) = words.next_if(|&word| word != "moves" && !is_move(word)) {
        start.push(word);
    }
    words.next_if_eq(&"moves");
    let position = match start[..] {
        [] if first.is_none() => return Err(fault(Reason::MissingStart)),
        [] | ["startpos"] => Position::startpos(),
        // Every board has slashes.
        [word, ..] if word != "sfen" && !word.contains('/') => {
            return Err(fault(Reason::MissingStart));
        }
        _ => Position::from_sfen(&start.join(" ")).map_err(|error| fault(error.into()))?,
    };
    let mut builder = Builder::new(Format::Usi, position);
    for word in words {
        if let Some(ending) = ending(word) {
            builder.end(number, ending);
        } else if !PASSES.contains(&word) {
            builder.push(number, word, word.parse().map_err(Reason::NotAUsiMove));
        } else if !passes {
            builder.push(number, word, Err(Reason::Pass));
        } else if builder.position().in_check() {
            builder.push(number, word, Err(Reason::PassInCheck));
        } else if !builder.is_closed() {
            let mut position = builder.position().clone();
            position.do_null_move();
            builder = Builder::new(Format::Usi, position);
        } else {
            builder.beyond(number, word);
        }
    }
    Ok(builder.finish())
}
