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

/// The same problems from a seed on one and on two threads, in the three forms; the check and the
/// solver agree with each.
#[test]
fn made_problems_are_sound_and_follow_from_the_seed() {
    let folder = Folder::new();
    let to = folder.path().join("kif");
    let to = to.to_str().expect("UTF-8");
    let make = ["make", "--plies", "3", "--count", "3", "--seed", "5"];
    let made = lines(&[make.as_slice(), &["--threads", "1", "--kif", to]].concat());
    assert_eq!(made.len(), 3, "{made:#?}");
    assert_eq!(lines(&[make.as_slice(), &["--threads", "2"]].concat()), made);
    let objects = lines(&[make.as_slice(), &["--json"]].concat());
    for (object, line) in objects.iter().zip(&made) {
        let object: serde_json::Value = serde_json::from_str(object).expect("JSON");
        let (sfen, moves) = line.split_once(" moves ").expect("a solution");
        assert_eq!((&object["sfen"], &object["line"]), (&sfen.into(), &moves.into()));
        assert_eq!((&object["sound"], &object["plies"]), (&true.into(), &3.into()));
    }
    let file = folder.write("made.sfen", made.join("\n"));
    let checked = lines(&["check", &file, &format!("{to}/0001.kif"), &format!("{to}/0003.kif")]);
    assert_eq!(checked.len(), 5, "{checked:#?}");
    for verdict in checked {
        assert!(
            verdict.starts_with("sound | 3 plies") || verdict.starts_with("sound: move 3"),
            "{verdict}"
        );
    }
    let output = monomi(&["make", "--plies", "4"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// A mate that the player misses and finds two moves later; the extra pieces and the attacker's king
/// go. White's mate is shown with White as the defender.
#[test]
fn problems_in_games_are_reduced_and_missed_ones_come_first() {
    let problem = "9/9/9/9/9/9/7+S1/5G2k/9 b RSr2b3g2s4n4l18p 1";
    let games = [
        "position sfen K8/9/9/9/9/9/7+S1/5G2k/9 b RSPr2b3g2s4n4l17p 1 moves 9a9b P*5e",
        "position sfen 9/K2g5/1+s7/9/9/9/9/9/8k w R2B3G2S4N4L17Prsp 1 moves 1i1h P*5e",
    ];
    let folder = Folder::new();
    for game in games {
        let file = folder.write("game.usi", game);
        let found = lines(&["find", &file]);
        assert_eq!(found.len(), 2, "{found:#?}");
        assert_eq!(found[0], format!("# {file}, after 0 moves, missed"));
        assert!(found[1].starts_with(&format!("{problem} moves ")), "{found:#?}");
        let object = &lines(&["find", "--json", "--threads", "1", &file])[0];
        let object: serde_json::Value = serde_json::from_str(object).expect("JSON");
        assert_eq!((&object["sfen"], &object["sound"]), (&problem.into(), &true.into()));
        let source = serde_json::json!({ "file": file, "after": 0, "missed": true });
        assert_eq!(object["source"], source);
        assert!(lines(&["find", "--plies", "7-9", &file]).is_empty());
    }
    let file = folder.write("none.usi", "position startpos moves 7g7f");
    assert!(lines(&["find", &file]).is_empty());
}

#[test]
fn a_book_has_every_problem_and_answer() {
    let folder = Folder::new();
    let white = "9/9/9/9/9/9/4p4/9/4K4 w 2R2B3G4S4N4L17Pg 1";
    let file = folder.write("<&>.sfen", format!("{ONE}\n{FIVE}\n{NONE}\n{white}\n").repeat(2));
    let page = folder.path().join("book.html");
    let page = page.to_str().expect("UTF-8");
    let title = "<Mates> & \"more\"";
    let arguments =
        ["book", "--notation", "usi", "--title", title, &file, "-o", page, "--threads", "1"];
    // One problem has no mate.
    assert_eq!(monomi(&arguments).status.code(), Some(3));
    let text = std::fs::read_to_string(page).expect("a page");
    assert!(text.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{text}");
    assert!(text.contains("<h1>&lt;Mates&gt; &amp; &quot;more&quot;</h1>"), "{text}");
    let count = |part: &str| text.matches(part).count();
    assert_eq!(
        (count("<section class=\"sheet\">"), count("<figure id="), count("<svg ")),
        (2, 8, 8)
    );
    assert_eq!(count("<li id="), 8);
    for number in 1..=8 {
        for part in [format!("id=\"p{number}\""), format!("href=\"#a{number}\"")] {
            assert_eq!(count(&part), 1, "{part}");
        }
    }
    assert_eq!((count("2d1c 1b1c N*2e 1c1b 4d1d"), count("(no mate)")), (2, 2));
    // White attacks: the diagram and the answer are rotated.
    assert_eq!((count("G*5b"), count("G*5h")), (2, 0), "{text}");
    assert_balanced(&text);
    // From an argument, in Japanese.
    let japanese = ["book", "--lang", "ja", FIVE, "-o", page];
    lines(&japanese);
    let text = std::fs::read_to_string(page).expect("a page");
    for part in ["<html lang=\"ja\">", "第1番　5 手詰", "▲１三馬 △同玉", "解答", ">持<"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_balanced(&text);
}

/// Every element that is opened is closed, in order.
fn assert_balanced(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("the end of a tag");
        let name = tag.split([' ', '/']).find(|name| !name.is_empty()).expect("a name");
        match tag {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{tag}"),
            _ if tag.ends_with('/') || matches!(name, "!DOCTYPE" | "meta") => {}
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}
