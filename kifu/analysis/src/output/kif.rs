//! Annotated KIF.

use crate::chance::WinScale;
use crate::judge::AnalyzedGame;
use crate::output::comments::{CommentStyle, by_ply, is_of_gui, others, own};
use monomi_movegen::{PackedMove, Position};
use monomi_record::notation::{kif_move, leading_number};
use monomi_record::{
    Branch, Encoding, Ending, Format, Played, Record, bod, handicap_name, read_text,
};
use shogi_core::{Color, Square};
use std::cmp::Reverse;
use std::fmt::Write as _;

/// The game as KIF with the analysis as comments. `encoding` is the encoding in which the caller
/// will write the text.
///
/// If the record was read from KIF, this is its text with comments inserted: headers, times,
/// comments, variations and unknown lines stay as they are.
pub fn kif(game: &AnalyzedGame<'_>, style: CommentStyle, encoding: Encoding) -> String {
    let record = game.record;
    let positions = &game.positions;
    let of_gui = is_of_gui(record);
    let comments = by_ply(style, game);
    if record.format == Format::Kif
        && let Some(source) = &record.source
    {
        let marked: Vec<Vec<String>> = comments
            .iter()
            .map(|lines| lines.iter().map(|line| format!("*{line}")).collect())
            .collect();
        return with_encoding(
            &source.with_comments(&marked, |lines| own(lines, "*", of_gui)),
            encoding,
        );
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
    writer.comments(&others(&record.comments, comments.first(), of_gui));
    for (judged, comments) in positions.iter().zip(&comments) {
        if let Some(before) = judged.ply.checked_sub(1).map(|ply| &positions[ply])
            && let Some(played) = judged.previous
        {
            let last = before.previous.map(|played| played.mv.to());
            writer.a_move(judged.ply, &before.position, played, last);
            writer.comments(&others(&played.comments, Some(comments), of_gui));
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

/// A record as KIF in UTF-8, without an analysis.
pub fn record_kif(record: &Record) -> String {
    let game = AnalyzedGame::new("", record, &[], WinScale::default());
    kif(&game, CommentStyle::default(), Encoding::Utf8)
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
        writer.line("");
        path.truncate(branch.before);
        writer.variation(&record.start, &path, branch);
        path.extend_from_slice(&branch.moves);
    }
}

/// A KIF with further variations, each of legal moves from where it leaves the main line. `record` is what was
/// read from the text. Everything else in the text stays, unless it is not KIF or counts its moves in its own way:
/// then the record is written anew.
pub fn with_branches(text: &str, mut record: Record, mut branches: Vec<Branch>) -> String {
    // Each section continues the last line before it that is long enough.
    branches.sort_by_key(|branch| Reverse(branch.before));
    let mut lines: Vec<String> = text.trim_end().lines().map(str::to_owned).collect();
    for branch in &branches {
        let mut section = String::new();
        let path = record.moves.get(..branch.before).unwrap_or(&record.moves);
        let mut writer = Writer { text: &mut section, totals: [0; 2] };
        writer.variation(&record.start, path, branch);
        let earlier = |line: &String| section_number(line).is_some_and(|ply| ply <= branch.before);
        let section = section.lines().map(str::to_owned);
        let blank = [String::new()];
        match lines.iter().position(earlier) {
            Some(place) => drop(lines.splice(place..place, section.chain(blank))),
            None => lines.extend(blank.into_iter().chain(section)),
        }
    }
    let inserted = lines.join("\n") + "\n";
    branches.extend(record.branches_off_main_line());
    let moves = |branches: &[Branch]| {
        let moves = |branch: &Branch| branch.moves.iter().map(|played| played.mv).collect();
        let mut moves: Vec<Vec<PackedMove>> = branches.iter().map(moves).collect();
        moves.sort();
        moves
    };
    let read = read_text(&inserted).ok();
    let complete = read.as_deref().is_some_and(|records| match records {
        [all] => {
            let found = moves(&all.branches_off_main_line());
            all.format == Format::Kif && all.faults.is_empty() && found == moves(&branches)
        }
        _ => false,
    });
    if complete {
        return inserted;
    }
    record.source = None;
    record.set_branches(branches);
    record_kif(&record)
}

/// The number of the move that a section of variations begins with: `変化：12手`.
fn section_number(line: &str) -> Option<usize> {
    let rest = line.trim().strip_prefix("変化")?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '：' | ':'));
    leading_number(rest).map(|(ply, _)| ply)
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

    /// The section of a variation; `path` holds the moves before it.
    fn variation(&mut self, start: &Position, path: &[Played], branch: &Branch) {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#KIF version=2.0 encoding=UTF-8
先手：甲
手数----指手---------消費時間--
1 ７六歩(77)   ( 0:01/00:00:01)
*最初の手
2 ３四歩(33)
3 ２六歩(27)
4 ８四歩(83)
5 投了

変化：3手
3 ６六歩(67)
4 ８四歩(83)
5 ７八飛(28)

変化：5手
5 ６八飛(28)
未知の行
";

    fn branch(before: usize, moves: &str, comment: &str) -> Branch {
        let played = |mv: &str| Played {
            mv: mv.parse().unwrap(),
            seconds: None,
            comments: vec![comment.to_owned()],
        };
        let moves = moves.split(' ').map(played).collect();
        Branch { before, moves, ending: None, ending_seconds: None, closing: None }
    }

    fn lines(record: &Record) -> Vec<String> {
        let all = record.branches_off_main_line();
        let text = |branch: &Branch| {
            let moves: Vec<_> = branch.moves.iter().map(|played| played.mv.to_string()).collect();
            format!("{} {}", branch.before, moves.join(" "))
        };
        let mut lines: Vec<_> = all.iter().map(text).collect();
        lines.sort();
        lines
    }

    /// Each branch is read again as it was, at whatever place, and no line of the text is lost.
    #[test]
    fn branches_are_put_into_the_text() {
        let record = read_text(TEXT).unwrap().remove(0);
        let before = ["2 6g6f 8c8d 2h6h", "2 6g6f 8c8d 2h7h"].map(str::to_owned).to_vec();
        assert_eq!(lines(&record), before);
        let all = [
            branch(0, "2g2f 8c8d 2f2e", "#評価値=12"),
            branch(2, "5g5f", "a"),
            branch(4, "2f2e 8d8e", "b"),
            branch(1, "8c8d", "c"),
            branch(2, "5g5f 8c8d", "d"),
        ];
        for count in 0..=all.len() {
            let text = with_branches(TEXT, record.clone(), all[..count].to_vec());
            let again = read_text(&text).unwrap().remove(0);
            assert!(again.faults.is_empty(), "{text}");
            assert_eq!(again.moves, record.moves);
            assert_eq!(again.ending, Some(Ending::Resign));
            let mut expected = before.clone();
            for branch in &all[..count] {
                let branches = vec![branch.clone()];
                expected.extend(lines(&Record { branches, ..record.clone() }));
            }
            expected.sort();
            assert_eq!(lines(&again), expected, "{text}");
            for line in TEXT.lines() {
                assert!(text.lines().any(|kept| kept == line), "{line} is lost: {text}");
            }
            let comments = text.matches("#評価値=12").count();
            assert_eq!(comments, if count > 0 { 3 } else { 0 }, "{text}");
        }
    }

    /// A text that begins with another number than 1, and one that is not KIF.
    #[test]
    fn other_texts_are_written_anew() {
        let counted = bod(&Position::startpos())
            + "手数----指手\n31 ７六歩(77)\n32 ３四歩(33)\n33 投了\n\n変化：32手\n32 ８四歩(83)\n";
        for text in [counted.as_str(), "PI\n+\n+7776FU\n-3334FU\n%TORYO\n"] {
            let record = read_text(text).unwrap().remove(0);
            let mut expected = lines(&record);
            expected.push("1 4a3b".to_owned());
            expected.sort();
            let text = &with_branches(text, record.clone(), vec![branch(1, "4a3b", "x")]);
            let again = read_text(text).unwrap().remove(0);
            assert_eq!(again.format, Format::Kif);
            assert_eq!(record.moves.len(), 2, "{:?} {:?}", record.format, record.faults);
            assert_eq!((&again.moves, &again.ending), (&record.moves, &Some(Ending::Resign)));
            assert_eq!(lines(&again), expected, "{text}");
        }
    }
}
