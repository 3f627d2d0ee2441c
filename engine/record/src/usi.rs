//! USI notation as a record, one game per line: `[position] startpos|sfen ... [moves ...]`, an SFEN
//! alone, or moves alone from the normal starting position.

use crate::build::Builder;
use crate::{Ending, Fault, Format, ReadError, Reason, Record};
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
    Some(match word.trim_start_matches('%').to_ascii_lowercase().as_str() {
        "resign" | "toryo" => Ending::Resign,
        "win" | "kachi" => Ending::Declaration,
        "rep_draw" | "rep_win" | "rep_lose" | "sennichite" => Ending::Repetition,
        "draw" | "hikiwake" => Ending::Draw,
        "jishogi" | "impass" | "impasse" => Ending::Impasse,
        "timeout" | "time_up" => Ending::TimeUp,
        "break" | "interrupt" | "chudan" => Ending::Interrupted,
        "mate" | "tsumi" | "checkmate" => Ending::Mate,
        "max_moves" => Ending::MaxMoves,
        "illegal" | "illegal_move" => Ending::IllegalMove,
        _ => return None,
    })
}

/// Reads one line. An invalid move becomes a fault of the record.
///
/// # Errors
/// The starting position is missing or invalid.
pub fn read_line(number: usize, line: &str) -> Result<Record, Fault> {
    let rest = line.strip_prefix("position ").unwrap_or(line).trim_start();
    let no_position =
        || Fault { line: number, ply: None, text: line.to_owned(), reason: Reason::MissingStart };
    if matches!(rest, "" | "position") {
        return Err(no_position());
    }
    let mut words = rest.split_ascii_whitespace().peekable();
    let mut start = Vec::new();
    let is_move = |word: &str| word.parse::<PackedMove>().is_ok() || ending(word).is_some();
    while let Some(word) = words.next_if(|&word| word != "moves" && !is_move(word)) {
        start.push(word);
    }
    words.next_if_eq(&"moves");
    let position = if start.is_empty() || start == ["startpos"] {
        Position::startpos()
    } else {
        Position::from_sfen(&start.join(" ")).map_err(|error| Fault {
            line: number,
            ply: None,
            text: line.to_owned(),
            reason: error.into(),
        })?
    };
    let mut builder = Builder::new(Format::Usi, position);
    for word in words {
        if let Some(ending) = ending(word) {
            builder.end(number, ending);
            continue;
        }
        let mv = word.parse().map_err(Reason::NotAUsiMove);
        builder.push(number, word, mv);
    }
    Ok(builder.finish())
}
