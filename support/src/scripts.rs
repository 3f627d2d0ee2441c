//! Joins modules of JavaScript into one script, for pages that are a single file.
//!
//! The modules are our own, so a small part of the language is read: statements that begin in the first column.
//! `import { a, b } from "./x.js";` comes before everything else, declarations have `export` before them, and
//! `export { a } from "./x.js";` passes names on. Nothing is renamed, so that no name may be declared twice;
//! [`join`] checks that, and that what is imported is exported. The modules are in the order in which a browser
//! would evaluate them. Lines that are comments are left out, and tables (`export const A = {` to `};`) that nothing
//! uses, so that a page has its own texts only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What the joined modules become.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// A script without exports, as in an element `<script>`.
    Script,
    /// A module with the exports of the first one.
    Module,
}

/// Why modules cannot be joined.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct JoinError(String);

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JoinError {}

/// What `import` or `export ... from` names: a file, and names in it.
#[derive(Debug, Default)]
struct Link {
    file: String,
    names: Vec<String>,
}

/// A module: its text without imports and exports.
#[derive(Debug, Default)]
struct Module {
    text: String,
    links: Vec<Link>,
    declared: Vec<String>,
    exported: BTreeSet<String>,
}

/// Joins a module with all that it imports, and they import. `read` gives the text of a file; the names of
/// files are relative to that of `entry`.
///
/// # Errors
/// A file is missing, or is not written as described above.
pub fn join(
    entry: &str,
    form: Form,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<String, JoinError> {
    let mut joined = Joined { read, modules: BTreeMap::new(), order: Vec::new() };
    joined.visit(entry)?;
    let mut declared = BTreeMap::new();
    for file in &joined.order {
        for name in &joined.modules[file].declared {
            if let Some(other) = declared.insert(name, file) {
                return Err(JoinError(format!("{other} and {file} both declare {name}")));
            }
        }
    }
    let mut text = String::new();
    if form == Form::Script {
        text.push_str("\"use strict\";\n");
    }
    for file in &joined.order {
        text.push_str(&joined.used_text(file, form == Form::Module && file == entry));
    }
    let exported = &joined.modules[entry].exported;
    if form == Form::Module && !exported.is_empty() {
        let names: Vec<&str> = exported.iter().map(String::as_str).collect();
        text.push_str(&format!("export {{ {} }};\n", names.join(", ")));
    }
    Ok(text)
}

struct Joined<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    modules: BTreeMap<String, Module>,
    /// As they are evaluated.
    order: Vec<String>,
}

impl Joined<'_> {
    /// The text of a module without the tables that nothing uses.
    fn used_text(&self, file: &str, keep_exports: bool) -> String {
        let module = &self.modules[file];
        let links = self.modules.values().flat_map(|module| &module.links);
        let imported: BTreeSet<&String> =
            links.filter(|link| link.file == file).flat_map(|link| &link.names).collect();
        let mut text = module.text.clone();
        for name in &module.exported {
            let begin = format!("const {name} = {{\n");
            let Some(from) = text.find(&begin).filter(|_| !keep_exports) else { continue };
            let Some(length) = text[from..].find("\n};\n") else { continue };
            let rest = [&text[..from], &text[from + length + 4..]].concat();
            let words = rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            if !imported.contains(name) && !words.into_iter().any(|word| word == name) {
                text = rest;
            }
        }
        text
    }

    fn visit(&mut self, file: &str) -> Result<(), JoinError> {
        if self.modules.contains_key(file) {
            return Ok(());
        }
        let text = (self.read)(file).ok_or_else(|| JoinError(format!("{file} is missing")))?;
        let module = parse(file, &text)?;
        let links: Vec<(String, Vec<String>)> =
            module.links.iter().map(|link| (link.file.clone(), link.names.clone())).collect();
        self.modules.insert(file.to_owned(), module);
        for (target, _) in &links {
            self.visit(target)?;
        }
        for (target, names) in links {
            let exported = &self.modules[&target].exported;
            if let Some(name) = names.iter().find(|name| !exported.contains(*name)) {
                return Err(JoinError(format!(
                    "{file} imports {name}, which {target} does not export"
                )));
            }
        }
        self.order.push(file.to_owned());
        Ok(())
    }
}

fn parse(file: &str, text: &str) -> Result<Module, JoinError> {
    let mut module = Module::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        if start.starts_with("//") {
            continue;
        }
        if start.starts_with("/*") && (line.ends_with("*/") || !line.contains("*/")) {
            let mut rest = line;
            while !rest.ends_with("*/") {
                rest = lines.next().ok_or_else(|| unreadable(file, line))?;
            }
            continue;
        }
        let is_link = line.starts_with("import ") || line.starts_with("export {");
        if is_link {
            let mut statement = line.to_owned();
            while !statement.ends_with(';') {
                let Some(next) = lines.next() else { return Err(unreadable(file, line)) };
                statement.push(' ');
                statement.push_str(next.trim());
            }
            let link = link(file, &statement).ok_or_else(|| unreadable(file, &statement))?;
            if statement.starts_with("export ") {
                module.exported.extend(link.names.iter().cloned());
            }
            module.links.push(link);
            continue;
        }
        let (exported, declaration) =
            line.strip_prefix("export ").map_or((false, line), |declaration| (true, declaration));
        let names = declared(declaration);
        if exported {
            if names.is_empty() {
                return Err(unreadable(file, line));
            }
            module.exported.extend(names.iter().cloned());
        }
        module.declared.extend(names);
        module.text.push_str(declaration);
        module.text.push('\n');
    }
    Ok(module)
}

