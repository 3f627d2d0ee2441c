//! Games of a thousand plies, and records that contain control characters.

use monomi_analysis::output::{CommentStyle, csa, kif};
use monomi_analysis::{AnalyzedGame, WinScale};
use monomi_record::{Encoding, Record};
use shogi_kifu_converter::converter::{ToKi2, ToKif};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tests::analysis::{analyze, code, stderr};
use tests::games::long_game;
use tests::program::engine;

fn folder(name: &str) -> PathBuf {
    tests::analysis::folder(env!("CARGO_TARGET_TMPDIR"), name)
}

fn one(bytes: &[u8]) -> Record {
    let mut records = monomi_record::read(bytes).expect("a record").records;
    assert_eq!(records.len(), 1);
    let record = records.remove(0);
    assert!(record.faults.is_empty(), "{}", record.faults[0]);
    record
}

#[test]
fn a_game_of_a_thousand_plies_survives_every_format() {
    let moves = long_game(1_050);
    let usi = format!("startpos moves {}\n", moves.join(" "));
    let record = one(usi.as_bytes());
    assert_eq!(record.moves.len(), moves.len());
    let game = AnalyzedGame::new("long", &record, &[], WinScale::default());
    let texts = [
        ("kif", kif(&game, CommentStyle::Shogihome, Encoding::Utf8)),
        ("csa", csa(&game, CommentStyle::Shogihome)),
    ];
    for (format, text) in texts {
        let read = one(text.as_bytes());
        let found: Vec<String> = read.moves.iter().map(|played| played.mv.to_string()).collect();
        assert_eq!(found, moves, "{format}");
    }
}

/// KI2 and JKF, which Monomi does not write, as another library writes them.
#[test]
fn records_of_a_thousand_plies_by_another_program_are_read() {
    let moves = long_game(1_050);
    let usi = format!("startpos moves {}\n", moves.join(" "));
    let record = one(usi.as_bytes());
    let game = AnalyzedGame::new("long", &record, &[], WinScale::default());
    let text = csa(&game, CommentStyle::Shogihome);
    let lines: Vec<&str> =
        text.lines().filter(|line| line.len() == 7 && line.starts_with(['+', '-'])).collect();
    let text = format!("V2.2\nPI\n+\n{}\n%TORYO\n", lines.join("\n"));
    let other = shogi_kifu_converter::parser::parse_csa_str(&text).expect("CSA for others");
    let texts = [
        ("ki2", other.to_ki2_owned()),
        ("kif", other.to_kif_owned()),
        ("jkf", serde_json::to_string(&other).unwrap()),
    ];
    for (format, text) in texts {
        let read = one(text.as_bytes());
        let found: Vec<String> = read.moves.iter().map(|played| played.mv.to_string()).collect();
        assert_eq!(found, moves, "{format}");
    }
}

#[test]
fn a_game_of_a_thousand_plies_is_analysed_into_every_format() {
    let folder = folder("long");
    let game = folder.join("long.usi");
    let moves = long_game(1_010);
    std::fs::write(&game, format!("startpos moves {}\n", moves.join(" "))).unwrap();
    let (game, out) = (game.display().to_string(), folder.display().to_string());
    let formats = "kif,kifu,csa,csv,html,svg,jsonl";
    let output = analyze(&["-q", "--nodes", "10", "-f", formats, "-o", &out, &game]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let written = |extension: &str| {
        let path = folder.join(format!("long.monomi.{extension}"));
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    assert_eq!(String::from_utf8(written("jsonl")).unwrap().lines().count(), moves.len() + 1);
    assert_eq!(one(&written("kifu")).moves.len(), moves.len());
    assert_eq!(one(&written("csa")).moves.len(), moves.len());
    assert!(written("html").len() > 100_000);
    for command in
        [&["book", "build", "--plies", "2000", "-o"][..], &["eval"], &["go", "--depth", "2"]]
    {
        let book = folder.join("long.db").display().to_string();
        let mut arguments = command.to_vec();
        if command.last() == Some(&"-o") {
            arguments.push(&book);
        }
        arguments.push(&game);
        let output = Command::new(engine()).args(&arguments).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    }
}

/// Escape sequences could change the terminal's title, colours or contents.
#[test]
fn control_characters_in_records_do_not_reach_the_terminal() {
    let folder = folder("controls");
    let nasty = "\u{1b}[31mEvil\u{7}\u{9b}2J\u{7f}\u{90}";
    let kif = format!(
        "先手：{nasty}\n後手：B{nasty}\n棋戦：{nasty}\n*{nasty}\n\
         1 ７六歩(77)\n*{nasty}\n2 ３四歩(33)\n3 投了\n"
    );
    let csa = format!("V2.2\nN+{nasty}\nN-x\n$EVENT:{nasty}\nPI\n+\n'*{nasty}\n+7776FU\n%TORYO\n");
    let escaped: String = nasty.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    let jkf = format!(
        "{{\"header\":{{\"先手\":\"{escaped}\"}},\"moves\":[{{\"comments\":[\"{escaped}\"]}},\
         {{\"move\":{{\"from\":{{\"x\":7,\"y\":7}},\"to\":{{\"x\":7,\"y\":6}},\"piece\":\"FU\"}}}},\
         {{\"special\":\"TORYO\"}}]}}"
    );
    for (name, text) in [("a.kif", kif), ("b.csa", csa), ("c.jkf", jkf)] {
        let record = one(text.as_bytes());
        assert!(record.players()[0].contains("Evil"), "{name}: {record:?}");
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        for format in ["kif", "kifu", "csa", "csv", "jsonl"] {
            let output = analyze(&["--nodes", "10", "-o", "-", "-f", format, &path]);
            assert_no_controls(&output.stdout, name, format);
            assert_no_controls(&output.stderr, name, format);
        }
        let output = analyze(&["--nodes", "10", &path]);
        assert_no_controls(&output.stdout, name, "summary");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(name == "c.jkf" || shown.contains("Evil"), "{name}: {shown}");
        for command in ["go --nodes 10", "eval", "mate --nodes 10"] {
            let words: Vec<&str> = command.split(' ').chain([path.as_str()]).collect();
            let output = Command::new(engine()).args(words).stdin(Stdio::null()).output().unwrap();
            assert_no_controls(&output.stdout, name, command);
            assert_no_controls(&output.stderr, name, command);
        }
    }
}

fn assert_no_controls(bytes: &[u8], name: &str, what: &str) {
    let text = String::from_utf8_lossy(bytes);
    let bad = text.chars().find(|&c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'));
    assert_eq!(bad, None, "{name}, {what}: {text}");
}
