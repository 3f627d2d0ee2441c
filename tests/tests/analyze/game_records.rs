//! `monomi analyze`: what it reads and writes.

use super::{folder, jsonl, one};
use monomi_movegen::{PackedMove, Position};
use monomi_record::Record;
use serde_json::Value;
use shogi_core::Color;
use std::io::Write as _;
use std::process::Stdio;
use tests::analysis::{analyze, code, contents, own, rows, shows, stderr};
use tests::data::shared_file;
use tests::program::command;
use tests::report;

#[test]
fn every_position_has_a_consistent_row() {
    let rows = jsonl(&["--nodes", "3000", "--multipv", "2", &own("game.kif")]);
    assert_eq!(rows.len(), 9);
    let mut position = Position::startpos();
    for (row, ply) in rows.iter().zip(0..) {
        assert_eq!(row["ply"], ply);
        assert_eq!(row["sfen"], position.to_sfen());
        let black = position.side_to_move() == Color::Black;
        assert_eq!(row["side"], if black { "black" } else { "white" });
        // One score, from both views.
        let number = |key: &str| row[key].as_i64();
        assert!(number("cp").is_some() != number("mate").is_some(), "{row}");
        let sign = if black { 1 } else { -1 };
        assert_eq!(number("cp_black"), number("cp").map(|cp| cp * sign));
        assert_eq!(number("mate_black"), number("mate").map(|mate| mate * sign));
        let win = row["win"].as_f64().expect("a probability");
        assert!((0.0..=1.0).contains(&win));
        // The lines are legal to their ends, and named move by move.
        let mut lines = vec![(row["pv"].clone(), row["pv_ja"].clone())];
        for other in row["candidates"].as_array().into_iter().flatten() {
            lines.push((other["pv"].clone(), other["pv_ja"].clone()));
        }
        assert_eq!(lines.len(), 2, "{row}");
        for (pv, names) in &lines {
            let mut after = position.clone();
            let moves: Vec<&str> = pv.as_str().expect("text").split(' ').collect();
            for word in &moves {
                let mv: PackedMove = word.parse().expect("a move");
                assert!(after.is_legal(mv), "{word} in {pv}");
                after.do_move(mv);
            }
            assert_eq!(names.as_str().expect("text").matches(['▲', '△']).count(), moves.len());
        }
        assert_eq!(row["best"], lines[0].0.as_str().expect("text").split(' ').next().expect("one"));
        assert!(row["nodes"].as_u64().is_some_and(|nodes| nodes >= 1), "{row}");
        match row["played"].as_str() {
            Some(word) => {
                let loss = row["loss"].as_f64().expect("a loss");
                assert!((0.0..=1.0).contains(&loss));
                if row["best"] == word {
                    assert_eq!(loss, 0.0);
                    assert!(row["class"] == "best" || row["class"] == "only", "{row}");
                }
                position.do_move(word.parse().expect("a move"));
            }
            None => assert!(row["loss"].is_null() && row["class"].is_null() && ply == 8),
        }
    }
    // The loss is the difference between the best and the played move.
    for row in &rows[..8] {
        let number = |key: &str| row[key].as_f64().expect(key);
        let fall = (number("best_win") - number("played_win")).max(0.0);
        assert!((fall - number("loss")).abs() < 3e-4, "{row}");
    }
    // White could take a lance for nothing, and a rook for a bishop: there were blunders.
    let blunders: Vec<&Value> =
        rows.iter().filter(|row| row["class"] == "mistake" || row["class"] == "blunder").collect();
    assert!(!blunders.is_empty());
    // A reason is there with its kind, its squares and the share that was confirmed, or not at all.
    for row in &rows {
        let is_there = row["reason"].is_string();
        for field in ["reason_ja", "claim", "counterfactual", "squares"] {
            assert_eq!(row[field].is_string(), is_there, "{row}");
        }
        assert_eq!(
            row["confirmed"].as_f64().is_some_and(|it| (0.5..=1.0).contains(&it)),
            is_there,
            "{row}"
        );
    }
}

