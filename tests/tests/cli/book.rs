//! `monomi book`: books from games, merged, checked and shown.

use std::process::{Output, Stdio};
use tests::folder::Folder;
use tests::program::command;
use tests::usi_client::UsiClient;

fn monomi(arguments: &[&str]) -> Output {
    let output = command().args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

fn code_and_text(arguments: &[&str]) -> (Option<i32>, String) {
    let output = monomi(arguments);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("UTF-8"))
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Three games: black wins, white wins, and a draw.
const GAMES: [(&str, &str); 3] = [
    ("a.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n"),
    ("b.csa", "V2.2\nPI\n+\n+7776FU\n-8384FU\n+2726FU\n-8485FU\n%TORYO\n"),
    ("c.csa", "V2.2\nPI\n+\n+2726FU\n-3334FU\n+7776FU\n%HIKIWAKE\n"),
];

#[test]
fn a_book_of_games_has_counts_replies_and_results() {
    let folder = Folder::new();
    for (name, text) in GAMES {
        folder.write(name, text);
    }
    let records = folder.path().display().to_string();
    let book = folder.file("book.db");
    let (code, text) = code_and_text(&["book", "build", "-o", &book, &records]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text, "3 games: 7 positions, 9 moves\n");
    let written = std::fs::read_to_string(&book).expect("the book");
    assert!(written.starts_with("#YANEURAOU-DB2016 1.00\n"), "{written}");
    let block: Vec<&str> = written
        .split("sfen ")
        .find_map(|block| block.strip_prefix(START))
        .expect("the start position")
        .trim()
        .lines()
        .collect();
    // 7g7f: once won, once lost, each reply once.
    assert!(block[0].starts_with("7g7f ") && block[0].ends_with(" 0 0 2"), "{block:?}");
    assert_eq!(block[1], "# won drawn lost: 1 0 1");
    assert_eq!(block[2..], ["2g2f 3c3d 0 0 1", "# won drawn lost: 0 1 0"]);
    let (code, text) = code_and_text(&["book", "check", &book]);
    assert!(code == Some(0) && text.contains("0 faults") && text.contains("\nsorted"), "{text}");
    let (_, text) = code_and_text(&["book", "show", &book, "startpos"]);
    let shown: Vec<&str> = text.lines().collect();
    assert!(
        shown[0].starts_with("7g7f")
            && shown[0].contains(" count      2  won 1 drawn 0 lost 1 (50 %)"),
        "{text}"
    );
    assert!(
        shown[1].starts_with("2g2f") && shown[1].ends_with("won 0 drawn 1 lost 0 (50 %)"),
        "{text}"
    );
    // Results are also shown from a book that is read into memory, and only where there are any.
    let unsorted = format!(
        "sfen {START}\n2g2f none 0 0 3\n# won drawn lost: 2 0 1\n7g7f none 0 0 1\n\
         sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h none 0 0 1\n"
    );
    let unsorted = folder.write("unsorted.db", unsorted);
    let (_, text) = code_and_text(&["book", "show", &unsorted]);
    let shown: Vec<&str> = text.lines().collect();
    assert!(
        shown[0].starts_with("2g2f") && shown[0].ends_with("won 2 drawn 0 lost 1 (67 %)"),
        "{text}"
    );
    assert!(shown[1].starts_with("7g7f") && shown[1].ends_with("count      1"), "{text}");
    // Less of it.
    let (code, text) = code_and_text(&[
        "book",
        "build",
        "--plies",
        "1",
        "--min-count",
        "2",
        "-o",
        &book,
        &records,
    ]);
    assert!(code == Some(0) && text.contains("3 games: 1 position, 1 move"), "{text}");
    let (_, text) =
        code_and_text(&["book", "build", "--not-lost", "--plies", "2", "-o", &book, &records]);
    assert!(text.contains("3 games: 3 positions, 4 moves"), "{text}");
    let (_, _) = code_and_text(&["book", "build", "--score-by-results", "-o", &book, &records]);
    let (_, text) = code_and_text(&["book", "show", &book, "startpos moves 7g7f"]);
    // Won once: odds of two to one.
    assert!(text.contains("8c8d   2g2f   eval    416"), "{text}");
}

/// Only floodgate's comments have ratings.
#[test]
fn moves_of_weaker_players_can_be_left_out() {
    let folder = Folder::new();
    let rates = "'black_rate:a+1f:4000.4\n'white_rate:b:x+2e:3999.6\n";
    folder.write("a.csa", format!("V2.2\nPI\n+\n{rates}+7776FU\n-3334FU\n+2726FU\n%TORYO\n"));
    folder.write("b.csa", "V2.2\nPI\n+\n+5756FU\n-3334FU\n%TORYO\n");
    let (records, book) = (folder.path().display().to_string(), folder.file("book.db"));
    for (least, size) in [
        ("4000", "2 games: 3 positions, 3 moves\n"),
        ("4001", "2 games: 0 positions, 0 moves\n"),
        ("-5", "2 games: 3 positions, 3 moves\n"),
    ] {
        let text = code_and_text(&["book", "build", "--min-rating", least, "-o", &book, &records]);
        assert_eq!(text, (Some(0), size.to_owned()), "{least}");
    }
    let strong = "'black_rate:a:3000.0\n'white_rate:b:3500.0\n";
    folder.write("a.csa", format!("V2.2\nPI\n+\n{strong}+7776FU\n-3334FU\n+2726FU\n%TORYO\n"));
    let text = code_and_text(&["book", "build", "--min-rating", "3500", "-o", &book, &records]).1;
    assert_eq!(text, "2 games: 1 position, 1 move\n");
    assert!(code_and_text(&["book", "show", &book, "startpos moves 7g7f"]).1.starts_with("3c3d"));
}

#[test]
fn merging_adds_counts_and_keeps_the_deeper_value() {
    let folder = Folder::new();
    let a = folder.write(
        "a.db",
        format!(
            "#YANEURAOU-DB2016 1.00\nsfen {START}\n7g7f 3c3d 10 8 3\n# won drawn lost: 2 0 1\n"
        ),
    );
    let b = folder.write(
        "b.db",
        format!("sfen {START}\n7g7f 8c8d 30 20 4\n# won drawn lost: 1 1 2\n2g2f none 25 18 1\n"),
    );
    let out = folder.file("out.db");
    let (code, text) = code_and_text(&["book", "merge", "-o", &out, &a, &b]);
    assert_eq!((code, text.as_str()), (Some(0), "2 books: 1 position, 2 moves\n"));
    let written = std::fs::read_to_string(&out).expect("the book");
    let expected = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {START}\n7g7f 8c8d 30 20 7\n# won drawn lost: 3 1 3\n\
         2g2f none 25 18 1\n"
    );
    assert_eq!(written, expected);
    // Merged with itself alone it is itself, and it may be written over.
    assert_eq!(code_and_text(&["book", "merge", "-o", &out, &out]).0, Some(0));
    assert_eq!(std::fs::read_to_string(&out).expect("the book"), expected);
}

