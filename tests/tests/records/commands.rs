//! Records, lists and books of other programs as the commands see them.

use std::process::Stdio;
use tests::folder::Folder;
use tests::program::command;
use tests::usi_client::UsiClient;

fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let output = command().args(arguments).stdin(Stdio::null()).output().expect("the engine runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const PROBLEM: &str = "4k4/9/4P4/9/9/9/9/9/9 b G 1";

#[test]
fn mate_solves_the_start_of_a_record() {
    let folder = Folder::new();
    let board = "後手の持駒：飛二　角二\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
        | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
        | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
        | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n";
    let kif = format!("手合割：詰将棋\n{board}手数----指手--\n1 ５二金打\n2 詰み\n");
    for (name, text) in [
        ("a.kif", kif.clone()),
        ("b.ki2", format!("{board}▲５二金まで1手詰\n")),
        ("c.csa", "P-51OU\nP+53FU00KI\nP-00AL\n+\n+0052KI\n%TSUMI\n".to_owned()),
        ("d.usi", format!("position sfen {PROBLEM} moves G*5b resign\n")),
    ] {
        let file = folder.write(name, text);
        let (code, text) = run(&["mate", &file]);
        assert!(text.contains("mate in 1: G*5b") && code == Some(0), "{name}: {text}");
        let (code, text) = run(&["mate", "--at", "0", &file]);
        assert!(text.contains("mate in 1: G*5b") && code == Some(0), "{name}: {text}");
        for at in ["1", "last"] {
            let (code, text) = run(&["mate", "--at", at, &file]);
            assert!(text.contains("no mate") && code == Some(0), "{name} at {at}: {text}");
        }
        let (code, text) = run(&["mate", "--at", "2", &file]);
        assert!(text.contains("1 move") && code == Some(3), "{name}: {text}");
        for words in [&["go", "--depth", "1"][..], &["eval"]] {
            let (code, text) = run(&[words, &[file.as_str()]].concat());
            assert_eq!(code, Some(0), "{name}: {text}");
        }
    }
    // Every record of a file; a fault of a solution is named.
    let file = folder.write("two.kif", format!("{kif}\n{kif}"));
    let (code, text) = run(&["mate", &file]);
    assert!(text.contains("2 problems: 2 mates") && code == Some(0), "{text}");
    let file = folder.write("bad.kif", kif.replace("５二金打", "９九金(11)"));
    let (code, text) = run(&["mate", &file]);
    assert!(text.contains("mate in 1: G*5b") && text.contains("move 1"), "{text}");
    assert_eq!(code, Some(3), "{text}");
    // A record without a valid start is one message, not one for each line.
    let file = folder.write("no.kif", "手合割：詰将棋\n手数----指手--\n1 ５二金打\n");
    let (code, text) = run(&["mate", &file]);
    assert_eq!((code, text.matches("monomi:").count()), (Some(3), 1), "{text}");
}

#[test]
fn lists_in_utf_16_are_read() {
    let folder = Folder::new();
    let text = format!("{PROBLEM}\r\n8k/9/7P1/7G1/9/9/9/9/9 b G 1\r\n");
    for (name, mark) in [("marked", "\u{FEFF}"), ("unmarked", "")] {
        let text = format!("{mark}{text}");
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [little, big, text.into_bytes()] {
            let file = folder.write(name, bytes);
            let (code, text) = run(&["mate", &file]);
            assert!(text.contains("2 problems: 2 mates") && code == Some(0), "{name}: {text}");
            let list = ["analyze", "--positions", "--nodes", "10", "-q", "-o", "-", &file];
            let (code, text) = run(&list);
            assert!(text.lines().count() == 2 && code == Some(0), "{name}: {text}");
        }
    }
}

#[test]
fn lists_may_have_passes() {
    let folder = Folder::new();
    let file = folder.write("list.sfen", "startpos moves 7g7f pass 2g2f\nstartpos moves null\n");
    let (code, text) = run(&["analyze", "--positions", "--nodes", "1", "-q", "-o", "-", &file]);
    assert!(text.lines().count() == 2 && code == Some(0), "{text}");
    assert!(text.contains("/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w"), "{text}");
    let check = "4k4/9/4G4/9/9/9/9/9/4K4 b - 1 moves 5c5b pass\n";
    let file = folder.write("check.sfen", format!("startpos\n{check}"));
    let (code, text) = run(&["analyze", "--positions", "--nodes", "1", "-q", "-o", "-", &file]);
    assert!(text.contains("line 2") && text.contains("in check") && code == Some(3), "{text}");
    // A game has none.
    let file = folder.write("game.usi", "startpos moves 7g7f pass 2g2f\n");
    let (code, text) = run(&["analyze", "--nodes", "1", "-q", &file]);
    assert!(text.contains("move 2, `pass`: a pass") && code == Some(3), "{text}");
}

#[test]
fn fouls_name_the_side_in_csa() {
    let folder = Folder::new();
    for (moves, word) in [("+7776FU\n", "-"), ("+7776FU\n", "+"), ("+7776FU\n-3334FU\n", "+")] {
        let text = format!("PI\n+\n{moves}%{word}ILLEGAL_ACTION\n");
        let file = folder.write("a.csa", text);
        let kif = ["analyze", "--nodes", "1", "-q", "-o", "-", "-f", "kifu", &file];
        let (code, text) = run(&kif);
        let foul =
            if moves.contains('-') == (word == "+") { "反則負け" } else { "反則勝ち" };
        assert!(text.contains(foul) && code == Some(0), "{text}");
        let file = folder.write("a.kif", text);
        let (_, text) = run(&["analyze", "--nodes", "1", "-q", "-o", "-", "-f", "csa", &file]);
        assert!(text.contains(&format!("\n%{word}ILLEGAL_ACTION\n")), "{text}");
    }
}

#[test]
fn a_leading_position_is_accepted() {
    let folder = Folder::new();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let none = format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n7g7f 3c3d none none 12\n");
    let book = folder.write("none.db", none + "2g2f 8c8d None none 30\n");
    for words in [&["go", "--depth", "1"][..], &["eval"], &["perft", "1"], &["book", "show", &book]]
    {
        let of = |position: &[&str]| run(&[words, position].concat());
        let (code, plain) = of(&["startpos", "moves", "7g7f"]);
        assert_eq!(code, Some(0), "{plain}");
        for position in [
            &["position", "startpos", "moves", "7g7f"][..],
            &["position startpos moves 7g7f"],
            &["position", "sfen", start, "moves", "7g7f"],
        ] {
            let (code, text) = of(position);
            assert_eq!(code, Some(0), "{text}");
            if words != ["go", "--depth", "1"] && words[0] != "perft" {
                assert_eq!(text, plain);
            }
        }
    }
    let (_, text) = run(&["book", "show", &book, "position", "startpos"]);
    assert!(text.contains("count     12") && text.contains("count     30"), "{text}");
    assert_eq!(run(&["book", "check", &book]).0, Some(0));
    let mate =
        ["mate", "position", "sfen", "4k4/9/4P4/9/9/9/9/9/9", "b", "G", "1", "moves", "G*5b"];
    let (code, text) = run(&mate);
    assert!(text.contains("1 problem: 1 mate") && code == Some(0), "{text}");
}

#[test]
fn control_characters_of_a_book_do_not_reach_the_gui() {
    let folder = Folder::new();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for bad in [
        "\u{1b}]0;x\u{7}y 3c3d 0 0 1",
        "7g7f \u{1b}[31m 0 0 1",
        "7g7f 3c3d \u{1b}c 0 1",
        "\0\0\0",
        "sfen \u{1b}[2J b - 1",
    ] {
        for good in ["2g2f 8c8d 0 0 1\n", ""] {
            let text = format!("#YANEURAOU-DB2016 1.00\n{start}\n{good}{bad}\n");
            let book = folder.write("bad.db", text);
            let mut usi = UsiClient::start();
            usi.send(&format!("setoption name BookFile value {book}"));
            usi.send("isready");
            let lines = usi.collect("readyok");
            assert!(lines.iter().any(|line| line.contains("Error")), "{lines:?}");
            let clean = |line: &String| !line.contains(char::is_control);
            assert!(lines.iter().all(clean), "{lines:?}");
        }
    }
}
