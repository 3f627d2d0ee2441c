//! `monomi analyze --positions`: lists as streams.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tests::analysis::{analyze, code, contents, own, rows, stderr};
use tests::program::command;

pub(super) fn folder(name: &str) -> PathBuf {
    tests::analysis::folder(env!("CARGO_TARGET_TMPDIR"), &format!("positions-{name}"))
}

/// The positions of a game, and some others.
pub(super) fn sfens() -> Vec<String> {
    let output = analyze(&["--nodes", "1", "-o", "-", "-f", "jsonl", &own("game.kif")]);
    let rows = rows(&String::from_utf8(output.stdout).expect("UTF-8"));
    let mut sfens: Vec<String> =
        rows.iter().map(|row| row["sfen"].as_str().expect("an sfen").to_owned()).collect();
    sfens.push("4k4/9/4P4/9/9/9/9/9/4K4 b G 1".to_owned());
    sfens.push("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".to_owned());
    sfens.push("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1".to_owned());
    sfens
}

fn many() -> Vec<String> {
    std::iter::repeat_n(sfens(), 20).flatten().collect()
}

pub(super) fn list(folder: &Path, name: &str, lines: &[String]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, lines.join("\n") + "\n").expect("written");
    path.display().to_string()
}

/// Rows on standard output.
pub(super) fn searched(arguments: &[&str]) -> Vec<Value> {
    let output = analyze(&[&["--positions", "--nodes", "1500"], arguments].concat());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    rows(&String::from_utf8(output.stdout).expect("UTF-8"))
}

/// A row without what says where it stood.
fn finding(row: &Value) -> Value {
    let mut row = row.clone();
    let fields = row.as_object_mut().expect("an object");
    fields.remove("line").expect("a line");
    fields.remove("list").expect("a list");
    row
}

#[test]
fn positions_are_independent_and_rows_keep_the_order() {
    let (folder, sfens) = (folder("order"), sfens());
    let forward = list(&folder, "forward.sfen", &sfens);
    let backward: Vec<String> = sfens.iter().rev().cloned().collect();
    let backward = list(&folder, "backward.sfen", &backward);
    let one = searched(&["--threads", "1", &forward]);
    assert_eq!(one, searched(&["--threads", "3", &forward]));
    for (row, (sfen, line)) in one.iter().zip(sfens.iter().zip(1..)) {
        assert_eq!((&row["sfen"], &row["line"]), (&Value::from(sfen.as_str()), &Value::from(line)));
        assert!(row["cp"].is_null() != row["mate"].is_null(), "{row}");
    }
    assert_eq!(one.len(), sfens.len());
    assert_eq!(one[sfens.len() - 3]["mate"], 1);
    assert_eq!(one[sfens.len() - 2]["over"], "mated");
    // Neither the neighbours nor the place in the list matter.
    let mut other = searched(&["--threads", "2", &backward]);
    other.reverse();
    assert!(one.iter().map(finding).eq(other.iter().map(finding)));
    // The history counts: what stands for the fourth time is drawn.
    let cycle = " 2h1h 8b9b 1h2h 9b8b".repeat(3);
    let repeated = list(&folder, "repeated.sfen", &[format!("startpos moves{cycle}")]);
    assert_eq!(searched(&[&repeated])[0]["over"], "repetition");
}

