//! The command line: output and exit codes.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Output, Stdio};
use tests::folder::Folder;
use tests::help;
use tests::program::{command, engine};

fn monomi(arguments: &[&str]) -> Output {
    let output = command().args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

/// Lines of a run that must succeed.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = monomi(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(ToOwned::to_owned).collect()
}

/// Exit code and error text of a run that must fail.
fn failure(arguments: &[&str]) -> (Option<i32>, String) {
    let output = monomi(arguments);
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

const MANY_DROPS: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

#[test]
fn perft_prints_each_move_and_the_total() {
    let start = lines(&["perft", "4"]);
    assert_eq!(start.last().map(String::as_str), Some("Total: 719731"));
    let shares = start.iter().filter_map(|line| {
        let (mv, nodes) = line.split_once(": ")?;
        mv.parse::<monomi_movegen::PackedMove>().ok()?;
        nodes.parse::<u64>().ok()
    });
    assert_eq!(shares.clone().count(), 30);
    assert_eq!(shares.sum::<u64>(), 719_731);
    // The position quoted, in words, and by its moves.
    let words: Vec<&str> = ["perft", "2"].into_iter().chain(MANY_DROPS.split(' ')).collect();
    for arguments in [&["perft", "2", MANY_DROPS][..], &words] {
        assert_eq!(lines(arguments).last().map(String::as_str), Some("Total: 28684"));
    }
    let moved = lines(&["perft", "1", "startpos moves 7g7f 3c3d"]);
    assert_eq!(moved.last().map(String::as_str), Some("Total: 39"));
    assert_eq!(lines(&["perft", "0"]).last().map(String::as_str), Some("Total: 1"));
}

#[test]
fn bench_is_reproducible() {
    let bench = || lines(&["bench", "--depth", "4"]);
    let (first, second) = (bench(), bench());
    let number = |lines: &[String]| {
        let last = lines.last().expect("a last line");
        let number = last.strip_prefix("Bench: ").expect("the last line is the number");
        number.parse::<u64>().expect("a number")
    };
    assert!(number(&first) > 1000, "{first:#?}");
    assert_eq!(number(&first), number(&second));
    let of_position = |line: &&String| line.contains(" nodes  ");
    let positions: Vec<&String> = first.iter().filter(of_position).collect();
    assert_eq!(positions.len(), monomi_search::bench::POSITIONS.len());
    let nodes = positions.iter().map(|line| {
        let before = line.split(" nodes  ").next().unwrap_or_default();
        before.rsplit(' ').next().and_then(|n| n.parse::<u64>().ok()).expect("nodes")
    });
    assert_eq!(nodes.sum::<u64>(), number(&first));
    assert!(first.iter().any(|line| line.starts_with("Nodes/second: ")));
}

#[test]
fn go_prints_lines_and_a_move() {
    let found = lines(&["go", "--depth", "6", "--hash", "16"]);
    assert!(found.iter().any(|line| line.starts_with("info depth 6 ")), "{found:#?}");
    assert!(found.last().is_some_and(|line| line.starts_with("bestmove ")), "{found:#?}");
    let found = lines(&["go", "--nodes", "1000", "--multipv", "2", "--hash", "16", MANY_DROPS]);
    assert!(found.iter().any(|line| line.contains(" multipv 2 ")), "{found:#?}");
    let mated = lines(&["go", "--depth", "3", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"]);
    assert_eq!(mated.last().map(String::as_str), Some("bestmove resign"));
}

#[test]
fn eval_prints_the_evaluation_and_the_pieces() {
    let text = lines(&["eval"]).join("\n");
    assert!(text.contains("Evaluation: network") && text.contains("\nraw "), "{text}");
    let text = lines(&["eval", "--eval-file", "<piece-square>"]).join("\n");
    assert!(
        text.contains("Evaluation: piece-square")
            && text.contains("score 0 (0 centipawns) for Black"),
        "{text}"
    );
    let text = lines(&["eval", MANY_DROPS]).join("\n");
    assert!(text.contains("\nmaterial ") && text.contains(" for White, to move"), "{text}");
}

#[test]
fn errors_have_a_cause_and_an_exit_code() {
    let (code, text) = failure(&["perft", "2", "startpos moves 7g7f 7g7f"]);
    assert!(code == Some(2) && text.contains("move 2, `7g7f`"), "{code:?}: {text}");
    let (code, text) = failure(&["go", "9/9/9 b - 1"]);
    assert!(code == Some(2) && text.contains("3 rows instead of 9"), "{code:?}: {text}");
    assert_eq!(text.matches("3 rows instead of 9").count(), 1, "{text}");
    for arguments in [
        &["perft"][..],
        &["perft", "deep"],
        &["juggle"],
        &["go", "--depth", "0"],
        &["go", "--threads", "0"],
        &["bench", "--hash", "-1"],
    ] {
        let (code, text) = failure(arguments);
        assert!(code == Some(2) && text.contains("--help"), "{arguments:?} {code:?}: {text}");
    }
    // A table that no machine holds.
    let (code, text) = failure(&["go", "--depth", "1", "--hash", "99999999999999"]);
    assert!(code == Some(1) && text.starts_with("monomi: "), "{code:?}: {text}");
}

#[test]
fn help_and_version() {
    assert!(lines(&["--version"])[0].starts_with("monomi "));
    let help = lines(&["--help"]).join("\n");
    for part in ["analyze", "perft", "bench", "eval", "go", "Exit codes"] {
        assert!(help.contains(part), "{part} in {help}");
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = command()
        .args(["perft", "5"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn mate_answers_sfens_and_files() {
    let mate = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
    let none = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
    let folder = Folder::new();
    folder.write("two.sfen", format!("# two problems\n{mate} moves G*5b\n\nsfen {none}\n"));
    let from_file = lines(&["mate", &folder.file("two.sfen")]);
    let quoted = lines(&["mate", mate, none]);
    let words: Vec<&str> =
        ["mate"].into_iter().chain(mate.split(' ')).chain(none.split(' ')).collect();
    for lines in [from_file, quoted, lines(&words)] {
        assert!(lines[0].starts_with("mate in 1: G*5b | "), "{lines:#?}");
        assert!(lines[1].starts_with("no mate | "), "{lines:#?}");
        assert!(lines[2].starts_with("2 problems: 1 mate"), "{lines:#?}");
    }
    let (code, text) = failure(&["mate", "no/such/file"]);
    assert!(code == Some(1) && text.contains("no/such/file: "), "{code:?}: {text}");
    // A bad line is named, and the rest goes on; nothing in it reaches the terminal as it is.
    folder.write("bad.sfen", format!("{mate}\n\u{1b}[31m bad\n{none}\n"));
    let output = monomi(&["mate", &folder.file("bad.sfen")]);
    let [said, text] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert!(said.contains("\n2 problems: 1 mate"), "{said}");
    assert!(text.contains("line 2") && !text.contains('\u{1b}'), "{text}");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(failure(&["mate"]).0, Some(2));
}

#[test]
fn help_has_examples_that_are_understood() {
    help::insist_on_examples(engine());
}

#[test]
fn completions_and_manual_pages_cover_all_commands() {
    let commands = help::commands(engine());
    let top: Vec<&str> =
        commands.iter().filter(|command| command.len() == 1).map(|command| &*command[0]).collect();
    assert!(top.contains(&"analyze") && top.contains(&"records"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = lines(&["completions", shell]).join("\n");
        let options = ["multipv", "eval-file", "positions", "min-count"];
        for word in commands.iter().flatten().map(String::as_str).chain(options) {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    assert_eq!(failure(&["completions", "dos"]).0, Some(2));
    let folder = Folder::new();
    lines(&["man", "--output", &folder.file("man")]);
    for command in &commands {
        let page =
            std::fs::read_to_string(folder.file(&format!("man/monomi-{}.1", command.join("-"))));
        let page = page.expect("a page");
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{page}");
        // As roff has it, hyphens are escaped.
        let mut example = help::examples(engine(), command).remove(0).into_iter();
        assert!(example.all(|word| page.contains(&word.replace('-', "\\-"))), "{page}");
        let words: Vec<&str> =
            ["man"].into_iter().chain(command.iter().map(String::as_str)).collect();
        assert_eq!(lines(&words).join("\n") + "\n", page);
    }
    assert!(lines(&["man"]).join("\n").contains("Exit codes"));
    assert_eq!(failure(&["man", "juggle"]).0, Some(2));
    assert_eq!(failure(&["man", "--output", "/dev/null/pages"]).0, Some(1));
}

/// The same argument is called the same everywhere, and refuses the same.
#[test]
fn all_commands_share_an_argument_style() {
    for (arguments, fails) in [
        (&["go", "--nodes", "200", "--multipv", "2", "--threads", "2", "--hash", "1"][..], false),
        (&["go", "--movetime", "0"], true),
        (
            &[
                "mate",
                "--nodes",
                "100",
                "--movetime",
                "1000",
                "--hash",
                "1",
                "4k4/9/4P4/9/9/9/9/9/9 b G 1",
            ],
            false,
        ),
        (&["bench", "--depth", "1", "--fv-scale", "24"], false),
        (&["eval", "--fv-scale", "0"], true),
        (&["bench", "--depth", "0"], true),
        (&["analyze", "--nodes", "0", "game.kif"], true),
    ] {
        assert_eq!(
            monomi(arguments).status.code(),
            Some(if fails { 2 } else { 0 }),
            "{arguments:?}"
        );
    }
    for command in ["go", "eval", "bench", "analyze"] {
        let (code, text) = match command {
            "analyze" => failure(&[command, "--eval-file", "no/such.bin", "game.kif"]),
            _ => failure(&[command, "--eval-file", "no/such.bin"]),
        };
        assert_eq!(
            (code, text.as_str()),
            (Some(1), "monomi: no/such.bin: there is no such file\n")
        );
    }
}

#[test]
fn a_word_that_is_no_position_is_named() {
    let (code, text) = failure(&["perft", "3", "hello"]);
    assert_eq!(code, Some(2));
    assert_eq!(text, "monomi: expected `startpos` or an sfen, got `hello`\n");
    assert_eq!(failure(&["go", "--hash", "0"]).0, Some(2));
    assert_eq!(failure(&["go", "--multipv", "65535"]).0, Some(2));
}

const DIAGRAM: &str = "\
後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
";

#[test]
fn diagrams_and_games_are_read_from_files() {
    let folder = Folder::new();
    let bod = folder.write("mate.kif", DIAGRAM);
    let csa = folder.write("mate.csa", "V2.2\nP-11OU\nP-21FU\nP+23KI\nP+00KI\n+\n");
    let game = folder.write("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n");
    for file in [&bod, &csa] {
        let solved = lines(&["mate", file]);
        assert!(solved[0].starts_with("mate in 1: "), "{solved:?}");
        assert!(solved[1].starts_with("1 problem: 1 mate"), "{solved:?}");
    }
    let best = lines(&["go", "--depth", "4", &bod]);
    assert_eq!(best.last().map(String::as_str), Some("bestmove G*5b"));
    let after = lines(&["eval", "startpos", "moves", "7g7f", "3c3d"]);
    assert_eq!(lines(&["eval", &game]), after);
    let nothing = folder.write("nothing.txt", "nothing\n");
    assert_eq!(failure(&["eval", &nothing]).0, Some(1));
}

#[test]
fn go_searches_only_some_moves_and_prints_json() {
    let output = lines(&["go", "--depth", "3", "--searchmoves", "9g9f,1g1f", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&output.join("\n")).expect("JSON");
    let best = json["bestmove"].as_str().expect("a move");
    assert!(["9g9f", "1g1f"].contains(&best), "{json}");
    assert_eq!(json["lines"][0]["pv"][0], json["bestmove"]);
    assert_eq!((&json["depth"], json["score"]["cp"].is_i64()), (&3.into(), true), "{json}");
    let (code, text) = failure(&["go", "--searchmoves", "7g7e"]);
    assert!(code == Some(2) && text.contains("7g7e is illegal"), "{text}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_best_move_so_far() {
    let mut child = command()
        .args(["go", "--infinite"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    // The search has begun.
    let mut text = String::new();
    out.read_line(&mut text).expect("a line");
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    out.read_to_string(&mut text).expect("UTF-8");
    assert!(child.wait().expect("it ends").success(), "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{text}");
}

#[test]
fn help_commands_have_no_manual_pages() {
    let folder = Folder::new();
    lines(&["man", "--output", &folder.file("man")]);
    for entry in std::fs::read_dir(folder.file("man")).expect("the folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(!name.contains("help"), "{name}");
    }
}

#[test]
fn every_error_begins_with_the_program_name() {
    for lang in ["en", "ja"] {
        for (arguments, code) in [
            (&["bogus"][..], 2),
            (&["go", "--nodes", "many"], 2),
            (&["go", "--bogus"], 2),
            (&["go", "nofile.kif"], 1),
            (&["eval", "games/nofile.csa"], 1),
            (&["go", "bogus"], 2),
            (&["mate", "nofile.kif"], 1),
        ] {
            let words: Vec<&str> = arguments.iter().copied().chain(["--lang", lang]).collect();
            let (exit, text) = failure(&words);
            assert_eq!(exit, Some(code), "{words:?}: {text}");
            assert!(text.starts_with("monomi: ") && !text.contains("error:"), "{words:?}: {text}");
            let file = arguments[1..].iter().find(|word| word.contains("nofile"));
            assert!(file.is_none_or(|file| text.contains(&format!("{file}: "))), "{text}");
        }
    }
}
