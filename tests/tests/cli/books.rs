//! `monomi book convert`, `minimax`, `leaves`, `add`, `diff` and `mine`: good runs, what is said of damaged
//! input, and what remains of the output then.

use serde_json::{Value, json};
use std::process::Stdio;
use tests::folder::Folder;
use tests::program::command;

/// Exit code, output and errors.
fn book(lang: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = command();
    let output =
        command.args(["--lang", lang, "book"]).args(arguments).stdin(Stdio::null()).output();
    let output = output.expect("the engine runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The output of a run without errors.
fn good(arguments: &[&str]) -> String {
    let (code, text, errors) = book("en", arguments);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}: {text}");
    text
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const AFTER_7G7F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
const AFTER_2G2F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2";

/// The initial position and the one after 7g7f.
fn small_book() -> String {
    format!(
        "#YANEURAOU-DB2016 1.00\nsfen {START}\n2g2f none 20 8 1\n7g7f none 50 8 1\nsfen {AFTER_7G7F}\n\
         3c3d none -10 9 1\n8c8d none -30 9 1\n"
    )
}

#[test]
fn books_are_converted_and_back() {
    let folder = Folder::new();
    let db = folder.write("a.db", small_book());
    let (ybb, back) = (folder.file("a.ybb"), folder.file("back.db"));
    assert_eq!(good(&["convert", &db, "-o", &ybb]), "2 positions, 4 moves\n");
    assert_eq!(good(&["convert", &ybb, "-o", &back]), "2 positions, 4 moves\n");
    let show = |book: &str| good(&["show", book, "startpos"]);
    assert_eq!(show(&back), show(&db));
    assert_eq!(show(&ybb), show(&db));
    let twice = good(&["convert", &db, &ybb, "-o", &back]);
    assert_eq!(twice, "2 positions, 4 moves\n2 positions merged\n");
    let (code, text, errors) = book("ja", &["convert", &db, &ybb, "-o", &back]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert_eq!(text, "2 局面、4 手\n2 局面を併合しました\n");
    // A number that the format does not have.
    let far = folder.write("far.db", format!("sfen {START}\n7g7f none 40000 8 1\n"));
    let (code, text, errors) = book("en", &["convert", &far, "-o", &ybb]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(text.contains("1 move has numbers that the format does not"), "{text}");
}

/// ShogiGUI's books are only read, and only by `convert`.
#[test]
fn books_of_shogigui_are_converted() {
    let folder = Folder::new();
    // A state with the move 7g7f, played three times.
    let sbk = folder.write("a.sbk", [0x1a, 8, 0x4a, 6, 0x08, 0x77, 0x18, 3, 0x20, 1].as_slice());
    let db = folder.file("a.db");
    let (code, _, errors) = book("en", &["convert", &sbk, "-o", &db]);
    assert!(
        code == Some(3) && errors.contains("state 1: 0x00000077 is not a legal move"),
        "{errors}"
    );
    let word = [0x1a, 10, 0x4a, 8, 0x08, 0xf7, 0xec, 0x01, 0x18, 3, 0x20, 1];
    let sbk = folder.write("a.sbk", word.as_slice());
    assert_eq!(good(&["convert", &sbk, "-o", &db]), "1 position, 1 move\n");
    assert!(
        good(&["show", &db]).starts_with("7g7f") && good(&["show", &db]).contains("count      3")
    );
    // Players of Japanese read moves in Japanese.
    assert!(book("ja", &["show", &db]).1.starts_with("▲７六歩"));
    let cut = folder.write("cut.sbk", &word[..9]);
    for (lang, read, write) in [
        ("en", "truncated, or not a book of ShogiGUI", "books of ShogiGUI are only read"),
        ("ja", "ShogiGUI の定跡ではありません", "読み込み専用"),
    ] {
        let (code, _, errors) = book(lang, &["convert", &cut, "-o", &db]);
        assert!(code == Some(1) && errors.contains(read), "{errors}");
        for command in ["convert", "minimax"] {
            let (code, _, errors) = book(lang, &[command, &db, "-o", &sbk]);
            assert!(code == Some(1) && errors.contains(write), "{errors}");
        }
        let (code, _, errors) = book(lang, &["show", &sbk]);
        assert!(code == Some(1) && errors.contains("monomi book convert"), "{errors}");
    }
}

#[test]
fn what_is_wrong_is_named_and_the_old_book_stays() {
    let folder = Folder::new();
    let good_book = folder.write("good.db", small_book());
    let whole = folder.file("whole.ybb");
    good(&["convert", &good_book, "-o", &whole]);
    let bytes = std::fs::read(&whole).expect("the book");
    let cut = folder.write("cut.ybb", &bytes[..60]);
    let other = folder.write("other.ybb", b"something else that is long enough".as_slice());
    let (empty, missing) = (folder.write("empty.ybb", b"".as_slice()), folder.file("missing.db"));
    let results = folder.write("results.jsonl", "");
    for (input, english, japanese) in [
        (&cut, "the file is truncated: 60 bytes of at least 120", "途中で切れています"),
        (&other, "it does not begin with YANE-BINBOOK-V1", "先頭が YANE-BINBOOK-V1 では"),
        (&empty, "it does not begin with YANE-BINBOOK-V1", "先頭が YANE-BINBOOK-V1 では"),
        (&missing, "missing.db: No such file", "missing.db: そのような"),
    ] {
        for arguments in [
            &["convert", input, "-o", "OUT"][..],
            &["minimax", input, "-o", "OUT"],
            &["add", input, &results, "-o", "OUT"],
            &["diff", input, "OUT"],
            &["mine", input, "--positions", "1", "--nodes", "10", "-q"],
        ] {
            // Without a book `add` and `mine` begin one.
            if input == &missing && ["add", "mine"].contains(&arguments[0]) {
                continue;
            }
            for (lang, part) in [("en", english), ("ja", japanese)] {
                let out = folder.write("out.ybb", &bytes);
                let arguments: Vec<&str> =
                    arguments.iter().map(|&word| if word == "OUT" { &out } else { word }).collect();
                let before = std::fs::read(input).ok();
                let (code, text, errors) = book(lang, &arguments);
                assert_eq!((code, text.as_str()), (Some(1), ""), "{arguments:?}: {errors}");
                assert!(errors.contains(part), "{arguments:?}: {errors}");
                assert!(std::fs::read(&out).is_ok_and(|now| now == bytes), "{arguments:?}");
                assert_eq!(std::fs::read(input).ok(), before, "{arguments:?}");
            }
        }
    }
    // The names in the folder are those that were written here.
    let names = std::fs::read_dir(folder.path()).expect("the folder");
    let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let expected =
        ["cut.ybb", "empty.ybb", "good.db", "other.ybb", "out.ybb", "results.jsonl", "whole.ybb"];
    assert_eq!(names, expected);
}

#[test]
fn invalid_lines_are_named_and_the_rest_is_used() {
    let folder = Folder::new();
    let text = small_book().replace("2g2f none 20 8 1", "2g2f none twenty 8 1");
    let faulty = folder.write("faulty.db", format!("{text}sfen 9/9 b - 1\n7g7f none 0 0 1\n"));
    let out = folder.file("out.ybb");
    for command in ["convert", "minimax"] {
        for (lang, line) in [("en", "line 3, `2g2f none twenty 8 1`"), ("ja", "3 行目 `2g2f")] {
            let (code, text, errors) = book(lang, &[command, &faulty, "-o", &out]);
            assert_eq!(code, Some(3), "{text}{errors}");
            assert!(errors.contains(line) && errors.contains("sfen 9/9 b - 1"), "{errors}");
            let size = if lang == "en" { "2 positions, 3 moves" } else { "2 局面、3 手" };
            assert!(text.starts_with(size), "{text}");
        }
    }
    assert!(good(&["check", &out]).contains("0 faults"));
    // Mining would leave the lines out of the book, so it changes nothing.
    let before = std::fs::read(&faulty).expect("the book");
    for (lang, part) in
        [("en", "is damaged and was not changed"), ("ja", "壊れているため変更しません")]
    {
        let (code, _, errors) = book(lang, &["mine", &faulty, "--positions", "1", "--nodes", "10"]);
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.contains(part) && errors.contains("twenty"), "{errors}");
    }
    assert_eq!(std::fs::read(&faulty).expect("the book"), before);
}

#[test]
fn values_are_carried_back_and_compared() {
    let folder = Folder::new();
    let db = folder.write("a.db", small_book());
    let out = folder.file("b.db");
    let text = good(&["minimax", &db, "-o", &out]);
    assert_eq!(
        text,
        "2 positions, 4 moves\n0 moves into the book added; 0 positions with repetitions (0 positions of \
         perpetual checks), 1 pass\n"
    );
    // The reply 3c3d at -10 makes 7g7f worth 10, so 2g2f is best.
    let shown = good(&["show", &out]);
    let moves: Vec<&str> = shown.lines().collect();
    assert!(moves[0].starts_with("2g2f") && moves[0].contains("eval     20 depth   0"), "{shown}");
    assert!(moves[1].starts_with("7g7f") && moves[1].contains("eval     10 depth   1"), "{shown}");
    good(&["minimax", "--shrink", &db, "-o", &out]);
    assert_eq!(good(&["show", &out]).lines().count(), 1);
    let text = good(&["diff", &db, &out]);
    assert!(text.contains("in both: 2 positions; 1 position with another value"), "{text}");
    assert!(text.contains(&format!("7g7f +50 -> 2g2f +20  {START}")), "{text}");
    let (code, text, _) = book("ja", &["diff", &db, &out]);
    assert!(code == Some(0) && text.contains("共通: 2 局面"), "{text}");
    // A position without a move, an illegal move: both are remarked.
    let odd =
        folder.write("odd.db", format!("{}sfen {AFTER_2G2F}\n7g7f none 0 0 1\n", small_book()));
    let text = good(&["minimax", &odd, "-o", &out]);
    assert!(text.contains("1 position without a move: lost for the side to move\n"), "{text}");
    assert!(text.contains("1 illegal move left out\n"), "{text}");
    assert!(!text.contains("too many lines") && !text.contains("did not settle"), "{text}");
    let (_, text, _) = book("ja", &["minimax", &odd, "-o", &out]);
    assert!(text.contains("指し手のない局面: 1 局面") && text.contains("反則手 1 手"), "{text}");
}

#[test]
fn leaves_are_listed_searched_and_added() {
    let folder = Folder::new();
    let (mined, none) = (folder.file("mined.ybb"), folder.file("none.ybb"));
    assert_eq!(good(&["leaves", &none]), format!("{START}\n"));
    let db = folder.write("a.db", small_book());
    // 2g2f is the best line, 7g7f 3c3d loses 10 and 7g7f 8c8d 20 more.
    let listed = good(&["leaves", &db, "--margin", "15"]);
    let listed: Vec<&str> = listed.lines().collect();
    assert_eq!(listed[0], AFTER_2G2F);
    assert!(listed.len() == 2 && listed[1].ends_with(" b - 3"), "{listed:?}");
    // A list of starting positions, with a line that is none.
    let starts = folder.write("starts.sfen", "startpos moves 9g9f\nnonsense\n");
    let (code, text, errors) = book("en", &["leaves", &db, "--start", &starts]);
    assert!(code == Some(3) && errors.contains("line 2") && text.ends_with(" w - 2\n"), "{errors}");
    let (code, _, errors) = book("ja", &["leaves", &db, "--start", &starts]);
    assert!(code == Some(3) && errors.contains("2 行目"), "{errors}");
    assert_eq!(book("en", &["leaves", &db, "--start", "nonsense"]).0, Some(2));
    // Games that leave the book.
    let game = folder.write("game.csa", "V2.2\nPI\n+\n+7776FU\n-1314FU\n+2726FU\n%TORYO\n");
    let text = good(&["leaves", &db, "--games", &game, "--count", "1"]);
    assert!(text.contains("/pppppppp1/8p/") && text.ends_with(" b - 3\n"), "{text}");
    // What analyze writes of them.
    let row = |sfen: &str, mv: &str, cp: i32| {
        format!("{{\"sfen\":\"{sfen}\",\"depth\":7,\"cp\":{cp},\"pv\":\"{mv}\"}}\n")
    };
    let mate = "{\"sfen\":\"4k4/9/9/9/9/9/9/9/4K4 b - 1\",\"depth\":1,\"cp\":0,\"pv\":\"5i5h\"}\n";
    let lines = [row(START, "7g7f 3c3d", 33), row(AFTER_7G7F, "8c8d", -5), mate.to_owned()];
    let results = folder.write("results.jsonl", lines.concat());
    for (lang, part) in
        [("en", "line 3 is not a searched position"), ("ja", "3 行目は探索した局面ではありません")]
    {
        let (code, text, errors) = book(lang, &["add", &mined, &results, "-o", &mined]);
        assert!(code == Some(3) && errors.contains(part), "{text}{errors}");
        assert!(
            text.starts_with(if lang == "en" { "2 positions, 2 moves" } else { "2 局面" }),
            "{text}"
        );
    }
    let shown = good(&["show", &mined]);
    assert!(shown.starts_with("7g7f") && shown.contains("eval     33 depth   7"), "{shown}");
    let illegal = folder.write("illegal.jsonl", row(START, "7g7e", 0));
    assert_eq!(book("en", &["add", &mined, &illegal, "-o", &mined]).0, Some(3));
    assert_eq!(good(&["show", &mined]), shown);
}

/// The positions of a book.
fn size(book: &str) -> usize {
    let text = good(&["check", book]);
    text.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn a_mined_book_grows_and_goes_on() {
    let folder = Folder::new();
    for name in ["mined.ybb", "mined.db"] {
        let mined = folder.file(name);
        let mine = |positions: &str| {
            let search =
                ["--nodes", "60", "--multipv", "3", "--threads", "2", "--positions", positions];
            good(&[&["mine", &mined, "-q"], &search[..]].concat())
        };
        let text = mine("20");
        assert!(text.starts_with("20 positions searched; best line "), "{text}");
        assert!(text.contains("\n20 positions, "), "{text}");
        assert_eq!(size(&mined), 20);
        mine("7");
        assert_eq!(size(&mined), 27);
        // What was mined can be listed, carried back and played.
        let out = folder.file("out.ybb");
        good(&["minimax", &mined, "-o", &out]);
        assert_eq!(size(&out), 27);
        assert!(good(&["leaves", &mined]).lines().count() > 3);
    }
    let (code, text, _) = book(
        "ja",
        &[
            "mine",
            &folder.file("ja.ybb"),
            "-q",
            "--nodes",
            "60",
            "--positions",
            "2",
            "--threads",
            "1",
        ],
    );
    assert!(code == Some(0) && text.starts_with("探索: 2 局面、最善手順 "), "{text}");
    // Nothing is left where the margins are reached.
    let text = good(&["mine", &folder.file("none.ybb"), "-q", "--nodes", "60", "--plies", "0"]);
    assert!(text.starts_with("1 position searched"), "{text}");
}

#[cfg(unix)]
#[test]
fn interrupted_mining_saves_what_it_has() {
    use tests::program::signalled;

    let folder = Folder::new();
    let mined = folder.file("mined.ybb");
    let mut before = 0;
    for signal in ["-INT", "-TERM", "-HUP"] {
        let mut command = command();
        let child = command
            .args(["book", "mine", &mined, "--nodes", "60", "--margin", "300", "--threads", "2"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let Some(code) = signalled(child, signal) else { return };
        assert_eq!(code, 130, "{signal}");
        // Perhaps nothing was searched so early, but nothing is lost.
        let now = if std::fs::exists(&mined).unwrap() { size(&mined) } else { 0 };
        assert!(now >= before, "{before} {now}");
        before = now;
        let positions = ["--positions", "3", "--nodes", "60"];
        good(&[&["mine", &mined, "-q"], &positions[..]].concat());
        assert_eq!(size(&mined), before + 3);
        before += 3;
    }
}

/// The page has the moves of the book, linked to the positions after them.
#[test]
fn a_page_shows_the_book() {
    let folder = Folder::new();
    let db = folder.write("a <b>.db", small_book());
    let page = folder.file("book.html");
    let text = good(&["show", &db, "--html", &page]);
    assert_eq!(text, format!("2 positions written to {page}\n"));
    let html = std::fs::read_to_string(&page).expect("the page");
    assert!(html.contains("<title>a &lt;b&gt;.db</title>"));
    // Parts that are to be filled in have no blank; types in scripts have.
    let unfilled = |rest: &str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    assert!(!html.split("{{").skip(1).any(unfilled));
    let (_, rest) = html.split_once("id=\"data\">").expect("the data");
    let (data, _) = rest.split_once("</script>").expect("its end");
    let data: Value = serde_json::from_str(data).expect("JSON");
    assert_eq!(data["start"], START);
    let moves = data["positions"][0]["moves"].as_array().expect("moves");
    let found = |at: usize, key: &str| moves[at][key].clone();
    assert_eq!([found(0, "usi"), found(1, "usi")], ["7g7f", "2g2f"]);
    assert_eq!(
        [found(0, "value"), found(0, "next"), found(1, "next")],
        [json!(50), json!(1), Value::Null]
    );
    assert_eq!(found(0, "name"), "▲７六歩");
    assert_eq!(data["positions"][1]["moves"][0]["name"], "△３四歩");
    // Only as far as asked.
    let text = book("ja", &["show", &db, "--html", &page, "--tree", "1", "--moves", "1"]).1;
    assert_eq!(text, format!("2 局面を {page} に書きました\n"));
    let text = good(&["show", &db, "--html", &page, "startpos moves 7g7f 3c3d"]);
    assert!(text.starts_with("1 position"), "{text}");
    assert_eq!(book("en", &["show", &db, "--html", "/no/such/folder/x.html"]).0, Some(1));
}

/// What a player plays, for each color: a page, a KIF file with variations, and where the player leaves a book.
#[test]
fn a_report_shows_what_an_opponent_plays() {
    let folder = Folder::new();
    let game = |black: &str, white: &str, moves: &str, end: &str| {
        format!("V2.2\nN+{black}\nN-{white}\nPI\n+\n{moves}{end}\n")
    };
    let games = [
        game("Rival 1", "me", "+7776FU\n-3334FU\n+2726FU\n", "%TORYO"),
        game("rival 2", "me", "+7776FU\n-3334FU\n+6766FU\n-8384FU\n", "%TORYO"),
        game("Rival 1", "you", "+7776FU\n-8384FU\n+6766FU\n-3334FU\n", "%HIKIWAKE"),
        game("you", "Rival 1", "+2726FU\n-8384FU\n", "%TORYO"),
        game("you", "me", "+9796FU\n", "%TORYO"),
    ];
    let records: Vec<String> =
        (1..).zip(&games).map(|(n, text)| folder.write(&format!("{n}.csa"), text)).collect();
    let out = folder.file("report");
    let report = |more: &[&str]| {
        let mut arguments = vec!["report", "-o", &out, "--against", "RIVAL"];
        arguments.extend(more);
        arguments.extend(records.iter().map(String::as_str));
        good(&arguments)
    };
    let db = folder.write(
        "my.db",
        format!("#YANEURAOU-DB2016 1.00\nsfen {START}\n7g7f none 0 0 1\n2g2f none 0 0 1\n"),
    );
    let text = report(&["--nodes", "100", "--book", &db]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Rival 1, rival 2");
    assert!(
        lines[1].starts_with("Black: 3 games (1 won, 1 drawn, 1 lost), 7 positions: "),
        "{text}"
    );
    assert!(
        lines[2].ends_with(
            "left by the other side: 3 games; still in the book after the moves taken: 0 games"
        ),
        "{text}"
    );
    assert!(
        lines[3].starts_with("White: 1 game (1 won, 0 drawn, 0 lost), 2 positions: "),
        "{text}"
    );
    assert!(
        lines[4].starts_with("  leaves the book at move 2 with P-8d: 1 game, lnsgkgsnl/1r5b1/"),
        "{text}"
    );
    let html = std::fs::read_to_string(format!("{out}/black.html")).expect("the page");
    let (_, rest) = html.split_once("id=\"data\">").expect("the data");
    let data: Value =
        serde_json::from_str(rest.split_once("</script>").expect("an end").0).unwrap();
    let first = &data["positions"][0]["moves"];
    assert_eq!(first.as_array().map(Vec::len), Some(1), "{first}");
    assert_eq!((&first[0]["usi"], &first[0]["count"]), (&json!("7g7f"), &json!(3)));
    assert_eq!(first[0]["results"], json!([1, 1, 1]));
    assert!(first[0]["depth"].as_u64() > Some(1), "{first}");
    // Two orders of moves lead to one position, which the variations continue once.
    let kif = std::fs::read(format!("{out}/black.kif")).expect("the record");
    let record = &monomi_record::read(&kif).expect("a record").records[0];
    assert!(record.faults.is_empty(), "{:?}", record.faults);
    let line = |moves: &[monomi_record::Played]| {
        moves.iter().map(|played| played.mv.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line(&record.moves), "7g7f 3c3d 2g2f");
    let mut branches: Vec<String> =
        record.branches_off_main_line().iter().map(|branch| line(&branch.moves)).collect();
    branches.sort();
    assert_eq!(branches, ["6g6f 8c8d", "8c8d 6g6f 3c3d"]);
    assert!(record.moves[0].comments[0].starts_with("3 games: 1 won, 1 drawn, 1 lost; value "));
    // Only what was played twice; no values; only one color.
    let text = report(&["--nodes", "0", "--min-count", "2"]);
    assert!(text.contains("Black: 3 games (1 won, 1 drawn, 1 lost), 2 positions"), "{text}");
    let arguments = ["report", "-o", &out, "--against", "nobody", &records[0]];
    let (code, _, text) = book("en", &arguments);
    assert_eq!(code, Some(1));
    assert!(text.contains("`nobody`"), "{text}");
}
