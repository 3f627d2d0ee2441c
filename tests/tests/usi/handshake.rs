//! The start of a session: `usi`, options, `isready`, and unknown commands.

use tests::folder::Folder;
use tests::usi_client::{UsiClient, value_of};

#[test]
fn usi_prints_name_author_and_options() {
    let mut client = UsiClient::start();
    client.send("usi");
    let lines = client.collect("usiok");
    assert!(lines[0].starts_with("id name Monomi "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    let options = &lines[2..lines.len() - 1];
    for line in options {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words[0], words[1], words[3]), ("option", "name", "type"), "{line}");
        assert!(["check", "spin", "combo", "string", "filename"].contains(&words[4]), "{line}");
        assert_eq!(words[5], "default", "{line}");
        assert!(words.iter().all(|word| !word.is_empty()), "{line}");
    }
    for name in ["USI_Hash", "USI_Ponder", "MultiPV", "NetworkDelay", "ResignValue"] {
        assert!(options.iter().any(|line| value_of(line, "name") == Some(name)), "{name}");
    }
    client.quit();
}

#[test]
fn unknown_commands_are_reported() {
    let mut client = UsiClient::start();
    for line in ["hello", "uci", "go_home", "\u{1}", "ＵＳＩ", "position2 startpos", "info depth 3"]
    {
        client.send(line);
        let answer = client.expect("info string");
        let word = line.split(' ').next().unwrap_or_default();
        let shown = word.replace('\u{1}', "\u{fffd}");
        assert!(answer.contains(&shown), "{answer}");
    }
    client.send("");
    client.send("   \t ");
    client.settle();
    client.quit();
}

#[test]
fn invalid_options_are_reported() {
    let mut client = UsiClient::ready();
    for (line, named) in [
        ("setoption name NoSuchOption value 3", "NoSuchOption"),
        ("setoption name USI_Hash value 0", "USI_Hash"),
        ("setoption name USI_Hash value abc", "USI_Hash"),
        ("setoption name USI_Hash", "USI_Hash"),
        ("setoption name MultiPV value 99999999999999999999", "MultiPV"),
        ("setoption name USI_Ponder value perhaps", "USI_Ponder"),
        ("setoption name EnteringKingRule value CSARule99", "EnteringKingRule"),
        ("setoption name DebugLogFile value /no/such/folder/log.txt", "/no/such/folder/log.txt"),
        ("setoption", "setoption"),
    ] {
        client.send(line);
        let answer = client.expect("info string Error!");
        assert!(answer.contains(named), "{line}: {answer}");
    }
    client.settle();
    client.send("go depth 3");
    client.best_move();
    client.quit();
}

#[test]
fn a_missing_evaluation_file_is_reported_and_changes_nothing() {
    let mut client = UsiClient::ready();
    client.send("setoption name EvalFile value no/such file.bin");
    client.send("isready");
    let answer = client.expect("info string Error!");
    assert!(answer.contains("no/such file.bin"), "{answer}");
    client.expect("readyok");
    client.send("go depth 3");
    client.best_move();
    // The missing file is not tried again, and the name of the built-in network is understood.
    client.send("setoption name EvalFile value <internal>");
    client.send("isready");
    let lines = client.collect("readyok");
    assert!(lines.iter().all(|line| !line.contains("Error!")), "{lines:?}");
    client.quit();
}

#[test]
fn an_impossible_hash_size_is_rejected_and_changes_nothing() {
    // Where the system promises any amount of memory, nothing is refused before it is used.
    let overcommit = std::fs::read_to_string("/proc/sys/vm/overcommit_memory");
    if !overcommit.is_ok_and(|mode| ["0", "2"].contains(&mode.trim())) {
        return tests::report("skipped: this system may promise more memory than it has");
    }
    let mut client = UsiClient::ready();
    client.send("setoption name USI_Hash value 33554432");
    client.send("isready");
    assert!(client.expect("info string Error!").contains("USI_Hash 33554432"));
    client.expect("readyok");
    client.send("go depth 3");
    let lines = client.collect("bestmove");
    assert!(lines.iter().all(|line| !line.contains("Error!")), "{lines:?}");
    client.quit();
}

#[test]
fn options_are_accepted_as_users_write_them() {
    let mut client = UsiClient::start();
    for line in [
        "setoption name USI_Hash value 32",
        "setoption name Hash value 16",
        "setoption name usi_ponder value TRUE",
        "setoption name USI_Ponder value False",
        "setoption name USI_MultiPV value 2",
        "setoption name NumberOfThreads value 1",
        "setoption name EvalDir value",
        "setoption name DebugLogFile value <empty>",
        "setoption name  Draw Value Black  value  -10 ",
        "setoption name EnteringKingRule value tryrule",
    ] {
        client.send(line);
    }
    client.send("isready");
    let lines = client.collect("readyok");
    assert_eq!(lines, ["readyok"]);
    // One of them shows.
    client.send("go depth 4");
    let lines = client.collect("bestmove");
    assert!(lines.iter().any(|line| value_of(line, "multipv") == Some("2")), "{lines:?}");
    client.quit();
}

#[test]
fn the_dialogue_is_logged_with_times() {
    let folder = Folder::new();
    let path = folder.path().join("monomi log.txt");
    let mut client = UsiClient::start();
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    client.settle();
    client.send("go depth 1");
    client.best_move();
    client.quit();
    let log = std::fs::read_to_string(&path).expect("the log is there");
    for part in [" < isready", " > readyok", " < go depth 1", " > bestmove ", " < quit"] {
        assert!(log.contains(part), "{part} in {log}");
    }
    let timed = |line: &str| line.split(' ').next().is_some_and(|at| at.parse::<f64>().is_ok());
    assert!(log.lines().skip(1).all(timed), "{log}");
}

#[test]
fn very_long_and_invalid_lines() {
    let mut client = UsiClient::ready();
    let megabyte = "x".repeat(1 << 20);
    client.send(&megabyte);
    assert!(client.expect("info string").len() < 300);
    client.send(&format!("setoption name {megabyte} value 1"));
    assert!(client.expect("info string Error!").len() < 300);
    client.send(&format!("position sfen {megabyte}"));
    assert!(client.expect("info string Error!").len() < 600);
    client.send(&format!("position startpos moves {megabyte}"));
    assert!(client.expect("info string Error!").len() < 300);
    client.send(&format!("go depth 1 {}", "junk ".repeat(1 << 18)));
    client.best_move();
    // A line of twenty megabytes is cut off, and the next one is read.
    client.send(&"y".repeat(20 << 20));
    client.expect("info string Error!");
    client.send_raw(b"\xff\xfe\xfd\x80\n\0\0\n");
    client.expect("info string");
    client.send_raw(b"isready\r\n");
    client.expect("readyok");
    client.quit();
}
