//! The options that the READMEs list.

use crate::text;
use std::collections::HashMap;

/// Default and meaning of each option in the table below a heading, by its first name.
fn table(path: &str, heading: &str, meaning: usize) -> HashMap<String, [String; 2]> {
    let text = text(path);
    let lines = text.lines().skip_while(|line| !line.starts_with(heading)).skip(1);
    let rows =
        lines.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let name = cells[1].split('`').nth(1).expect("a name").to_string();
        (name, [cells[2].to_string(), cells[meaning].to_string()])
    };
    rows.map(row).collect()
}

#[test]
fn readmes_list_ten_options_as_the_table_of_all_has_them() {
    for (readme, heading, all) in [
        ("README.md", "## Options", "# Options"),
        ("README.ja.md", "## オプション", "## オプション"),
    ] {
        let (few, all) = (table(readme, heading, 3), table("docs/options.md", all, 4));
        assert_eq!(few.len(), 10, "{readme}");
        assert!(all.len() > 40, "{}", all.len());
        for (name, row) in &few {
            assert_eq!(Some(row), all.get(name), "{readme}: {name}");
        }
        assert!(text(readme).contains("(docs/options.md"), "{readme}");
    }
}

/// What `usi` announces: each option with its type, default and values.
fn announced() -> HashMap<String, String> {
    let output = tests::program::command().arg("usi").output().expect("the engine runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let options = text.lines().filter_map(|line| line.strip_prefix("option name "));
    let option = |option: &str| {
        let (name, kind) = option.split_once(" type ").expect("a type");
        // The number of threads depends on the machine.
        let words = kind.split(' ').enumerate().map(|(at, word)| match (name, at) {
            ("Threads", 2) => "automatic",
            _ => word,
        });
        (name.to_owned(), words.collect::<Vec<_>>().join(" "))
    };
    options.map(option).collect()
}

#[test]
fn the_comparison_with_yaneuraou_has_every_option_as_it_is() {
    let text = text("docs/guis.md");
    let section = text.split("\n## Options of YaneuraOu\n").nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let mut left = announced();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let ours = left.remove(cells[1].trim_matches('`'));
        let expected = if cells[3] == "same" { cells[2] } else { cells[3] };
        assert_eq!(ours.as_deref(), Some(expected), "{row}");
        assert_eq!(cells[3] == "same", cells[4].is_empty(), "{row}");
    }
    let only = section.split("\nOnly Monomi has ").nth(1).expect("the list");
    let only = only.split('.').next().unwrap_or_default();
    let only: Vec<&str> = only.split('`').skip(1).step_by(2).collect();
    let mut left: Vec<&str> = left.keys().map(String::as_str).collect();
    left.sort_unstable();
    let mut sorted = only.clone();
    sorted.sort_unstable();
    assert_eq!(left, sorted);
}
