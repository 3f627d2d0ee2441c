//! KI2: moves as printed in newspapers.

use crate::ending::Ending;
use crate::notation::{kif_move, official, side_mark};
use crate::record::{Branch, Played, Record};
use crate::write::kif::head;
use crate::write::{closing, lines, one_line};
use monomi_movegen::Position;
use shogi_core::PartialPosition;
use std::fmt::Write as _;

/// Moves in a line.
const IN_LINE: usize = 6;

/// A record as KI2. The format has no place for times.
pub fn ki2(record: &Record) -> String {
    let mut text = String::new();
    head(record, &mut text);
    text.push('\n');
    let mut writer = Writer {
        text: &mut text,
        partial: record.start.to_partial(),
        position: record.start.clone(),
        in_line: 0,
    };
    writer.comments(&record.comments);
    writer.moves(&record.moves);
    writer.end(record, record.moves.len(), record.ending.as_ref(), record.closing.as_deref());
    let mut path: Vec<Played> = record.moves.clone();
    for branch in &record.branches {
        path.truncate(branch.before);
        writer.branch(record, &path, branch);
        path.extend_from_slice(&branch.moves);
    }
    text
}

struct Writer<'a> {
    text: &'a mut String,
    position: Position,
    /// The same position, for the notation.
    partial: PartialPosition,
    in_line: usize,
}

impl Writer<'_> {
    fn new_line(&mut self) {
        if self.in_line > 0 {
            self.text.push('\n');
            self.in_line = 0;
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for line in comments.iter().flat_map(|comment| lines(comment)) {
            self.new_line();
            let _ = writeln!(self.text, "*{line}");
        }
    }

    fn play(&mut self, played: &Played) {
        let mv = played.mv.to_core(self.position.side_to_move());
        // The moves of a record are legal.
        let _ = self.partial.make_move(mv);
        self.position.do_move(played.mv);
    }

    fn moves(&mut self, moves: &[Played]) {
        for played in moves {
            let name = official(&self.position, &self.partial, played.mv).unwrap_or_else(|| {
                let last = self.position.last_move().map(|last| last.to());
                let name = kif_move(&self.position, played.mv, last);
                format!("{}{name}", side_mark(&self.position))
            });
            if self.in_line == IN_LINE {
                self.new_line();
            }
            if self.in_line > 0 {
                self.text.push(' ');
            }
            self.text.push_str(&name);
            self.in_line += 1;
            self.play(played);
            self.comments(&played.comments);
        }
        self.new_line();
    }

    fn end(&mut self, record: &Record, moves: usize, ending: Option<&Ending>, words: Option<&str>) {
        let words = match (words, ending) {
            (Some(words), _) => one_line(words),
            (None, None) => return,
            (None, Some(ending)) => closing(record, moves, ending)
                .unwrap_or_else(|| format!("まで{moves}手で{}", one_line(ending.kif()))),
        };
        self.text.push_str(&words);
        self.text.push('\n');
    }

    /// The section of a variation; `path` holds the moves before it.
    fn branch(&mut self, record: &Record, path: &[Played], branch: &Branch) {
        let _ = writeln!(self.text, "\n変化：{}手", branch.before + 1);
        self.position = record.start.clone();
        self.partial = record.start.to_partial();
        for played in path {
            self.play(played);
        }
        self.moves(&branch.moves);
        let moves = path.len() + branch.moves.len();
        self.end(record, moves, branch.ending.as_ref(), branch.closing.as_deref());
    }
}
