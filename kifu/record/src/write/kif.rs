//! KIF.

use crate::board::{bod, handicap_name};
use crate::encoding::Encoding;
use crate::ending::Ending;
use crate::format::Format;
use crate::notation::kif_move;
use crate::record::{Branch, Played, Record};
use crate::write::{closing, lines, one_line};
use monomi_movegen::Position;
use shogi_core::Square;
use std::fmt::Write as _;

/// A record as KIF. `encoding` is what its first line names: the caller encodes the text
/// ([`encode`](crate::write::encode)).
pub fn kif(record: &Record, encoding: Encoding) -> String {
    let mut text = format!("#KIF version=2.0 encoding={}\n", encoding.declared());
    head(record, &mut text);
    let mut writer = Writer { text: &mut text, totals: [0; 2] };
    writer.line("手数----指手---------消費時間--");
    writer.comments(&record.comments);
    let mut position = record.start.clone();
    let mut last = None;
    for (played, ply) in record.moves.iter().zip(1..) {
        writer.a_move(ply, &position, played, last);
        writer.comments(&played.comments);
        position.do_move(played.mv);
        last = Some(played.mv.to());
    }
    let moves = record.moves.len();
    writer.ending(moves, record.ending.as_ref(), record.ending_seconds);
    match &record.closing {
        Some(closing) => writer.line(closing),
        None if record.format == Format::Kif => {}
        None => {
            let ending = record.ending.as_ref();
            if let Some(closing) = ending.and_then(|ending| closing(record, moves, ending)) {
                writer.line(&closing);
            }
        }
    }
    let mut path: Vec<Played> = record.moves.clone();
    for branch in &record.branches {
        writer.line("");
        path.truncate(branch.before);
        writer.variation(&record.start, &path, branch);
        path.extend_from_slice(&branch.moves);
    }
    text
}

/// The starting position and the headers.
pub(super) fn head(record: &Record, text: &mut String) {
    match handicap_name(&record.start) {
        Some(name) => text.push_str(&format!("手合割：{name}\n")),
        None => text.push_str(&bod(&record.start)),
    }
    for (key, value) in &record.headers {
        let _ = writeln!(text, "{}：{}", one_line(key), one_line(value));
    }
}

pub(super) struct Writer<'a> {
    pub(super) text: &'a mut String,
    /// Seconds used so far; element `ply % 2` belongs to the side that makes move `ply`.
    pub(super) totals: [u64; 2],
}

impl Writer<'_> {
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn comments(&mut self, comments: &[String]) {
        for line in comments.iter().flat_map(|comment| lines(comment)) {
            let _ = writeln!(self.text, "*{line}");
        }
    }

    fn a_move(&mut self, ply: usize, before: &Position, played: &Played, last: Option<Square>) {
        let name = kif_move(before, played.mv, last);
        let _ = write!(self.text, "{ply:>4} {name}");
        self.time(ply, played.seconds);
    }

    /// The section of a variation; `path` holds the moves before it.
    pub(super) fn variation(&mut self, start: &Position, path: &[Played], branch: &Branch) {
        self.line(&format!("変化：{}手", branch.before + 1));
        // Times add up along the line that the variation continues.
        self.totals = [0; 2];
        let mut position = start.clone();
        let mut last = None;
        let mut ply = 0;
        for played in path.iter().chain(&branch.moves) {
            ply += 1;
            if ply > path.len() {
                self.a_move(ply, &position, played, last);
                self.comments(&played.comments);
            } else {
                self.totals[ply % 2] += u64::from(played.seconds.unwrap_or(0));
            }
            position.do_move(played.mv);
            last = Some(played.mv.to());
        }
        self.ending(ply, branch.ending.as_ref(), branch.ending_seconds);
        if let Some(closing) = &branch.closing {
            self.line(closing);
        }
    }

    fn ending(&mut self, moves: usize, ending: Option<&Ending>, seconds: Option<u32>) {
        if let Some(ending) = ending {
            let _ = write!(self.text, "{:>4} {}", moves + 1, one_line(ending.kif()));
            self.time(moves + 1, seconds);
        }
    }

    fn time(&mut self, ply: usize, seconds: Option<u32>) {
        if let Some(seconds) = seconds {
            let total = &mut self.totals[ply % 2];
            *total += u64::from(seconds);
            let (minutes, rest) = (seconds / 60, seconds % 60);
            let (hours, of_hour) = (*total / 3600, *total % 3600);
            let _ = write!(
                self.text,
                "   ({minutes:>2}:{rest:02}/{hours:02}:{:02}:{:02})",
                of_hour / 60,
                of_hour % 60
            );
        }
        self.text.push('\n');
    }
}
