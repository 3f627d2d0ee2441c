//! The output of `monomi analyze` in other programs: cshogi and tsshogi (ShogiHome's library) read the
//! annotated records, Chromium opens the report, Spark distributes a list. Tests of programs that are
//! not installed are reported as skipped; Spark runs with `MONOMI_FULL=1` only.
//!
//!     pip install cshogi pyspark
//!     npm install tsshogi puppeteer-core
//!     MONOMI_FULL=1 MONOMI_NODE_MODULES=$PWD/node_modules cargo test -p tests --test analyze other_programs

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use tests::analysis::{analyze, code, own, rows, shows, stderr};
use tests::data::{full, shared_file};
use tests::other_programs::{chromium, here, node, output, there};
use tests::program::engine;
use tests::report;

pub(super) fn folder(name: &str) -> PathBuf {
    tests::analysis::folder(env!("CARGO_TARGET_TMPDIR"), &format!("elsewhere-{name}"))
}

fn python(code: &str) -> Command {
    let mut command = Command::new("python3");
    command.args(["-c", code]);
    command
}

/// Some records of each kind, those of `../shared` among them where it is there.
fn records() -> Vec<String> {
    let mut records = vec![own("game.kif"), own("game.csa")];
    let shared = ["kif/kif-sjis.kif", "kif/ki2-sjis.ki2", "kif/tests_81dojo_0053.kif"];
    for name in shared.iter().chain(&["csa/utf8_WCSC28_L1_SMS_SSS.csa"]) {
        match shared_file(&format!("records/{name}")) {
            Some(path) => records.push(path.display().to_string()),
            None => report(&format!("skipped: ../shared/records/{name} is not there")),
        }
    }
    records
}

/// The score in the comments behind a move, from Black's view; mates as the styles have them, 30000
/// where they know numbers only, and 1 or -1 for who mates in ShogiHome's.
fn score(style: &str, comments: &str) -> Option<i64> {
    let line = |line: &str| match style {
        "shogihome" => match line.strip_prefix("#詰み=") {
            Some(mate) => Some(if mate.starts_with("先手勝ち") { 30_000 } else { -30_000 }),
            None => line.strip_prefix("#評価値=")?.parse().ok(),
        },
        "shogigui" => {
            let behind = starless(line).strip_prefix("解析 ")?.split_once(" 評価値 ")?.1;
            behind.split(' ').next()?.parse().ok()
        }
        _ => starless(line).split(' ').next()?.parse().ok(),
    };
    comments.lines().filter_map(line).next_back()
}

/// Some readers take all stars for the format's mark.
fn starless(line: &str) -> &str {
    line.trim_start_matches(['*', ' '])
}

/// Reads the records of all styles and kinds with another program and compares. A reader that is not
/// thorough takes a variation's moves for the game's, and loses comments in CSA.
fn reads_back(name: &str, reader: &dyn Fn(&[String]) -> String, thorough: bool) {
    for style in ["shogihome", "shogigui", "floodgate"] {
        let folder = folder(&format!("{name}-{style}"));
        let out = folder.display().to_string();
        let records = records();
        let mut arguments = vec!["-q", "--nodes", "50", "--comment-style", style, "-o", &out];
        arguments.extend(["-f", "jsonl,kif,kifu,csa"]);
        arguments.extend(records.iter().map(String::as_str));
        let written = analyze(&arguments);
        assert_eq!(code(&written), Some(0), "{}", stderr(&written));
        let mut files: Vec<String> = std::fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path().display().to_string())
            .filter(|path| !path.ends_with(".jsonl"))
            .collect();
        files.sort();
        assert_eq!(files.len(), 3 * records.len());
        let read = rows(&reader(&files));
        assert_eq!(read.len(), files.len());
        for record in read {
            let file = record["file"].as_str().expect("a file");
            let (stem, kind) = file.rsplit_once('.').expect("an extension");
            let text = std::fs::read_to_string(format!("{stem}.jsonl")).expect("its data");
            let rows = rows(&text);
            let list = |key: &str| record[key].as_array().expect("a list").clone();
            let moves: Vec<Value> =
                rows[..rows.len() - 1].iter().map(|row| row["played"].clone()).collect();
            let mut read = list("moves");
            if !thorough && kind != "csa" {
                read.truncate(moves.len());
            }
            // This record ends with an illegal move, which is no row but stays in the text.
            if thorough && kind != "csa" && stem.contains("tests_81dojo_0053") {
                assert_eq!(read.pop(), Some("6f7g".into()), "{file}");
            }
            assert_eq!(read, moves, "{file}");
            for (comments, row) in list("comments").iter().zip(&rows[1..]) {
                if kind != "csa" || thorough {
                    let score = score(style, comments.as_str().expect("text"));
                    let fits = score.is_some_and(|score| shows(row, score));
                    assert!(fits, "{file}: {comments} {row}");
                }
            }
            if kind == "csa" && style == "floodgate" && !record["scores"].is_null() {
                let scores: Vec<i64> = list("scores").iter().filter_map(Value::as_i64).collect();
                assert_eq!(scores.len(), rows.len() - 1, "{file}");
                assert!(scores.iter().zip(&rows[1..]).all(|(&score, row)| shows(row, score)));
            }
        }
    }
}

