//! `monomi drill`.

use super::{folder, jsonl};
use monomi_movegen::{PackedMove, Position};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tests::analysis::{analyze, code, own, stderr};
use tests::other_programs::{chromium, here, node, output};
use tests::program::command;
use tests::report;

fn drill(arguments: &[&str]) -> Output {
    let output = command().arg("drill").args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

/// The exercises of the page and the problems for ShogiHome.
fn written(folder: &Path) -> (Vec<Value>, Vec<Value>) {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let page = read("drill.monomi.html");
    let data = page.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
    let problems: Value = serde_json::from_str(&read("drill.monomi.json")).expect("JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    (list(&data["exercises"]), list(&problems["problems"]))
}

fn exercises(name: &str, arguments: &[&str]) -> (Vec<Value>, Vec<Value>) {
    let folder = folder(name);
    let output = drill(&[&["-q", "-o", &folder.display().to_string()], arguments].concat());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    written(&folder)
}

/// Winning probability of the side to move by the score of a line.
fn chance(line: &Value, black: bool) -> f64 {
    let scale = f64::from(monomi_eval::Evaluation::internal().win_scale().get());
    let sign = if black { 1.0 } else { -1.0 };
    match (line["cp"].as_f64(), line["mate"].as_f64()) {
        (Some(cp), None) => 1.0 / (1.0 + (-sign * cp / scale).exp()),
        (None, Some(mate)) => f64::from(u8::from(sign * mate > 0.0)),
        _ => panic!("no score: {line}"),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The exercises are the bad moves of the analysis, and the answers are what their scores say.
#[test]
fn exercises_are_the_mistakes_of_the_analysis() {
    let arguments = ["--nodes", "3000", &own("game.kif")];
    let rows = jsonl(&arguments);
    let (exercises, problems) = exercises("drill", &arguments);
    assert!(!exercises.is_empty() && exercises.len() == problems.len());
    for (exercise, problem) in exercises.iter().zip(&problems) {
        let number = exercise["number"].as_u64().expect("a number") as usize;
        let row = &rows[number - 1];
        for key in ["sfen", "played", "loss"] {
            assert_eq!(exercise[key], row[key], "{exercise}");
        }
        assert_eq!(exercise["previous"], rows[number - 2]["played"]);
        assert_eq!(exercise["missed"], row["missed_mate"]);
        let bad = ["dubious", "mistake", "blunder"].contains(&text(&row["class"]));
        assert!(bad || row["missed_mate"].is_number(), "{row}");
        check_answers(exercise);
        check_problem(exercise, problem);
    }
    // What is missing was found to be good; the rows name the right moves of the others.
    let numbers: BTreeSet<u64> =
        exercises.iter().map(|exercise| exercise["number"].as_u64().expect("a number")).collect();
    for row in &rows {
        let asked = numbers.contains(&(row["ply"].as_u64().expect("a ply") + 1));
        assert_eq!(row["accepted"].is_string(), asked, "{row}");
    }
}

fn check_answers(exercise: &Value) {
    let position = Position::from_sfen(text(&exercise["sfen"])).expect("a position");
    let black = exercise["turn"] == "b";
    let lines = |key: &str| exercise["answers"][key].as_array().expect("lines").clone();
    let (right, wrong) = (lines("right"), lines("wrong"));
    let best = right.iter().map(|line| chance(line, black)).fold(0.0, f64::max);
    let (mut known, mut beyond) = (BTreeSet::new(), 0);
    for (line, is_right) in right.iter().map(|l| (l, true)).chain(wrong.iter().map(|l| (l, false)))
    {
        let mut after = position.clone();
        for word in text(&line["moves"]).split(' ') {
            let mv: PackedMove = word.parse().expect("a move");
            assert!(after.is_legal(mv), "{line}");
            after.do_move(mv);
        }
        let first = text(&line["moves"]).split(' ').next().expect("a move").to_owned();
        let own = chance(line, black);
        // What the analysis calls the best move is right, too.
        beyond += usize::from(is_right && best - own > 0.0301);
        assert!(is_right != (first == text(&exercise["played"])) || !is_right, "{exercise}");
        assert!(known.insert(first), "twice: {line}");
    }
    assert!(beyond <= 1 && known.contains(text(&exercise["played"])), "{exercise}");
    for word in text(&exercise["answers"]["unclear"]).split_ascii_whitespace() {
        assert!(known.insert(word.to_owned()), "twice: {word}");
    }
    let legal: BTreeSet<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    assert!(known.is_subset(&legal), "{known:?} {legal:?}");
    // Every legal move is known, except that the search might not try to decline a promotion.
    let missing = legal.difference(&known).find(|mv| !known.contains(&format!("{mv}+")));
    assert_eq!(missing, None, "{exercise}");
}

fn check_problem(exercise: &Value, problem: &Value) {
    let without_number = |sfen: &str| sfen.rsplit_once(' ').expect("a number").0.to_owned();
    assert_eq!(without_number(text(&problem["sfen"])), without_number(text(&exercise["sfen"])));
    let accepted = problem["candidates"].as_array().expect("candidates").iter();
    let accepted: Vec<&str> = accepted
        .filter(|candidate| candidate["accepted"] == true)
        .map(|candidate| text(&candidate["usi"]))
        .collect();
    let right = exercise["answers"]["right"].as_array().expect("lines").iter();
    let right: Vec<&str> =
        right.map(|line| text(&line["moves"]).split(' ').next().expect("a move")).collect();
    assert_eq!(accepted, right);
    assert_eq!(problem["actualMove"]["usi"], exercise["played"]);
    let mut before =
        Position::from_sfen(text(&problem["previousMove"]["sfen"])).expect("a position");
    before.do_move(text(&problem["previousMove"]["usi"]).parse().expect("a move"));
    assert_eq!(without_number(&before.to_sfen()), without_number(text(&exercise["sfen"])));
}

#[test]
fn a_missed_mate_is_asked_for() {
    let folder = folder("drill-mate");
    let path = folder.join("mate.usi");
    std::fs::write(&path, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*4b\n").expect("written");
    let game = path.display().to_string();
    let rows = folder.join("mate.jsonl").display().to_string();
    let analysed = analyze(&["-q", "--nodes", "2000", "-o", "-", "-f", "jsonl", &game]);
    std::fs::write(&rows, analysed.stdout).expect("written");
    for input in [&game, &rows] {
        let (exercises, problems) = exercises("drill-mate-out", &["--nodes", "2000", input]);
        assert_eq!((exercises.len(), &exercises[0]["missed"]), (1, &1.into()));
        let best = &exercises[0]["answers"]["right"][0];
        assert_eq!((text(&best["moves"]), &best["mate"]), ("G*5b", &1.into()));
        assert_eq!(problems[0]["candidates"][0]["mate"], 1);
        assert!(problems[0]["previousMove"].is_null());
    }
}

/// The same mistakes from records and from the rows of an earlier analysis.
#[test]
fn rows_of_an_earlier_analysis_give_the_same_questions() {
    let folder = folder("drill-rows");
    let rows = folder.join("rows.jsonl").display().to_string();
    let game = own("game.kif");
    let analysed = analyze(&["-q", "--nodes", "3000", "-o", "-", "-f", "jsonl", &game]);
    std::fs::write(&rows, analysed.stdout).expect("written");
    let asked = |name: &str, file: &str, more: &[&str]| {
        let (exercises, _) = exercises(name, &[&["--nodes", "3000", file], more].concat());
        exercises.iter().for_each(check_answers);
        let key = |exercise: &Value| {
            let keys = ["sfen", "played", "loss", "previous", "players", "name", "reason"];
            keys.map(|key| exercise[key].to_string())
        };
        exercises.iter().map(key).collect::<BTreeSet<_>>()
    };
    let (of_game, of_rows) = (asked("drill-one", &game, &[]), asked("drill-two", &rows, &[]));
    // The answers are searched anew, so a doubtful one may differ.
    assert!(of_game.intersection(&of_rows).count() > 0);
    assert!(of_game.symmetric_difference(&of_rows).count() <= 1, "{of_game:#?} {of_rows:#?}");
    // A position is asked once, and of both sides' mistakes one side's are a part.
    let (exercises, _) = exercises("drill-twice", &["--nodes", "3000", &rows, &rows]);
    assert_eq!(exercises.len(), of_rows.len());
    let one = asked("drill-most", &rows, &["--most", "1"]);
    assert!(one.len() == 1 && one.is_subset(&of_rows));
    let side = |side| {
        let output = drill(&[
            "-q",
            "-o",
            &folder.display().to_string(),
            "--nodes",
            "3000",
            "--side",
            side,
            &rows,
        ]);
        if code(&output) == Some(0) { written(&folder).0 } else { Vec::new() }
    };
    let (black, white) = (side("black"), side("white"));
    assert!(black.iter().all(|exercise| exercise["turn"] == "b"));
    assert!(white.iter().all(|exercise| exercise["turn"] == "w"));
    assert_eq!(black.len() + white.len(), of_rows.len());
}

#[test]
fn wrong_inputs_are_named() {
    let folder = folder("drill-faults");
    let out = folder.join("out").display().to_string();
    let run = |arguments: &[&str]| {
        let output = drill(&[&["-q", "-o", &out, "--nodes", "100"], arguments].concat());
        (code(&output), stderr(&output))
    };
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let game = own("game.kif");
    let (status, error) = run(&["--player", "no such name", &game]);
    assert_eq!(status, Some(1));
    assert!(error.contains("no such name") && !Path::new(&out).exists(), "{error}");
    let (status, error) = run(&["--lang", "ja", "--player", "名無し", &game]);
    assert!(status == Some(1) && error.contains("悪手がありません"), "{error}");
    for (name, text, message) in [
        ("list.jsonl", "\n{\"list\":\"a\",\"line\":1}\n", "line 2"),
        ("text.jsonl", "startpos\n", "line 1"),
        ("null.jsonl", "null\n", "line 1"),
    ] {
        let (status, error) = run(&[&file(name, text)]);
        assert_eq!(status, Some(1), "{error}");
        assert!(error.contains(name) && error.contains(message), "{error}");
    }
    let row = |sfen: &str, played: &str, pv: &str| {
        format!(
            "{{\"game\":\"g\",\"ply\":0,\"sfen\":\"{sfen}\",\"played\":\"{played}\",\"pv\":\"{pv}\",\
             \"class\":\"blunder\",\"loss\":0.6}}\n"
        )
    };
    let start = Position::startpos().to_sfen();
    for (sfen, played, pv, message) in [
        ("9/9 b - 1", "7g7f", "2g2f", "position"),
        (&start, "7g7e", "2g2f", "7g7e"),
        (&start, "7g7f", "2g2f 2g2f", "2g2f 2g2f"),
        (&start, "7g7f", "", "cannot be played"),
    ] {
        let (status, error) = run(&[&file("row.jsonl", &row(sfen, played, pv))]);
        assert!(status == Some(1) && error.contains(message), "{error}");
    }
    let (status, error) = run(&[&file("empty.jsonl", "")]);
    assert!(status == Some(1) && error.contains("no mistake"), "{error}");
    assert_eq!(run(&["/no/such/file.jsonl"]).0, Some(1));
    assert_eq!(run(&["/no/such/file.kif"]).0, Some(1));
    assert_eq!(run(&["--most", "0", &game]).0, Some(2));
}

/// ShogiHome's library accepts the collection by the checks that ShogiHome makes.
#[test]
fn tsshogi_reads_the_next_move_problems() {
    if !node("tsshogi") {
        return;
    }
    let folder = folder("drill-tsshogi");
    let (_, problems) = exercises("drill-tsshogi", &["--nodes", "1000", &own("game.kif")]);
    let script = here("clients/read_next_moves.mjs");
    let file = folder.join("drill.monomi.json");
    let seen = output(Command::new("node").arg(script).arg(file));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["faults"], Value::Array(Vec::new()));
    assert_eq!(seen["problems"], problems.len());
}

/// `MONOMI_SHOTS` names a folder for the screenshots, to be looked at.
#[test]
fn chromium_asks_and_accepts_answers() {
    if !chromium() {
        return;
    }
    let game = own("game.kif");
    let (exercises, _) = exercises("drill-page", &["--nodes", "3000", &game]);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyze-drill-page");
    let out = folder.display().to_string();
    let analysed = analyze(&["-q", "--nodes", "3000", "-o", &out, "-f", "html", &game]);
    assert_eq!(code(&analysed), Some(0), "{}", stderr(&analysed));
    let shots = std::env::var("MONOMI_SHOTS").unwrap_or(out.clone());
    let pages = ["drill.monomi.html", "game.monomi.html"].map(|name| folder.join(name));
    let script = here("clients/open_drill.mjs");
    let seen = output(Command::new("node").arg(script).args(pages).arg(shots));
    let seen: Value = serde_json::from_str(&seen).expect("JSON");
    assert_eq!(seen["errors"], Value::Array(Vec::new()));
    assert_eq!(seen["requests"], Value::Array(Vec::new()));
    assert_eq!(seen["exercises"], exercises.len());
    let words = &seen["words"];
    let is_accepted = |message: &Value| *message == words["right"] || *message == words["close"];
    for (found, exercise) in seen["answers"].as_array().expect("answers").iter().zip(&exercises) {
        assert_eq!(found["hidden"], "", "the answer is hidden before: {found}");
        assert_eq!(found["played"], words["wrongAgain"], "{found}");
        assert!(
            text(&found["refutation"]).contains("▲") || text(&found["refutation"]).contains("△")
        );
        assert!(text(&found["followed"]).starts_with("1/"), "{found}");
        assert_eq!(found["nonsense"], words["unknown"]);
        assert!(is_accepted(&found["answered"]), "{found}");
        let right = exercise["answers"]["right"].as_array().expect("lines").len();
        assert_eq!(found["lines"], right + 1, "{found}");
        assert!(!text(&found["source"]).contains("undefined"), "{found}");
    }
    assert_eq!(seen["score"], words["score"]);
    assert!(text(&seen["japanese"]).contains("正解"), "{}", seen["japanese"]);
    assert_eq!(seen["overflow"], 0);
    let asked = seen["report"].as_array().expect("answers");
    assert_eq!(asked.len(), exercises.len());
    for found in asked {
        assert_eq!(found["wrong"], words["wrongAgain"]);
        assert!(is_accepted(&found["right"]), "{found}");
    }
    report(&format!("{} exercises answered in Chromium", asked.len()));
}
