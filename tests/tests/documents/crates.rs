//! The table of crates in ARCHITECTURE.md.

use crate::text;

/// Folder, crate and dependencies of each row of the table.
fn rows() -> Vec<(String, String, Vec<String>)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, folder, name, _, uses, _] = cells[..] else { panic!("{line}") };
        let name = name.split('`').nth(1).expect("a crate").to_string();
        let uses = uses.split(", ").filter(|name| !name.is_empty()).map(str::to_string).collect();
        (folder.trim_matches('`').to_string(), name, uses)
    };
    let text = text("ARCHITECTURE.md");
    let table = text.lines().skip_while(|line| !line.starts_with("| folder | crate |")).skip(2);
    table.take_while(|line| line.starts_with('|')).map(row).collect()
}

/// The crates of the workspace that a crate depends on, without those that only its tests use.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = text(&format!("{folder}/Cargo.toml"));
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let name = |line: &str| line.split(['.', ' ', '=']).next().map(str::to_string);
    let own = |name: &String| name.starts_with("monomi") || name == "tests";
    lines.take_while(|line| !line.starts_with('[')).filter_map(name).filter(own).collect()
}

/// The members of the workspace, as folders.
fn members() -> Vec<String> {
    let manifest = text("Cargo.toml");
    let list = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
    let quoted = list.expect("members").split('"').skip(1).step_by(2);
    let expand = |member: &str| match member.strip_suffix("/*") {
        None => vec![member.to_string()],
        Some(folder) => {
            let entries = std::fs::read_dir(crate::root().join(folder)).expect("a folder");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            names.map(|name| format!("{folder}/{}", name.to_string_lossy())).collect()
        }
    };
    quoted.flat_map(expand).collect()
}

#[test]
fn crates_depend_only_on_crates_above_them_in_the_table() {
    let rows = rows();
    let mut above: Vec<&str> = Vec::new();
    for (folder, name, uses) in &rows {
        if name == "monomi-fuzz" {
            continue;
        }
        let dependencies = dependencies(folder);
        for dependency in &dependencies {
            assert!(
                above.contains(&dependency.as_str()),
                "{name} depends on {dependency}, which is not above it"
            );
        }
        for used in uses.iter().filter(|used| *used != "all of these") {
            let used = format!("monomi-{used}");
            assert!(dependencies.contains(&used), "{name} does not use {used}");
        }
        above.push(name);
    }
}

#[test]
fn the_table_has_every_crate() {
    let folders: Vec<String> = rows().into_iter().map(|(folder, ..)| folder).collect();
    for member in members() {
        assert!(folders.contains(&member), "{member} is missing");
    }
    assert_eq!(folders.len(), members().len() + 1, "every member, and fuzz");
}

/// Errors, faults and reasons of the crates that other programs use may get more variants.
#[test]
fn errors_of_the_library_can_grow() {
    let mut seen = 0;
    for folder in
        ["movegen", "eval", "book", "engine/search", "engine/mate", "engine/usi", "kifu/record"]
    {
        for file in sources(&crate::root().join(folder).join("src")) {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            for pair in lines.windows(2) {
                let Some(name) = pair[1].strip_prefix("pub enum ") else { continue };
                let name = name.trim_end_matches(" {");
                if ["Error", "Fault", "Reason", "Notice"].iter().any(|end| name.ends_with(end)) {
                    assert_eq!(pair[0], "#[non_exhaustive]", "{name} in {}", file.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 25, "{seen} enums");
}

fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut all = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        match path.is_dir() {
            true => all.extend(sources(&path)),
            false => {
                all.extend(Some(path).filter(|path| path.extension().is_some_and(|x| x == "rs")))
            }
        }
    }
    all
}
