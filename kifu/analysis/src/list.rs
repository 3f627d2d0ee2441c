//! Lists of positions, one per line, read as a stream with bounded memory.

use crate::fnv::{self, fnv};
use crossbeam_channel::{Receiver, bounded};
use monomi_movegen::Position;
use monomi_movegen::position_text::begins_position;
use monomi_record::{Fault, Reason, read_usi_position};
use monomi_support::batch::shard::Shard;
use monomi_support::text::{error_message, messages};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, Read as _};

/// Longest line that is read, in bytes; enough for a game of 20,000 moves.
const MAX_LINE: usize = 1 << 17;
/// Number of lines read ahead.
const AHEAD: usize = 64;

/// A place between two lines of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Lines before it.
    pub lines: u64,
    /// Bytes before it.
    pub bytes: u64,
    /// Checksum of the bytes before it.
    pub digest: u64,
}

impl Place {
    /// Start of a list.
    pub const START: Self = Self { lines: 0, bytes: 0, digest: fnv::EMPTY };

    /// The end of a list.
    ///
    /// # Errors
    /// Input errors.
    pub fn end_of(source: impl BufRead + Send + 'static) -> io::Result<Self> {
        let mut reader =
            ListReader { source: Box::new(source), place: Self::START, shard: Shard::WHOLE };
        let mut line = Vec::new();
        while reader.line(&mut line)?.is_some() {}
        Ok(reader.place)
    }

    /// The place after more bytes.
    fn after(self, bytes: &[u8]) -> Self {
        Self { bytes: self.bytes + bytes.len() as u64, digest: fnv(self.digest, bytes), ..self }
    }
}

/// A line of a list that is neither empty nor a comment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListedPosition {
    /// The place after it; `place.lines` is its line number.
    pub place: Place,
    /// The key under which the user knows it, a text or a number.
    pub id: Option<Value>,
    /// The text of the position; where that cannot be found, the whole line.
    pub input: String,
    /// The position, with the moves on the line as its history.
    pub position: Result<Position, Fault>,
}

impl ListedPosition {
    /// A position that was not read from a list.
    pub fn new(position: Position) -> Self {
        Self { place: Place::START, id: None, input: String::new(), position: Ok(position) }
    }
}

/// A line that is a JSON object; other members are ignored.
#[derive(Deserialize)]
struct JsonLine {
    #[serde(default)]
    id: Option<Value>,
    position: String,
}

messages! {
    /// Why reading a list failed.
    #[derive(Debug)]
    #[non_exhaustive]
    pub enum ListError {
        /// Input error.
        Io(error: io::Error) => both "{error}";
        /// The lines read in an earlier run have changed.
        Changed =>
            "the list has changed since the previous run", "前回の実行から一覧が変更されています";
    }
}
error_message!(ListError, Io: io::Error);

/// Reads a list from the place `after` on a separate thread and sends its positions. The channel
/// closes at the end of the list.
///
/// # Errors
/// The thread cannot be started.
pub fn read_list(
    source: Box<dyn BufRead + Send>,
    shard: Shard,
    after: Place,
) -> io::Result<Receiver<Result<ListedPosition, ListError>>> {
    let (sender, receiver) = bounded(AHEAD);
    let mut lines = ListReader { source, place: Place::START, shard };
    let work = move || {
        let begin = lines.skip(after);
        if let Err(error) = begin {
            let _ = sender.send(Err(error));
            return;
        }
        while let Some(entry) = lines.next().transpose() {
            // The receiver is dropped when the analysis is cancelled.
            if sender.send(entry.map_err(ListError::Io)).is_err() {
                break;
            }
        }
    };
    // Not joined: it may wait for input forever.
    std::thread::Builder::new().name("list".to_owned()).spawn(work)?;
    Ok(receiver)
}

struct ListReader {
    source: Box<dyn BufRead + Send>,
    place: Place,
    shard: Shard,
}

impl ListReader {
    /// Skips the lines that an earlier run has done.
    fn skip(&mut self, after: Place) -> Result<(), ListError> {
        let mut line = Vec::new();
        while self.place.lines < after.lines && self.line(&mut line)?.is_some() {}
        if self.place == after { Ok(()) } else { Err(ListError::Changed) }
    }

