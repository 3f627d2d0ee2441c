//! The program in `examples/`.

use std::path::Path;
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
fn a_record_is_shown_move_by_move_and_as_csa() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.kif");
    let record = "先手：甲\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 投了\n";
    std::fs::write(&path, record).expect("written");
    let text = run("convert", &[path.to_str().expect("UTF-8")]);
    for part in ["甲 - , 4 moves", "   4 △同銀 Sx2b", "N+甲\n", "+8822UM\n-3122GI\n%TORYO"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
