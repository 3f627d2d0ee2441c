//! Every command that writes files, on a full disk: an error that says so, and nothing left behind.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tests::folder::Folder;
use tests::full_disk::FullDisk;
use tests::networks;
use tests::program::engine;
use tests::report;
use tests::usi_client::UsiClient;

fn monomi(arguments: &[&str]) -> Output {
    Command::new(engine()).args(arguments).stdin(Stdio::null()).output().expect("the engine runs")
}

#[test]
fn every_writer_reports_a_full_disk_and_leaves_no_temporary_file() {
    let Some(disk) = FullDisk::mount() else { return };
    let data = Path::new(env!("CARGO_MANIFEST_DIR"));
    let game = data.join("data/records/game.kif").display().to_string();
    let folder = Folder::new();
    let network = folder.write("nn.bin", networks::constant(0));
    let games = folder.file("games.mgr");
    let list = folder.write("list.sfen", "startpos\nstartpos moves 7g7f\n");
    let generate = ["datagen", &games, "--games", "4", "--nodes", "150", "--seed", "1", "--quiet"];
    assert!(monomi(&generate).status.success());
    let book = folder.file("book.db");
    assert!(monomi(&["book", "build", "-o", &book, &game]).status.success());
    let on_disk = |name: &str| disk.path().join(name).display().to_string();
    let root = on_disk("");
    let commands: [&[&str]; 8] = [
        &["book", "build", "-o", &on_disk("a.db"), &game],
        &["book", "merge", "-o", &on_disk("b.db"), &book, &book],
        &["net", "convert", &network, &on_disk("c.bin")],
        &["convert", &games, "-o", &on_disk("d.psv")],
        &["datagen", &on_disk("e.mgr"), "--games", "4", "--nodes", "150", "--quiet"],
        &["analyze", "-q", "--nodes", "50", "-f", "kif,csa,html,jsonl", "-o", &root, &game],
        &["analyze", "-q", "--nodes", "50", "--positions", "-f", "jsonl", "-o", &root, &list],
        &["man", "--output", &on_disk("man")],
    ];
    for arguments in commands {
        let output = monomi(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("No space left on device"), "{arguments:?}: {error}");
        // Files to which a later run appends may stay; they hold nothing yet.
        let left = disk.files();
        let empty = |path: &PathBuf| path.metadata().unwrap().len() == 0;
        assert!(left.iter().all(empty), "{arguments:?}: {left:?}");
        assert!(!left.iter().any(|path| path.display().to_string().ends_with("tmp")), "{left:?}");
        for path in left {
            std::fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_log_on_a_full_disk_does_not_end_the_game() {
    let Some(disk) = FullDisk::mount() else { return };
    let mut client = UsiClient::ready();
    let log = disk.path().join("log.txt").display().to_string();
    client.send(&format!("setoption name DebugLogFile value {log}"));
    client.send("isready");
    let error = client.collect("readyok").into_iter().find(|line| line.contains("Error!"));
    assert!(error.is_some_and(|error| error.contains("DebugLogFile")));
    // The disk is full only after the log was opened.
    std::fs::remove_file(disk.path().join("filler")).unwrap();
    client.send(&format!("setoption name DebugLogFile value {log}"));
    client.settle();
    disk.fill();
    for _ in 0..200 {
        client.send("usi");
        client.expect("usiok");
    }
    client.send("position startpos");
    client.send("go nodes 1000");
    client.best_move();
    client.quit();
}

#[test]
fn standard_output_on_a_full_disk_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return report("skipped: there is no /dev/full");
    }
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records/game.kif");
    let game = game.display().to_string();
    let commands: [&[&str]; 9] = [
        &["analyze", "-q", "--nodes", "50", "-o", "-", "-f", "jsonl", &game],
        &["analyze", "--nodes", "50", &game],
        &["go", "--nodes", "50"],
        &["go", "--nodes", "50", "--json"],
        &["perft", "2"],
        &["eval"],
        &["bench", "--depth", "1"],
        &["completions", "bash"],
        &["man"],
    ];
    for arguments in commands {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(engine());
        let output = command.args(arguments).stdin(Stdio::null()).stdout(full).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {error}");
        assert!(error.contains("No space left on device"), "{arguments:?}: {error}");
    }
}
