//! JSONL and CSV, one line per position.

use crate::analyzed_game::{AnalyzedGame, ListRow, Row, Searched};
use serde::Serialize;

/// Columns of [`Searched`].
const SEARCHED_COLUMNS: &str = "sfen,side,best,best_ja,cp,mate,cp_black,mate_black,win,depth,seldepth,\
                           nodes,pv,pv_ja,over";

/// The columns of CSV for games.
pub fn csv_header() -> String {
    format!(
        "game,ply,played,played_ja,{SEARCHED_COLUMNS},loss,class,missed_mate,best_win,played_win,win_black,reason,\
         reason_ja,solved_mate,threat\n"
    )
}

/// The columns of CSV for lists.
pub fn list_csv_header() -> String {
    format!("list,line,{SEARCHED_COLUMNS}\n")
}

/// One JSON object per line for each position that was searched.
///
/// # Errors
/// Serialization fails; no game causes this.
pub fn jsonl(analysis: &AnalyzedGame<'_>) -> serde_json::Result<String> {
    let steps = &analysis.steps;
    steps.iter().filter_map(|step| step.row(analysis.name)).map(|row| json_line(&row)).collect()
}

/// One JSON object and a line feed.
///
/// # Errors
/// As [`jsonl`].
pub fn json_line(row: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(row)? + "\n")
}

/// CSV (RFC 4180 with LF line ends) with one line for each position that was searched, without
/// the header.
pub fn csv(analysis: &AnalyzedGame<'_>) -> String {
    let steps = &analysis.steps;
    steps.iter().filter_map(|step| step.row(analysis.name)).map(|row| csv_of_row(&row)).collect()
}

fn csv_of_row(row: &Row<'_>) -> String {
    let before =
        [row.game.to_owned(), row.ply.to_string(), text(&row.played), text(&row.played_ja)];
    let after = [
        text(&row.loss),
        row.class.map(|class| class.english().to_owned()).unwrap_or_default(),
        text(&row.missed_mate),
        text(&row.best_win),
        text(&row.played_win),
        text(&row.win_black),
        text(&row.reason),
        text(&row.reason_ja),
        text(&row.solved_mate),
        row.threat.map(|threat| format!("{threat:?}").to_lowercase()).unwrap_or_default(),
    ];
    csv_line(before.into_iter().chain(searched(&row.searched)).chain(after))
}

/// A line of CSV for a position of a list.
pub fn list_csv(row: &ListRow<'_>) -> String {
    let before = [row.list.to_owned(), row.line.to_string()];
    csv_line(before.into_iter().chain(searched(&row.searched)))
}

fn searched(searched: &Searched) -> [String; 15] {
    let score = &searched.score;
    [
        searched.sfen.clone(),
        searched.side.to_owned(),
        text(&searched.best),
        text(&searched.best_ja),
        text(&score.cp),
        text(&score.mate),
        text(&score.cp_black),
        text(&score.mate_black),
        searched.win.to_string(),
        searched.depth.to_string(),
        searched.seldepth.to_string(),
        searched.nodes.to_string(),
        searched.pv.clone(),
        searched.pv_ja.clone(),
        searched.over.map(|over| format!("{over:?}").to_lowercase()).unwrap_or_default(),
    ]
}

/// Empty for `None`.
fn text(value: &Option<impl ToString>) -> String {
    value.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn csv_line(fields: impl Iterator<Item = String>) -> String {
    let quoted = |field: String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    fields.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
