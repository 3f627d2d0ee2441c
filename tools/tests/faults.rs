//! Whole runs of the program against engines that misbehave: every fault is named and counted, and
//! the runner goes on.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const ENGINE: &str = env!("CARGO_BIN_EXE_scripted-engine");

fn tools(folder: &Path, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("openings"), "startpos\nstartpos\n").unwrap();
    Command::new(env!("CARGO_BIN_EXE_monomi-tools"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the program runs")
}

fn engine(name: &str, mode: &str) -> String {
    format!("name={name} cmd='\"{ENGINE}\" {mode}'")
}

fn run_match(folder: &Path, mode: &str, more: &[&str]) -> Value {
    let (a, b) = (engine("bad", mode), engine("good", "good"));
    let mut arguments = vec!["match", "--a", &a, "--b", &b, "--openings", "openings", "--json"];
    arguments.extend(["--pairs", "2"]);
    arguments.extend(more);
    let output = tools(folder, &arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{mode}: {error}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{mode}: {error}"))
}

fn forfeits(mode: &str, name: &str, limit: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let start = Instant::now();
    let result = run_match(folder.path(), mode, limit);
    assert!(start.elapsed() < Duration::from_secs(60), "{mode} held the runner up");
    assert_eq!(result["games"], 4, "{mode}: {result}");
    let counted = result["forfeits"][format!("bad {name}")].as_u64().unwrap_or(0);
    assert!(counted >= 2, "{mode}: {result}");
    assert_eq!(result["losses"], counted, "{mode}: {result}");
}

#[test]
fn an_illegal_move_forfeits() {
    forfeits("illegal", "illegal-move", &["--nodes", "1", "--hang", "0.5"]);
}

#[test]
fn an_engine_that_does_not_answer_forfeits() {
    forfeits("hang", "hang", &["--nodes", "1", "--hang", "0.5"]);
    forfeits("deaf", "hang", &["--tc", "0.2", "--hang", "0.5"]);
}

/// A process that something else has killed has lost nothing: the game does not count.
#[test]
#[cfg(unix)]
fn the_games_of_killed_engines_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--nodes", "1", "--games", "games.jsonl"];
    let result = run_match(folder.path(), "killed", &more);
    assert_eq!((&result["games"], &result["forfeits"]), (&0.into(), &serde_json::json!({})));
    let stored = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    assert_eq!(stored.lines().count(), 1, "the settings only: {stored}");
}

/// The parts of a match have the games of the whole one, and are added up only if they belong together.
#[test]
fn the_parts_of_a_match_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..6)
        .map(|moves| {
            format!(
                "startpos moves{}",
                " 2h3h 8b7b 3h2h 7b8b".repeat(moves % 2) + [" 7g7f", " 2g2f", " 6g6f"][moves / 2]
            )
        })
        .collect();
    std::fs::write(folder.path().join("list"), lines.join("\n")).unwrap();
    let (a, b) = (engine("first", "wins-by-option"), engine("second", "good"));
    let play = |shard: &str, games: &str, seed: &str| {
        let arguments =
            ["match", "--a", &a, "--b", &b, "--openings", "list", "--nodes", "1", "--pairs", "6"];
        let more = ["--shard", shard, "--games", games, "--seed", seed, "--max-plies", "20"];
        let output = tools(folder.path(), &[&arguments[..], &more[..]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    play("1/1", "whole", "1");
    play("1/4", "part1", "1");
    play("2/4", "part2", "1");
    play("3/4", "part3", "1");
    play("4/4", "part4", "1");
    let result = |files: &[&str]| tools(folder.path(), &[&["result", "--json"], files].concat());
    let games = |files: &[&str]| -> Vec<Value> {
        let text = |file: &&str| std::fs::read_to_string(folder.path().join(file)).unwrap();
        let mut games: Vec<Value> = files
            .iter()
            .flat_map(|file| text(file).lines().skip(1).map(str::to_owned).collect::<Vec<_>>())
            .map(|line| {
                let mut game: Value = serde_json::from_str(&line).unwrap();
                game.as_object_mut().unwrap().remove("time_ms");
                game
            })
            .collect();
        games.sort_by_key(|game| (game["pair"].as_u64(), game["swap"].as_bool()));
        games
    };
    let parts = ["part1", "part2", "part3", "part4"];
    assert_eq!(games(&parts), games(&["whole"]));
    assert_eq!(games(&["part2"]).len(), 4);
    let [sum, whole] = [result(&parts), result(&["whole"])].map(|output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    });
    assert_eq!(sum, whole);
    assert_eq!((&sum["games"], &sum["pairs"], &sum["a"]), (&12.into(), &6.into(), &"first".into()));
    let row = tools(folder.path(), &["result", "--row", "part1", "part2"]);
    let row = String::from_utf8_lossy(&row.stdout).into_owned();
    assert!(row.starts_with("\t\tfirst\tsecond\tnodes 1\t1\t8\t"), "{row}");
    assert_eq!(row.matches('\t').count(), 12, "{row}");
    let refused = |files: &[&str], part: &str| {
        let output = result(files);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && error.contains(part), "{part}: {error}");
    };
    refused(&["part1", "part2", "whole"], "in part1 already");
    play("3/4", "other", "2");
    refused(&["part1", "other"], "other settings");
    refused(&["part1", "list"], "not a file of games");
}