#[test]
fn cshogi_reads_the_annotated_records() {
    if !there(&mut python("import cshogi"), "cshogi (pip install cshogi)") {
        return;
    }
    let script = here("clients/read_cshogi.py");
    let read = |files: &[String]| output(Command::new("python3").arg(&script).args(files));
    reads_back("cshogi", &read, false);
}

#[test]
fn tsshogi_reads_the_annotated_records() {
    if !node("tsshogi") {
        return;
    }
    let script = here("clients/read_tsshogi.mjs");
    let read = |files: &[String]| output(Command::new("node").arg(&script).args(files));
    reads_back("tsshogi", &read, true);
}

#[test]
fn chromium_shows_the_page_of_a_book() {
    if !chromium() {
        return;
    }
    let folder = folder("book");
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = |name: &str| folder.join(name).display().to_string();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let after = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let text = format!(
        "sfen {start}\n7g7f none 50 8 9\n# won drawn lost: 4 2 3\n2g2f none -20 8 1\n\
         sfen {after}\n3c3d none -10 9 1\n"
    );
    std::fs::write(file("a.db"), text).expect("the book");
    let page = file("book.html");
    output(Command::new(engine()).args(["book", "show", &file("a.db"), "--html", &page]));
    let seen = output(Command::new("node").arg(here("clients/open_book.mjs")).arg(&page));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["errors"], Value::Array(Vec::new()));
    assert_eq!(seen["requests"], Value::Array(Vec::new()));
    let moves = serde_json::json!(["▲P-7f +50 8 9 4-2-3", "▲P-2f -20 8 1"]);
    assert_eq!(seen["start"]["moves"], moves);
    assert_eq!(seen["outside"]["note"], "This position is not in the book.");
    assert_eq!(seen["played"]["path"], "Start▲P-7f");
    assert_eq!(seen["played"]["moves"], serde_json::json!(["△P-3d -10 9 1"]));
    assert_eq!(seen["japanese"]["moves"], serde_json::json!(["△３四歩 -10 9 1"]));
    // The last key goes forward again over everything that was taken back.
    assert_eq!(seen["again"]["path"], "開始局面▲７六歩△３四歩");
}

/// `MONOMI_SHOTS` names a folder for the screenshots, to be looked at.
#[test]
fn chromium_shows_the_report() {
    if !chromium() {
        return;
    }
    let folder = folder("report");
    let out = folder.display().to_string();
    let written = analyze(&["-q", "--nodes", "500", "-o", &out, "-f", "html", &own("game.kif")]);
    assert_eq!(code(&written), Some(0), "{}", stderr(&written));
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(out.clone());
    let page = format!("{out}/game.monomi.html");
    let script = here("clients/open_report.mjs");
    let seen = output(Command::new("node").arg(script).args([&page, &shots]));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["errors"], Value::Array(Vec::new()));
    assert_eq!(seen["requests"], Value::Array(Vec::new()));
    // The keys step: each place is another one, and going back leads back.
    for (one, other, same) in [
        ("start", "first", false),
        ("first", "second", false),
        ("first", "back", true),
        ("second", "end", false),
        ("start", "home", true),
        ("start", "line", false),
        ("line", "line_on", false),
        ("start", "left", true),
        ("start", "variation", false),
        ("first", "wheel", true),
        ("wheel", "flipped", false),
    ] {
        assert_eq!(seen[one] == seen[other], same, "{one} {other}: {seen}");
    }
    // Openings, castles and reasons are pairs of texts.
    for text in seen["texts"].as_object().expect("texts").values() {
        assert!(!text.as_str().expect("a text").contains("undefined"), "{text}");
    }
    assert_eq!(seen["address"], "#1");
    assert_eq!(seen["exercise"], true);
    for worst in seen["contrast"].as_array().expect("two colour schemes") {
        assert!(worst[0].as_f64().is_some_and(|ratio| ratio >= 4.5), "{worst}");
    }
    // Nothing is wider than the screen, light is not dark, both languages are there.
    assert!(seen["overflow"].as_array().is_some_and(|all| all.iter().all(|wide| *wide == 0)));
    assert_ne!(seen["colours"][0], seen["colours"][1]);
    for (language, word) in [("en", "Turning points"), ("ja", "勝負の分かれ目")] {
        let text = seen["texts"][language].as_str().expect("a text");
        assert!(text.contains(word), "{language}: {text}");
    }
}

