//! Opening books over USI: lookup, choice and immediate play for all formats.

use monomi_movegen::{PackedMove, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tests::folder::Folder;
use tests::usi_client::{UsiClient, pv_of, value_of};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const AFTER_76: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
const AFTER_76_34: &str = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";

/// A file in a folder that goes with it.
struct TempFile {
    name: String,
    folder: Folder,
}

impl TempFile {
    fn new(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let folder = Folder::new();
        folder.write(name, bytes);
        Self { name: name.to_owned(), folder }
    }

    fn path(&self) -> String {
        self.folder.file(&self.name)
    }
}

/// A `.db` of positions and their lines, sorted as YaneuraOu sorts.
fn db(positions: &[(&str, &[&str])]) -> String {
    let sorted: BTreeMap<&str, &[&str]> = positions.iter().copied().collect();
    let mut text = "#YANEURAOU-DB2016 1.00\n".to_owned();
    for (sfen, moves) in sorted {
        text += &format!("sfen {sfen}\n");
        moves.iter().for_each(|line| text += &format!("{line}\n"));
    }
    text
}

fn with_book(book: &TempFile, options: &[(&str, &str)]) -> UsiClient {
    let path = book.path();
    let file = [("BookFile", path.as_str())];
    UsiClient::ready_with(&[&file[..], options].concat())
}

/// The lines that answer one `go`.
fn go(client: &mut UsiClient, position: &str) -> Vec<String> {
    client.send(&format!("position {position}"));
    client.send("go btime 600000 wtime 600000 binc 5000 winc 5000");
    client.collect("bestmove")
}

fn answer(client: &mut UsiClient, position: &str) -> String {
    go(client, position).pop().expect("an answer")
}

/// Whether the answer came without a search.
fn is_from_book(lines: &[String]) -> bool {
    lines.iter().any(|line| line.contains(" score ") && line.contains(" nodes 0 "))
}

/// The different answers to one position.
fn answers(client: &mut UsiClient, position: &str, times: usize) -> BTreeMap<String, usize> {
    let mut seen = BTreeMap::new();
    for _ in 0..times {
        let line = answer(client, position);
        *seen.entry(value_of(&line, "bestmove").unwrap_or_default().to_owned()).or_default() += 1;
    }
    seen
}

#[test]
fn a_book_move_is_played_immediately_with_its_lines() {
    let book = TempFile::new(
        "hit.db",
        db(&[
            (START, &["7g7f 3c3d 40 32 60", "2g2f none 35 30 40"]),
            (AFTER_76, &["3c3d 2g2f -38 31 50"]),
            (AFTER_76_34, &["2g2f 8c8d 36 30 70"]),
        ]),
    );
    for on_the_fly in ["false", "true"] {
        let mut client = with_book(&book, &[("BookOnTheFly", on_the_fly), ("BookEvalDiff", "0")]);
        let lines = go(&mut client, "startpos");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 7g7f ponder 3c3d"));
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
        assert_eq!(infos.len(), 2, "{lines:#?}");
        assert!(infos[0].starts_with("info depth 32 seldepth 0 multipv 1 score cp 40 "));
        assert_eq!(pv_of(infos[0]), ["7g7f", "3c3d", "2g2f", "8c8d"]);
        assert!(infos[1].starts_with("info depth 30 seldepth 0 multipv 2 score cp 35 "));
        assert_eq!(pv_of(infos[1]), ["2g2f"]);
        // Where no reply is noted, the book's own best one is pondered on.
        client.send("setoption name BookPvMoves value 1");
        let lines = go(&mut client, "startpos");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 7g7f ponder 3c3d"));
        assert!(lines.iter().filter(|line| line.contains(" pv ")).all(|l| pv_of(l).len() == 1));
        // Out of the book the engine thinks.
        client.send("position startpos moves 2g2f");
        client.send("go depth 3");
        assert!(!is_from_book(&client.collect("bestmove")));
        client.quit();
    }
}

#[test]
fn pondering_and_analysis_do_not_answer_early() {
    let book = TempFile::new("ponder.db", db(&[(START, &["1g1f none 0 32 1"])]));
    let mut client = with_book(&book, &[]);
    client.send("position startpos");
    for release in ["ponderhit", "stop"] {
        client.send("go ponder btime 600000 wtime 600000");
        client.settle();
        client.send(release);
        assert_eq!(client.best_move(), "1g1f");
    }
    // Analysis is for what the engine thinks.
    client.send("go infinite");
    assert!(!is_from_book(&client.collect("info depth")));
    client.send("stop");
    client.best_move();
    // searchmoves bind the book too.
    client.send("go depth 2 searchmoves 7g7f");
    assert_eq!(client.best_move(), "7g7f");
    client.quit();
}

#[test]
fn each_book_option_has_its_effect() {
    let moves: &[&str] = &["7g7f none 50 20 60", "2g2f none 30 20 36", "5g5f none 10 20 4"];
    let white: &[&str] = &["3c3d none -100 20 5", "8c8d none -150 20 5"];
    let book = TempFile::new("options.db", db(&[(START, moves), (AFTER_76, white)]));
    let mut client = with_book(&book, &[]);
    let all = BTreeSet::from(["7g7f", "2g2f", "5g5f"]);
    let mut check = |options: &[(&str, &str)], position: &str, expected: &[&str]| {
        for (name, value) in options {
            client.send(&format!("setoption name {name} value {value}"));
        }
        let seen = answers(&mut client, position, 40);
        let seen: Vec<&str> = seen.keys().map(String::as_str).collect();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{options:?}");
    };
    check(&[], "startpos", &["7g7f", "2g2f"]);
    check(&[("BookEvalDiff", "19")], "startpos", &["7g7f"]);
    check(&[("BookEvalDiff", "40")], "startpos", &Vec::from_iter(all));
    check(&[("NarrowBook", "true")], "startpos", &["7g7f", "2g2f"]);
    check(&[("NarrowBook", "false"), ("BookEvalBlackLimit", "31")], "startpos", &["7g7f"]);
    check(&[("BookEvalDiff", "500")], "startpos moves 7g7f", &["3c3d"]);
    check(&[("BookEvalWhiteLimit", "-150")], "startpos moves 7g7f", &["3c3d", "8c8d"]);
    // With these the book is not used at all: a search has to answer.
    let mut thinks = |options: &[(&str, &str)], back: &[(&str, &str)]| {
        for (name, value) in options {
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.send("position startpos moves 7g7f");
        client.send("go depth 2");
        assert!(!is_from_book(&client.collect("bestmove")), "{options:?}");
        for (name, value) in back {
            client.send(&format!("setoption name {name} value {value}"));
        }
        client.send("go depth 2");
        assert!(is_from_book(&client.collect("bestmove")), "{back:?}");
    };
    thinks(&[("BookMoves", "1")], &[("BookMoves", "2")]);
    thinks(&[("BookIgnoreRate", "100")], &[("BookIgnoreRate", "0")]);
    thinks(&[("BookDepthLimit", "21")], &[("BookDepthLimit", "20")]);
    thinks(&[("BookEvalWhiteLimit", "0")], &[("BookEvalWhiteLimit", "-120")]);
    thinks(&[("USI_OwnBook", "false")], &[("USI_OwnBook", "true")]);
    let path = book.path();
    thinks(&[("BookFile", "no_book")], &[("BookFile", &path)]);
    client.quit();
}

#[test]
fn counts_weight_the_choice_only_if_requested() {
    let moves: &[&str] = &["7g7f none 0 20 99", "2g2f none 0 20 1"];
    let book = TempFile::new("counts.db", db(&[(START, moves)]));
    let mut client = with_book(&book, &[]);
    let even = answers(&mut client, "startpos", 200);
    assert!((60..=140).contains(&even["2g2f"]), "{even:?}");
    client.send("setoption name ConsiderBookMoveCount value true");
    let counted = answers(&mut client, "startpos", 200);
    assert!(counted.get("2g2f").is_none_or(|&times| times < 20), "{counted:?}");
    client.quit();
}

/// On the old code `/dev/zero` was read until memory ran out.
#[cfg(unix)]
#[test]
fn devices_and_folders_are_not_books() {
    for path in ["/dev/zero", "/dev"] {
        let mut client = UsiClient::ready();
        client.send(&format!("setoption name BookFile value {path}"));
        client.send("isready");
        let answer = client.expect("info string Error!");
        assert!(answer.contains("not a regular file"), "{answer}");
        client.expect("readyok");
        client.send(&format!("setoption name DebugLogFile value {path}"));
        let answer = client.expect("info string Error!");
        assert!(answer.contains("not a regular file"), "{answer}");
        client.quit();
    }
}

#[test]
fn a_book_without_searched_values_is_played_by_its_counts() {
    let moves: &[&str] = &["7g7f none 0 0 174", "7i7h none 0 0 1"];
    let book = TempFile::new("games.db", db(&[(START, moves)]));
    let mut client = with_book(&book, &[]);
    let seen = answers(&mut client, "startpos", 100);
    assert!(seen["7g7f"] >= 90, "{seen:?}");
    client.quit();
}

#[test]
fn flipped_and_renumbered_positions_are_found() {
    let transposed = "position startpos moves 7g7f 3c3d 2g2f 8c8d";
    let other_way = "startpos moves 2g2f 8c8d 7g7f 3c3d";
    let sfen = {
        let mut position = Position::startpos();
        for word in transposed.split(' ').skip(3) {
            position.do_move(word.parse().expect("a move"));
        }
        position.to_sfen()
    };
    let book = TempFile::new(
        "turned.db",
        db(&[(&sfen, &["2f2e none 0 20 1"]), (AFTER_76, &["3c3d 8h2b+ -30 20 1"])]),
    );
    for on_the_fly in ["false", "true"] {
        let mut client =
            with_book(&book, &[("BookOnTheFly", on_the_fly), ("BookEvalBlackLimit", "-99")]);
        assert_eq!(answer(&mut client, other_way), "bestmove 2f2e");
        // White to move behind 7g7f, turned: black to move behind 3c3d.
        let turned = "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2";
        assert_eq!(answer(&mut client, turned), "bestmove 7g7f ponder 2b8h+");
        client.send("setoption name FlippedBook value false");
        client.send(&format!("position {turned}"));
        client.send("go depth 1");
        assert!(!is_from_book(&client.collect("bestmove")));
        // The same position at another move of the game.
        let later = turned.replace(" b - 2", " b - 12");
        client.send("setoption name FlippedBook value true");
        client.send(&format!("position {later}"));
        client.send("go depth 1");
        assert!(!is_from_book(&client.collect("bestmove")));
        client.send("setoption name IgnoreBookPly value true");
        assert_eq!(answer(&mut client, &later), "bestmove 7g7f ponder 2b8h+");
        client.quit();
    }
}

#[test]
fn invalid_book_lines_are_reported_and_skipped() {
    let text = format!(
        "#YANEURAOU-DB2016 1.00\n# a comment\n// another\n\nsfen 9/9/9 b - 1\n7g7f none 0 20 1\n\
         sfen {START}\r\nxyz none 0 20 1\n7g7e none 0 20 1\n2g2f 5e5d 0 20 1\n6i7h none ten 20\n"
    );
    let book = TempFile::new("broken.db", text);
    let mut client = UsiClient::start();
    client.send(&format!("setoption name BookFile value {}", book.path()));
    client.send("isready");
    let lines = client.collect("readyok");
    for named in ["line 5, `sfen 9/9/9 b - 1`", "line 8, `xyz none 0 20 1`", "line 11, `6i7h"] {
        assert!(lines.iter().any(|l| l.contains("Error!") && l.contains(named)), "{lines:#?}");
    }
    assert_eq!(lines.iter().filter(|line| line.contains("Error!")).count(), 3, "{lines:#?}");
    let lines = go(&mut client, "startpos");
    let error = lines.iter().find(|line| line.contains("Error!")).expect("the illegal move");
    assert!(error.contains("7g7e"), "{error}");
    // The noted reply is illegal too: none is given.
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 2g2f"));
    client.quit();
}

#[test]
fn unusable_books_are_reported_and_change_nothing() {
    let book = TempFile::new("good.db", db(&[(START, &["1g1f none 0 20 1"])]));
    let nonsense = TempFile::new("nonsense.db", "this is\nno book\nat all\n");
    let odd = TempFile::new("odd.bin", [1; 17]);
    let mut client = with_book(&book, &[]);
    for path in ["no/such/book.db".to_owned(), nonsense.path(), odd.path()] {
        client.send(&format!("setoption name BookFile value {path}"));
        client.send("isready");
        let error = client.expect("info string Error!");
        assert!(error.contains(&path), "{error}");
        client.expect("readyok");
        assert_eq!(answer(&mut client, "startpos"), "bestmove 1g1f");
        client.settle();
    }
    client.quit();
}

#[test]
fn books_are_found_by_folder_and_name() {
    let book = TempFile::new("folder.db", db(&[(START, &["1g1f none 0 20 1"])]));
    let folder = book.folder.path().display().to_string();
    let mut client = UsiClient::ready_with(&[("BookDir", &folder), ("BookFile", &book.name)]);
    assert_eq!(answer(&mut client, "startpos"), "bestmove 1g1f");
    client.quit();
    // Without isready the book is there as well.
    let mut client = UsiClient::start();
    client.send(&format!("setoption name BookFile value {}", book.path()));
    assert_eq!(answer(&mut client, "startpos"), "bestmove 1g1f");
    client.quit();
}

#[test]
fn an_unsorted_book_is_not_searched_on_disk() {
    let mut text = "#YANEURAOU-DB2016 1.00\n".to_owned();
    for sfen in [START, AFTER_76_34, AFTER_76] {
        text += &format!("sfen {sfen}\n1g1f none 0 20 1\n");
    }
    // The start position sorts last.
    let book = TempFile::new("unsorted.db", text);
    let mut client = UsiClient::start();
    client.send(&format!("setoption name BookFile value {}", book.path()));
    client.send("setoption name BookOnTheFly value true");
    client.send("isready");
    let lines = client.collect("readyok");
    assert!(lines.iter().any(|line| line.contains("not sorted")), "{lines:?}");
    assert_eq!(answer(&mut client, "startpos"), "bestmove 1g1f");
    client.quit();
}

#[test]
fn aperys_books() {
    // By cshogi 1.1.0: Board.book_key and Board.move_from_usi of the start position, and of it
    // behind 7g7f.
    let row = |key: u64, mv: u16, count: u16, score: i32| {
        let mut row = key.to_le_bytes().to_vec();
        row.extend(mv.to_le_bytes());
        row.extend(count.to_le_bytes());
        row.extend(score.to_le_bytes());
        row
    };
    let key = 0xEEBE_8EE7_E1AD_7E15;
    let mut rows = row(key, 0x1E3B, 70, 25);
    rows.extend(row(key, 15 * 128 + 14, 30, -20)); // 2g2f
    let book = TempFile::new("apery.bin", rows);
    let mut client = with_book(&book, &[]);
    let lines = go(&mut client, "startpos");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 7g7f"));
    assert!(lines.iter().any(|line| line.contains(" multipv 2 score cp -20 ")), "{lines:#?}");
    // White to move in the start position, seen from the other side.
    let turned = format!("sfen {}", START.replace(" b ", " w "));
    client.send("setoption name BookEvalWhiteLimit value 0");
    assert_eq!(answer(&mut client, &turned), "bestmove 3c3d");
    client.quit();
}

/// Every position of many games, found in memory and on disk alike.
#[test]
fn a_large_book_gives_the_same_moves_in_memory_and_on_disk() {
    let mut positions: BTreeMap<String, (Position, PackedMove)> = BTreeMap::new();
    let start = Position::startpos();
    tests::games::visit_random_positions(&start, 7, 60, 5_000, |position| {
        if let Some(&mv) = position.legal_moves().first() {
            positions.insert(position.to_sfen(), (position.clone(), mv));
        }
    });
    let mut text = "#YANEURAOU-DB2016 1.00\n".to_owned();
    for (sfen, (_, mv)) in &positions {
        text += &format!("sfen {sfen}\n{mv} none 0 20 1\n");
    }
    let file = TempFile::new("large.db", text);
    let lookup = monomi_book::Lookup { ignore_ply: false, flipped: true };
    for on_disk in [false, true] {
        let (book, opened) =
            monomi_book::Book::open(Path::new(&file.path()), on_disk).expect("a book");
        assert!(opened.faults.is_empty() && !opened.unsorted, "{opened:?}");
        assert_eq!(book.positions().is_none(), on_disk);
        for (sfen, (position, mv)) in &positions {
            let found = book.find(position, lookup).expect("a lookup");
            assert_eq!(found.iter().map(|found| found.mv).collect::<Vec<_>>(), [*mv], "{sfen}");
            let mut other = position.clone();
            let Some(&next) = other.legal_moves().last() else { continue };
            other.do_move(next);
            let known = positions.contains_key(&other.to_sfen());
            assert_eq!(!book.find(&other, lookup).expect("a lookup").is_empty(), known, "{sfen}");
        }
    }
}

/// A position that came up before in the game is in the book as any other.
#[test]
fn lines_have_a_pv_where_the_position_came_up_before() {
    let book = TempFile::new("c.db", db(&[(START, &["9g9f 1c1d 10 20 5", "1g1f none 5 20 5"])]));
    let options = [("IgnoreBookPly", "true"), ("BookMoves", "100"), ("BookEvalDiff", "0")];
    let mut client = with_book(&book, &options);
    let mut infos = |position: &str| -> Vec<String> {
        let lines = go(&mut client, position);
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 9g9f ponder 1c1d"));
        let infos = lines.iter().filter(|line| line.contains(" score "));
        infos.map(|line| pv_of(line).join(" ")).collect()
    };
    let first = infos("startpos");
    assert_eq!(first, ["9g9f 1c1d", "1g1f"]);
    let shuffle = "2h1h 8b9b 1h2h 9b8b ";
    assert_eq!(infos(&format!("startpos moves {shuffle}")), first);
    assert_eq!(infos(&format!("startpos moves {shuffle}{shuffle}")), first);
}

/// The game would end as a draw, or be lost by perpetual check, with the fourth occurrence.
#[test]
fn a_move_that_ends_the_game_by_repetition_is_not_taken_from_the_book() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B4R2/LNSGKGSNL b - 1";
    let book = TempFile::new("r.db", db(&[(sfen, &["3h2h none 10 20 5", "7g7f none 5 20 1"])]));
    let options = [("IgnoreBookPly", "true"), ("BookMoves", "100"), ("BookEvalDiff", "0")];
    let mut client = with_book(&book, &options);
    // The start, and Black's rook on 3h with Black to move: the start comes up with White to move.
    let cycle = "8b7b 2h3h 7b8b 3h2h ";
    let start = START.replace(" b ", " w ");
    let at = |times: usize| {
        let moves = cycle.repeat(times);
        let moves = moves.trim_end().trim_end_matches(" 3h2h").to_owned();
        format!("sfen {start} moves {moves}")
    };
    let twice = go(&mut client, &at(2));
    assert!(is_from_book(&twice) && twice.last().is_some_and(|line| line.contains("3h2h")));
    let thrice = go(&mut client, &at(3));
    assert!(!is_from_book(&thrice), "{thrice:?}");
    assert!(thrice.iter().any(|line| line.contains("by repetition")), "{thrice:?}");
}