/// Keys, the text of positions and the numbers of lines come back; with `--errors rows` invalid lines do, too.
#[test]
fn rows_can_be_joined_with_the_list() {
    let folder = folder("keys");
    let sfens = sfens();
    let lines = [
        format!("game 1, move 3\t{}", sfens[3]),
        format!("{{\"id\": 12, \"position\": \"{}\"}}", sfens[4]),
        sfens[5].clone(),
        "bad\t9/9 b - 1".to_owned(),
        "{\"id\": 13}".to_owned(),
    ];
    let path = list(&folder, "list.sfen", &lines);
    let found = searched(&["--errors", "rows", "--line-offset", "1000", &path]);
    let ids: Vec<&Value> = found.iter().map(|row| &row["id"]).collect();
    let null = Value::Null;
    assert_eq!(
        ids,
        [&Value::from("game 1, move 3"), &Value::from(12), &null, &Value::from("bad"), &null]
    );
    for (row, line) in found.iter().zip(1001..) {
        assert_eq!((&row["list"], &row["line"]), (&path.as_str().into(), &line.into()));
    }
    for (row, sfen) in found[..3].iter().zip(&sfens[3..]) {
        assert_eq!((&row["input"], &row["sfen"]), (&sfen.as_str().into(), &sfen.as_str().into()));
        assert!(row["error"].is_null());
    }
    assert_eq!(found[3]["input"], "9/9 b - 1");
    assert!(found[3]["error"].as_str().expect("a text").starts_with("`9/9 b - 1`: "));
    assert!(found[3].get("sfen").is_none() && found[3].get("cp").is_none());
    assert!(found[4]["error"].as_str().expect("a text").contains("position"));
    // What was found does not depend on the key.
    let plain: Vec<String> = sfens[3..6].to_vec();
    let plain = searched(&[&list(&folder, "plain.sfen", &plain)]);
    for (row, plain) in found.iter().zip(&plain) {
        let mut row = finding(row);
        row["id"] = null.clone();
        assert_eq!(row, finding(plain));
    }
    // CSV has the same rows, and a run into a finished folder accepts them as those of this list.
    let out = folder.join("out").display().to_string();
    for _ in 0..2 {
        let arguments = ["--positions", "--nodes", "100", "--errors", "rows", "-f", "csv", "-o"];
        let output = analyze(&[&arguments[..], &[&out, &path]].concat());
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    }
    let csv =
        String::from_utf8(contents(Path::new(&out))["list.monomi.csv"].clone()).expect("UTF-8");
    assert_eq!(csv.lines().count(), 6);
    assert!(csv.contains(",\"game 1, move 3\",") && csv.contains(",bad,9/9 b - 1,`9/9 b - 1`: "));
    // Without the option they are reported, with their numbers in the whole list.
    let output = analyze(&["--positions", "--nodes", "100", "--line-offset", "1000", &path]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("line 1004, `9/9 b - 1`"), "{}", stderr(&output));
}