#[test]
fn spark_distributes_a_list() {
    if !full() {
        report("skipped: Spark runs with MONOMI_FULL=1 only");
        return;
    }
    let java = there(Command::new("java").arg("-version"), "Java");
    if !java || !there(&mut python("import pyspark"), "PySpark (pip install pyspark)") {
        return;
    }
    let folder = folder("spark");
    let game = analyze(&["--nodes", "1", "-o", "-", "-f", "jsonl", &own("game.kif")]);
    let game = rows(&String::from_utf8(game.stdout).expect("UTF-8"));
    let mut lines: Vec<&str> =
        game.iter().map(|row| row["sfen"].as_str().expect("an sfen")).collect();
    lines.extend(["no position", "key 7\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1"]);
    let list = folder.join("list.sfen").display().to_string();
    std::fs::write(&list, lines.join("\n") + "\n").expect("written");
    let parquet = folder.join("found.parquet").display().to_string();
    let monomi = engine().display().to_string();
    let example = |monomi: &str| {
        let mut example = Command::new("python3");
        example.arg(here("../docs/distributed/spark_positions.py")).args([&list, &parquet]);
        example.args([
            "--workers",
            "2",
            "--partitions",
            "4",
            "--nodes",
            "1500",
            "--monomi",
            monomi,
        ]);
        example
    };
    // The first engine that is started is killed in the middle of its work.
    let (killed, once) = (folder.join("killed.sh"), folder.join("once"));
    let script = format!(
        "#!/bin/sh\nmkdir '{0}' 2>/dev/null && {{ '{1}' \"$@\" | head -n 2; kill -9 $$; }}\nexec '{1}' \"$@\"\n",
        once.display(),
        monomi
    );
    std::fs::write(&killed, script).expect("written");
    output(Command::new("chmod").arg("+x").arg(&killed));
    output(&mut example(&killed.display().to_string()));
    assert!(once.is_dir());
    // A job that fails leaves the results as they are, and says why it failed.
    let failed = example("no-such-engine").output().expect("python");
    assert!(
        !failed.status.success()
            && stderr(&failed).contains("No such file or directory: 'no-such-engine'")
    );
    let read = "import sys; from pyspark.sql import SparkSession as S
for row in S.builder.master('local[1]').getOrCreate().read.parquet(sys.argv[1]).toJSON().collect():
    print(row)";
    let mut found = rows(&output(python(read).arg(&parquet)));
    let alone = analyze(&["--positions", "-q", "--nodes", "1500", "--errors", "rows", &list]);
    assert_eq!(code(&alone), Some(0), "{}", stderr(&alone));
    let mut alone = rows(&String::from_utf8(alone.stdout).expect("UTF-8"));
    assert_eq!(found.len(), alone.len());
    for rows in [&mut found, &mut alone] {
        rows.sort_by_key(|row| row["input"].to_string());
    }
    assert!(found.iter().any(|row| row["id"] == "key 7" && row["mate"] == 1));
    assert_eq!(found.iter().filter(|row| row["error"].is_string()).count(), 1);
    for (found, alone) in found.iter().zip(&alone) {
        for (key, value) in alone.as_object().expect("an object") {
            // Spark leaves out what is null.
            let of_place = key == "line" || key == "list";
            assert!(of_place || found.get(key).unwrap_or(&Value::Null) == value, "{key}: {found}");
        }
    }
}

/// After a bad move its better line can be shown and played through, and Escape leads back.
#[test]
fn the_better_line_is_shown_from_the_position_before_the_move() {
    if !there(Command::new("node").arg("--version"), "Node.js") {
        return;
    }
    let script = here("../kifu/analysis/src/output/report/script.js");
    let seen = output(Command::new("node").arg(here("clients/better_line.mjs")).arg(script));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    let line = "1|1|2|S1|3c3d,2g2f";
    let expected =
        serde_json::json!([null, "3c3d,2g2f", 4, line, "move now", "1|2|2", 1, "2|", "0 null"]);
    assert_eq!(seen, expected);
}

