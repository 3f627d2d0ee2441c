//! `trials/*.tsv` can be read by a script.

use crate::{root, text};
use std::collections::HashMap;

const TABLES: [&str; 5] = ["search", "factorial", "networks", "training", "speed"];

/// Columns that contain a number or nothing.
const NUMBERS: [&str; 18] = [
    "games",
    "score",
    "elo",
    "low",
    "high",
    "level",
    "positions",
    "loss",
    "loss_written",
    "loss_fitted",
    "d",
    "siblings",
    "same_move",
    "squared",
    "change",
    "error",
    "value",
    "ratio",
];

type Row = HashMap<String, String>;

/// The rows of a table by column, and a name for messages.
fn rows(table: &str) -> Vec<(String, Row)> {
    let path = format!("trials/{table}.tsv");
    let text = text(&path);
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    assert_eq!(&header[..2], ["group", "commit"], "{path}");
    let row = |(number, line): (usize, &str)| {
        let cells: Vec<&str> = line.split('\t').collect();
        let name = format!("{path}, line {}", number + 2);
        assert_eq!(cells.len(), header.len(), "{name}: {line}");
        assert!(cells.iter().all(|cell| cell.trim() == *cell), "{name}: spaces around a cell");
        (
            name,
            header
                .iter()
                .zip(cells)
                .map(|(key, cell)| (key.to_string(), cell.to_string()))
                .collect(),
        )
    };
    lines.enumerate().map(row).collect()
}

fn number(row: &Row, column: &str) -> Option<f64> {
    row.get(column)?.parse().ok()
}

fn is_commit(word: &str) -> bool {
    word.len() == 7
        && word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

#[test]
fn every_trial_has_numbers_in_order_and_a_known_decision() {
    for (name, row) in TABLES.into_iter().flat_map(rows) {
        for column in NUMBERS {
            let cell = row.get(column).map_or("", String::as_str);
            assert!(
                cell.is_empty() || cell.parse::<f64>().is_ok_and(f64::is_finite),
                "{name}: {column} {cell}"
            );
        }
        let limits = [number(&row, "low"), number(&row, "high")];
        assert_eq!(limits[0].is_some(), limits[1].is_some(), "{name}: one limit of an interval");
        if let [Some(low), Some(high)] = limits {
            let middle = number(&row, "elo").or_else(|| number(&row, "ratio"));
            assert!(
                low <= high && middle.is_none_or(|value| (low..=high).contains(&value)),
                "{name}"
            );
        }
        if let Some(score) = number(&row, "score") {
            assert!((0.0..=100.0).contains(&score), "{name}: score {score}");
            // A side that scores more than half is ahead.
            assert!(
                number(&row, "elo").is_none_or(|elo| elo * (score - 50.0) >= 0.0),
                "{name}: sign of Elo"
            );
        }
        assert!(!row["group"].is_empty(), "{name}: no group");
        let what = row
            .get("what")
            .or_else(|| row.get("factor"))
            .expect("a column that says what was tried");
        assert!(!what.is_empty(), "{name}: nothing tried");

        let decisions = ["", "adopted", "not adopted", "undecided"];
        let decision = row.get("decision").map_or("", String::as_str);
        assert!(decisions.contains(&decision), "{name}: {decision}");
        let source = row["commit"].as_str();
        let known = is_commit(source) || (!source.is_empty() && root().join(source).exists());
        assert!(known || source.is_empty(), "{name}: {source} is neither a commit nor a file");
        assert!(known || decision != "adopted", "{name}: adopted, but where?");
    }
}

#[test]
fn the_page_on_top_names_every_table_and_column() {
    let page = text("trials/README.md");
    for table in TABLES {
        assert!(page.contains(&format!("({table}.tsv)")), "{table}");
    }
    let files = std::fs::read_dir(root().join("trials")).expect("the folder trials");
    let tables = files.filter(|file| {
        file.as_ref()
            .is_ok_and(|file| file.path().extension().is_some_and(|extension| extension == "tsv"))
    });
    assert_eq!(tables.count(), TABLES.len());
    for table in TABLES {
        let header = text(&format!("trials/{table}.tsv"));
        for column in header.lines().next().unwrap_or_default().split('\t') {
            assert!(
                ["group", "note"].contains(&column) || page.contains(&format!("`{column}`")),
                "{column}"
            );
        }
    }
}
