//! Pages in two languages say the same: the same headings, tables, commands, options and figures in code.

use super::text;
use std::collections::BTreeSet;

/// The pages of which `docs/NAME.md` is in English and `docs/NAME.ja.md` in Japanese.
const PAGES: [&str; 4] = ["analysis", "app", "guis", "skill"];

/// The levels of the headings, in order.
fn headings(text: &str) -> Vec<usize> {
    let level = |line: &str| line.chars().take_while(|&c| c == '#').count();
    text.lines().map(level).filter(|&level| level > 0).collect()
}

/// The number of rows of each table.
fn tables(text: &str) -> Vec<usize> {
    let (mut tables, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        let is_row = line.starts_with('|');
        match tables.last_mut() {
            Some(rows) if is_row && inside => *rows += 1,
            _ if is_row => tables.push(1),
            _ => {}
        }
        inside = is_row;
    }
    tables
}

/// The lines of commands and files, without comments in shell scripts.
fn blocks(text: &str) -> Vec<&str> {
    let mut before = "";
    let mut lines = Vec::new();
    for line in text.lines() {
        let continues = before.is_empty() || before.starts_with("    ");
        if line.starts_with("    ") && continues {
            lines.push(line.split(" # ").next().unwrap_or_default().trim_end());
        }
        before = line;
    }
    lines
}

/// Everything in backquotes outside blocks. It may be divided by the end of a line.
fn code(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with("    ")).map(str::trim_start);
    let text = lines.collect::<Vec<_>>().join(" ");
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn pages_in_two_languages_name_the_same_commands_and_options() {
    for page in PAGES {
        let [english, japanese] = ["", ".ja"].map(|lang| text(&format!("docs/{page}{lang}.md")));
        assert_eq!(headings(&english), headings(&japanese), "{page}: headings");
        assert_eq!(tables(&english), tables(&japanese), "{page}: rows of tables");
        assert_eq!(blocks(&english), blocks(&japanese), "{page}: commands");
        assert_eq!(code(&english), code(&japanese), "{page}: code");
        for (own, other) in [(&english, format!("{page}.ja.md")), (&japanese, format!("{page}.md"))]
        {
            let top = own.lines().take(5).collect::<String>();
            assert!(top.contains(&format!("({other})")), "{page}: no link to {other} on top");
        }
    }
}

#[test]
fn differences_between_two_pages_are_found() {
    let page = "# A\n\nUse `x`.\n\n    monomi go # search\n\n| a |\n|---|\n| b |\n";
    assert_eq!(blocks(page), ["    monomi go"]);
    assert_eq!((headings(page), tables(page)), (vec![1], vec![3]));
    assert_eq!(code(page), BTreeSet::from(["x".to_owned()]));
    assert_eq!(tables(&page.replace("| b |\n", "")), [2]);
}
