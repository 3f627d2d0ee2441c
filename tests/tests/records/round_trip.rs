//! Reading and writing records without analysis loses nothing: on `../shared/records` and on the
//! hand-made records in `tests/data/hand-made`.

use monomi_analysis::output::{CommentStyle, csa, kif};
use monomi_analysis::{AnalyzedGame, WinScale};
use monomi_record::{Encoding, Format, Played, Record, shift_jis, write};
use std::path::{Path, PathBuf};
use tests::data::shared_file;
use tests::report;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn hand_made() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/hand-made"))
}

fn all_records() -> Vec<PathBuf> {
    let mut all = hand_made();
    assert_eq!(all.len(), 30);
    match shared_file("records") {
        Some(folder) => {
            all.extend(["csa", "kif"].iter().flat_map(|sub| files(&folder.join(sub))));
            assert_eq!(all.len(), 135);
        }
        None => report("skipped: ../shared/records is not there"),
    }
    all
}

fn to_kif(record: &Record) -> String {
    kif(
        &AnalyzedGame::new("game", record, &[], WinScale::default()),
        CommentStyle::Shogihome,
        Encoding::Utf8,
    )
}

fn to_csa(record: &Record) -> String {
    csa(&AnalyzedGame::new("game", record, &[], WinScale::default()), CommentStyle::Shogihome)
}

/// The lines without white space, byte order mark and the declaration of the encoding.
fn lines(text: &str) -> Vec<String> {
    let text = text.trim_start_matches('\u{FEFF}').replace('\r', "\n");
    let bare = text.lines().map(|line| line.split_whitespace().collect::<String>());
    let declares = |line: &String| line.starts_with("#KIF") || line.starts_with("'CSAencoding");
    bare.filter(|line| !line.is_empty() && !declares(line)).collect()
}

/// Everything that a record says, in the terms of KIF.
#[derive(Debug, PartialEq)]
struct Content {
    start: String,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    moves: Vec<Played>,
    ending: Option<monomi_record::Ending>,
    ending_seconds: Option<u32>,
    branches: Vec<monomi_record::Branch>,
}

fn content(record: &Record) -> Content {
    let mut headers = record.headers.clone();
    headers.retain(|(_, value)| !value.is_empty());
    headers.sort();
    let sfen = record.start.to_sfen();
    Content {
        start: sfen.rsplit_once(' ').map_or(sfen.clone(), |(rest, _)| rest.to_owned()),
        headers,
        comments: record.comments.clone(),
        moves: record.moves.clone(),
        ending: record.ending.clone(),
        ending_seconds: record.ending_seconds,
        branches: record.branches.clone(),
    }
}

fn one(bytes: &[u8]) -> Record {
    let mut records = monomi_record::read(bytes).expect("a record").records;
    assert_eq!(records.len(), 1);
    records.remove(0)
}

#[test]
fn the_text_is_the_same_but_for_white_space() {
    let (mut same, mut converted) = (0, 0);
    for path in all_records() {
        let name = path.display();
        let bytes = std::fs::read(&path).expect("readable");
        let record = one(&bytes);
        assert!(record.faults.is_empty(), "{name}: {}", record.faults[0]);
        let (original, _) = monomi_record::decode(&bytes).expect("decoded before");
        let written = match record.format {
            Format::Kif => to_kif(&record),
            Format::Csa => to_csa(&record),
            _ => {
                converted += 1;
                continue;
            }
        };
        // Two moves on a line leave no place for comments: such a file is written anew.
        if record.source.is_some() {
            assert_eq!(lines(&written), lines(&original), "{name}");
            same += 1;
        } else {
            assert_eq!(content(&one(written.as_bytes())), content(&record), "{name}");
            converted += 1;
        }
        if record.format == Format::Kif {
            let encoded = shift_jis(&written.replace("encoding=UTF-8", "encoding=Shift_JIS"));
            assert_eq!(content(&one(&encoded)).moves.len(), record.moves.len(), "{name}");
        }
    }
    report(&format!("{same} files with the same text, {converted} of other formats"));
    assert!(same >= 25, "{same}");
}

