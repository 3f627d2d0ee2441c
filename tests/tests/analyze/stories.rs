//! What the analysis says of a game agrees with its own curve, and with the ending under the rules.

use super::{folder, jsonl};
use monomi_record::{Ending, Record};
use serde_json::Value;
use shogi_core::Color;
use std::collections::BTreeMap;
use std::path::Path;
use tests::analysis::{analyze, code, contents, stderr};
use tests::data::shared_file;
use tests::report;

/// A game as its rows have it: Black's winning probabilities, and the row of the start.
type Game = (Vec<f64>, Value);

fn games(rows: Vec<Value>) -> BTreeMap<String, Game> {
    let mut games: BTreeMap<String, Game> = BTreeMap::new();
    for row in rows {
        let name = row["game"].as_str().expect("a name").to_owned();
        let black = row["win_black"].as_f64().expect("a probability");
        games.entry(name).or_insert_with(|| (Vec::new(), row)).0.push(black);
    }
    games
}

/// A sentence that contradicts the curve: a side that "was behind", or a game that was "even", before which a
/// side had 85 % for more than five plies, unless the story says so.
fn contradiction(story: &str, black: &[f64]) -> Option<String> {
    let number = |words: &str| -> Option<usize> {
        let rest = story.split_once(words)?.1;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let places = ["until move ", "with move "];
    let until = places.iter().find_map(|words| number(words)).map_or(black.len(), |number| number);
    for (side, other) in [("Black", "White"), ("White", "Black")] {
        let own = |black: f64| if side == "Black" { black } else { 1.0 - black };
        let clear = black[..until].iter().filter(|&&black| own(black) >= 0.85).count();
        let said = story.contains(&format!("{side} had winning chances of"))
            || story.contains(&format!("{side} was winning until"))
            || story.contains(&format!("{side} resigned although winning"));
        let denied = story.contains("even until") || story.contains(&format!("{side} was behind"));
        if clear > 5 && denied && !said {
            return Some(format!("{side} had 85 % for {clear} plies"));
        }
        let ahead = ["ahead", "winning"].map(|word| format!("{side} was {word} until"));
        let led = black[..until].iter().filter(|&&black| own(black) <= 0.15).count();
        let told = story.contains(&format!("{other} had winning chances of"));
        if led > 5 && ahead.iter().any(|words| story.contains(words)) && !told {
            return Some(format!("{other} had 85 % for {led} plies"));
        }
    }
    None
}

/// The winner by the words of the ending and the rules, from the record alone.
fn winner(record: &Record) -> Option<Color> {
    let to_move = record.clone().last_position().side_to_move();
    match record.ending.as_ref()? {
        Ending::Resign | Ending::Mate | Ending::TimeUp | Ending::FoulLoss => Some(to_move.flip()),
        Ending::FoulWin | Ending::Declaration => Some(to_move),
        _ => None,
    }
}

fn agree(story: &str, winner: Color) -> bool {
    let loser = if winner == Color::Black { "White" } else { "Black" };
    // Who lost is the one of whom the last sentence speaks.
    let others = ["The lead", "Reason: "];
    let speaks = |sentence: &&str| !others.iter().any(|other| sentence.starts_with(other));
    let last = story.rsplit(". ").find(speaks).unwrap_or(story);
    last.contains(loser) || last.starts_with("The game was even")
}

#[test]
fn stories_of_the_shared_records_agree_with_their_curves() {
    let Some(records) = shared_file("records") else {
        return report("skipped: ../shared/records is not there");
    };
    let records = records.display().to_string();
    let output = analyze(&["-q", "--nodes", "100", "-o", "-", "-f", "jsonl", &records]);
    assert!(matches!(code(&output), Some(0 | 3)), "{}", stderr(&output));
    let rows = tests::analysis::rows(&String::from_utf8(output.stdout).expect("UTF-8"));
    let (mut told, mut won) = (0, 0);
    for (name, (black, first)) in games(rows) {
        let path = name.split('#').next().expect("a path");
        let file = monomi_record::read(&std::fs::read(path).expect(path)).expect(path);
        let record = &file.records[0];
        if let (1, Some(winner)) = (file.records.len(), winner(record)) {
            let expected = if winner == Color::Black { "black" } else { "white" };
            assert_eq!(first["winner"], expected, "{name}");
            won += 1;
        }
        let Some(story) = first["story"].as_str() else { continue };
        assert_eq!(contradiction(story, &black), None, "{name}: {story}\n{black:?}");
        if let Some(winner) = winner(record) {
            assert!(agree(story, winner), "{name}: {story}");
        }
        told += 1;
    }
    assert!(told > 50 && won > 50, "{told} stories, {won} winners");
}

/// The loser after an illegal last move, which no record holds, in everything that is written.
#[test]
fn the_loser_by_an_illegal_move_is_the_same_everywhere() {
    let folder = folder("illegal");
    let moves = "V2.2\nN+先の人\nN-後の人\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n";
    // White's king goes nowhere near there.
    for (name, text) in [
        ("csa.csa", format!("{moves}-5155OU\n%ILLEGAL_MOVE\n")),
        ("named.csa", format!("{moves}%-ILLEGAL_ACTION\n")),
        ("kif.kif", "先手：先の人\n後手：後の人\n手数----指手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ５五玉(51)\n5 反則手\n".to_owned()),
        ("win.kif", "先手：先の人\n後手：後の人\n手数----指手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ５五玉(51)\n5 反則勝ち\n".to_owned()),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("written");
        let file = file.display().to_string();
        let out = folder.join(format!("{name}.out"));
        let name = out.display().to_string();
        let output = analyze(&["-q", "--nodes", "200", "-o", &name, "-f", "jsonl,kifu,csa,html", &file]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let rows = jsonl(&["-q", "--nodes", "200", &file]);
        assert_eq!(rows[0]["winner"], "black");
        assert_eq!(rows[0]["ending"], "反則負け");
        let story = rows[0]["story"].as_str().expect("a story");
        assert!(story.contains("White lost by breaking the rules"), "{story}");
        for (name, bytes) in contents(&out) {
            let text = String::from_utf8(bytes).expect("UTF-8");
            if name.ends_with("html") {
                let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next());
                let data: Value = serde_json::from_str(data.expect("data")).expect("JSON");
                assert_eq!(data["result"][1], "Illegal move (Black wins)", "{}", data["result"]);
            } else if name.ends_with("kifu") || name.ends_with("csa") {
                let record = monomi_record::read(text.as_bytes()).expect("a record").records.remove(0);
                assert_eq!(winner(&record), Some(Color::Black), "{name}: {text}");
            }
        }
        // In the index of several reports, too.
        let summary = analyze(&["--nodes", "200", &file]);
        assert!(String::from_utf8_lossy(&summary.stdout).contains("White lost by breaking the rules"));
    }
    assert!(Path::new(&folder).exists());
}

/// KIF names the loser by 反則負け, the word that other programs know.
#[test]
fn kif_names_the_loser_by_an_illegal_move() {
    let folder = folder("illegal-word");
    let case = |name: &str| shared_file(&format!("cases/play/kif-illegal-move-word/{name}"));
    for name in ["in.csa", "in.jkf"] {
        let Some(path) = case(name) else {
            report("skipped: ../shared/cases/play is not there");
            continue;
        };
        let (path, out) = (path.display().to_string(), folder.join(name).display().to_string());
        let output = analyze(&["-q", "--nodes", "50", "-o", &out, "-f", "kifu", &path]);
        assert_eq!(code(&output), Some(0), "{}", stderr(&output));
        let text = contents(Path::new(&out)).remove("in.monomi.kifu").expect("a record");
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(text.contains(" 反則負け") && !text.contains("反則手"), "{text}");
    }
}
