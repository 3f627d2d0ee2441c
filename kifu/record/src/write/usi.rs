//! A line as after `position` in USI.

use crate::record::Record;
use monomi_movegen::Position;
use std::fmt::Write as _;

/// The start of a record and the moves of its main line as after `position` in USI, without a line end: `startpos
/// moves 7g7f 3c3d`.
pub fn usi(record: &Record) -> String {
    let sfen = record.start.to_sfen();
    let mut text = match sfen == Position::startpos().to_sfen() {
        true => "startpos".to_owned(),
        false => format!("sfen {sfen}"),
    };
    if !record.moves.is_empty() {
        text.push_str(" moves");
    }
    for played in &record.moves {
        let _ = write!(text, " {}", played.mv);
    }
    text
}
