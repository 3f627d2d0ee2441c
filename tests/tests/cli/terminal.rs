//! The program on a terminal: in a pseudo terminal of 80 columns, by util-linux's `script`.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use tests::folder::Folder;
use tests::program::engine;
use unicode_width::UnicodeWidthStr as _;

/// Columns of the terminal.
const COLUMNS: usize = 80;

/// Starts the engine with these arguments, which must not contain quotes; `None` without `script`.
fn start(arguments: &str) -> Option<Child> {
    if !Command::new("script").arg("--version").output().is_ok_and(|out| out.status.success()) {
        tests::report("skipped: no `script` here");
        return None;
    }
    let line = format!("stty cols {COLUMNS} rows 24; exec '{}' {arguments}", engine().display());
    let child = Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env("LC_ALL", "C")
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    Some(child.expect("`script` starts"))
}

/// What the terminal got, and whether the engine succeeded.
fn finish(mut child: Child) -> (String, bool) {
    let mut text = Vec::new();
    child.stdout.take().expect("its output").read_to_end(&mut text).expect("the output ends");
    let success = child.wait().expect("it ends").success();
    (String::from_utf8(text).expect("UTF-8"), success)
}

fn run(arguments: &str) -> Option<(String, bool)> {
    start(arguments).map(finish)
}

/// The lines as they were drawn, without escape sequences: also those that were drawn over.
fn drawn(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            // ESC [ numbers letter
            let _ = chars.by_ref().find(char::is_ascii_alphabetic);
            continue;
        }
        plain.push(c);
    }
    plain.split(['\r', '\n']).map(ToOwned::to_owned).filter(|line| !line.is_empty()).collect()
}

#[test]
fn go_shows_one_line_and_then_the_result() {
    for (lang, parts) in [
        ("en", ["depth ", "Best move: ", " nodes/s)"]),
        ("ja", ["深さ ", "最善手: ▲", " ノード）"]),
    ] {
        let Some((text, success)) = run(&format!("--lang {lang} go --movetime 600 --hash 16"))
        else {
            return;
        };
        assert!(success, "{text}");
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        assert!(!text.contains("info depth"), "{text}");
        let lines = drawn(&text);
        let last = lines.last().expect("a line");
        assert!(last.starts_with(parts[1]), "{last}");
        // All that is redrawn fits the terminal; the final lines are whole and may be longer.
        let live = &lines[..lines.len() - 2];
        assert!(live.iter().all(|line| line.width() <= COLUMNS), "{live:#?}");
    }
}

#[test]
fn moves_are_written_as_the_language_or_the_option_says() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    for (options, mv) in [
        ("--lang en go", "Best move: G*5b "),
        ("--lang ja go", "最善手: ▲５二金（"),
        ("--lang en go --notation japanese", "Best move: ▲５二金 "),
        ("--lang ja go --notation western", "最善手: G*5b（"),
    ] {
        let Some((text, success)) = run(&format!("{options} --depth 3 --hash 16 {sfen}")) else {
            return;
        };
        assert!(success && text.contains(mv), "{options}: {text}");
    }
    for (notation, mv) in [("western", "P-7f"), ("usi", "7g7f")] {
        let search = "--depth 3 --hash 16 --searchmoves 7g7f";
        let Some((text, _)) = run(&format!("--lang en go --notation {notation} {search}")) else {
            return;
        };
        assert!(text.contains(&format!("Best move: {mv} ")), "{text}");
    }
}

#[test]
fn usi_lines_are_printed_on_request() {
    let Some((text, success)) = run("go --usi --depth 4 --hash 16") else { return };
    assert!(success && text.contains("info depth 4 ") && text.contains("bestmove "), "{text}");
}

#[test]
fn ctrl_c_in_a_terminal_prints_the_best_move() {
    let Some(mut child) = start("go --infinite --hash 16") else { return };
    let mut keys = child.stdin.take().expect("its input");
    let mut out = child.stdout.take().expect("its output");
    // The search has begun when something is drawn.
    let mut text = vec![0; 1];
    out.read_exact(&mut text).expect("a first character");
    keys.write_all(b"\x03").expect("a key");
    out.read_to_end(&mut text).expect("the output ends");
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(child.wait().expect("it ends").success(), "{text}");
    assert!(text.contains("Best move: "), "{text}");
}

#[test]
fn progress_of_an_analysis_fits_the_terminal() {
    let folder = Folder::new();
    let long = "a_game_with_a_very_long_name_".repeat(5);
    let game = folder.write(
        &format!("{long}.csa"),
        "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n+2625FU\n-8485FU\n%TORYO\n",
    );
    for lang in ["en", "ja"] {
        let Some((text, success)) = run(&format!("--lang {lang} analyze --nodes 60000 {game}"))
        else {
            return;
        };
        assert!(success, "{text}");
        let lines = drawn(&text);
        let bars: Vec<&String> = lines.iter().filter(|line| line.contains(['░', '█'])).collect();
        assert!(!bars.is_empty(), "{text}");
        assert!(bars.iter().all(|line| !line.contains(" 0 ")), "{bars:#?}");
        assert!(bars.iter().all(|line| line.width() <= COLUMNS), "{bars:#?}");
    }
}

#[test]
fn kif_on_a_terminal_is_utf8() {
    let folder = Folder::new();
    let game = folder.write("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n");
    let arguments = format!("analyze -q --nodes 100 -o - -f kif {game}");
    let Some((text, success)) = run(&arguments) else { return };
    assert!(success && text.contains("７六歩"), "{text}");
    // Shift_JIS elsewhere.
    let words: Vec<&str> = arguments.split(' ').collect();
    let piped = tests::program::command().args(words).output().expect("the engine runs").stdout;
    assert!(String::from_utf8(piped.clone()).is_err());
    assert!(encoding_rs::SHIFT_JIS.decode(&piped).0.contains("７六歩"));
}

#[test]
fn help_is_wrapped_to_the_terminal() {
    for lang in ["en", "ja"] {
        let Some((text, _)) = run(&format!("--lang {lang} go --help")) else { return };
        let lines = drawn(&text);
        let end = lines.iter().position(|line| line.contains("--help")).expect("the last option");
        assert!(lines[..end].iter().all(|line| line.width() <= COLUMNS), "{lines:#?}");
    }
}
