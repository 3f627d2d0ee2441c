//! Shared by all readers: plays the moves of a record, starts variations, collects faults.

use crate::ending::Ending;
use crate::fault::MAX_MOVES;
use crate::fault::{Fault, Reason};
use crate::format::Format;
use crate::notation::Written;
use crate::record::{Branch, Played, Record};
use crate::resolve::resolve;
use crate::source::SourceText;
use monomi_movegen::{PackedMove, Position, Repetition};
use shogi_core::{Color, PartialPosition, Square};

/// At most this many faults are kept for each record.
const MAX_FAULTS: usize = 20;

/// Builds a record. Moves go to the main line, or to the variation that was started last.
pub struct Builder {
    record: Record,
    position: Position,
    partial: PartialPosition,
    /// The moves from the start to the current position.
    path: Vec<PackedMove>,
    /// The current line has ended or is broken; further moves on it are ignored.
    closed: bool,
    /// Moves of the current line after the one that could not be played.
    skipped: usize,
    /// Line numbers in the file, from 1, of the moves of the main line.
    move_lines: Vec<usize>,
    /// Line number in the file of whatever ended the main line.
    end_line: Option<usize>,
}

impl Builder {
    pub fn new(format: Format, start: Position) -> Self {
        let record = Record { format, ..Record::new(start.clone()) };
        let partial = start.to_partial();
        Self {
            record,
            position: start,
            partial,
            path: Vec::new(),
            closed: false,
            skipped: 0,
            move_lines: Vec::new(),
            end_line: None,
        }
    }

