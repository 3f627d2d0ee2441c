//! The program as users run it.

use monomi_eval::network::NetworkFile;
use monomi_eval::piece_square::Numbers;
use monomi_movegen::Position;
use monomi_records::{Game, GameWriter, Outcome, Reason, Settings};
use shogi_core::Color;
use std::path::Path;
use std::process::{Command, Output};
use tests::folder::Folder;
use tests::games::{Random, random_move};

/// Random games with scores by material, so that there is something to learn.
fn write_games(path: &str, games: u64) {
    let (mut writer, _) = GameWriter::open(Path::new(path), &Settings::default()).unwrap();
    let evaluation = monomi_eval::Evaluation::internal();
    for number in 0..games {
        let mut random = Random::new(number);
        let base = Position::startpos();
        let mut position = base.clone();
        let mut opening = Vec::new();
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        for ply in 0..90 {
            let value = evaluation.breakdown(&position).material as i16;
            let Some(mv) = random_move(&mut position, &mut random) else { break };
            position.do_move(mv);
            if ply < 8 {
                opening.push(mv);
            } else {
                moves.push(mv);
                scores.push(value);
            }
        }
        let winner = [Some(Color::Black), Some(Color::White), None][number as usize % 3];
        let outcome = Outcome { winner, reason: Reason::Adjudicated };
        let tree = Vec::new();
        writer.add(&Game { base, opening, moves, scores, outcome, tree }).unwrap();
    }
    writer.finish().unwrap();
}

fn trainer(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_monomi-trainer")).args(arguments).output().unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = trainer(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(arguments: &[&str]) -> String {
    let output = trainer(arguments);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

/// The held-out loss in each line of an epoch.
fn held_out(output: &str) -> Vec<f64> {
    let loss = |line: &str| line.split_once("held out ")?.1.split(',').next()?.parse().ok();
    output.lines().filter(|line| line.starts_with("epoch")).filter_map(loss).collect()
}

#[test]
fn a_net_is_trained_interrupted_and_resumed() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 120);
    let [net, other] = [folder.file("nn.bin"), folder.file("other.bin")];
    let shape = ["--l1", "32", "--l2", "8", "--l3", "8", "--batch", "256", "--held-out", "0.1"];
    let run = |out: &str, more: &[&str]| {
        succeeds(&[&["net", &games, "--out", out], &shape[..], more].concat())
    };
    let output = run(&net, &["--epochs", "6", "--rate", "0.005"]);
    let losses = held_out(&output);
    assert!(losses.len() == 6 && losses[5] < losses[0], "{output}");
    assert_eq!(NetworkFile::open(Path::new(&net)).unwrap().architecture.l1, 32);
    // Two threads, one after the other, end with the same bytes.
    let again = run(&other, &["--epochs", "6", "--rate", "0.005", "--threads", "1"]);
    assert_eq!(held_out(&again), losses);
    assert!(std::fs::read(&net).unwrap() == std::fs::read(&other).unwrap());
    // All epochs are done; more of them are not.
    assert!(held_out(&run(&net, &["--epochs", "6", "--resume"])).is_empty());
    assert_eq!(held_out(&run(&net, &["--epochs", "7", "--resume"])).len(), 1);
    // A network to start from brings its shape along.
    let more = succeeds(&["net", &games, "--out", &other, "--from", &net, "--epochs", "1"]);
    assert!(more.contains("K+P 32x2-8-8"), "{more}");
    // Its own scores at twice the size are not what these games teach.
    let twice =
        &["net", &games, "--out", &other, "--from", &net, "--epochs", "1", "--held-out", "0.1"];
    let rate = ["--rate", "0.0000001"];
    let [as_it_is, doubled] = [&rate[..], &[&rate[..], &["--from-fv-scale", "8"]].concat()]
        .map(|more| held_out(&succeeds(&[&twice[..], more].concat()))[0]);
    assert!(doubled > as_it_is, "{doubled} {as_it_is}");
}

#[test]
fn networks_are_averaged() {
    let folder = Folder::new();
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/nets/monomi.bin");
    let out = folder.file("soup.bin");
    succeeds(&["average", built_in, built_in, "--out", &out]);
    assert!(std::fs::read(&out).unwrap() == std::fs::read(built_in).unwrap());
    let games = folder.file("games.mgr");
    write_games(&games, 20);
    let small = folder.file("small.bin");
    succeeds(&[
        "net", &games, "--out", &small, "--l1", "32", "--l2", "8", "--l3", "8", "--epochs", "1",
    ]);
    let error = fails(&["average", built_in, &small, "--out", &out]);
    assert!(error.contains("K+P 256x2-32-32 and K+P 32x2-8-8"), "{error}");
    let error = fails(&["average", built_in, "--fv-scale", "1", "--out", &out]);
    assert!(error.contains("monomi.bin: its output weights fit FV_SCALE"), "{error}");
}

#[test]
fn tables_are_fitted() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 60);
    let out = folder.file("piece_square.txt");
    let losses = held_out(&succeeds(&["piece-square", &games, "--out", &out, "--held-out", "0.1"]));
    assert!(losses.len() == 5 && losses[4] < losses[0], "{losses:?}");
    let numbers = Numbers::parse(&std::fs::read_to_string(&out).unwrap()).unwrap();
    assert_ne!(numbers, Numbers::internal());
    succeeds(&["piece-square", &games, "--out", &out, "--from", &out, "--epochs", "1"]);
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = Folder::new();
    let games = folder.file("games.mgr");
    write_games(&games, 3);
    let missing = folder.file("missing.mgr");
    let out = folder.file("nn.bin");
    let net = |more: &[&str]| fails(&[&["net", "--out", &out], more].concat());
    assert!(net(&[&missing]).contains("missing.mgr"));
    let foreign = folder.file("foreign.mgr");
    std::fs::write(&foreign, "no games here at all").unwrap();
    assert!(net(&[&foreign]).contains("foreign.mgr: this is no file of game records"));
    assert!(net(&[&games, "--l1", "100"]).contains("L1 must be a multiple of 32"));
    let empty = folder.file("empty.mgr");
    write_games(&empty, 0);
    assert!(net(&[&empty]).contains("no position"));
    assert!(net(&[&games, "--from", &games]).contains("games.mgr: wrong version"));
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/nets/monomi.bin");
    let error = net(&[&games, "--from", built_in, "--from-fv-scale", "1"]);
    assert!(error.contains("monomi.bin: its output weights fit FV_SCALE"), "{error}");
    assert!(net(&[&games, "--result-share", "2"]).contains("--result-share"));
    std::fs::write(folder.file("nn.bin.checkpoint"), "not a checkpoint").unwrap();
    assert!(net(&[&games, "--resume"]).contains("nn.bin.checkpoint: not a checkpoint"));
    let nowhere = folder.file("no/folder/nn.bin");
    let error = fails(&["net", &games, "--out", &nowhere, "--epochs", "1"]);
    assert!(error.contains("writing") && error.contains("nn.bin.checkpoint"), "{error}");
}

#[test]
fn help_has_examples_that_are_understood() {
    tests::help::insist_on_examples(Path::new(env!("CARGO_BIN_EXE_monomi-trainer")));
}