fn unreadable(file: &str, statement: &str) -> JoinError {
    JoinError(format!("{file}: this form of import or export cannot be joined: {statement}"))
}

/// Reads `import { a, b } from "./x.js";` and `export { a, b } from "./x.js";`.
fn link(file: &str, statement: &str) -> Option<Link> {
    let (_, rest) = statement.split_once('{')?;
    let (names, rest) = rest.split_once('}')?;
    let target = rest.trim().strip_prefix("from \"")?.strip_suffix("\";")?;
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    let names = names.map(|name| is_name(name).then(|| name.to_owned())).collect::<Option<_>>()?;
    target.starts_with('.').then(|| Link { file: beside(file, target), names })
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// The name of a file that another one names.
fn beside(file: &str, target: &str) -> String {
    let mut path: Vec<&str> = file.split('/').collect();
    path.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." if path.last().is_some_and(|last| *last != "..") => drop(path.pop()),
            part => path.push(part),
        }
    }
    path.join("/")
}

/// The names that a line in the first column declares.
fn declared(line: &str) -> Vec<String> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let words = ["function* ", "function ", "class ", "const ", "let "];
    let Some(rest) = words.iter().find_map(|word| line.strip_prefix(word)) else {
        return Vec::new();
    };
    let end = |text: &str| {
        text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len())
    };
    match rest.chars().next() {
        Some('{' | '[') => {
            let inner = rest[1..].split(['}', ']']).next().unwrap_or_default();
            let names = inner.split(',').map(|name| name.trim().trim_start_matches("..."));
            names.filter(|name| is_name(name)).map(str::to_owned).collect()
        }
        _ => vec![rest[..end(rest)].to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(form: Form, files: &[(&str, &str)]) -> Result<String, String> {
        let read = |name: &str| {
            files.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())
        };
        join(files[0].0, form, &read).map_err(|error| error.to_string())
    }

    const PAGE: [(&str, &str); 3] = [
        (
            "app/main.js",
            "// Main.\n/** Of\n *  two lines. */\nimport { a } from \"../a.js\";\nimport {\n  b,\n} from \"./b.js\";\n\na(b);\n",
        ),
        ("a.js", "import { b } from \"./app/b.js\";\nexport const a = (x) => x + b;\n"),
        ("app/b.js", "import { a } from \"../a.js\";\nexport let b = 1;\n  export_(a);\n"),
    ];

    #[test]
    fn modules_are_in_the_order_of_evaluation() {
        let script = joined(Form::Script, &PAGE).unwrap();
        let expected = "\"use strict\";\nlet b = 1;\n  export_(a);\nconst a = (x) => x + b;\n\
                        \na(b);\n";
        assert_eq!(script, expected);
    }

    #[test]
    fn a_module_passes_on_what_the_first_one_exports() {
        let files = [
            (
                "index.js",
                "export { Engine } from \"./engine.js\";\nexport async function go() {}\n",
            ),
            ("engine.js", "export class Engine {}\nexport const hidden = 1;\n"),
        ];
        let expected = "class Engine {}\nconst hidden = 1;\nasync function go() {}\n\
                        export { Engine, go };\n";
        assert_eq!(joined(Form::Module, &files).unwrap(), expected);
    }

    #[test]
    fn tables_that_nothing_uses_are_left_out() {
        let words = "// Texts.\n/** A. */\nexport const A = {\n  a: 1,\n};\nexport const B = {\n  b: 2,\n};\n\
                     export const C = {\n  c: 3,\n};\nlog(C);\n";
        let files =
            [("main.js", "import { B } from \"./words.js\";\nlog(B);\n"), ("words.js", words)];
        let expected = "\"use strict\";\nconst B = {\n  b: 2,\n};\nconst C = {\n  c: 3,\n};\n\
                        log(C);\nlog(B);\n";
        assert_eq!(joined(Form::Script, &files).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_joined_is_named() {
        let fails = |text: &str| {
            let files = [("main.js", text), ("x.js", "export const { one, two } = {};\n")];
            joined(Form::Script, &files).unwrap_err()
        };
        assert_eq!(fails("import { a } from \"./y.js\";"), "y.js is missing");
        let missing = "main.js imports three, which x.js does not export";
        assert_eq!(fails("import { three } from \"./x.js\";"), missing);
        let twice = "x.js and main.js both declare two";
        assert_eq!(fails("import { one } from \"./x.js\";\nfunction two() {}"), twice);
        for statement in [
            "import x from \"./x.js\";",
            "import * as x from \"./x.js\";",
            "import { one as x } from \"./x.js\";",
            "import { readFile } from \"node:fs\";",
            "export default class {}",
            "export * from \"./x.js\";",
            "import { one",
        ] {
            let error = fails(statement);
            assert!(error.starts_with("main.js: this form of import or export"), "{error}");
        }
    }
}