/// The progress is readable for programs, and its last line says that everything is done.
#[test]
fn progress_is_written_as_json() {
    let (folder, lines) = (folder("json-progress"), sfens());
    let path = list(&folder, "list.sfen", &lines);
    let output = analyze(&["--positions", "-q", "--json-progress", "--nodes", "2000", &path]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let progress = rows(&stderr(&output));
    let last = progress.last().expect("a line");
    assert_eq!(last["name"].as_str(), Some(&path[..]));
    assert_eq!(last["positions"].as_u64(), Some(lines.len() as u64));
    assert_eq!((last["share"].as_f64(), last["seconds_left"].as_f64()), (Some(1.0), Some(0.0)));
    assert!(last["seconds"].is_number() && last["positions_per_second"].is_number(), "{last}");
    // Standard input has no length.
    let output = command()
        .args(["analyze", "--positions", "--json-progress", "--nodes", "100", "-"])
        .stdin(std::fs::File::open(&path).expect("the list"))
        .output()
        .expect("the program runs");
    let progress = rows(&stderr(&output));
    let last = progress.last().expect("a line");
    assert_eq!((&last["share"], &last["seconds_left"]), (&Value::Null, &Value::Null));
    let games = crate::folder("json-progress-games").join("game.usi");
    std::fs::write(&games, "startpos moves 7g7f 3c3d 2g2f").expect("written");
    let path = games.display().to_string();
    let output = analyze(&["--json-progress", "--nodes", "100", &path]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let progress = rows(&stderr(&output));
    assert_eq!(progress.last().expect("a line")["positions"].as_u64(), Some(4));
}

#[test]
fn invalid_lines_are_reported_and_skipped() {
    let (folder, good) = (folder("broken"), sfens());
    let mut lines = good.clone();
    lines.insert(0, "# a comment".to_owned());
    lines.insert(2, "9/9 b - 1".to_owned());
    lines.insert(4, "startpos moves 7g7f 7g7f".to_owned());
    lines.insert(5, String::new());
    lines.insert(6, "\u{7f}ELF\u{2}".to_owned());
    let path = list(&folder, "list.sfen", &lines);
    let output = analyze(&["--positions", "--nodes", "100", &path]);
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    let found = rows(&String::from_utf8(output.stdout.clone()).expect("UTF-8"));
    assert!(found.iter().map(|row| row["sfen"].as_str().expect("text")).eq(&good));
    let errors = stderr(&output);
    for part in ["list.sfen: line 3, `9/9 b - 1`", "line 5, move 2, `7g7f`: illegal", "line 7, `"] {
        assert!(errors.contains(part), "{part} in {errors}");
    }
    assert_eq!(errors.lines().count(), 3, "{errors}");
    // A missing list, with and without others.
    let missing = folder.join("missing.sfen").display().to_string();
    let output = analyze(&["--positions", "--nodes", "100", &missing, &path]);
    assert_eq!(code(&output), Some(3));
    assert!(stderr(&output).contains("missing.sfen: "));
    for nothing in [&missing, &folder.display().to_string()] {
        let output = analyze(&["--positions", "--nodes", "100", nothing]);
        assert_eq!(code(&output), Some(1), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 2, "{}", stderr(&output));
    }
    for wrong in [
        &["--positions", "--shard", "0/3", &path][..],
        &["--positions", "--shard", "half", &path],
        &["--shard", "1/3", &path],
        &["--positions", "--time-per-game", "1", &path],
        &["--positions", "-o", "-", "-f", "html", &path],
        &["--positions", "-o", "-", "-f", "jsonl,csv", &path],
    ] {
        let output = analyze(wrong);
        assert_eq!(code(&output), Some(2), "{wrong:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty() && stderr(&output).contains("--help"));
    }
}

#[test]
fn a_list_without_positions_is_reported() {
    let folder = folder("none");
    let comments = list(&folder, "comments.sfen", &["# nothing".to_owned(), String::new()]);
    let output = analyze(&["--positions", "--nodes", "10", &comments]);
    assert_eq!(code(&output), Some(0));
    assert!(stderr(&output).contains("comments.sfen: contains no position"));
    // A shard may well be empty.
    let output = analyze(&["--positions", "--nodes", "10", "--shard", "1/2", &comments]);
    assert_eq!((code(&output), stderr(&output)), (Some(0), String::new()));
}

fn start(arguments: &[&str]) -> Child {
    let child = command()
        .args(["analyze", "--positions"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    child.expect("the engine starts")
}

/// A program may write a line and wait for its row before it writes the next.
#[test]
fn rows_are_written_immediately() {
    let mut child = start(&["--nodes", "500", "-"]);
    let mut input = child.stdin.take().expect("stdin");
    let mut output = BufReader::new(child.stdout.take().expect("stdout"));
    for sfen in sfens() {
        writeln!(input, "{sfen}").and_then(|()| input.flush()).expect("written");
        let mut row = String::new();
        output.read_line(&mut row).expect("a row");
        assert_eq!(rows(&row)[0]["sfen"], sfen);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

/// What has not been searched is not read either: an endless list fills no memory.
#[test]
fn the_list_waits_for_the_search() {
    let mut child = start(&["--nodes", "1000000000", "--threads", "2", "-"]);
    let mut input = child.stdin.take().expect("stdin");
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let lines = "startpos moves 7g7f 3c3d\n".repeat(1000);
        while input.write_all(lines.as_bytes()).is_ok() {
            let _ = sender.send(lines.len());
        }
    });
    let (mut taken, end) = (0, Instant::now() + Duration::from_secs(3));
    while let Ok(bytes) = receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        taken += bytes;
    }
    child.kill().expect("it still runs");
    child.wait().expect("it ends");
    // The system's pipe holds some 64 KiB, and so many lines are read ahead.
    assert!(taken < 1 << 20, "{taken} bytes were taken");
}

fn to_files<'a>(out: &'a str, list: &'a str) -> Vec<&'a str> {
    let limits = ["analyze", "--positions", "--nodes", "4000", "--threads", "2"];
    [&limits[..], &["-f", "jsonl,csv", "-o", out, list]].concat()
}

/// However a run ends, the next one goes on, and the files are those of an uninterrupted one.
#[cfg(unix)]
#[test]
fn an_interrupted_list_resumes() {
    let folder = folder("interrupted");
    let mut lines = many();
    lines.insert(50, "broken".to_owned());
    let list = list(&folder, "list.sfen", &lines);
    let run = |out: &str| command().args(to_files(out, &list)).output();
    let whole = folder.join("whole").display().to_string();
    let output = run(&whole).expect("the engine runs");
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    let parts = folder.join("parts");
    let out = parts.display().to_string();
    let part = parts.join("list.monomi.jsonl.part");
    let size = || std::fs::metadata(&part).map_or(0, |data| data.len());
    let (mut interrupted, mut killed) = (0, 0);
    for attempt in 0..200 {
        let child = command()
            .args(to_files(&out, &list))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let before = size();
        let deadline = Instant::now() + Duration::from_secs(5);
        while size() <= before + 3000 && Instant::now() < deadline && part.exists()
            || !part.exists() && !parts.join("list.monomi.jsonl").exists()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        // A run that has finished its files may end, or the next one would begin anew.
        if part.exists() {
            let signal = if attempt % 3 == 2 { "-KILL" } else { "-INT" };
            let pid = child.id().to_string();
            let _ = Command::new("kill").args([signal, &pid]).stderr(Stdio::null()).status();
        }
        let output = child.wait_with_output().expect("it ends");
        match code(&output) {
            Some(130) => {
                assert!(stderr(&output).contains("interrupted; done up to line"));
                interrupted += 1;
            }
            Some(0 | 3) => break,
            None => killed += 1,
            other => panic!("{other:?} at attempt {attempt}: {}", stderr(&output)),
        }
    }
    assert!(interrupted >= 2 && killed >= 1, "{interrupted} {killed}");
    assert_eq!(contents(Path::new(&whole)), contents(&parts));
}

/// What an interrupted run left is neither mixed with other findings nor thrown away.
#[cfg(unix)]
#[test]
fn resuming_needs_the_same_list_and_settings() {
    let folder = folder("left");
    let lines = many();
    let path = list(&folder, "list.sfen", &lines);
    let out = folder.join("out");
    let name = out.display().to_string();
    let mut child = command()
        .args(to_files(&name, &path))
        .stderr(Stdio::null())
        .spawn()
        .expect("the engine starts");
    let part = out.join("list.monomi.jsonl.part");
    while std::fs::metadata(&part).map_or(0, |data| data.len()) < 3000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left = contents(&out);
    assert_eq!(left.len(), 3, "{:?}", left.keys());
    let changed = list(&folder.join("."), "list.sfen", &lines[1..]);
    let output = analyze(&to_files(&name, &changed)[1..]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("has changed since the previous run"), "{}", stderr(&output));
    let path = list(&folder, "list.sfen", &lines);
    let mut other = to_files(&name, &path);
    other[3] = "5000";
    let output = analyze(&other[1..]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("other settings"), "{}", stderr(&output));
    assert_eq!(contents(&out), left);
    let output = analyze(&to_files(&name, &path)[1..]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert_eq!(contents(&out).len(), 2);
}

/// A second process neither truncates what the first one has written nor ends as if all were well.
#[cfg(unix)]
#[test]
fn a_list_that_is_being_written_belongs_to_one_process() {
    let folder = folder("busy");
    let path = list(&folder, "list.sfen", &many());
    let out = folder.join("out");
    let name = out.display().to_string();
    let mut slow = to_files(&name, &path);
    slow[3] = "40000";
    let mut first = command().args(&slow).stderr(Stdio::null()).spawn().expect("the engine starts");
    let part = out.join("list.monomi.jsonl.part");
    while std::fs::metadata(&part).map_or(0, |data| data.len()) < 1000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let before = std::fs::read(&part).expect("rows");
    let second = command().args(&slow).output().expect("the engine runs");
    assert_eq!(code(&second), Some(1), "{}", stderr(&second));
    assert!(stderr(&second).contains("another process is writing"), "{}", stderr(&second));
    assert!(std::fs::read(&part).expect("rows").starts_with(&before));
    first.kill().expect("it still runs");
    first.wait().expect("it ends");
    // What a killed process leaves keeps nobody away.
    let _ = std::fs::remove_file(out.join(".list.monomi-checkpoint"));
    let output = analyze(&to_files(&name, &path)[1..]);
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    assert_eq!(contents(&out).len(), 2);
}

/// The invalid lines before an interruption count at the end.
#[cfg(unix)]
#[test]
fn invalid_lines_are_remembered_over_an_interruption() {
    let folder = folder("remembered");
    let mut lines = many();
    lines.insert(1, "broken".to_owned());
    let path = list(&folder, "list.sfen", &lines);
    let out = folder.join("out");
    let name = out.display().to_string();
    let mut child = command().args(to_files(&name, &path)).stderr(Stdio::null()).spawn().unwrap();
    let part = out.join("list.monomi.jsonl.part");
    while std::fs::metadata(&part).map_or(0, |data| data.len()) < 3000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let output = analyze(&to_files(&name, &path)[1..]);
    assert_eq!(code(&output), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("1 line before it held no position: 2"),
        "{}",
        stderr(&output)
    );
}

/// Another list of the same name does not replace what is finished; the same list may be searched again.
#[test]
fn a_finished_list_is_not_replaced_by_another_one() {
    let folder = folder("namesakes");
    let all = sfens();
    let out = folder.join("out");
    let name = out.display().to_string();
    let run = |lines: &[String], format: &str| {
        let path = list(&folder, "list, a.sfen", lines);
        analyze(&["--positions", "-q", "--nodes", "100", "-f", format, "-o", &name, &path])
    };
    for format in ["jsonl", "csv"] {
        assert_eq!(code(&run(&all, format)), Some(0));
        let finished = contents(&out);
        let output = run(&all[1..], format);
        assert_eq!(code(&output), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("another list"), "{}", stderr(&output));
        assert_eq!(contents(&out), finished);
        assert_eq!(code(&run(&all, format)), Some(0));
    }
}

/// The evaluation counts by its values: another network at the same path is another one.
#[cfg(unix)]
#[test]
fn resuming_needs_the_same_network() {
    let folder = folder("networks");
    let path = list(&folder, "list.sfen", &many());
    let out = folder.join("out");
    let (name, eval) = (out.display().to_string(), folder.join("nn.bin"));
    let eval_name = eval.display().to_string();
    let arguments = [to_files(&name, &path), vec!["--eval-file", &eval_name]].concat();
    let write = |seed| std::fs::write(&eval, tests::networks::constant(seed)).expect("written");
    write(160);
    let mut child = command().args(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let part = out.join("list.monomi.jsonl.part");
    while std::fs::metadata(&part).map_or(0, |data| data.len()) < 3000 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let left = contents(&out);
    write(-160);
    let output = analyze(&arguments[1..]);
    assert_eq!(code(&output), Some(1));
    assert!(stderr(&output).contains("other settings"), "{}", stderr(&output));
    assert_eq!(contents(&out), left);
    // The same network elsewhere is the same one.
    let moved = folder.join("moved.bin");
    std::fs::write(&moved, tests::networks::constant(160)).expect("written");
    let moved = moved.display().to_string();
    let output = analyze(&[&to_files(&name, &path)[1..], &["--eval-file", &moved]].concat());
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
}