/// Reasons are looked for when all positions have been searched, so nothing else depends on them.
#[test]
fn reasons_change_neither_scores_nor_verdicts() {
    let moves = "7g7f 3c3d 8h2b+ 3a2b B*5b 4a5b 7i8h B*5h 1g1f 1c1d 4i5h";
    let game = folder("with-reasons").join("gifts.usi");
    std::fs::write(&game, format!("startpos moves {moves}\n")).expect("written");
    let path = game.display().to_string();
    let rows = |more: &[&str]| jsonl(&[&["--nodes", "8000", &path], more].concat());
    let (with, without) = (rows(&[]), rows(&["--no-reasons"]));
    assert!(with.iter().any(|row| row["reason"].is_string()));
    let rest = |row: &Value| {
        let mut row = row.clone();
        let fields = row.as_object_mut().expect("an object");
        for field in ["reason", "reason_ja", "claim", "confirmed", "counterfactual", "squares"] {
            fields.insert(field.to_owned(), Value::Null);
        }
        // The sentence about the game may end with a reason.
        for field in ["plan", "plan_ja", "story", "story_ja"] {
            fields.remove(field);
        }
        row
    };
    let (with, without): (Vec<Value>, Vec<Value>) =
        (with.iter().map(rest).collect(), without.iter().map(rest).collect());
    assert_eq!(with, without);
}

#[test]
fn mates_and_endings_are_reported() {
    let folder = folder("mates");
    let path = folder.join("mate.usi");
    // Mate in one, not played; then the side to move is mated.
    let text = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b\n\
                4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n\
                startpos moves 2h1h 8b9b 1h2h 9b8b 2h1h 8b9b 1h2h 9b8b 2h1h 8b9b 1h2h 9b8b\n";
    std::fs::write(&path, text).expect("written");
    let rows = jsonl(&["--nodes", "2000", &path.display().to_string()]);
    assert_eq!(rows.len(), 2 + 2 + 13);
    assert_eq!(rows[0]["missed_mate"], 1, "{}", rows[0]);
    assert_eq!(rows[0]["mate"], 1);
    assert_eq!(rows[1]["mate"].as_i64(), None);
    assert_eq!((&rows[2]["class"], &rows[2]["loss"]), (&"best".into(), &0.0.into()));
    assert_eq!((&rows[3]["over"], &rows[3]["mate"]), (&"mated".into(), &0.into()));
    assert!(rows[3]["best"].is_null() && rows[3]["pv"] == "");
    let last = rows.last().expect("rows");
    assert_eq!((&last["over"], &last["cp"]), (&"repetition".into(), &0.into()));
    assert!(rows[0]["game"].as_str().is_some_and(|name| name.ends_with("mate.usi#1")));
}

