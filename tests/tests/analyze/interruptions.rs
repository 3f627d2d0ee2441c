//! `monomi analyze` stopped by signals.
#![cfg(unix)]

use super::folder;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tests::analysis::{code, contents, own, stderr};
use tests::program::{command, signalled};

/// Ctrl-C lets the position be finished, and the next run ends with the very files that an
/// uninterrupted one writes.
#[test]
fn an_interrupted_analysis_resumes() {
    let (whole, parts) = (folder("uninterrupted"), folder("interrupted"));
    let arguments = |folder: &Path| {
        let mut all: Vec<String> =
            ["analyze", "--nodes", "20000", "--threads", "2", "-f", "jsonl,kif", "-o"]
                .map(ToOwned::to_owned)
                .to_vec();
        all.push(folder.display().to_string());
        all.extend(["game.kif", "game.csa", "game.ki2"].map(own));
        all
    };
    let run = |folder: &Path| command().args(arguments(folder)).output();
    let output = run(&whole).expect("the engine runs");
    assert_eq!(code(&output), Some(0), "{}", stderr(&output));
    let mut interrupted = 0;
    for attempt in 1..200 {
        let child = command()
            .args(arguments(&parts))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        // As soon as something new is noted.
        let journal = parts.join(".monomi-analysis");
        let size = || std::fs::metadata(&journal).map_or(0, |data| data.len());
        let before = size();
        let pid = child.id().to_string();
        for _ in 0..2000 {
            if size() > before + 10 {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if interrupted >= 5 {
            // Often enough: this one may come to the end.
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(code(&output), Some(0), "{}", stderr(&output));
            break;
        }
        let sent = Command::new("kill").args(["-INT", &pid]).stderr(Stdio::null()).status();
        let output = child.wait_with_output().expect("it ends");
        match code(&output) {
            Some(130) => {
                assert!(sent.is_ok() && stderr(&output).contains("interrupted"));
                interrupted += 1;
            }
            Some(0) => break,
            other => panic!("{other:?} at attempt {attempt}: {}", stderr(&output)),
        }
    }
    assert!(interrupted >= 1, "never interrupted");
    assert_eq!(contents(&whole), contents(&parts));
}

/// SIGTERM and SIGHUP do not wait for a long search.
#[test]
fn termination_does_not_wait_for_the_position() {
    for signal in ["-TERM", "-HUP", "-INT"] {
        let child = command()
            .args(["analyze", "--nodes", "100000000000", &own("game.kif")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine starts");
        let Some(code) = signalled(child, signal) else { return };
        assert_eq!(code, 130, "{signal}");
    }
}
