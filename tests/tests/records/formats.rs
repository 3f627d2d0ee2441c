//! Reading game records: all of `../shared/records` compared with another library, small files in
//! every format and encoding, and damaged files.

use encoding_rs::{EUC_JP, SHIFT_JIS};
use monomi_movegen::Position;
use monomi_record::{Encoding, Ending, Format, Record};
use shogi_kifu_converter::jkf::{JsonKifuFormat, MoveFormat};
use shogi_kifu_converter::parser::{parse_csa_str, parse_ki2_str, parse_kif_str};
use std::panic::catch_unwind;
use std::path::PathBuf;
use tests::data::shared_file;
use tests::report;

fn moves(record: &Record) -> String {
    let moves: Vec<String> = record.moves.iter().map(|played| played.mv.to_string()).collect();
    moves.join(" ")
}

fn one(text: &str) -> Record {
    let mut records =
        monomi_record::read_text(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(records.len(), 1);
    records.remove(0)
}

fn shared_records() -> Vec<PathBuf> {
    let Some(folder) = shared_file("records") else {
        report("skipped: ../shared/records is not there");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = ["csa", "kif"]
        .iter()
        .flat_map(|sub| std::fs::read_dir(folder.join(sub)).expect("a folder"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

/// The main line in USI notation, by a library that shares no code with ours.
fn by_converter(text: &str, format: Format) -> Option<String> {
    let read = catch_unwind(|| match format {
        Format::Kif => parse_kif_str(text),
        Format::Ki2 => parse_ki2_str(text),
        _ => parse_csa_str(text),
    });
    let jkf: JsonKifuFormat = read.ok()?.ok()?;
    let square = |x: u8, y: u8| format!("{x}{}", char::from(b'a' + y - 1));
    let of_move = |item: &MoveFormat| {
        let mv = item.move_.as_ref()?;
        let to = square(mv.to.x, mv.to.y);
        Some(match mv.from {
            Some(from) => {
                let plus = if mv.promote == Some(true) { "+" } else { "" };
                format!("{}{to}{plus}", square(from.x, from.y))
            }
            None => {
                let letter = match format!("{:?}", mv.piece).as_str() {
                    "FU" => "P",
                    "KY" => "L",
                    "KE" => "N",
                    "GI" => "S",
                    "KI" => "G",
                    "KA" => "B",
                    _ => "R",
                };
                format!("{letter}*{to}")
            }
        })
    };
    Some(jkf.moves.iter().filter_map(of_move).collect::<Vec<_>>().join(" "))
}

#[test]
fn all_shared_records_are_read_to_the_end() {
    let files = shared_records();
    if files.is_empty() {
        return;
    }
    assert_eq!(files.len(), 105);
    let mut compared = 0;
    let mut total = 0;
    for path in &files {
        let name = path.display();
        let bytes = std::fs::read(path).expect("readable");
        let file = monomi_record::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(file.records.len(), 1, "{name}");
        let record = &file.records[0];
        assert!(record.faults.is_empty(), "{name}: {}", record.faults[0]);
        assert!(!record.moves.is_empty(), "{name}");
        total += record.moves.len();
        let (text, encoding) = monomi_record::decode(&bytes).expect("decoded before");
        assert_eq!(encoding, file.encoding);
        // As many moves as the file has lines that look like moves before the first variation.
        let main = text.split("変化：").next().expect("a first part");
        let counted = match record.format {
            Format::Csa => main
                .lines()
                .filter(|line| {
                    line.len() >= 7
                        && line.starts_with(['+', '-'])
                        && line[1..5].bytes().all(|b| b.is_ascii_digit())
                })
                .count(),
            Format::Kif => main
                .lines()
                .filter(|line| !line.starts_with('*'))
                .filter(|line| {
                    let words: Vec<&str> = line.split([' ', '\u{3000}']).collect();
                    line.ends_with('打')
                        || words.iter().any(|word| word.contains("打"))
                        || line.contains("(")
                            && line
                                .chars()
                                .any(|c| "歩香桂銀金角飛玉王と馬龍竜成杏圭全".contains(c))
                })
                .filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
                .count(),
            _ => main.matches(['▲', '△']).count(),
        };
        // An illegal move that ended the game is no part of the line, where it is written at all.
        let illegal = counted - record.moves.len();
        let ended_by_it = record.ending == Some(Ending::FoulLoss);
        assert!(illegal <= usize::from(ended_by_it), "{name}: {illegal} moves missing");
        match by_converter(text.trim_start_matches('\u{FEFF}'), record.format) {
            Some(theirs) => {
                let all: Vec<&str> = theirs.split(' ').collect();
                assert_eq!(moves(record), all[..all.len() - illegal].join(" "), "{name}");
                compared += 1;
            }
            None => report(&format!("{name}: the other library does not read it")),
        }
    }
    report(&format!("{total} moves in {} records, {compared} compared", files.len()));
    assert!(compared >= 95, "only {compared} could be compared");
}

/// The same short game in every format of ours under `tests/data/records`.
#[test]
fn all_formats_give_the_same_game() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/records");
    let game = "7g7f 3c3d 8h2b+ 3a2b B*4e B*5e 4e3d 5e8h+";
    for name in ["game.kif", "game.ki2", "game.csa", "game-v3.csa", "game.jkf", "game.usi"] {
        let bytes = std::fs::read(folder.join(name)).expect(name);
        let file = monomi_record::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let record = &file.records[0];
        assert_eq!(moves(record), game, "{name}: {:?}", record.faults);
        if record.format != Format::Usi {
            assert_eq!(record.ending, Some(Ending::Resign), "{name}");
            assert_eq!(record.players(), ["物見", "斥候"], "{name}");
        }
        if matches!(record.format, Format::Kif | Format::Csa | Format::Jkf) {
            let seconds: Vec<_> = record.moves.iter().filter_map(|played| played.seconds).collect();
            assert_eq!(seconds, [1, 2, 3, 4, 65, 6, 7, 8], "{name}");
            assert_eq!(record.moves[2].comments, ["角交換"], "{name}");
        }
    }
}

#[test]
fn all_encodings_give_the_same_record() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/records/game.kif");
    let text = std::fs::read_to_string(path).expect("game.kif");
    let bom = format!("\u{FEFF}{text}");
    let crlf = text.replace('\n', "\r\n");
    let reference = one(&text);
    for (bytes, encoding) in [
        (text.as_bytes(), Encoding::Utf8),
        (bom.as_bytes(), Encoding::Utf8Bom),
        (crlf.as_bytes(), Encoding::Utf8),
        (&SHIFT_JIS.encode(&text).0, Encoding::ShiftJis),
        (&SHIFT_JIS.encode(&crlf).0, Encoding::ShiftJis),
        (&EUC_JP.encode(&text).0, Encoding::EucJp),
    ] {
        let file = monomi_record::read(bytes).expect("a record");
        assert_eq!(file.encoding, encoding);
        let record = &file.records[0];
        assert_eq!(record.moves, reference.moves, "{encoding:?}");
        assert_eq!(record.headers, reference.headers, "{encoding:?}");
        assert_eq!(record.branches, reference.branches, "{encoding:?}");
        assert_eq!(record.comments, reference.comments, "{encoding:?}");
    }
}

#[test]
fn variations_leave_the_line_they_belong_to() {
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\n\
        変化：3手\n3 ６六歩(67)+\n4 ８四歩(83)\n\n変化：4手\n4 ３二飛(82)\n\n\
        変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n\n変化：9手\n9 ２六歩(27)\n";
    let record = one(text);
    assert_eq!(moves(&record), "7g7f 3c3d 2g2f");
    let branches: Vec<(usize, String)> = record
        .branches
        .iter()
        .map(|b| (b.before, b.moves.iter().map(|m| m.mv.to_string()).collect::<Vec<_>>().join(" ")))
        .collect();
    let expected =
        [(2, "6g6f 8c8d"), (3, "8b3b"), (1, "8c8d 2g2f")].map(|(n, s)| (n, s.to_owned()));
    assert_eq!(branches, expected);
    assert_eq!(record.faults.len(), 1);
    assert!(record.faults[0].to_string().contains("line 18, move 9"), "{}", record.faults[0]);
    // The same tree as JKF.
    let mv = |from: (u8, u8), to: (u8, u8), piece: &str| {
        format!(
            r#""move":{{"from":{{"x":{},"y":{}}},"to":{{"x":{},"y":{}}},"piece":"{piece}"}}"#,
            from.0, from.1, to.0, to.1
        )
    };
    let pawn = |file, from: u8, to: u8| mv((file, from), (file, to), "FU");
    let json = format!(
        r#"{{"header":{{}},"moves":[{{}},{{{}}},{{{},"forks":[[{{{}}},{{{}}}]]}},
        {{{},"forks":[[{{{}}},{{{},"forks":[[{{{}}}]]}}]]}},{{"special":"TORYO"}}]}}"#,
        pawn(7, 7, 6),
        pawn(3, 3, 4),
        pawn(8, 3, 4),
        pawn(2, 7, 6),
        pawn(2, 7, 6),
        pawn(6, 7, 6),
        pawn(8, 3, 4),
        mv((8, 2), (3, 2), "HI"),
    );
    let of_json = one(&json);
    assert_eq!(of_json.moves, record.moves);
    assert_eq!(of_json.branches, record.branches);
    assert!(of_json.faults.is_empty());
}