#[test]
fn book_check_reports_errors() {
    let folder = Folder::new();
    let bad = folder.write(
        "bad.db",
        format!(
            "sfen {START}\n7g7e none 0 0 1\n7g7f 7g7f 0 0 1\nhello\nsfen 9/9 b - 1\n7g7f\n\
             sfen {START}\n2g2f none 0 0 1\n"
        ),
    );
    let (code, text) = code_and_text(&["book", "check", &bad]);
    assert_eq!(code, Some(3), "{text}");
    for part in [
        "line 2, `7g7e none 0 0 1`: 7g7e is illegal",
        "line 3, `7g7f 7g7f 0 0 1`: the reply 7g7f is illegal",
        "line 4, `hello`",
        "line 5, `sfen 9/9 b - 1`",
        "4 faults, 1 position twice",
        "not sorted (line 5)",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let out = folder.file("out.db");
    let (code, text) = code_and_text(&["book", "merge", "-o", &out, &bad]);
    assert!(code == Some(3) && text.contains("line 4, `hello`"), "{text}");
    for arguments in [
        &["book", "check", "no/such.db"][..],
        &["book", "merge", "-o", &out, "x.bin"],
        &["book", "build", "-o", &out, "no/such.kif"],
        &["book", "build", "-o", "/no/such/folder/x.db", &bad],
    ] {
        assert_eq!(code_and_text(arguments).0, Some(1), "{arguments:?}");
    }
}

/// With default options; a move played once in twenty games was once chosen as often as the usual one.
#[test]
fn a_built_book_is_played_by_its_counts() {
    let folder = Folder::new();
    for number in 0..20 {
        let first = if number == 0 { "+7978GI" } else { "+7776FU" };
        folder.write(&format!("{number}.csa"), format!("V2.2\nPI\n+\n{first}\n-3334FU\n%TORYO\n"));
    }
    let book = folder.file("games.db");
    let records = folder.path().display().to_string();
    let (code, text) = code_and_text(&["book", "build", "-o", &book, &records]);
    assert_eq!((code, text.as_str()), (Some(0), "20 games: 3 positions, 4 moves\n"));
    let mut client = UsiClient::ready_with(&[("BookFile", &book)]);
    let mut rare = 0;
    for _ in 0..100 {
        client.send("position startpos");
        client.send("go btime 600000 wtime 600000");
        let answer = client.collect("bestmove").pop().expect("an answer");
        rare += usize::from(answer.contains("7i7h"));
        assert!(answer.contains("7g7f") || answer.contains("7i7h"), "{answer}");
    }
    client.quit();
    // 5 expected; 20 and more have a probability of less than one in a million.
    assert!(rare < 20, "{rare} of 100");
}