/// From every format to KIF and back: also what KIF's own files go through when they are written
/// anew, without their text.
#[test]
fn the_content_survives_a_conversion_to_kif() {
    for path in all_records() {
        let name = path.display();
        let mut record = one(&std::fs::read(&path).expect("readable"));
        record.source = None;
        let written = to_kif(&record);
        let back = one(written.as_bytes());
        assert!(back.faults.is_empty(), "{name}: {}", back.faults[0]);
        let (mut expected, mut found) = (content(&record), content(&back));
        // Results that KIF words differently, and closing words that are added.
        if record.format != Format::Kif {
            (expected.ending, found.ending) = (None, None);
        }
        assert_eq!(found, expected, "{name}: {written}");
        if record.closing.is_some() {
            assert_eq!(back.closing, record.closing, "{name}");
        }
    }
}

#[test]
fn nothing_is_lost_in_annotated_kif() {
    let file = |name: &str| {
        let path = hand_made().into_iter().find(|path| path.ends_with(name)).expect(name);
        one(&std::fs::read(path).expect("readable"))
    };
    // The closing line and the time of the resignation.
    let mut record = file("01-closing.kif");
    for source in [record.source.clone(), None] {
        record.source = source;
        let text = to_kif(&record);
        assert!(text.contains("まで6手で後手の勝ち"), "{text}");
        assert!(text.contains("( 0:09/00:01:18)"), "{text}");
    }
    // Each variation adds up the times of the line that it continues.
    let mut record = file("08-variation-times.kif");
    record.source = None;
    let text = to_kif(&record);
    for part in ["( 0:10/00:00:11)", "( 0:20/00:00:22)", "( 0:01/00:00:12)", "( 0:05/00:00:05)"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // A closing line is written for formats that have none.
    let text = to_kif(&file("24-resign.csa"));
    assert!(text.contains("まで3手で先手の勝ち") && text.contains("( 0:09/"), "{text}");
}

#[test]
fn unusual_files_are_read_or_rejected_by_name() {
    let error =
        monomi_record::read("手合割：その他\n1 ７六歩(77)\n".as_bytes()).expect_err("no diagram");
    assert!(error.to_string().contains("手合割：その他"), "{error}");
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n*角\n";
    let reference = one(text.as_bytes());
    assert_eq!(one(text.replace('\n', "\r").as_bytes()).moves, reference.moves);
    let csa = "V2.2\rPI\r+\r+7776FU\r-3334FU\r";
    assert_eq!(one(csa.as_bytes()).moves.len(), 2);
    let mail = b"\x1B$B<j9g3d\x1B(B\x1B$B!'J?<j\x1B(B\n1 \x1B$B#7O;Jb\x1B(B(77)\n";
    let file = monomi_record::read(mail).expect("ISO-2022-JP");
    assert_eq!(file.encoding, Encoding::Iso2022Jp);
    assert_eq!(file.records[0].moves.len(), 1, "{:?}", file.records[0].faults);
}

/// Each format keeps what it has a place for: KI2 has no times, CSA no variations and few headers, a line of USI
/// nothing but moves.
#[test]
fn every_format_keeps_what_it_can_hold() {
    const FORMATS: [Format; 5] = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi];
    let without_times = |moves: &mut Vec<Played>| {
        moves.iter_mut().for_each(|played| played.seconds = None);
    };
    for path in all_records() {
        let name = path.display();
        let mut record = one(&std::fs::read(&path).expect("readable"));
        record.source = None;
        for format in FORMATS {
            let text = write::write(&record, format, Encoding::Utf8);
            let back = one(text.as_bytes());
            let name = format!("{name} as {}", format.name());
            if !record.moves.is_empty() {
                assert_eq!(back.format, format, "{name}: {text}");
            }
            assert!(back.faults.is_empty(), "{name}: {}\n{text}", back.faults[0]);
            let (mut expected, mut found) = (content(&record), content(&back));
            if format == Format::Csa || format == Format::Usi {
                expected.branches.clear();
                let players = |record: &Record| record.players().map(str::to_owned);
                if format == Format::Csa {
                    assert_eq!(players(&record), players(&back), "{name}");
                }
                expected.headers.clear();
                found.headers.clear();
            }
            if format == Format::Ki2 || format == Format::Usi {
                without_times(&mut expected.moves);
                expected.branches.iter_mut().for_each(|branch| without_times(&mut branch.moves));
                expected.branches.iter_mut().for_each(|branch| branch.ending_seconds = None);
                expected.ending_seconds = None;
            }
            if format == Format::Usi {
                expected.comments.clear();
                expected.moves.iter_mut().for_each(|played| played.comments.clear());
                expected.ending = None;
            }
            // Closing words are written for formats that have no line for the ending.
            for branch in expected.branches.iter_mut().chain(&mut found.branches) {
                branch.closing = None;
            }
            assert_eq!(found, expected, "{name}: {text}");
        }
    }
}

