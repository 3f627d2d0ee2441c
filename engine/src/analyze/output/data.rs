//! JSONL and CSV: a line a position.

use crate::analyze::rows::Analysis;

/// The columns of CSV.
pub const CSV_HEADER: &str = "game,ply,sfen,side,played,played_ja,best,best_ja,cp,mate,cp_black,\
                              mate_black,win,depth,seldepth,nodes,pv,pv_ja,loss,class,missed_mate,over\n";

/// A line of JSON for each position that was searched.
///
/// # Errors
/// None that a game could cause; the serializer's type demands one.
pub fn jsonl(analysis: &Analysis<'_>) -> serde_json::Result<String> {
    let mut text = String::new();
    for step in analysis.steps() {
        if let Some(row) = step.row(analysis.name) {
            text.push_str(&serde_json::to_string(&row)?);
            text.push('\n');
        }
    }
    Ok(text)
}

/// A line of CSV (RFC 4180, but lines end in LF) for each position that was searched, without the
/// header.
pub fn csv(analysis: &Analysis<'_>) -> String {
    let mut text = String::new();
    for step in analysis.steps() {
        let Some(row) = step.row(analysis.name) else { continue };
        let word = |word: &Option<String>| word.clone().unwrap_or_default();
        let number = |number: Option<i32>| number.map(|n| n.to_string()).unwrap_or_default();
        let fields = [
            row.game.to_owned(),
            row.ply.to_string(),
            row.sfen.clone(),
            row.side.to_owned(),
            word(&row.played),
            word(&row.played_ja),
            word(&row.best),
            word(&row.best_ja),
            number(row.score.cp),
            number(row.score.mate),
            number(row.score.cp_black),
            number(row.score.mate_black),
            row.win.to_string(),
            row.depth.to_string(),
            row.seldepth.to_string(),
            row.nodes.to_string(),
            row.pv.clone(),
            row.pv_ja.clone(),
            row.loss.map(|loss| loss.to_string()).unwrap_or_default(),
            row.class.map(|class| class.english().to_owned()).unwrap_or_default(),
            number(row.missed_mate),
            row.over.map(|over| format!("{over:?}").to_lowercase()).unwrap_or_default(),
        ];
        text.push_str(&fields.map(|field| quoted(&field)).join(","));
        text.push('\n');
    }
    text
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
