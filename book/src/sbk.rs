//! ShogiGUI's books (`.sbk`), which are only read. BookConv's `book.proto` (CC0) describes the format: a
//! message of Protocol Buffers, with these fields among others.
//!
//! | message | field | contents |
//! |---|---|---|
//! | book | 3 | a state (many) |
//! | state | 1 | its number |
//! | | 7 | its position as sfen; without it the position follows from a move that leads to the state |
//! | | 9 | a move (many) |
//! | move | 1 | its squares (see [`decoded`]) |
//! | | 3 | its weight: how often it was played |
//! | | 4 | the number of the state that it leads to |

use crate::book_move::{BookMove, PlayedMove};
use crate::entry::{BookEntry, Faults};
use crate::fault::NotABook;
use crate::ybb::YbbFault;
use monomi_movegen::square::HAND_KINDS;
use monomi_movegen::{Layout, PackedMove, PackedPosition, Position};
use shogi_core::Square;
use std::collections::{HashMap, VecDeque};

/// What a field contains; fields of four and eight bytes are skipped.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], NotABook> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(NotABook::Sbk)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, NotABook> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(NotABook::Sbk)
    }

    /// The next field with its number; `None` at the end.
    fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, NotABook> {
        while !self.0.is_empty() {
            let tag = self.number()?;
            let value = match tag & 7 {
                // Zeros fill the end of some files.
                0 if tag == 0 => return Ok(None),
                0 => Value::Number(self.number()?),
                2 => {
                    let len = self.number()?;
                    Value::Bytes(self.take(usize::try_from(len).map_err(|_| NotABook::Sbk)?)?)
                }
                1 | 5 => {
                    self.take(if tag & 7 == 1 { 8 } else { 4 })?;
                    continue;
                }
                _ => return Err(NotABook::Sbk),
            };
            return Ok(Some((tag >> 3, value)));
        }
        Ok(None)
    }
}

#[derive(Clone, Copy, Default)]
struct StateMove {
    word: u32,
    weight: u32,
    next: Option<u64>,
}

#[derive(Default)]
struct State<'a> {
    number: Option<u64>,
    sfen: Option<&'a str>,
    moves: Vec<StateMove>,
}

impl<'a> State<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, NotABook> {
        let (mut state, mut fields) = (Self::default(), Fields(bytes));
        while let Some(field) = fields.next()? {
            match field {
                (1, Value::Number(number)) => state.number = Some(number),
                (7, Value::Bytes(text)) => {
                    let text = std::str::from_utf8(text).map_err(|_| NotABook::Sbk)?.trim();
                    let text = text.strip_prefix("position ").unwrap_or(text);
                    state.sfen = Some(text.strip_prefix("sfen ").unwrap_or(text));
                }
                (9, Value::Bytes(bytes)) => state.moves.push(StateMove::read(bytes)?),
                _ => {}
            }
        }
        Ok(state)
    }

    fn position(&self) -> Option<Position> {
        let sfen = self.sfen.filter(|sfen| !sfen.is_empty())?;
        Position::from_sfen(sfen).or_else(|_| Position::from_sfen(&format!("{sfen} 1"))).ok()
    }
}

impl StateMove {
    fn read(bytes: &[u8]) -> Result<Self, NotABook> {
        let (mut found, mut fields) = (Self::default(), Fields(bytes));
        while let Some(field) = fields.next()? {
            match field {
                // Negative numbers of 32 bits are written as 64 bits.
                (1, Value::Number(number)) => found.word = number as u32,
                (3, Value::Number(number)) => found.weight = (number as i32).max(0) as u32,
                (4, Value::Number(number)) => found.next = Some(number),
                _ => {}
            }
        }
        Ok(found)
    }
}

/// The move of a number: four bits each, from the lowest, for the rank and file that it comes from (0 for a
/// drop) and those that it goes to; bit 19 for a promotion; the piece from bit 24 on.
fn decoded(word: u32) -> Option<PackedMove> {
    let part = |shift: u32| (word >> shift & 15) as u8;
    let to = Square::new(part(12), part(8))?;
    if part(0) == 0 && part(4) == 0 {
        let kind = HAND_KINDS.get(usize::from(part(24)).checked_sub(1)?)?;
        return Some(PackedMove::drop(*kind, to));
    }
    let from = Square::new(part(4), part(0)).filter(|&from| from != to)?;
    Some(PackedMove::normal(from, to, word >> 19 & 1 != 0))
}

/// The positions of a book with their moves and how often these were played, and the number of moves of
/// states whose positions are unknown.
///
/// # Errors
/// The file is not a book or is truncated.
pub fn entries(bytes: &[u8], faults: &mut Faults) -> Result<(Vec<BookEntry>, u64), NotABook> {
    let (mut states, mut fields) = (Vec::new(), Fields(bytes));
    while let Some(field) = fields.next()? {
        if let (3, Value::Bytes(bytes)) = field {
            states.push(State::read(bytes)?);
        }
    }
    if states.is_empty() {
        return Err(NotABook::Sbk);
    }
    let number = |(at, state): (usize, &State<'_>)| (state.number.unwrap_or(at as u64), at);
    let by_number: HashMap<u64, usize> = states.iter().enumerate().map(number).collect();
    let mut walk =
        Walk { states: &states, by_number, visited: vec![false; states.len()], found: Vec::new() };
    for (at, state) in states.iter().enumerate() {
        // The first state is the initial position if it has none.
        let start = state.position().or_else(|| (at == 0).then(Position::startpos));
        if let Some(start) = start.filter(|_| !walk.visited[at]) {
            walk.from(at, start, faults);
        }
    }
    let unknown = states.iter().zip(&walk.visited).filter(|(_, visited)| !**visited);
    let unknown = unknown.map(|(state, _)| state.moves.len() as u64).sum();
    Ok((walk.found, unknown))
}

struct Walk<'a> {
    states: &'a [State<'a>],
    by_number: HashMap<u64, usize>,
    visited: Vec<bool>,
    found: Vec<BookEntry>,
}