/// The parts of a factorial test give the same effects as the whole one.
#[test]
fn the_parts_of_a_factorial_test_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let lines = ["7g7f", "2g2f", "6g6f", "5g5f"].map(|mv| format!("startpos moves {mv}"));
    std::fs::write(folder.path().join("list"), lines.join("\n")).unwrap();
    let engine = engine("base", "wins-by-option");
    let play = |shard: &str, games: &str| {
        let start = ["factorial", "--engine", &engine, "--factor", "Strong=false,true"];
        let more = ["--openings", "list", "--nodes", "1", "--pairs", "4", "--max-plies", "20"];
        let files = ["--shard", shard, "--games", games];
        let output = tools(folder.path(), &[&start[..], &more[..], &files[..]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    play("1/1", "whole");
    play("1/2", "part1");
    play("2/2", "part2");
    let result = |files: &[&str]| {
        let output = tools(folder.path(), &[&["result", "--json"], files].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let (sum, whole) = (result(&["part1", "part2"]), result(&["whole"]));
    assert_eq!(sum, whole);
    assert_eq!((&sum["games"], &sum["factors"][0]["name"]), (&8.into(), &"Strong".into()));
    let output = tools(folder.path(), &["result", "--sprt", "0,5", "whole"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--sprt and --row are for a match"));
}

#[test]
fn an_engine_that_writes_without_end_forfeits() {
    forfeits("flood", "hang", &["--nodes", "1", "--hang", "0.5"]);
}

#[test]
fn a_crash_forfeits_and_the_engine_is_started_again() {
    forfeits("crash", "crash", &["--nodes", "1", "--hang", "0.5", "--concurrency", "2"]);
}

#[test]
fn overrun_time_forfeits() {
    forfeits("late", "time", &["--byoyomi", "200", "--hang", "20"]);
}

#[test]
fn strict_makes_a_forfeit_an_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (engine("bad", "illegal"), engine("good", "good"));
    let base = ["match", "--openings", "openings", "--nodes", "1", "--pairs", "1", "--strict"];
    let code = |a: &str, b: &str| {
        tools(folder.path(), &[&base[..], &["--a", a, "--b", b]].concat()).status.code()
    };
    assert_eq!(code(&a, &b), Some(1));
    assert_eq!(code(&b, &a), Some(0));
}

#[test]
fn an_engine_that_does_not_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = engine("good", "good");
    for (spec, reason) in [
        ("name=lost cmd=./no-such-engine".to_owned(), "no-such-engine"),
        (engine("lost", "no-usiok"), "before `usiok`"),
        (engine("lost", "good") + " EvalFile=nn.bin", "EvalFile: there is no such file"),
        (engine("lost", "good") + " evalfile=other", "EvalFile: there is no such file"),
    ] {
        let arguments =
            ["match", "--a", &spec, "--b", &good, "--openings", "openings", "--nodes", "1"];
        let output = tools(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("`lost`") && error.contains(reason), "{error}");
    }
}

#[test]
fn an_error_that_concerns_no_option_of_the_match_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (engine("bookless", "no-book"), engine("good", "good"));
    let arguments = ["match", "--a", &a, "--b", &b, "--openings", "openings", "--nodes", "1"];
    let output = tools(folder.path(), &[&arguments[..], &["--pairs", "2"]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let warning = "engine `bookless` reports an error: can't read file : book.db";
    assert_eq!(error.matches(warning).count(), 1, "{error}");
}

#[test]
fn a_match_is_continued_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let limit = ["--nodes", "1", "--games", "games.jsonl"];
    let first = run_match(folder.path(), "good", &limit);
    assert_eq!(first["pentanomial"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(first["endings"]["repetition"], 4);
    let path = folder.path().join("games.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    // Cut in the middle of the last game: it alone is played again.
    std::fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    let again = run_match(folder.path(), "good", &limit);
    assert_eq!(again["games"], 4);
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 5);
    // Finished: nothing is played.
    assert_eq!(run_match(folder.path(), "good", &limit), again);
    let output = tools(
        folder.path(),
        &[&["match", "--a", "cmd=x", "--b", "cmd=y", "--openings", "openings"], &limit[..]]
            .concat(),
    );
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("other settings"), "{error}");
}

#[test]
fn a_sequential_test_stops_when_it_is_decided() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (engine("strong", "good"), engine("weak", "wins-by-option"));
    let arguments = ["match", "--a", &a, "--b", &b, "--openings", "openings", "--nodes", "1"];
    let sprt = ["--sprt", "0,50", "--pairs", "5000", "--json", "--concurrency", "2", "--repeat"];
    let output = tools(folder.path(), &[&arguments[..], &sprt[..]].concat());
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["sprt"]["decision"], "accept_h1", "{result}");
    assert!(result["pairs"].as_u64().unwrap() < 200, "{result}");
}

/// At fixed nodes the games after the last opening would be copies of earlier ones.
#[test]
fn a_match_ends_with_the_list_unless_it_may_repeat() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (engine("one", "good"), engine("two", "good"));
    let games = |limit: &[&str]| {
        std::fs::write(folder.path().join("three"), "startpos\n".repeat(3)).unwrap();
        let base = ["match", "--a", &a, "--b", &b, "--openings", "three", "--pairs", "5", "--json"];
        let output = tools(folder.path(), &[&base[..], limit].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let result: Value = serde_json::from_slice(&output.stdout).expect(&error);
        let warned = error.contains("3 openings") && error.contains("--repeat");
        (result["games"].as_u64().unwrap(), warned)
    };
    assert_eq!(games(&["--nodes", "1"]), (6, true));
    assert_eq!(games(&["--nodes", "1", "--repeat"]), (10, false));
    // With a clock, or with tables that are kept, no game need be like another.
    assert_eq!(games(&["--tc", "20"]), (10, false));
    assert_eq!(games(&["--nodes", "1", "--keep-tables"]), (10, false));
}

#[test]
fn a_factorial_test_finds_the_factor_that_matters() {
    let folder = tempfile::tempdir().unwrap();
    let spec = engine("engine", "wins-by-option");
    let run = |factors: &[&str]| {
        let base = ["factorial", "--engine", &spec, "--openings", "openings", "--nodes", "1"];
        let more =
            ["--pairs", "40", "--json", "--games", "games.jsonl", "--results", "results.tsv"];
        tools(folder.path(), &[&base[..], &more[..], factors].concat())
    };
    let factors = ["--factor", "name=strong Strong=false,true"];
    let output = run(&factors);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let result: Value = serde_json::from_slice(&output.stdout).expect(&error);
    assert_eq!(result["games"], 80);
    assert!(result["factors"][0]["effect"]["low"].as_f64().unwrap() > 100.0, "{result}");
    // The games are stored, so that a second run only reports.
    assert_eq!(run(&factors).stdout, output.stdout);
    // So are the results of the pairs, from which the same effects follow.
    std::fs::remove_file(folder.path().join("games.jsonl")).unwrap();
    let from_table: Value = serde_json::from_slice(&run(&factors).stdout).unwrap();
    assert_eq!(from_table["games"], 80);
    let effect = |result: &Value| result["factors"][0]["effect"]["elo"].as_f64().unwrap();
    assert!((effect(&from_table) - effect(&result)).abs() < 1e-6, "{from_table} {result}");
    let games = std::fs::read_to_string(folder.path().join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 1, "no game was played again");
    std::fs::remove_file(folder.path().join("games.jsonl")).unwrap();
    std::fs::remove_file(folder.path().join("results.tsv")).unwrap();
    let unknown = run(&["--factor", "Nonsense=1,2"]);
    let error = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(error.contains("does not declare the option `Nonsense`"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_result_so_far_and_blames_no_engine() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("openings"), "startpos\n").unwrap();
    let (a, b) = (engine("one", "good"), engine("two", "good"));
    let games = folder.path().join("games.jsonl");
    let runner = Command::new(env!("CARGO_BIN_EXE_monomi-tools"))
        .args(["match", "--a", &a, "--b", &b, "--openings", "openings", "--nodes", "1"])
        .args(["--pairs", "1000000", "--json", "--games", "games.jsonl", "--concurrency", "2"])
        .arg("--repeat")
        .current_dir(folder.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program runs");
    let deadline = Instant::now() + Duration::from_secs(30);
    let stored = || std::fs::read_to_string(&games).unwrap_or_default().lines().count();
    while stored() < 10 {
        assert!(Instant::now() < deadline, "no games");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &runner.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = runner.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["games"].as_u64().unwrap() as usize, stored() - 1, "{result}");
    assert_eq!(result["forfeits"], serde_json::json!({}), "{result}");
}

fn speed(modes: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let engines: Vec<String> = modes.iter().map(|mode| engine(mode, mode)).collect();
    let mut arguments = vec!["speed", "--openings", "openings", "--json"];
    arguments.extend(["--rounds", "3", "--positions", "2", "--movetime", "20"]);
    for engine in &engines {
        arguments.extend(["--engine", engine]);
    }
    tools(folder.path(), &arguments)
}

#[test]
fn speeds_are_compared() {
    let output = speed(&["slow", "fast"]);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["rounds"], 3);
    assert_eq!(result["engines"][0]["ratio"], 1.0);
    // Four times as many nodes in about the same time; a busy machine may stretch one of them.
    let ratio = result["engines"][1]["ratio"].as_f64().unwrap();
    assert!((1.5..12.0).contains(&ratio), "{result}");
}

#[test]
fn an_engine_without_nodes_is_named() {
    let output = speed(&["fast", "good"]);
    assert!(!output.status.success());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("engine `good` prints no nodes"), "{error}");
}

#[test]
fn a_tournament_has_a_table_and_csa_files() {
    let folder = tempfile::tempdir().unwrap();
    let engines =
        [engine("good", "good"), engine("weak", "wins-by-option"), engine("bad", "crash")];
    let mut arguments = vec!["match", "--openings", "openings", "--nodes", "1", "--hang", "0.5"];
    arguments.extend([
        "--pairs",
        "2",
        "--csa",
        "csa",
        "--max-plies",
        "30",
        "--games",
        "games.jsonl",
    ]);
    for engine in &engines {
        arguments.extend(["--engine", engine]);
    }
    let run = |more: &[&str]| {
        let output = tools(folder.path(), &[&arguments[..], more].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{error}");
        String::from_utf8(output.stdout).unwrap()
    };
    let result: Value = serde_json::from_str(&run(&["--json"])).unwrap();
    let row = |name: &str| {
        let rows = result["engines"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap().clone()
    };
    assert_eq!(row("good")["games"], 8, "{result}");
    assert_eq!(row("good")["points"], 8.0, "{result}");
    assert_eq!(row("weak")["against"]["good"]["points"], 0.0, "{result}");
    assert_eq!(result["forfeits"]["bad crash"], 4, "{result}");
    let names: Vec<String> = std::fs::read_dir(folder.path().join("csa"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 12, "{names:?}");
    let text = std::fs::read_to_string(folder.path().join("csa/000001-a.csa")).unwrap();
    assert!(text.contains("N+good\nN-weak\n") && text.ends_with("%TORYO\n"), "{text}");
    // Everything is stored: the same command only reports.
    let table = run(&[]);
    assert!(table.contains("100.0 %") && table.contains("forfeit bad crash x4"), "{table}");
}

#[test]
fn engines_ponder_on_the_expected_reply() {
    let folder = tempfile::tempdir().unwrap();
    let result =
        run_match(folder.path(), "ponder", &["--tc", "20", "--ponder", "--max-plies", "40"]);
    assert_eq!(result["games"], 4);
    assert_eq!(result["endings"]["repetition"], 4, "{result}");
    let (a, b) = (engine("a", "good"), engine("b", "good"));
    let arguments =
        ["match", "--a", &a, "--b", &b, "--openings", "openings", "--nodes", "1", "--ponder"];
    let output = tools(folder.path(), &arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("--ponder needs a clock"), "{error}");
}
