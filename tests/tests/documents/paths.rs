//! What the documents point to exists.

use crate::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Made by a command that the document shows, or a part of the release archive.
const NOT_HERE: [&str; 3] = ["fuzz/corpus/kif", "eval/README.txt", "book/README.txt"];

/// All Markdown files below a folder, which is a path from the root or an absolute one.
pub(super) fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root().join(folder))
        .expect("a folder")
        .map(|entry| entry.expect("an entry"))
    {
        let path = folder.join(entry.file_name());
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) {
                documents(&path, found);
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The targets of `[text](target)`, without fragments.
pub(super) fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next())
}

/// Words such as `engine/search/src/tt.rs` or `tests/src/oracles`: paths that begin with a folder at
/// the top.
fn paths<'a>(text: &'a str, top: &'a [String]) -> impl Iterator<Item = &'a str> {
    text.split(|character: char| {
        !(character.is_ascii_alphanumeric() || "_-./*{}".contains(character))
    })
    .map(|word| word.trim_end_matches(['.', '/']))
    .filter(|word| {
        word.split_once('/').is_some_and(|(folder, _)| top.iter().any(|name| name == folder))
    })
    .filter(|word| !word.contains(['*', '{', '}']))
}

/// The names of all files of Rust code below a folder.
fn sources(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"))
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if !name.starts_with('.') && name != "target" {
                sources(&entry.path(), found);
            }
        } else if name.ends_with(".rs") {
            found.insert(name);
        }
    }
}

#[test]
fn files_named_without_a_folder_exist_somewhere() {
    let mut found = BTreeSet::new();
    sources(&root(), &mut found);
    for document in
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/search.md", "training/trainer/README.md"]
    {
        let text = crate::text(document);
        let names = text.split('`').skip(1).step_by(2).filter(|name| {
            name.ends_with(".rs")
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte))
        });
        let missing: Vec<&str> = names.filter(|name| !found.contains(*name)).collect();
        assert!(missing.is_empty(), "{document}: {missing:?}");
    }
}

#[test]
fn links_and_paths_in_documents_exist() {
    let mut found = Vec::new();
    documents(Path::new(""), &mut found);
    assert!(found.len() > 20, "{found:?}");
    let folders =
        std::fs::read_dir(root()).expect("the root").map(|entry| entry.expect("an entry"));
    let top: Vec<String> = folders
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.') && name != "target")
        .collect();

    let mut missing = Vec::new();
    for document in found {
        let text = crate::text(&document.to_string_lossy());
        let folder = root().join(document.parent().expect("a file has a folder"));
        let is_local =
            |target: &&str| !target.is_empty() && !target.contains(':') && !target.starts_with('/');
        for target in links(&text).filter(is_local) {
            if !folder.join(target).exists() {
                missing.push(format!("{}: ]({target})", document.display()));
            }
        }
        for path in paths(&text, &top) {
            if !NOT_HERE.contains(&path)
                && !root().join(path).exists()
                && !folder.join(path).exists()
            {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
