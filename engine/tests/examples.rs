//! The programs in `examples/`, which use the built-in network.

#![cfg(feature = "builtin-network")]

use std::process::Command;

/// What an example prints. Cargo builds the examples of a package with its tests.
fn run(name: &str, arguments: &[&str]) -> String {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.ancestors().nth(2).expect("a test is in PROFILE/deps");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let program = profile.join("examples").join(file);
    let output = Command::new(&program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(output.status.success(), "{name}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_move_is_played() {
    let text = run("play", &["4k4/9/4P4/9/9/9/9/9/4K4 b G 1"]);
    assert!(text.starts_with("G*5b (mate 1, depth "), "{text}");
}

#[test]
fn the_best_lines_are_shown() {
    let text = run("analyse", &["startpos", "moves", "7g7f"]);
    assert!(text.starts_with("depth  1  1. cp ") && text.contains("  3. cp "), "{text}");
}

#[test]
fn a_mate_is_found() {
    let text = run("mate", &[]);
    assert_eq!(text, "mate in 1: G*5b\n");
}
