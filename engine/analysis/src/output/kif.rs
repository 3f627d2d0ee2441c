//! Annotated KIF.

use crate::judge::AnalyzedGame;
use crate::output::comments::{CommentStyle, by_ply};
use monomi_movegen::Position;
use monomi_record::notation::kif_move;
use monomi_record::{Encoding, Ending, Format, Played, Record, bod, handicap_name};
use shogi_core::{Color, Square};
use std::fmt::Write as _;

/// The game as KIF with the analysis as comments. `encoding` is the encoding in which the caller
/// will write the text.
///
/// If the record was read from KIF, this is its text with comments inserted: headers, times,
/// comments, variations and unknown lines stay as they are.
pub fn kif(game: &AnalyzedGame<'_>, style: CommentStyle, encoding: Encoding) -> String {
    let record = game.record;
    let positions = &game.positions;
    let comments = by_ply(style, game);
    if record.format == Format::Kif
        && let Some(source) = &record.source
    {
        let marked: Vec<Vec<String>> = comments
            .iter()
            .map(|lines| lines.iter().map(|line| format!("*{line}")).collect())
            .collect();
        return with_encoding(&source.with_comments(&marked), encoding);
    }
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
    writer.comments(&record.comments);
    for (judged, comments) in positions.iter().zip(&comments) {
        if let Some(before) = judged.ply.checked_sub(1).map(|ply| &positions[ply])
            && let Some(played) = judged.previous
        {
            let last = before.previous.map(|played| played.mv.to());
            writer.a_move(judged.ply, &before.position, played, last);
            writer.comments(&played.comments);
        }
        writer.comments(comments);
    }
    writer.ending(record.moves.len(), record.ending.as_ref(), record.ending_seconds);
    match &record.closing {
        Some(closing) => writer.line(closing),
        None if record.format == Format::Kif => {}
        None => {
            if let Some(closing) = closing(record) {
                writer.line(&closing);
            }
        }
    }
    variations(record, &mut writer);
    text
}

/// Replaces the encoding that the first lines declare, as in `#KIF version=2.0 encoding=UTF-8`.
fn with_encoding(text: &str, encoding: Encoding) -> String {
    let mut done = false;
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        match line.split_once("encoding=") {
            Some((before, _)) if !done && line.starts_with("#KIF") => {
                done = true;
                let _ = write!(result, "{before}encoding={}", encoding.name());
            }
            _ => result.push_str(line),
        }
        result.push('\n');
    }
    result
}

/// The closing line for records of other formats, where the result is clear.
fn closing(record: &Record) -> Option<String> {
    let moves = record.moves.len();
    let handicap = handicap_name(&record.start).is_some_and(|name| name != "平手");
    let to_move = match moves % 2 {
        0 => record.start.side_to_move(),
        _ => record.start.side_to_move().flip(),
    };
    let name = |color| match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::Black, true) => "下手",
        (Color::White, false) => "後手",
        (Color::White, true) => "上手",
    };
    let (winner, loser) = (name(to_move.flip()), name(to_move));
    Some(match record.ending.as_ref()? {
        Ending::Resign => format!("まで{moves}手で{winner}の勝ち"),
        Ending::Mate => format!("まで{moves}手で詰み"),
        Ending::TimeUp => format!("まで{moves}手で時間切れにより{winner}の勝ち"),
        Ending::Declaration => format!("まで{moves}手で{loser}の入玉勝ち"),
        Ending::Repetition => format!("まで{moves}手で千日手"),
        Ending::Impasse => format!("まで{moves}手で持将棋"),
        Ending::Interrupted => format!("まで{moves}手で中断"),
        _ => return None,
    })
}

fn variations(record: &Record, writer: &mut Writer<'_>) {
    let mut path: Vec<Played> = record.moves.clone();
    for branch in &record.branches {
        writer.line(&format!("\n変化：{}手", branch.before + 1));
        path.truncate(branch.before);
        // Times add up along the line that the variation continues.
        writer.totals = [0; 2];
        let mut position = record.start.clone();
        let mut last = None;
        for (played, ply) in path.iter().zip(1..) {
            writer.totals[ply % 2] += u64::from(played.seconds.unwrap_or(0));
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
        writer.ending(path.len(), branch.ending.as_ref(), branch.ending_seconds);
        if let Some(closing) = &branch.closing {
            writer.line(closing);
        }
    }
}

struct Writer<'a> {
    text: &'a mut String,
    /// Seconds used so far; element `ply % 2` belongs to the side that makes move `ply`.
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
        self.time(ply, played.seconds);
    }

    fn ending(&mut self, moves: usize, ending: Option<&Ending>, seconds: Option<u32>) {
        if let Some(ending) = ending {
            let _ = write!(self.text, "{:>4} {}", moves + 1, ending.kif());
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
