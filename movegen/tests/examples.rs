//! The programs in `examples/`.

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
fn perft_counts_the_positions_below_each_move() {
    let text = run("perft", &["3"]);
    assert!(text.contains("\n7g7f: ") && text.ends_with("\n25470\n"), "{text}");
    let text = run("perft", &["1", "startpos", "moves", "7g7f"]);
    assert!(text.contains("White to move, move 2") && text.ends_with("\n30\n"), "{text}");
}

#[test]
fn a_random_game_ends_by_the_rules() {
    for seed in ["1", "2"] {
        let text = run("random_game", &[seed]);
        let last = text.lines().last().expect("a line");
        let ends =
            ["NoMoves", "Repetition", "PerpetualCheck", "the side to move can", "1,000 moves"];
        assert!(ends.iter().any(|end| last.starts_with(end)), "{text}");
        // The same seed is the same game.
        assert_eq!(run("random_game", &[seed]), text);
    }
}
