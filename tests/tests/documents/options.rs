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