#[test]
fn handicaps_diagrams_and_problems() {
    let record = one("手合割：二枚落ち\n上手：あ\n下手：い\n1 ６二銀(71)\n2 ７六歩(77)\n");
    assert_eq!(moves(&record), "7a6b 7g7f");
    assert_eq!(record.players(), ["い", "あ"]);
    let record = one("PI82HI22KA\n-\n-7162GI\n+7776FU\n%CHUDAN\n");
    assert_eq!(moves(&record), "7a6b 7g7f");
    assert_eq!(record.ending, Some(Ending::Interrupted));
    let with_rest = "P-51OU\nP+59OU00FU00FU\nP-00AL\n+\n+0055FU\n-5152OU\n";
    let record = one(with_rest);
    assert_eq!(record.start.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b 2P2r2b4g4s4n4l16p 1");
    assert_eq!(moves(&record), "P*5e 5a5b");
    let record = one("4k4/9/4P4/9/9/9/9/9/4K4 b G 31 moves G*5b\n");
    assert_eq!(moves(&record), "G*5b");
    // The position's own count of moves in KIF.
    let text = format!(
        "{}手数----指手---------消費時間--\n31 ５二金打\n32 詰み\n",
        monomi_record::bod(
            &Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a problem")
        )
    );
    let record = one(&text);
    assert_eq!((moves(&record).as_str(), record.ending), ("G*5b", Some(Ending::Mate)));
}

#[test]
fn several_games_in_one_file() {
    let v3 =
        "'CSA encoding=UTF-8\nV3.0\nN+a\nPI\n+\n+7776FU\nT1.5\n%TORYO\n/\nN+b\nPI\n+\n+2726FU\n";
    let records = monomi_record::read_text(v3).expect("games");
    assert_eq!(records.iter().map(moves).collect::<Vec<_>>(), ["7g7f", "2g2f"]);
    assert_eq!(records[0].moves[0].seconds, Some(1));
    let lines = "position startpos moves 7g7f\n# no game\n\nstartpos moves 2g2f 8c8d\n7g7f 3c3d\n";
    let records = monomi_record::read_text(lines).expect("games");
    let found: Vec<_> = records.iter().map(moves).collect();
    assert_eq!(found, ["7g7f", "2g2f 8c8d", "7g7f 3c3d"]);
}

#[test]
fn the_valid_part_of_an_invalid_record_is_kept() {
    for (text, good, fault) in [
        // An illegal move in the middle.
        (
            "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ５四角(88)\n4 ８四歩(83)\n",
            "7g7f 3c3d",
            Some("line 4, move 3, `3 ５四角(88)`: illegal"),
        ),
        ("V2.2\nPI\n+\n+7776FU\n-3334FU\n+7775FU\n-8384FU\n", "7g7f 3c3d", Some("line 6, move 3")),
        ("V2.2\nPI\n+\n+7776FU\n+2726FU\n", "7g7f", Some("other side")),
        ("▲７六歩△３四歩\n▲５五金△８四歩\n", "7g7f 3c3d", Some("line 2, move 3")),
        ("startpos moves 7g7f 3c3d 7g7f 8c8d", "7g7f 3c3d", Some("move 3, `7g7f`: illegal")),
        // Cut off in the middle of a move, of a line.
        ("手合割：平手\n1 ７六歩(77)\n2 ３四", "7g7f", Some("line 3, move 2")),
        ("手合割：平手\n1 ７六歩(77)\n2 ３四歩(3", "7g7f 3c3d", None),
        ("手合割：平手\n1 ７六歩(77)\n   2", "7g7f", Some("line 3, move 2")),
        ("V2.2\nPI\n+\n+7776FU\n-33", "7g7f", Some("line 5, move 2")),
        // A move left out.
        ("1 ７六歩(77)\n3 ２六歩(27)\n", "7g7f", Some("found move 3, expected move 2")),
        // The illegal move that ended the game is the game's fault, not the file's.
        ("V2.2\nPI\n+\n+7776FU\n-3335FU\n%ILLEGAL_MOVE\n", "7g7f", None),
        ("1 ７六歩(77)\n2 ３五歩(33)\n3 反則勝ち\n", "7g7f", None),
        (
            "{\"moves\":[{},{\"move\":{\"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}},{\"move\":{}}]}",
            "7g7f",
            Some("move 2"),
        ),
    ] {
        let record = one(text);
        assert_eq!(moves(&record), good, "{text}");
        let found = record.faults.first().map(ToString::to_string);
        match fault {
            Some(part) => {
                assert!(found.as_ref().is_some_and(|f| f.contains(part)), "{found:?} for {text}")
            }
            None => assert_eq!(found, None, "{text}"),
        }
    }
}

#[test]
fn files_without_a_game_are_rejected_with_the_reason() {
    for (bytes, reason) in [
        (&b""[..], "empty"),
        (b"\n\n", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a text file"),
        (b"Dear diary,\nnothing happened.\n", "not a game record"),
        (b"{\"moves\":", "line 1"),
        (b"{\"a\":1}", "not a game record"),
        (b"sfen 9/9/9/9/9/9/9/9/9 b - 1\n", "no king"),
        ("手合割：百枚落ち\n1 ７六歩(77)\n".as_bytes(), "百枚落ち"),
        ("手合割：百枚落ち\n| ・ ・|一\n".as_bytes(), "line 2"),
        (b"V2.2\nP1-XX\n+\n+7776FU\n", "line 2"),
    ] {
        let error = monomi_record::read(bytes).expect_err("no game").to_string();
        assert!(error.contains(reason), "{error}, not {reason}");
    }
}

/// Every record of ours cut at every byte, and with every byte broken in turn: an answer, always.
#[test]
fn random_and_damaged_files_do_not_panic() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/records");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x15;
            for bytes in [&bytes[..at], &broken] {
                let panicked =
                    matches!(monomi_record::read(bytes), Err(monomi_record::ReadError::Panic(_)));
                assert!(!panicked, "at {at} of {}", String::from_utf8_lossy(bytes));
                read += 1;
            }
        }
    }
    assert!(read > 2000, "{read}");
}

#[test]
fn a_hundred_thousand_lines_are_read_quickly() {
    let mut text = String::from("手合割：平手\n");
    let cycle = ["４八玉(59)", "６二玉(51)", "５九玉(48)", "５一玉(62)"];
    for ply in 1..=50_000 {
        text.push_str(&format!("{ply} {}\n*注釈\n", cycle[(ply - 1) % 4]));
    }
    let start = std::time::Instant::now();
    let record = one(&text);
    assert_eq!(record.moves.len(), monomi_record::MAX_MOVES);
    assert_eq!(record.faults[0].reason, monomi_record::Reason::TooManyMoves);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