/// The fields of a line of CSV without line breaks in them.
fn csv_fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => {
                fields.last_mut().unwrap().push('"')
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[test]
fn results_depend_on_nodes_not_on_threads() {
    let run = |threads: &str, name: &str| {
        let folder = folder(name);
        let output = analyze(&[
            "-q",
            "--nodes",
            "1000",
            "--threads",
            threads,
            "-f",
            "jsonl,csv,kif,kifu,csa",
            "-o",
            &folder.display().to_string(),
            &own("game.kif"),
            &own("game.csa"),
        ]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        assert!(output.stdout.is_empty() && output.stderr.is_empty(), "quiet is quiet");
        contents(&folder)
    };
    let (one, four) = (run("1", "one-thread"), run("4", "four-threads"));
    let names: Vec<&String> = one.keys().collect();
    let expected = ["game-2.monomi", "game.monomi"].iter().flat_map(|stem| {
        ["csa", "csv", "jsonl", "kif", "kifu"].map(|kind| format!("{stem}.{kind}"))
    });
    assert_eq!(names, expected.collect::<Vec<_>>().iter().collect::<Vec<_>>());
    assert_eq!(one, four);
    // CSV says the same as JSONL.
    let csv = String::from_utf8(one["game.monomi.csv"].clone()).expect("UTF-8");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let json = rows(&String::from_utf8(one["game.monomi.jsonl"].clone()).expect("UTF-8"));
    for (line, row) in lines.zip(&json) {
        let fields = csv_fields(line);
        assert_eq!(fields.len(), header.len(), "{line}");
        for (key, field) in header.iter().zip(fields) {
            let value = match &row[*key] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let same =
                value == field || value.parse::<f64>().ok().is_some_and(|v| field.parse() == Ok(v));
            assert!(same, "{key}: {value}, {field}");
        }
    }
}

/// The same game, times, comments and variations come back, with the analysis in the places where
/// GUIs look for it.
#[test]
fn annotated_records_read_back() {
    let original = one(&std::fs::read(own("game.kif")).expect("game.kif"));
    let rows = jsonl(&["--nodes", "1000", &own("game.kif")]);
    for style in ["shogihome", "shogigui", "floodgate"] {
        for kind in ["kif", "kifu", "csa"] {
            let arguments = ["--nodes", "1000", "--comment-style", style, "-o", "-", "-f", kind];
            let output = analyze(&[&arguments[..], &[&own("game.kif")]].concat());
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
            let record = one(&output.stdout);
            assert!(record.faults.is_empty(), "{}", record.faults[0]);
            assert_eq!(record.ending, original.ending);
            assert_eq!(record.players(), original.players());
            assert_eq!(record.header("開始日時"), original.header("開始日時"));
            for (played, before) in record.moves.iter().zip(&original.moves) {
                assert_eq!((played.mv, played.seconds), (before.mv, before.seconds));
                assert!(played.comments.starts_with(&before.comments));
            }
            assert_eq!(record.moves.len(), original.moves.len());
            if kind != "csa" {
                let moves = |record: &Record| -> Vec<(usize, Vec<PackedMove>)> {
                    let of = |b: &monomi_record::Branch| {
                        (b.before, b.moves.iter().map(|m| m.mv).collect())
                    };
                    record.branches.iter().map(of).collect()
                };
                assert_eq!(moves(&record), moves(&original));
            }
            // The score of the position after each move, from Black's view.
            for (played, row) in record.moves.iter().zip(&rows[1..]) {
                let score = played.comments.iter().rev().find_map(|line| match style {
                    "shogihome" => line.strip_prefix("#評価値=")?.parse().ok(),
                    "shogigui" => {
                        let behind = line.strip_prefix("*解析 ")?.split_once(" 評価値 ")?.1;
                        behind.split(' ').next()?.parse().ok()
                    }
                    _ => line.strip_prefix("* ")?.split(' ').next()?.parse::<i64>().ok(),
                });
                let fits = score.is_some_and(|score| shows(row, score));
                assert!(fits, "{style} {kind}: {:?} {row}", played.comments);
            }
            let (text, encoding) = monomi_record::decode(&output.stdout).expect("text");
            let in_shift_jis = encoding == monomi_record::Encoding::ShiftJis;
            assert_eq!(in_shift_jis, kind == "kif");
            assert_eq!(text.contains("【"), style != "floodgate");
        }
    }
}

#[test]
fn invalid_input_is_reported_and_the_rest_analysed() {
    let folder = folder("bad-input");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("written");
        path.display().to_string()
    };
    let empty = file("empty.kif", b"");
    let binary = file("binary.kif", b"\x7fELF\x02\x01\x01\0\0\0");
    let prose = file("prose.kif", "これは棋譜ではありません。\n".as_bytes());
    let cut = file("cut.kif", "手合割：平手\n1 ７六歩(77)\n2 ３四".as_bytes());
    let illegal = file("illegal.csa", b"V2.2\nPI\n+\n+7776FU\n-3334FU\n+7775FU\n-8384FU\n");
    let missing = folder.join("missing.kif").display().to_string();
    let good = own("game.csa");
    let arguments = [&empty, &binary, &prose, &cut, &illegal, &missing, &good].map(String::as_str);
    let output = analyze(&[&["--nodes", "300"], &arguments[..]].concat());
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    let errors = stderr(&output);
    for (name, reason) in [
        ("empty.kif", "the file is empty"),
        ("binary.kif", "not a text file"),
        ("prose.kif", "not a game record"),
        ("cut.kif", "line 3, move 2"),
        ("illegal.csa", "line 6, move 3, `+7775FU`"),
        ("missing.kif", ""),
    ] {
        let line = errors.lines().find(|line| line.contains(name) && line.contains(reason));
        assert!(line.is_some_and(|line| line.starts_with("monomi: ")), "{name}: {errors}");
    }
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    // The good parts are there.
    for part in ["cut.kif  (KIF, 1 move)", "illegal.csa  (CSA, 2 moves", "game.csa  (CSA, 8 moves"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = analyze(&["--nodes", "300", &missing]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("missing.kif"), "{}", stderr(&output));
    // A folder that cannot be made: a file stands in its place.
    let output = analyze(&["--nodes", "300", "-o", &format!("{good}/out"), "-f", "kif", &good]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    for wrong in [
        &["--nodes", "0", &good][..],
        &["-f", "jpeg", "-o", "x", &good],
        &["-f", "kif", &good],
        &[],
    ] {
        assert_eq!(code(&analyze(wrong)), Some(2), "{wrong:?}");
    }
}

#[test]
fn report_and_graph_are_self_contained() {
    let folder = folder("report");
    // Text that would end a script element, a comment or a title if it could.
    let nasty = "先手：</script><b>&\"'\n後手：<!--\n手合割：平手\n1 ７六歩(77)\n*</script>\n2 ３四歩(33)\n\
                 変化：2手\n2 ８四歩(83)\n*</script>\n";
    let path = folder.join("nasty.kif");
    std::fs::write(&path, nasty).expect("written");
    let (path, out) = (path.display().to_string(), folder.display().to_string());
    let output = analyze(&["-q", "--nodes", "500", "-o", &out, "-f", "html,svg", &path]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let files = contents(&folder);
    let text = |name: &str| String::from_utf8(files[name].clone()).expect("UTF-8");
    let page = text("nasty.monomi.html");
    assert!(!page.contains("{{"), "a gap was left unfilled");
    let opening = "<script type=\"application/json\" id=\"data\">";
    let data = page.split(opening).nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("the data")).expect("JSON");
    assert_eq!(data["players"][0], "</script><b>&\"'");
    assert_eq!(data["steps"].as_array().map(Vec::len), Some(3));
    assert_eq!(data["steps"][1]["comments"][0], "</script>");
    assert_eq!(data["branches"][0]["names"], "△８四歩");
    assert_eq!(data["branches"][0]["comments"][0][0], "</script>");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.len() < 200_000, "{} bytes", page.len());
    assert!(page.contains("default-src 'none'"), "no policy against requests");
    for outside in [" src=", "@import", "url(", "href=\"http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let graph = text("nasty.monomi.svg");
    assert!(graph.starts_with("<svg ") && graph.ends_with("</svg>\n"));
    assert!(graph.contains("▲&lt;/script&gt;&lt;b&gt;&amp;&quot;'"), "{graph}");
    let tags = graph.matches('<').count();
    assert_eq!(tags, graph.matches('>').count());
}

/// Several reports get an index. The longest shared record stays below 200 kB.
#[test]
fn reports_have_an_index_and_stay_small() {
    let folder = folder("index");
    let out = folder.display().to_string();
    let mut files = vec![own("game.kif"), own("game.csa")];
    match shared_file("records/csa/utf8_WCSC28_L2_CRZ_YSS.csa") {
        Some(path) => files.push(path.display().to_string()),
        None => report("skipped: ../shared/records is not there"),
    }
    let mut arguments = vec!["-q", "--nodes", "2000", "-f", "html", "-o", &out];
    arguments.extend(files.iter().map(String::as_str));
    let output = analyze(&arguments);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let written = contents(&folder);
    assert_eq!(written.len(), files.len() + 1);
    for (name, bytes) in &written {
        assert!(bytes.len() < 200_000, "{name}: {} bytes", bytes.len());
    }
    let index = String::from_utf8(written["index.monomi.html"].clone()).expect("UTF-8");
    typical_mistakes_are_those_of_the_rows(&index, &files);
    for part in ["game.monomi.html", "game-2.monomi.html", "物見", "default-src 'none'"] {
        assert!(index.contains(part), "{part} in {index}");
    }
}

/// The index counts the bad moves and missed mates of each side, by phase, as the rows have them.
fn typical_mistakes_are_those_of_the_rows(index: &str, files: &[String]) {
    let data = index.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let kinds = data["kinds"].as_array().expect("kinds");
    for (game, file) in data["games"].as_array().expect("games").iter().zip(files) {
        let rows = jsonl(&["-q", "--nodes", "2000", file]);
        for (side, color) in ["black", "white"].into_iter().enumerate() {
            let bad = ["dubious", "mistake", "blunder"];
            let is_bad = |row: &&Value| {
                let class = row["class"].as_str().unwrap_or_default();
                row["side"] == color && (bad.contains(&class) || row["missed_mate"].is_number())
            };
            let phases = ["opening", "middle", "endgame"];
            let expected: Vec<Value> = rows.iter().filter(is_bad).cloned().collect();
            let found = game["sides"][side]["typical"].as_array().expect("mistakes");
            assert_eq!(found.len(), expected.len());
            for (found, row) in found.iter().zip(expected) {
                let phase = found["phase"].as_u64().expect("a phase") as usize;
                assert_eq!(row["phase"], phases[phase]);
                assert_eq!(found["loss"], row["loss"]);
                let kind = &kinds[found["kind"].as_u64().expect("a kind") as usize];
                let reason = row["reason"].as_str().unwrap_or_default();
                let words = match kind.as_str().expect("text").split(" / ").nth(1) {
                    Some("Missed mate") => {
                        assert!(row["missed_mate"].is_number(), "{row}");
                        continue;
                    }
                    Some("Allowed mate") => "mate in ",
                    Some("Allowed a threatmate") => "allows the threatmate",
                    Some("Other") => continue,
                    // The group is that of the claim.
                    _ => {
                        assert!(row["claim"].is_string() && !reason.is_empty(), "{row}");
                        continue;
                    }
                };
                assert!(reason.contains(words) || reason.contains("forced mate"), "{row} {kind}");
            }
        }
    }
}

#[test]
fn standard_input_is_read() {
    let mut child = command()
        .args(["analyze", "--nodes", "300", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    child.stdin.take().expect("stdin").write_all(b"7g7f 3c3d\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("standard input  (USI, 2 moves"), "{text}");
}

#[test]
fn clocks_are_kept() {
    let start = std::time::Instant::now();
    let rows = jsonl(&["--time-per-game", "1", "--threads", "1", &own("game.kif")]);
    let taken = start.elapsed().as_secs_f64();
    assert!(rows.len() == 9 && taken >= 0.5, "{taken} s");
    let rows = jsonl(&["--movetime", "20", "--threads", "2", &own("game.kif")]);
    assert_eq!(rows.len(), 9);
}

#[test]
fn all_shared_records_are_analysed() {
    let Some(records) = shared_file("records") else {
        report("skipped: ../shared/records is not there");
        return;
    };
    let folder = folder("shared");
    let output = analyze(&[
        "--nodes",
        "100",
        "-f",
        "jsonl,kif,kifu,csa",
        "-o",
        &folder.display().to_string(),
        &records.display().to_string(),
    ]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let files = contents(&folder);
    assert_eq!(files.len(), 105 * 4);
    for (name, bytes) in &files {
        let Some(stem) = name.strip_suffix(".jsonl") else { continue };
        let rows = rows(std::str::from_utf8(bytes).expect("UTF-8"));
        for kind in ["kif", "kifu", "csa"] {
            let record = one(&files[&format!("{stem}.{kind}")]);
            assert!(record.faults.is_empty(), "{stem}.{kind}: {}", record.faults[0]);
            assert_eq!(record.moves.len() + 1, rows.len(), "{stem}.{kind}");
            let played: Vec<_> = rows.iter().filter_map(|row| row["played"].as_str()).collect();
            let moves: Vec<String> = record.moves.iter().map(|m| m.mv.to_string()).collect();
            assert_eq!(played, moves, "{stem}.{kind}");
        }
    }
}

/// Names in records may contain escape sequences: they do not reach the terminal.
#[test]
fn control_characters_in_names_are_replaced() {
    let folder = folder("escape");
    let path = folder.join("escape.kif");
    std::fs::write(&path, "先手：\x1b[31mred\x1b]0;title\x07\n1 ７六歩(77)\n").expect("written");
    let output = analyze(&["--nodes", "300", &path.display().to_string()]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let control = |bytes: &[u8]| bytes.iter().any(|&byte| byte < 32 && byte != b'\n');
    assert!(!control(&output.stdout) && !control(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("[31mred"));
}

#[test]
fn the_output_format_has_a_default() {
    let folder = folder("default-format");
    let out = folder.display().to_string();
    let output = analyze(&["-q", "--nodes", "300", "-o", &out, &own("game.kif")]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let files = contents(&folder);
    let names: Vec<&String> = files.keys().collect();
    assert_eq!(names, ["game.monomi.html", "game.monomi.kifu"]);
    let output = analyze(&["-q", "--nodes", "300", "-o", "-", &own("game.usi")]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(rows(&text).len(), 9);
}

/// The comments of an earlier analysis are replaced, and those of people and other engines stay.
#[test]
fn an_annotated_record_is_annotated_anew() {
    let folder = folder("anew");
    for style in ["shogihome", "shogigui"] {
        for (file, kind) in [("game.kif", "kifu"), ("game.csa", "csa")] {
            let out = |number: usize| folder.join(format!("{style}-{kind}-{number}"));
            let annotate = |path: &str, number: usize| {
                let out = out(number);
                let name = out.display().to_string();
                let style = ["--comment-style", style, "-f", kind, "-o", &name, path];
                let output = analyze(&[&["-q", "--nodes", "300"], &style[..]].concat());
                assert_eq!(code(&output), Some(0), "{}", stderr(&output));
                let bytes =
                    contents(&out).remove(&format!("game.monomi.{kind}")).expect("a record");
                String::from_utf8(bytes).expect("UTF-8")
            };
            let first = annotate(&own(file), 1);
            let mark = if kind == "csa" { "'*" } else { "*" };
            // A person and another engine have commented on the first move, too.
            let other = format!("{mark}#評価値=77\n{mark}#エンジン=Other\n{mark}好手\n");
            let place =
                first.find(&format!("{mark}#評価値")).or(first.find("*解析")).expect("ours");
            let place = first[..place].rfind('\n').expect("a line") + 1;
            let mixed = [&first[..place], &other, &first[place..]].concat();
            let path = folder.join(if kind == "csa" { "game.csa" } else { "game.kifu" });
            for (text, number) in [(&first, 2), (&mixed, 3)] {
                std::fs::write(&path, text).expect("written");
                let again = annotate(&path.display().to_string(), number);
                assert!(again.lines().count() == text.lines().count(), "{text}\n---\n{again}");
                assert_eq!(again.matches("#エンジン=Other").count(), number - 2, "{again}");
                if number == 2 {
                    assert_eq!(&again, text);
                }
            }
        }
    }
}

/// A win without a game has no word in CSA, and a name that begins like a formula is none in a table.
#[test]
fn what_a_format_cannot_say_is_not_lost() {
    let folder = folder("default");
    let path = folder.join("default.kif");
    let (path, out) = (path.display().to_string(), folder.join("out").display().to_string());
    for (word, winner) in [("不戦敗", "black"), ("不戦勝", "white")] {
        let text = format!("先手：=甲\n後手：@乙\n手数----指手\n1 ７六歩(77)\n2 {word}\n");
        std::fs::write(&path, text).expect("written");
        let output = analyze(&["-q", "--nodes", "50", "-f", "csa,csv", "-o", &out, &path]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let written = contents(std::path::Path::new(&out));
        let csa = String::from_utf8(written["default.monomi.csa"].clone()).expect("UTF-8");
        assert!(
            csa.contains("%CHUDAN")
                && one(csa.as_bytes()).ending == one(&std::fs::read(&path).unwrap()).ending,
            "{csa}"
        );
        let csv = String::from_utf8(written["default.monomi.csv"].clone()).expect("UTF-8");
        assert!(csv.contains(&format!(",'=甲,'@乙,{word},{winner},")), "{csv}");
    }
}
