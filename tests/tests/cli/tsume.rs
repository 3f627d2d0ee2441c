//! `monomi tsume`: solutions, checks, records, JSON.

use std::process::{Output, Stdio};
use tests::data::shared_file;
use tests::folder::Folder;
use tests::program::command;
use tests::report;

const ONE: &str = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1";
const FIVE: &str = "9/6Spk/9/5R1+B1/9/9/9/9/9 b Nrb4g3s3n4l17p 1";
const NONE: &str = "9/9/9/8k/9/9/9/9/9 b 2r2b4g4s4n4l18p 1";

fn monomi(arguments: &[&str]) -> Output {
    let output = command().arg("tsume").args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine runs")
}

fn lines(arguments: &[&str]) -> Vec<String> {
    let output = monomi(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(ToOwned::to_owned).collect()
}

#[test]
fn solutions_in_three_notations_and_as_json() {
    let folder = Folder::new();
    let file =
        folder.write("problems.sfen", format!("# three\n{ONE}\n{FIVE} moves 2d1c\n{NONE}\n"));
    for (notation, first) in [
        ("usi", "2d1c 1b1c N*2e 1c1b 4d1d"),
        ("western", "+B-1c Kx1c N*2e K-1b R-1d"),
        ("japanese", "▲１三馬 △同玉 ▲２五桂 △１二玉 ▲１四飛"),
    ] {
        let lines = lines(&["--notation", notation, "--threads", "2", &file]);
        assert_eq!(lines.len(), 3, "{lines:#?}");
        assert!(lines[0].starts_with("mate in 1: ") && lines[0].ends_with(ONE), "{lines:#?}");
        assert!(lines[1].starts_with(&format!("mate in 5: {first} | ")), "{lines:#?}");
        assert!(lines[2].starts_with("no mate | "), "{lines:#?}");
    }
    let objects = lines(&["--json", &file]);
    let objects: Vec<serde_json::Value> =
        objects.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(objects[1]["plies"], 5);
    assert_eq!(objects[1]["line"], "2d1c 1b1c N*2e 1c1b 4d1d");
    assert_eq!((&objects[1]["shortest"], &objects[1]["hand_left"]), (&true.into(), &"".into()));
    assert_eq!((&objects[2]["answer"], &objects[2]["plies"]), (&"nomate".into(), &().into()));
    // A limit, all interpositions, and the defender to move.
    assert!(lines(&["--plies", "3", FIVE])[0].starts_with("no mate within 3 | "));
    assert!(lines(&["--keep-useless", ONE])[0].starts_with("mate in 3: "));
    let defender = "9/6Sp1/8k/5R3/7N1/9/9/9/9 w r2b4g3s3n4l17p 1";
    assert!(lines(&[defender])[0].starts_with("mate in 2: "), "{:?}", lines(&[defender]));
    let stopped = &lines(&["--nodes", "10", FIVE])[0];
    assert!(stopped.starts_with("unknown"), "{stopped}");
}

#[test]
fn records_have_the_variations_and_are_read_back() {
    let folder = Folder::new();
    let to = folder.path().join("out");
    let to = to.to_str().expect("UTF-8");
    lines(&["--kif", to, FIVE]);
    let record = std::fs::read(folder.path().join("out/0001.kif")).expect("a record");
    let file = monomi_record::read(&record).expect("KIF");
    let record = &file.records[0];
    assert!(record.faults.is_empty(), "{:?}", record.faults);
    assert_eq!(record.start.to_sfen().split(' ').next(), FIVE.split(' ').next());
    assert_eq!(record.moves.len(), 5);
    // 1a instead of the capture is mated by an interposition that counts.
    assert!(record.branches.iter().any(|branch| branch.before == 1), "{:?}", record.branches);
    // The solution of the record is the intended one of the check.
    let again = lines(&["check", &format!("{to}/0001.kif")]);
    assert!(again[0].starts_with("sound"), "{again:?}");
}

#[test]
fn checks_print_a_verdict_and_set_the_exit_code() {
    let sound = "9/9/9/9/9/9/7+S1/5G2k/9 b RSr2b3g2s4n4l18p 1";
    assert!(lines(&["check", sound])[0].starts_with("sound | 5 plies: "));
    let cooked = "1l7/k8/9/G8/3+R5/9/9/9/9 b R2b3g4s4n3l18p 1";
    let output = monomi(&["check", "--notation", "usi", sound, cooked]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("unsound: move 3 9d8c also mates in 7"), "{text}");
    let output = monomi(&["check", "--json", cooked]);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object["sound"], false);
    assert_eq!(object["defects"][0]["kind"], "cook");
    assert_eq!(
        (&object["defects"][0]["ply"], &object["defects"][0]["plies"]),
        (&3.into(), &7.into())
    );
    // A double pawn cannot be read.
    assert_eq!(monomi(&["check", "4k4/4P4/4P4/9/9/9/9/9/9 b G 1"]).status.code(), Some(2));
}

/// With all interpositions the lengths are those of the published solutions, without the useless
/// ones they are never longer.
#[test]
fn lengths_of_published_problems() {
    for (name, plies) in [("mate3.sfen", 3), ("mate5.sfen", 5)] {
        let Some(path) = shared_file(&format!("mate/{name}")) else {
            report("skipped: ../shared/mate is not there");
            return;
        };
        let folder = Folder::new();
        let all = std::fs::read_to_string(path).expect("a list");
        let some: String = all.lines().step_by(20).map(|line| format!("{line}\n")).collect();
        let file = folder.write(name, &some);
        let of = |arguments: &[&str]| -> Vec<u64> {
            let objects = lines(&[arguments, &["--json", &file]].concat());
            let plies = |line: &String| {
                let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
                assert_eq!(object["shortest"], true, "{line}");
                object["plies"].as_u64().expect("a length")
            };
            objects.iter().map(plies).collect()
        };
        let (kept, without) = (of(&["--keep-useless"]), of(&[]));
        assert_eq!(kept, vec![plies; some.lines().count()], "{name}");
        assert!(without.iter().all(|&length| length <= plies), "{name}: {without:?}");
        assert!(without.iter().any(|&length| length < plies), "{name}");
    }
}
