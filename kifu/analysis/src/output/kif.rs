//! Annotated KIF.

use crate::chance::WinScale;
use crate::judge::AnalyzedGame;
use crate::output::comments::{CommentStyle, annotated, by_ply, is_of_gui, own};
use monomi_record::{Encoding, Format, Record, write};
use std::fmt::Write as _;

/// The game as KIF with the analysis as comments. `encoding` is the encoding in which the caller
/// will write the text.
///
/// If the record was read from KIF, this is its text with comments inserted: headers, times,
/// comments, variations and unknown lines stay as they are.
pub fn kif(game: &AnalyzedGame<'_>, style: CommentStyle, encoding: Encoding) -> String {
    let record = game.record;
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
    write::kif(&annotated(record, &comments), encoding)
}

/// A record as KIF in UTF-8, without an analysis; one that was read from KIF keeps its text.
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