impl Walk<'_> {
    /// Adds the state and those that its moves lead to.
    fn from(&mut self, at: usize, start: Position, faults: &mut Faults) {
        self.visited[at] = true;
        let mut queue = VecDeque::from([(at, start)]);
        while let Some((at, mut position)) = queue.pop_front() {
            let mut moves = Vec::new();
            for &StateMove { word, weight, next } in &self.states[at].moves {
                let Some(mv) = decoded(word).filter(|&mv| position.is_legal(mv)) else {
                    faults.add(YbbFault::Sbk(at as u64 + 1, word));
                    continue;
                };
                let found = BookMove { mv, ponder: None, eval: 0, depth: 0, count: weight };
                moves.push(PlayedMove { found, results: None });
                let next = next.and_then(|number| self.by_number.get(&number).copied());
                if let Some(next) = next.filter(|&next| !self.visited[next]) {
                    self.visited[next] = true;
                    position.do_move(mv);
                    let after = self.states[next].position().unwrap_or_else(|| position.clone());
                    queue.push_back((next, after));
                    position.undo_move();
                }
            }
            if let Ok(packed) = PackedPosition::pack(&position, Layout::Sfen) {
                self.found.push(BookEntry { position: packed, ply: position.ply(), moves });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field of Protocol Buffers.
    fn field(number: u8, value: Result<u64, &[u8]>) -> Vec<u8> {
        let varint = |mut value: u64| {
            let mut bytes = Vec::new();
            while value >= 128 {
                bytes.push(value as u8 | 128);
                value >>= 7;
            }
            bytes.push(value as u8);
            bytes
        };
        match value {
            Ok(value) => [vec![number << 3], varint(value)].concat(),
            Err(bytes) => {
                [vec![number << 3 | 2], varint(bytes.len() as u64), bytes.to_vec()].concat()
            }
        }
    }

    /// A move as files, ranks, and what is in the higher bits.
    fn word(from: (u32, u32), to: (u32, u32), rest: u32) -> u64 {
        u64::from(from.1 | from.0 << 4 | to.1 << 8 | to.0 << 12 | rest)
    }

    fn state(number: u64, sfen: &str, moves: &[(u64, u64, u64)]) -> Vec<u8> {
        let mut bytes = field(1, Ok(number));
        // Fields that are not read.
        bytes.extend([field(4, Ok(300)), field(8, Err("comment".as_bytes()))].concat());
        bytes.extend([2 << 3 | 1, 1, 2, 3, 4, 5, 6, 7, 8]);
        if !sfen.is_empty() {
            bytes.extend(field(7, Err(sfen.as_bytes())));
        }
        for &(word, weight, next) in moves {
            let mv = [field(1, Ok(word)), field(3, Ok(weight)), field(4, Ok(next))].concat();
            bytes.extend(field(9, Err(&mv)));
        }
        field(3, Err(&bytes))
    }

    #[test]
    fn states_become_positions() {
        let drop = "4k4/9/9/9/9/9/9/9/4K4 b R2b4g4s4n4l18pr 1";
        let book = [
            field(1, Err("author".as_bytes())),
            state(
                0,
                "",
                &[(word((7, 7), (7, 6), 0), 12, 8), (word((2, 7), (2, 6), 0), 3, u64::MAX)],
            ),
            state(8, "", &[(word((3, 3), (3, 4), 0), 7, 5), (word((3, 3), (3, 5), 0), 1, 5)]),
            state(5, "", &[(word((8, 8), (2, 2), 1 << 19), 1, 99)]),
            state(6, "", &[(word((1, 7), (1, 6), 0), 1, 0)]),
            state(7, &format!("sfen {drop}"), &[(word((0, 0), (5, 5), 7 << 24), 2, u64::MAX)]),
            vec![0; 5],
        ]
        .concat();
        let mut faults = Faults::default();
        let (entries, unknown) = entries(&book, &mut faults).unwrap();
        let found = |entry: &BookEntry| {
            let position = entry.position.unpack(Layout::Sfen, entry.ply).unwrap();
            let moves = entry.moves.iter().map(|mv| format!("{} {}", mv.found.mv, mv.found.count));
            (position.to_sfen(), moves.collect::<Vec<_>>())
        };
        let after = |moves: &[&str]| {
            let mut position = Position::startpos();
            moves.iter().for_each(|mv| drop_change(position.do_move(mv.parse().unwrap())));
            position.to_sfen()
        };
        let own = |moves: &[&str]| moves.iter().map(|&mv| mv.to_owned()).collect::<Vec<_>>();
        let expected = [
            (after(&[]), own(&["7g7f 12", "2g2f 3"])),
            (after(&["7g7f"]), own(&["3c3d 7"])),
            (after(&["7g7f", "3c3d"]), own(&["8h2b+ 1"])),
            (Position::from_sfen(drop).unwrap().to_sfen(), own(&["R*5e 2"])),
        ];
        assert_eq!(entries.iter().map(found).collect::<Vec<_>>(), expected);
        // The state 6 is not reached; 3c3e is illegal.
        assert_eq!((unknown, faults.count), (1, 1));
        // Cut anywhere it is refused or has fewer states.
        for len in 0..book.len() - 5 {
            let cut = super::entries(&book[..len], &mut Faults::default());
            assert!(
                cut.is_err() || cut.is_ok_and(|(found, _)| found.len() < expected.len()),
                "{len}"
            );
        }
    }

    fn drop_change<T>(_: T) {}
}