    /// Number of moves from the start to the current position.
    pub fn ply(&self) -> usize {
        self.path.len()
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Destination of the last move.
    pub fn last_to(&self) -> Option<Square> {
        self.path.last().map(|mv| mv.to())
    }

    /// Whether the current line has ended, so that no further move is expected.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether the current line ended with a move that could not be played.
    pub fn is_broken(&self) -> bool {
        let next = Some(self.ply() + 1);
        self.closed && self.record.faults.last().is_some_and(|fault| fault.ply == next)
    }

    /// Whether the current line ended as a game ends.
    pub fn is_ended(&self) -> bool {
        self.closed && !self.is_broken()
    }

    /// Whether anything but headers was read.
    pub fn has_begun(&self) -> bool {
        self.closed || !self.path.is_empty() || !self.record.branches.is_empty()
    }

    /// A move after the end of the current line, which is not played. The first one is reported.
    pub fn beyond(&mut self, line: usize, text: &str) {
        if self.is_ended() && self.skipped == 0 {
            let number = self.ply() + 1;
            self.fault(line, Some(number), text, Reason::AfterTheEnd);
        }
        self.skipped += 1;
    }

    /// Goes on with a game that was adjourned, if the current line is one.
    pub fn resume(&mut self) {
        let (ending, seconds, closing) = match self.record.branches.last_mut() {
            Some(line) => (&mut line.ending, &mut line.ending_seconds, &mut line.closing),
            None => {
                let record = &mut self.record;
                (&mut record.ending, &mut record.ending_seconds, &mut record.closing)
            }
        };
        let sealed = Ending::Other("封じ手".to_owned());
        if ending.as_ref().is_some_and(|e| *e == Ending::Interrupted || *e == sealed) {
            (*ending, *seconds, *closing) = (None, None, None);
            self.closed = false;
            if self.record.branches.is_empty() {
                self.end_line = None;
            }
        }
    }

    pub fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    pub fn fault(&mut self, line: usize, ply: Option<usize>, text: &str, reason: Reason) {
        if self.record.faults.len() < MAX_FAULTS {
            let text = text.trim().to_owned();
            self.record.faults.push(Fault { line, ply, text, reason });
        }
    }

    /// Records that the next move cannot be read: the current line ends here.
    pub fn broken(&mut self, line: usize, text: &str, reason: Reason) {
        if self.closed {
            self.skipped += usize::from(self.is_broken());
            return;
        }
        self.main_line_ends(line);
        self.fault(line, Some(self.ply() + 1), text, reason);
        self.closed = true;
    }

    /// Plays a move, or records why it cannot be played.
    pub fn push(&mut self, line: usize, text: &str, mv: Result<PackedMove, Reason>) {
        if self.closed {
            return self.beyond(line, text);
        }
        let legal = |mv: PackedMove| {
            if self.path.len() >= MAX_MOVES {
                Err(Reason::TooManyMoves)
            } else if self.position.is_legal(mv) {
                Ok(mv)
            } else {
                Err(Reason::Illegal)
            }
        };
        match mv.and_then(legal) {
            Err(reason) => self.broken(line, text, reason),
            Ok(mv) => {
                let core = mv.to_core(self.position.side_to_move());
                // The move is legal, so `make_move` accepts it too.
                let _ = self.partial.make_move(core);
                self.position.do_move(mv);
                self.path.push(mv);
                if self.record.branches.is_empty() {
                    self.move_lines.push(line);
                }
                self.line().push(Played { mv, seconds: None, comments: Vec::new() });
            }
        }
    }

    /// Plays a move given in Japanese notation.
    pub fn push_written(&mut self, line: usize, text: &str, written: &Written<'_>) {
        let mv = match self.closed {
            true => Err(Reason::AfterTheEnd),
            false => resolve(&self.position, &self.partial, written),
        };
        self.push(line, text, mv);
    }

    fn line(&mut self) -> &mut Vec<Played> {
        match self.record.branches.last_mut() {
            Some(branch) => &mut branch.moves,
            None => &mut self.record.moves,
        }
    }

    /// Time used for the last move, or for the ending if the line has ended.
    pub fn seconds(&mut self, seconds: u32) {
        if self.closed {
            let (ending, time) = match self.record.branches.last_mut() {
                Some(branch) => (&branch.ending, &mut branch.ending_seconds),
                None => (&self.record.ending, &mut self.record.ending_seconds),
            };
            if ending.is_some() {
                time.get_or_insert(seconds);
            }
        } else if let Some(played) = self.line().last_mut() {
            played.seconds = Some(seconds);
        }
    }

    /// The closing words of the current line: `まで11手で先手の勝ち`.
    pub fn closing(&mut self, line: usize, text: &str) {
        self.main_line_ends(line);
        let closing = match self.record.branches.last_mut() {
            Some(branch) => &mut branch.closing,
            None => &mut self.record.closing,
        };
        closing.get_or_insert_with(|| text.to_owned());
    }

    fn main_line_ends(&mut self, line: usize) {
        if self.record.branches.is_empty() {
            self.end_line.get_or_insert(line);
        }
    }

    /// A comment on the current position. Comments after a broken move are dropped.
    pub fn comment(&mut self, text: &str) {
        let on_main = self.record.branches.is_empty();
        if self.is_broken() {
            return;
        }
        match self.line().last_mut() {
            Some(played) => played.comments.push(text.to_owned()),
            None if on_main => self.record.comments.push(text.to_owned()),
            None => {}
        }
    }

    /// The current line ends.
    pub fn end(&mut self, line: usize, ending: Ending) {
        self.end_of(line, ending, None);
    }

    /// The current line ends because this side broke the rules.
    pub fn end_by_foul(&mut self, line: usize, loser: Color) {
        self.end_of(line, Ending::IllegalMove, Some(loser));
    }

    fn end_of(&mut self, line: usize, ending: Ending, loser: Option<Color>) {
        self.main_line_ends(line);
        let by_rule = matches!(ending, Ending::IllegalMove | Ending::FoulLoss | Ending::FoulWin);
        let to_move = self.position.side_to_move();
        let foul_of = |loser| if loser == to_move { Ending::FoulLoss } else { Ending::FoulWin };
        let mut ending = match (ending, loser) {
            (_, Some(loser)) => foul_of(loser),
            // No move of the record is illegal. But checks may have been repeated.
            (Ending::IllegalMove, None) => match self.position.repeated(4) {
                Some(Repetition::Win) => Ending::FoulWin,
                _ => Ending::FoulLoss,
            },
            (ending, None) => ending,
        };
        if self.closed {
            // An illegal move that lost the game is the last one: the file itself is correct.
            let foul = |fault: &Fault| fault.reason.may_be_a_foul();
            let explained = by_rule
                && self.is_broken()
                && self.skipped == 0
                && self.record.faults.last().is_some_and(foul);
            if !explained {
                return;
            }
            let fault = self.record.faults.pop();
            // The word counts the illegal move, which is not in the record: it is no matter of the side to
            // move, but of the side that made that move.
            if loser.is_none() {
                ending = match fault {
                    Some(Fault { reason: Reason::OtherSidesTurn, .. }) => Ending::FoulWin,
                    _ => Ending::FoulLoss,
                };
            }
        }
        self.closed = true;
        match self.record.branches.last_mut() {
            Some(branch) => branch.ending = Some(ending),
            None => self.record.ending = Some(ending),
        }
    }

    /// Starts a variation whose first move follows `before` moves of the game.
    pub fn branch(&mut self, line: usize, text: &str, before: usize) {
        self.main_line_ends(line);
        if before > self.path.len() {
            self.fault(line, Some(before + 1), text, Reason::NoSuchBranch);
            (self.closed, self.skipped) = (true, 1);
            return;
        }
        self.path.truncate(before);
        self.position = self.record.start.clone();
        self.partial = self.position.to_partial();
        for &mv in &self.path {
            let core = mv.to_core(self.position.side_to_move());
            let _ = self.partial.make_move(core);
            self.position.do_move(mv);
        }
        self.closed = false;
        self.skipped = 0;
        self.record.branches.push(Branch {
            before,
            moves: Vec::new(),
            ending: None,
            ending_seconds: None,
            closing: None,
        });
    }

    pub fn finish(mut self) -> Record {
        self.record.branches.retain(|branch| !branch.moves.is_empty());
        self.record.source = Some(SourceText::new(self.move_lines, self.end_line));
        self.record
    }
}
