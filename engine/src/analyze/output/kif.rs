//! Annotated KIF.

use crate::analyze::output::comments::{CommentStyle, lines};
use crate::analyze::record::notation::kif_move;
use crate::analyze::record::{Encoding, Played, bod, handicap_name};
use crate::analyze::rows::Analysis;
use monomi_movegen::Position;
use shogi_core::Square;
use std::fmt::Write as _;

/// The game as KIF with the analysis as comments; comments, times and variations of the record are
/// kept. `encoding` is what the text will be written in.
pub fn kif(analysis: &Analysis<'_>, style: CommentStyle, encoding: Encoding) -> String {
    let record = analysis.record;
    let mut text = format!("#KIF version=2.0 encoding={}\n", encoding.name());
    let mut writer = Writer { text: &mut text, totals: [0; 2] };
    match handicap_name(&record.start) {
        Some(name) => writer.line(&format!("手合割：{name}")),
        None => writer.text.push_str(&bod(&record.start)),
    }
    for (key, value) in &record.headers {
        writer.line(&format!("{key}：{value}"));
    }
    writer.line("手数----指手---------消費時間--");
    let steps = analysis.steps();
    writer.comments(&record.comments);
    for step in &steps {
        // What stands behind a move speaks of the position after it.
        if let Some(before) = step.ply.checked_sub(1).map(|ply| &steps[ply])
            && let Some(played) = step.previous
        {
            let last = before.previous.map(|played| played.mv.to());
            writer.a_move(step.ply, &before.position, played, last);
            writer.comments(&played.comments);
        }
        let judged = step.ply.checked_sub(1).map(|ply| &steps[ply]);
        writer.comments(&lines(style, step, judged));
    }
    if let Some(ending) = &record.ending {
        writer.line(&format!("{:>4} {}", record.moves.len() + 1, ending.kif()));
    }
    variations(analysis, &mut writer);
    text
}

fn variations(analysis: &Analysis<'_>, writer: &mut Writer<'_>) {
    let record = analysis.record;
    let mut path: Vec<Played> = record.moves.clone();
    for branch in &record.branches {
        writer.line(&format!("\n変化：{}手", branch.before + 1));
        path.truncate(branch.before);
        let mut position = record.start.clone();
        let mut last = None;
        for played in &path {
            position.do_move(played.mv);
            last = Some(played.mv.to());
        }
        for played in &branch.moves {
            writer.a_move(path.len() + 1, &position, played, last);
            writer.comments(&played.comments);
            position.do_move(played.mv);
            last = Some(played.mv.to());
            path.push(played.clone());
        }
        if let Some(ending) = &branch.ending {
            writer.line(&format!("{:>4} {}", path.len() + 1, ending.kif()));
        }
    }
}

struct Writer<'a> {
    text: &'a mut String,
    /// Seconds used by the side that moves at odd and at even plies.
    totals: [u64; 2],
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let _ = writeln!(self.text, "*{comment}");
        }
    }

    fn a_move(&mut self, ply: usize, before: &Position, played: &Played, last: Option<Square>) {
        let name = kif_move(before, played.mv, last);
        let _ = write!(self.text, "{ply:>4} {name}");
        if let Some(seconds) = played.seconds {
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