/// At a bad move the arrow shows the better one; clicks and the key `b` play its line, and Escape leads back.
/// `MONOMI_SHOTS` names a folder for the screenshots, to be looked at.
#[test]
fn chromium_plays_the_better_line() {
    if !chromium() {
        return;
    }
    let folder = folder("better");
    let game = folder.join("gifts.usi").display().to_string();
    let out = folder.display().to_string();
    // Both sides give a bishop away: Black with move 5, White with move 8.
    // Then both ignore what they could take or save.
    let moves = "7g7f 3c3d 8h2b+ 3a2b B*5b 4a5b 7i8h B*5h 1g1f 1c1d 4i5h";
    std::fs::write(&game, format!("startpos moves {moves}\n")).expect("written");
    let written = analyze(&["-q", "--nodes", "8000", "-o", &out, "-f", "html,jsonl", &game]);
    assert_eq!(code(&written), Some(0), "{}", stderr(&written));
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(out.clone());
    let script = here("clients/click_better_line.mjs");
    let page = format!("{out}/gifts.monomi.html");
    let seen = output(Command::new("node").arg(script).args([&page, &shots, "5", "8"]));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["errors"], Value::Array(Vec::new()));
    let rows = rows(&std::fs::read_to_string(folder.join("gifts.monomi.jsonl")).expect("rows"));
    let places = seen["places"].as_array().expect("places");
    assert_eq!(places.len(), 4);
    assert!(rows.iter().any(|row| row["reason"].is_string()), "a bishop is given away");
    // The best move of a position as an arrow shows it.
    let squares = |row: &Value| {
        let best = row["best"].as_str().expect("a move").trim_end_matches('+').to_owned();
        best.find('*').map_or(best.clone(), |at| best[at..].to_owned())
    };
    for place in places {
        let ply = place["ply"].as_u64().expect("a ply");
        // The only arrow is the better move, which is not the one that was played.
        let row = &rows[usize::try_from(ply).expect("small") - 1];
        assert_ne!(row["best"], row["played"]);
        let arrow = serde_json::json!([["better", squares(row)]]);
        assert_eq!((&place["mistake"]["arrows"], &place["flipped"]), (&arrow, &arrow), "{place}");
        let line = |state: &str| {
            let at = place[state]["where"].as_str().expect("a text").split(' ').nth(1);
            at.and_then(|at| at.split('/').next()).expect("a number").to_owned()
        };
        let state = |name: &str| &place[name];
        // The line starts before the move; its moves stay in view, and the one shown is marked.
        for (name, number) in [("clicked", 1), ("second", 2), ("third", 3), ("again", 2)] {
            assert_eq!(line(name), number.to_string(), "{place}");
            assert_eq!(state(name)["better"], state("mistake")["better"], "{place}");
            assert_eq!(state(name)["now"].as_array().map(Vec::len), Some(1), "{place}");
            assert_eq!(state(name)["arrows"], serde_json::json!([]), "{place}");
            assert_eq!(state(name)["address"], format!("#{}", ply - 1), "{place}");
        }
        for (one, other) in
            [("clicked", "typed"), ("second", "again"), ("mistake", "left"), ("mistake", "back")]
        {
            assert_eq!(state(one), state(other), "{place}");
        }
        let boards = ["before", "mistake", "clicked", "second", "third"].map(|name| {
            let board = state(name)["board"].as_str().expect("a text").to_owned();
            assert_eq!(state(name)["address"] == format!("#{ply}"), name == "mistake");
            board
        });
        for (at, board) in boards.iter().enumerate() {
            assert!(!boards[..at].contains(board), "{place}");
        }
        assert_eq!(state("before"), state("nothing"), "{place}");
        // The line is played on a board that can be seen.
        for name in ["clicked", "typed"] {
            assert_eq!(place["seen"][name], true, "{name}: {place}");
        }
        let answers = place["answers"].as_array().expect("answers");
        let asked: Vec<_> = answers.iter().filter_map(|answer| answer[0].as_u64()).collect();
        assert!(asked.windows(2).any(|pair| pair[0] + 1 == pair[1]), "{asked:?}");
        for (answer, asked) in answers.iter().zip(asked) {
            let row = &rows[usize::try_from(asked).expect("small")];
            let arrow = serde_json::json!([["best", squares(row)]]);
            assert_eq!((&answer[1], &answer[2]), (&arrow, &Value::Null), "{place}");
        }
        assert_eq!((&state("before")["better"], &place["wide"]), (&Value::Null, &0.into()));
        if place["size"] == "phone" {
            let heights = place["heights"].as_array().expect("heights");
            let least = heights.iter().filter_map(Value::as_f64).fold(f64::INFINITY, f64::min);
            assert!(least >= 32.0, "{place}");
        }
    }
}
