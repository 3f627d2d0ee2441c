//! The structure of the code: modules of a crate do not import each other in circles, and the
//! lowest crates do not depend on higher ones.
//!
//! A module stands for its file and its submodules. What counts are paths that begin with `crate::`,
//! `self::` or `super::` outside tests; the imports between a module and its own submodules do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// Crates by name, with their folders.
fn crates() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let root = workspace();
    let below = |folder: &str| {
        let entries = std::fs::read_dir(workspace().join(folder)).expect("a folder of crates");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let own = ["movegen", "eval", "engine", "trainer", "tools", "web"].map(|name| root.join(name));
    for folder in own.into_iter().chain(below("engine")).chain(below("support")) {
        let manifest = folder.join("Cargo.toml");
        let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
        let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        found.push((name.expect("a package name").to_owned(), folder));
    }
    found
}

/// The module path of a source file below `src`: `["network", "read"]` for `network/read.rs`.
fn module_of(file: &Path, src: &Path) -> Vec<String> {
    let relative = file.strip_prefix(src).expect("below src").with_extension("");
    let mut path: Vec<String> =
        relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        path.pop();
    }
    path
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The modules that a text imports by `crate::`, `self::` or `super::`, as absolute paths. They end with the name
/// of an item, so only a prefix is a module.
fn imports(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    for (start, _) in text.match_indices("crate::").chain(text.match_indices("super::")) {
        let before = text[..start].chars().next_back();
        if before.is_some_and(|c| is_name(c) || c == ':' || c == '$') {
            continue;
        }
        let mut path: Vec<String> = module.to_vec();
        let mut rest = &text[start..];
        if let Some(after) = rest.strip_prefix("crate::") {
            path.clear();
            rest = after;
        }
        while let Some(after) = rest.strip_prefix("super::") {
            path.pop();
            rest = after;
        }
        expand(rest, path, &mut found);
    }
    found
}

/// The paths of a `use` tree: `a::{b::c, d}` gives `a::b::c` and `a::d`.
fn expand(text: &str, mut path: Vec<String>, found: &mut Vec<Vec<String>>) {
    let mut rest = text;
    loop {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        if !name.is_empty() {
            path.push(name.to_owned());
        }
        rest = &rest[end..];
        match rest.strip_prefix("::") {
            Some(after) if !name.is_empty() => rest = after,
            _ => break,
        }
    }
    let Some(group) = rest.strip_prefix('{').filter(|_| text.len() > rest.len() || path.is_empty())
    else {
        found.push(path);
        return;
    };
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                expand(group[begin..at].trim(), path, found);
                return;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                expand(group[begin..at].trim(), path.clone(), found);
                begin = at + 1;
            }
            _ => {}
        }
    }
}

/// The code of a file without its tests and comments.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let kept = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    kept.collect::<Vec<_>>().join("\n")
}

/// Circles among modules that have the same parent, each as the list of its modules.
fn circles(src: &Path) -> Vec<String> {
    let mut files = Vec::new();
    sources(src, &mut files);
    files.retain(|file| {
        let below = file.strip_prefix(src).expect("below src");
        !below.ends_with("tests.rs") && !below.iter().any(|part| part == "tests")
    });
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_of(file, src)).collect();
    // Edges between siblings: parent, from, to.
    let mut edges: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for file in &files {
        let from = module_of(file, src);
        let text = code(&std::fs::read_to_string(file).expect("a source file"));
        for to in imports(&text, &from) {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            let (Some(a), Some(b)) = (from.get(common), to.get(common)) else { continue };
            let mut sibling = to[..common].to_vec();
            sibling.push(b.clone());
            if modules.contains(&sibling) {
                let parent = edges.entry(to[..common].to_vec()).or_default();
                parent.entry(a.clone()).or_default().insert(b.clone());
            }
        }
    }
    let mut found = Vec::new();
    for (parent, graph) in edges {
        for group in strongly_connected(&graph) {
            found.push(format!("{}::{{{}}}", parent.join("::"), group.join(", ")));
        }
    }
    found
}

/// Groups of at least two nodes that reach each other.
fn strongly_connected(graph: &BTreeMap<String, BTreeSet<String>>) -> Vec<Vec<String>> {
    let reach = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            for next in graph.get(node).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|node| (node, reach(node))).collect();
    let mut groups: Vec<Vec<String>> = Vec::new();
    for node in graph.keys() {
        if groups.iter().any(|group| group.contains(node)) {
            continue;
        }
        let back = |other: &&&String| reached.get(**other).is_some_and(|set| set.contains(node));
        let group: Vec<String> = reached[node].iter().filter(back).map(|&o| o.clone()).collect();
        if group.len() > 1 {
            groups.push(group);
        }
    }
    groups
}

#[test]
fn modules_do_not_import_each_other_in_circles() {
    let mut found = Vec::new();
    for (name, folder) in crates() {
        found.extend(
            circles(&folder.join("src")).into_iter().map(|circle| format!("{name}: {circle}")),
        );
    }
    assert!(found.is_empty(), "circles of imports:\n{}", found.join("\n"));
}

#[test]
fn lower_crates_do_not_depend_on_higher_ones() {
    /// Folder and what its crates may depend on among ours.
    const ALLOWED: [(&str, &[&str]); 3] = [
        ("support", &[]),
        ("movegen", &["monomi-support"]),
        ("eval", &["monomi-support", "monomi-movegen"]),
    ];
    let mut checked = 0;
    for (name, folder) in crates() {
        let place = folder.strip_prefix(workspace()).expect("in the workspace");
        let Some((_, allowed)) = ALLOWED.iter().find(|(layer, _)| place.starts_with(layer)) else {
            continue;
        };
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let dependencies = dependencies.split("\n[").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("monomi")) {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            assert!(allowed.contains(&&line[..end]), "{name} depends on {}", &line[..end]);
            checked += 1;
        }
    }
    assert!(checked >= 3, "{checked}");
}

/// The JavaScript of the repository.
fn javascript(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            javascript(&path, found);
        } else if name.ends_with(".js") || name.ends_with(".mjs") {
            found.push(path);
        }
    }
}

#[test]
fn lines_of_javascript_are_not_longer_than_120_characters() {
    let mut files = Vec::new();
    javascript(&workspace(), &mut files);
    assert!(files.len() > 40, "{}", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a script");
        let long = text.lines().enumerate().filter(|(_, line)| line.chars().count() > 120);
        found.extend(long.map(|(number, _)| format!("{}:{}", file.display(), number + 1)));
    }
    assert!(found.is_empty(), "lines over 120 characters:\n{}", found.join("\n"));
}

#[test]
fn circles_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(path, text).expect("written");
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\n");
    write("a.rs", "use crate::{b::{Thing, Other}, c};\n");
    write("b.rs", "use std::fmt;\nuse super::c::Item;\n");
    write("c.rs", "// crate::a\n#[cfg(test)]\nmod tests { use crate::a; }\n");
    assert_eq!(circles(folder.path()), Vec::<String>::new());
    write("c/deep.rs", "fn f() { crate::a::g() }\n");
    assert_eq!(circles(folder.path()), ["::{a, b, c}"]);
}