/// What people write may have several lines, and characters that an encoding lacks.
#[test]
fn every_encoding_and_every_text_is_read_back() {
    let mut record = one("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n".as_bytes());
    record.headers = vec![("先手".to_owned(), "甲\n乙".to_owned())];
    record.moves[0].comments = vec!["一\n二".to_owned(), String::new()];
    for format in [Format::Kif, Format::Ki2, Format::Csa] {
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf8Bom,
            Encoding::Utf16,
            Encoding::ShiftJis,
            Encoding::EucJp,
            Encoding::Iso2022Jp,
        ] {
            let bytes = write::encode(&write::write(&record, format, encoding), encoding);
            let file = monomi_record::read(&bytes).expect("a record");
            let name = format!("{} in {}", format.name(), encoding.name());
            assert_eq!(file.encoding, encoding, "{name}");
            let back = &file.records[0];
            assert_eq!((back.format, back.players()[0]), (format, "甲 乙"), "{name}");
            assert_eq!(back.moves[0].comments, ["一", "二", ""], "{name}");
        }
    }
    record.headers = vec![("先手".to_owned(), "🐶さん".to_owned())];
    for encoding in [Encoding::ShiftJis, Encoding::EucJp, Encoding::Iso2022Jp] {
        let bytes = write::encode(&write::kif(&record, encoding), encoding);
        let file = monomi_record::read(&bytes).expect("a record");
        assert_eq!(file.records[0].players()[0], "〓さん", "{}", encoding.name());
    }
}

/// With the feature `serde` a record is an object of JSON Kifu Format inside other data.
#[test]
fn serde_keeps_records_and_refuses_faults() {
    for path in all_records() {
        let name = path.display();
        let record = one(&std::fs::read(&path).expect("readable"));
        let text = serde_json::to_string(&vec![&record]).expect("records");
        assert_eq!(text, format!("[{}]", write::jkf(&record).trim_end()), "{name}");
        let back: Vec<Record> = serde_json::from_str(&text).expect("records");
        let (mut expected, mut found) = (content(&record), content(&back[0]));
        for branch in expected.branches.iter_mut().chain(&mut found.branches) {
            branch.closing = None;
        }
        assert_eq!(found, expected, "{name}: {text}");
    }
    let illegal =
        r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":5},"piece":"FU"}}]}"#;
    let error = serde_json::from_str::<Record>(illegal).expect_err("an illegal move").to_string();
    assert!(error.contains("move 1"), "{error}");
    let error = serde_json::from_str::<Record>("{}").expect_err("no moves").to_string();
    assert!(error.contains("not a game record"), "{error}");
}
