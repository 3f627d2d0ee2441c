//! What the readers have in common: walking a game's moves, branching off, noting faults.

use crate::analyze::record::notation::{self, Written};
use crate::analyze::record::{Branch, Ending, Fault, Format, MAX_MOVES, Played, Record};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{PartialPosition, Square};

/// Faults beyond these are not kept: the first ones say it.
const MAX_FAULTS: usize = 20;

/// A record in the making: moves go to the main line, or to the variation begun last.
pub struct Builder {
    record: Record,
    position: Position,
    partial: PartialPosition,
    /// The moves from the start to where we stand.
    path: Vec<PackedMove>,
    /// The line we are on is broken or over: what comes on it is passed over.
    closed: bool,
}

impl Builder {
    pub fn new(format: Format, start: Position) -> Self {
        let record = Record {
            format,
            headers: Vec::new(),
            start: start.clone(),
            comments: Vec::new(),
            moves: Vec::new(),
            ending: None,
            branches: Vec::new(),
            faults: Vec::new(),
        };
        let partial = start.to_partial();
        Self { record, position: start, partial, path: Vec::new(), closed: false }
    }

    /// Moves from the start to where we stand.
    pub fn ply(&self) -> usize {
        self.path.len()
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Where the last move went.
    pub fn last_to(&self) -> Option<Square> {
        self.path.last().map(|mv| mv.to())
    }

    /// Whether the line is over, so that no move is expected any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether the line ended with a move that could not be taken over.
    pub fn is_broken(&self) -> bool {
        let next = Some(self.ply() + 1);
        self.closed && self.record.faults.last().is_some_and(|fault| fault.ply == next)
    }

    pub fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    pub fn fault(&mut self, line: usize, ply: Option<usize>, text: &str, reason: String) {
        if self.record.faults.len() < MAX_FAULTS {
            let text = text.trim().to_owned();
            self.record.faults.push(Fault { line, ply, text, reason });
        }
    }

    /// Notes that the next move cannot be read: this line ends here.
    pub fn broken(&mut self, line: usize, text: &str, reason: String) {
        if !self.closed {
            self.fault(line, Some(self.ply() + 1), text, reason);
            self.closed = true;
        }
    }

    /// Takes a move over, or notes why not.
    pub fn push(&mut self, line: usize, text: &str, mv: Result<PackedMove, String>) {
        if self.closed {
            return;
        }
        let legal = |mv: PackedMove| {
            if self.path.len() >= MAX_MOVES {
                Err(format!("more than {MAX_MOVES} moves"))
            } else if self.position.is_legal(mv) {
                Ok(mv)
            } else {
                Err("illegal".to_owned())
            }
        };
        match mv.and_then(legal) {
            Err(reason) => self.broken(line, text, reason),
            Ok(mv) => {
                let core = mv.to_core(self.position.side_to_move());
                // It is legal, so the ecosystem's board takes it too.
                let _ = self.partial.make_move(core);
                self.position.do_move(mv);
                self.path.push(mv);
                self.line().push(Played { mv, seconds: None, comments: Vec::new() });
            }
        }
    }

    /// Takes a written move over.
    pub fn push_written(&mut self, line: usize, text: &str, written: &Written<'_>) {
        if !self.closed {
            let mv = notation::resolve(&self.position, &self.partial, written);
            self.push(line, text, mv);
        }
    }

    fn line(&mut self) -> &mut Vec<Played> {
        match self.record.branches.last_mut() {
            Some(branch) => &mut branch.moves,
            None => &mut self.record.moves,
        }
    }

    pub fn seconds(&mut self, seconds: u32) {
        if !self.closed
            && let Some(played) = self.line().last_mut()
        {
            played.seconds = Some(seconds);
        }
    }

    /// A comment on where we stand. What stands behind a broken move is not kept.
    pub fn comment(&mut self, text: &str) {
        let on_main = self.record.branches.is_empty();
        if self.closed && !self.record.faults.is_empty() {
            return;
        }
        match self.line().last_mut() {
            Some(played) => played.comments.push(text.to_owned()),
            None if on_main => self.record.comments.push(text.to_owned()),
            None => {}
        }
    }

    /// The line is over.
    pub fn end(&mut self, ending: Ending) {
        let by_rule = matches!(ending, Ending::IllegalMove | Ending::FoulLoss | Ending::FoulWin);
        if self.closed {
            // The illegal move that lost the game is the game's, not the file's, fault.
            if !by_rule || !self.is_broken() {
                return;
            }
            self.record.faults.pop();
        }
        self.closed = true;
        match self.record.branches.last_mut() {
            Some(branch) => branch.ending = Some(ending),
            None => self.record.ending = Some(ending),
        }
    }

    /// Begins a variation whose first move is the one after `before` moves.
    pub fn branch(&mut self, line: usize, text: &str, before: usize) {
        if before > self.path.len() {
            let reason = "a variation of a move that is not there".to_owned();
            self.fault(line, Some(before + 1), text, reason);
            self.closed = true;
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
        self.record.branches.push(Branch { before, moves: Vec::new(), ending: None });
    }

    pub fn finish(mut self) -> Record {
        self.record.branches.retain(|branch| !branch.moves.is_empty());
        self.record
    }
}
