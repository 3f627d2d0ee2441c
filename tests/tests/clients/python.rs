//! The Python module: python/tests with the module as cargo builds it, and the types of `_native.pyi`.

use std::path::{Path, PathBuf};
use std::process::Command;
use tests::folder::Folder;
use tests::report;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// Whether there is a Python that the module supports.
fn has_python() -> bool {
    let version = ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"];
    Command::new("python3").args(version).status().is_ok_and(|status| status.success())
}

/// Builds the module and returns its file.
fn build() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()).args(["build", "--quiet", "--package", "monomi-python"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo runs").success(), "the module cannot be built");
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("a test is in PROFILE/deps");
    let name = "monomi_shogi_native";
    let names = [format!("lib{name}.so"), format!("lib{name}.dylib"), format!("{name}.dll")];
    let file = names.iter().map(|name| profile.join(name)).find(|file| file.exists());
    file.expect("a shared library")
}

/// The package `monomi_shogi` with the module in it.
fn package(folder: &Folder) -> String {
    let site = folder.file("site");
    let package = Path::new(&site).join("monomi_shogi");
    std::fs::create_dir_all(&package).expect("a folder");
    let sources = std::fs::read_dir(root().join("python/package/monomi_shogi"));
    for file in sources.expect("the package") {
        let file = file.expect("an entry");
        if file.path().is_file() {
            std::fs::copy(file.path(), package.join(file.file_name())).expect("copied");
        }
    }
    let module = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    std::fs::copy(build(), package.join(module)).expect("copied");
    site
}

/// The programs in the package's description.
fn examples() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("python/README.md")).expect("a description");
    let blocks = text.split("```python\n").skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0.to_owned())).collect()
}

/// `_native.pyi` names exactly what the module has.
const TYPES: &str = r#"
import ast, pathlib, sys
import monomi_shogi, monomi_shogi._native as native
tree = ast.parse(pathlib.Path(native.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
names = lambda body: {node.name: node for node in body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
typed = {name: node for name, node in names(tree.body).items() if not name.startswith("_")}
there = {name for name in dir(native) if not name.startswith("_")}
assert set(typed) == there, set(typed) ^ there
assert there <= set(monomi_shogi.__all__), there - set(monomi_shogi.__all__)
for name, node in typed.items():
    thing = getattr(native, name)
    assert thing.__doc__, f"{name} has no description"
    if not isinstance(node, ast.ClassDef):
        continue
    members = {member for member in names(node.body) if not member.startswith("_")}
    found = {member for member in dir(thing) if not member.startswith("_")}
    assert members == found, (name, members ^ found)
    for member in found:
        assert getattr(thing, member).__doc__, f"{name}.{member} has no description"
print(len(typed), "names")
"#;

#[test]
fn the_module_passes_its_tests() {
    if !has_python() {
        return report("skipped: there is no python3 of at least 3.9");
    }
    let folder = Folder::new();
    let site = package(&folder);
    let python = || {
        let mut python = Command::new("python3");
        python.env("PYTHONPATH", &site).env("PYTHONDONTWRITEBYTECODE", "1");
        python
    };
    let tests = root().join("python/tests");
    let run = ["-m", "unittest", "discover", "--start-directory"];
    let output = python().args(run).arg(&tests).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    report(text.lines().last().unwrap_or_default());
    let output = python().args(["-c", TYPES]).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // As after `pip install --target`.
    let program =
        Path::new(&site).join("bin").join(format!("monomi{}", std::env::consts::EXE_SUFFIX));
    std::fs::create_dir_all(program.parent().expect("a folder")).expect("a folder");
    std::fs::copy(tests::program::engine(), &program).expect("copied");
    let output =
        python().args(["-m", "monomi_shogi", "perft", "3"]).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("Total: 25470"), "{text}");
    let has_numpy = python().args(["-c", "import numpy"]).output().expect("python3 runs");
    let examples = examples();
    assert!(examples.len() > 4, "{examples:?}");
    for example in examples {
        if example.contains("numpy") && !has_numpy.status.success() {
            report("skipped: numpy is not installed");
            continue;
        }
        let output = python().args(["-c", &example]).current_dir(&site).output().expect("runs");
        let text = String::from_utf8_lossy(&output.stderr);
        let good = output.status.success() && !output.stdout.is_empty() && text.is_empty();
        assert!(good, "{example}\n{text}");
    }
}