    fn next(&mut self) -> io::Result<Option<ListedPosition>> {
        let mut bytes = Vec::new();
        while let Some(whole) = self.line(&mut bytes)? {
            if !self.shard.has(self.place.lines - 1) {
                continue;
            }
            let text = String::from_utf8_lossy(&bytes);
            let mut text = text.trim();
            if self.place.lines == 1 {
                text = text.trim_start_matches('\u{FEFF}');
            }
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(parse(self.place, text, whole)));
            }
        }
        Ok(None)
    }

    /// Reads the next line; false if it was too long and was truncated.
    fn line(&mut self, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
        line.clear();
        if !self.part(line)? {
            return Ok(None);
        }
        self.place.lines += 1;
        let whole = line.len() < MAX_LINE || line.ends_with(b"\n");
        let mut ended = whole;
        let mut rest = Vec::new();
        while !ended {
            rest.clear();
            ended = !self.part(&mut rest)? || rest.ends_with(b"\n");
        }
        Ok(Some(whole))
    }

    /// Reads to the end of the line or up to the maximum; false at the end of the list.
    fn part(&mut self, part: &mut Vec<u8>) -> io::Result<bool> {
        let read = (&mut self.source).take(MAX_LINE as u64).read_until(b'\n', part)?;
        self.place = self.place.after(part);
        Ok(read > 0)
    }
}

