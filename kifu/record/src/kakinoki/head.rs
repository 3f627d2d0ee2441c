//! The headers of a game in KIF or KI2 while its moves have not begun.

use super::Reader;
use crate::board::Setup;
use crate::build::Builder;
use crate::fault::{Fault, ReadError, Reason};
use crate::kakinoki_words::{
    hand_of, header, is_handicap, names_with_symbols, side_named, turn, with_symbol,
};
use crate::notation::mark;

/// What stands before the moves of a game.
pub(super) struct Head {
    pub(super) setup: Setup,
    pub(super) headers: Vec<(String, String)>,
    pub(super) comments: Vec<String>,
    pub(super) faults: Vec<Fault>,
    /// The handicap was given.
    pub(super) named: bool,
    /// The hands that were given.
    pub(super) hands: [bool; 2],
    /// Whether it has anything that begins a game.
    pub(super) seen: bool,
    /// The first line that might be a move and could not be read.
    pub(super) suspect: Option<(usize, String)>,
    /// A side to move that is not known. It matters with a diagram only.
    pub(super) unclear_side: Option<Fault>,
    /// The handicap that is not known, if no diagram follows.
    pub(super) handicap: Option<(usize, String)>,
}

impl Head {
    pub(super) fn new() -> Self {
        Self {
            setup: Setup::new(),
            headers: Vec::new(),
            comments: Vec::new(),
            faults: Vec::new(),
            named: false,
            hands: [false; 2],
            seen: false,
            suspect: None,
            unclear_side: None,
            handicap: None,
        }
    }
}

impl Reader {
    /// Ends the headers and sets up the position. `None` if it is invalid, which is reported once.
    pub(super) fn start(&mut self, line: usize) -> Option<&mut Builder> {
        if self.builder.is_none() && !self.without_start {
            let mut head = std::mem::replace(&mut self.head, Head::new());
            let diagram = head.setup.has_diagram();
            head.faults.extend(head.unclear_side.take().filter(|_| diagram));
            // A hand or a row that cannot be read leaves another position.
            let position = match head.faults.first() {
                Some(fault) => Err(fault.reason.clone()),
                None => head.setup.position(),
            };
            match position {
                Ok(position) => {
                    let mut builder = Builder::new(self.format, position);
                    let record = builder.record();
                    record.headers = head.headers;
                    record.comments = head.comments;
                    self.builder = Some(builder);
                    self.head.suspect = head.suspect;
                    if diagram {
                        self.head.handicap = None;
                    } else {
                        // Without a diagram moves are numbered from 1.
                        self.first = Some(1);
                    }
                }
                Err(reason) => {
                    let (line, text) = match head.handicap {
                        Some(named) if !diagram => named,
                        _ => (line, "開始局面".to_owned()),
                    };
                    // The first fault is the most helpful one.
                    let fault = Fault { line, ply: None, text, reason };
                    let fault = head.faults.into_iter().next().unwrap_or(fault);
                    match self.games.last_mut() {
                        Some(game) => game.faults.push(fault),
                        None => self.error = Some(ReadError::Fault(fault)),
                    }
                    self.without_start = true;
                }
            }
        }
        self.builder.as_mut()
    }

    /// `後手番`.
    pub(super) fn side_line(&mut self, line: &str) -> bool {
        let Some(side) = turn(line) else { return false };
        self.head.setup.side(side);
        true
    }

    pub(super) fn pair(&mut self, number: usize, line: &str, key: &str, value: &str) {
        let known = ["開始日時", "先手", "後手", "下手", "上手", "棋戦"];
        self.head.seen |= known.contains(&key) || is_handicap(key);
        let read = match (key, hand_of(key)) {
            (_, Some(None)) => Err(Reason::UnknownSide),
            (_, Some(Some(color))) => {
                self.head.seen = true;
                let given = &mut self.head.hands[color as usize - 1];
                if *given && self.head.setup.is_complete() {
                    self.finish_game(number);
                }
                self.head.hands[color as usize - 1] = true;
                self.head.setup.hand(color, value)
            }
            (key, None) if is_handicap(key) => {
                if std::mem::replace(&mut self.head.named, true) && self.head.setup.is_complete() {
                    self.finish_game(number);
                    self.head.named = true;
                }
                if !self.head.setup.handicap(value) {
                    self.head.handicap = Some((number, line.to_owned()));
                }
                Ok(())
            }
            ("手番" | "次の手番", _) => {
                match side_named(value) {
                    Some(color) => self.head.setup.side(color),
                    None if value.is_empty() => {}
                    None => {
                        let (text, reason) = (line.to_owned(), Reason::UnknownSide);
                        let fault = Fault { line: number, ply: None, text, reason };
                        self.head.unclear_side = Some(fault);
                    }
                }
                Ok(())
            }
            _ => {
                self.head.headers.push((key.to_owned(), value.to_owned()));
                Ok(())
            }
        };
        self.head_result(number, line, read);
    }

    pub(super) fn head_result(&mut self, line: usize, text: &str, read: Result<(), Reason>) {
        if let Err(reason) = read {
            self.head.faults.push(Fault { line, ply: None, text: text.to_owned(), reason });
        }
    }

    /// Headers that begin with a symbol, as moves do. False if it is none.
    pub(super) fn marked_header(&mut self, number: usize, bare: &str) -> bool {
        if self.builder.is_none()
            && let Some([black, white]) = names_with_symbols(bare)
        {
            for (key, name) in [("先手", black), ("後手", white)] {
                self.head.headers.push((key.to_owned(), name.to_owned()));
            }
            return true;
        }
        // `▲先手：名前`.
        let unmarked = bare.trim_start_matches(|c| mark(c).is_some());
        if let Some((key, value)) = header(unmarked)
            && matches!(key, "先手" | "後手" | "下手" | "上手")
            && unmarked.len() < bare.len()
            && with_symbol(unmarked).is_none()
        {
            self.pair(number, bare, key, value);
            return true;
        }
        // `▲持駒：金` is no move.
        if let Some((key, value)) = header(bare).filter(|(key, _)| hand_of(key).is_some()) {
            self.pair(number, bare, key, value);
            return true;
        }
        false
    }
}