/// Reads a line: a position, `ID<tab>position`, or a JSON object with `position` and perhaps `id`. A
/// line that is not `whole` was truncated.
fn parse(place: Place, text: &str, whole: bool) -> ListedPosition {
    let number = usize::try_from(place.lines).unwrap_or(usize::MAX);
    let fault = |reason| Fault::new(number, text, reason);
    let listed =
        |id, input: &str, position| ListedPosition { place, id, input: input.to_owned(), position };
    if !whole {
        return listed(None, text, Err(fault(Reason::LineTooLong(MAX_LINE))));
    }
    if text.starts_with('{') {
        return match serde_json::from_str(text) {
            Ok(JsonLine {
                id: id @ (None | Some(Value::String(_) | Value::Number(_))),
                position,
            }) => {
                let read = read_usi_position(number, position.trim());
                listed(id, &position, read)
            }
            Ok(_) => {
                let error = "`id` is neither a text nor a number".to_owned();
                listed(None, text, Err(fault(Reason::Json(error))))
            }
            Err(error) => listed(None, text, Err(fault(Reason::Json(error.to_string())))),
        };
    }
    match text.split_once('\t') {
        // Tabs may also separate the fields of an SFEN.
        Some((id, position)) if !begins_position(id) => {
            let position = position.trim();
            listed(Some(Value::from(id)), position, read_usi_position(number, position))
        }
        _ => listed(None, text, read_usi_position(number, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const GOLD: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

    fn entries(text: &[u8], shard: &str, after: Place) -> Vec<Result<ListedPosition, ListError>> {
        let source = Box::new(Cursor::new(text.to_vec()));
        read_list(source, shard.parse().unwrap(), after).unwrap().into_iter().collect()
    }

    /// Numbers and sfens of the good lines.
    fn good(text: &[u8], shard: &str) -> Vec<(u64, String)> {
        let entries = entries(text, shard, Place::START).into_iter().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.place.lines, entry.position.unwrap().to_sfen())).collect()
    }

    #[test]
    fn all_notations_of_a_position() {
        let start = Position::startpos().to_sfen();
        let text = format!(
            "\u{FEFF}startpos\r\n# a comment\n\n{start}\nsfen {start}\nposition sfen {start}\n\
             position startpos moves 7g7f\n{GOLD} moves G*5b"
        );
        let found = good(text.as_bytes(), "1/1");
        let numbers: Vec<u64> = found.iter().map(|entry| entry.0).collect();
        assert_eq!(numbers, [1, 4, 5, 6, 7, 8]);
        assert!(found[..4].iter().all(|entry| entry.1 == start), "{found:#?}");
        assert!(found[4].1.ends_with(" w - 2") && found[5].1.ends_with(" w - 2"));
    }

    #[test]
    fn keys_are_kept() {
        let text = format!(
            "game7/12\t{GOLD}\n\tstartpos\n{{\"id\": 7, \"position\": \"startpos moves 7g7f\"}}\n\
             {{\"position\": \"{GOLD}\", \"more\": []}}\n{}\nsfen\t{GOLD}\nx\ty\n\
             {{\"id\": [], \"position\": \"startpos\"}}\n{{\"id\": 1}}\n",
            GOLD.replace(' ', "\t"),
        );
        let found = entries(text.as_bytes(), "1/1", Place::START);
        let found: Vec<ListedPosition> = found.into_iter().map(|entry| entry.unwrap()).collect();
        let ids: Vec<Option<Value>> = found.iter().map(|entry| entry.id.clone()).collect();
        let id = |text: &str| Some(Value::from(text));
        let none = None::<Value>;
        let seven = Some(Value::from(7));
        let ids_expected = [
            id("game7/12"),
            // The line is trimmed first.
            none.clone(),
            seven,
            none.clone(),
            none.clone(),
            none.clone(),
            id("x"),
            none.clone(),
            none,
        ];
        assert_eq!(ids, ids_expected);
        let good: Vec<bool> = found.iter().map(|entry| entry.position.is_ok()).collect();
        assert_eq!(good, [true, true, true, true, true, true, false, false, false]);
        assert_eq!(found[0].input, GOLD);
        assert_eq!(found[2].input, "startpos moves 7g7f");
        assert_eq!(found[6].input, "y");
        for (entry, reason) in found[7..].iter().zip(["neither a text", "missing field"]) {
            let fault = entry.position.as_ref().unwrap_err();
            assert!(fault.to_string().contains(reason), "{fault}");
        }
    }

    #[test]
    fn shards_are_a_partition() {
        let text = format!("{GOLD}\n").repeat(10);
        let lines = |shard| good(text.as_bytes(), shard).into_iter().map(|entry| entry.0);
        assert_eq!(lines("2/4").collect::<Vec<_>>(), [2, 6, 10]);
        let mut all: Vec<u64> = ["1/3", "2/3", "3/3"].into_iter().flat_map(lines).collect();
        all.sort_unstable();
        assert_eq!(all, (1..=10).collect::<Vec<_>>());
    }

    #[test]
    fn invalid_lines_are_reported_and_skipped() {
        let long = "x".repeat(3 * MAX_LINE);
        let text = format!("9/9 b - 1\n{long}\n\u{0}\nstartpos moves 7g7e\n{GOLD} extra\n{GOLD}\n");
        let found = entries(text.as_bytes(), "1/1", Place::START);
        let found: Vec<ListedPosition> = found.into_iter().map(|entry| entry.unwrap()).collect();
        assert_eq!(found.len(), 6);
        for (entry, reason) in found.iter().zip(["rows", "longer than", "", "illegal", "extra"]) {
            let fault = entry.position.as_ref().expect_err("an invalid line");
            assert_eq!(fault.line as u64, entry.place.lines);
            assert!(fault.to_string().contains(reason), "{fault}");
        }
        assert_eq!(found[5].position.as_ref().unwrap().to_sfen(), GOLD);
    }

    #[test]
    fn reading_resumes_only_in_an_unchanged_list() {
        let text = format!("{GOLD}\n\n{}\n{GOLD}\nstartpos\n", "x".repeat(2 * MAX_LINE));
        let places: Vec<Place> = entries(text.as_bytes(), "1/1", Place::START)
            .into_iter()
            .map(|entry| entry.unwrap().place)
            .collect();
        assert_eq!(places.len(), 4);
        for (index, &place) in places.iter().enumerate() {
            let rest = entries(text.as_bytes(), "1/1", place);
            let rest: Vec<Place> = rest.into_iter().map(|entry| entry.unwrap().place).collect();
            assert_eq!(rest, places[index + 1..]);
            let changed = text.replacen("4k4", "3k5", 1);
            for other in [changed.as_bytes(), b"", b"startpos"] {
                let found = entries(other, "1/1", place);
                assert!(matches!(found[..], [Err(ListError::Changed)]), "{place:?}");
            }
        }
    }
}
