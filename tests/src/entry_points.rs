//! The functions that read input from outside, as functions of bytes. They must neither panic nor
//! hang, whatever the bytes are. The fuzz targets in `fuzz/` and the test
//! `tests/tests/records/readers.rs` call them.

use crate::folder::Folder;
use monomi_book::{
    Book, BookBuilder, Conversion, EntryFault, Lookup, YbbFault, convert, inspect, inspect_ybb,
};
use monomi_games::{FlatFormat, GameReader, scan};
use monomi_movegen::Position;
use std::io::Cursor;
use std::path::Path;

/// A function that accepts any bytes.
pub type EntryPoint = fn(&[u8]);

/// Every entry point by name.
pub const ALL: [(&str, EntryPoint); 12] = [
    ("sfen", sfen),
    ("kif", kif),
    ("csa", csa),
    ("jkf", jkf),
    ("game_record", game_record),
    ("book_db", book_db),
    ("book_apery", book_apery),
    ("book_ybb", book_ybb),
    ("book_sbk", book_sbk),
    ("flat", flat),
    ("self_play", self_play),
    ("usi_session", usi_session),
];

/// sfen. An accepted position is consistent, round-trips, and all its moves can be made and unmade.
pub fn sfen(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(mut position) = Position::from_sfen(text) else { return };
    position.validate().expect("the incremental data agree with the board");
    let again = Position::from_sfen(&position.to_sfen()).expect("its own sfen");
    assert_eq!(again.key(), position.key());
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv));
        position.do_move(mv);
        position.validate().expect("the incremental data agree with the board after a move");
        position.undo_move();
    }
}

/// A game record in any encoding and format.
pub fn game_record(bytes: &[u8]) {
    match monomi_record::read(bytes) {
        Err(error @ monomi_record::ReadError::Panic(_)) => panic!("{error}"),
        Err(_) => {}
        Ok(file) => {
            for record in &file.records {
                for position in record.positions() {
                    position.validate().expect("a playable position");
                }
            }
        }
    }
}

/// KIF and KI2, which use the same reader.
pub fn kif(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    game_record(text.as_bytes());
    game_record(format!("手合割：平手\n手数----指手---------消費時間--\n{text}").as_bytes());
    game_record(format!("手合割：平手\n\n▲７六歩 △３四歩\n{text}").as_bytes());
}

/// CSA.
pub fn csa(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    game_record(format!("V2.2\n{text}").as_bytes());
    game_record(format!("V2.2\nPI\n+\n{text}").as_bytes());
}

/// JKF.
pub fn jkf(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    game_record(format!("{{{text}").as_bytes());
    game_record(format!("{{\"header\":{{}},\"moves\":[{{}},{text}]}}").as_bytes());
}

fn open_book(path: &str) {
    for on_disk in [false, true] {
        let Ok((book, _)) = Book::open(Path::new(path), on_disk) else { continue };
        for ignore_ply in [false, true] {
            // Only the file's contents can be wrong here, and that is not an error of `find`.
            let lookup = Lookup { ignore_ply, flipped: true };
            book.find(&Position::startpos(), lookup).expect("the file can be read");
        }
    }
}

/// YaneuraOu's book format: opening, lookup, merging and checking.
pub fn book_db(bytes: &[u8]) {
    let folder = Folder::new();
    open_book(&folder.write("book.db", bytes));
    let mut builder = BookBuilder::default();
    builder.add_book(bytes).expect("memory can be read");
    let mut merged = Vec::new();
    builder.write(&mut merged).expect("memory can be written");
    let inspection = inspect(merged.as_slice()).expect("memory can be read");
    assert_eq!(inspection.unsorted_at, None, "a written book is sorted");
    inspect(bytes).expect("memory can be read");
}

/// Apery's book format.
pub fn book_apery(bytes: &[u8]) {
    let folder = Folder::new();
    open_book(&folder.write("book.bin", &bytes[..bytes.len() / 16 * 16]));
    open_book(&folder.write("odd.bin", bytes));
}

/// YaneuraOu's binary book format: opening, lookup, checking and conversion. A converted book has no
/// faults except illegal moves.
pub fn book_ybb(bytes: &[u8]) {
    let folder = Folder::new();
    let path = folder.write("book.ybb", bytes);
    open_book(&path);
    let path = Path::new(&path);
    let Ok(found) = inspect_ybb(path) else { return };
    let converted = folder.file("converted.ybb");
    let books = [path.to_owned()];
    let how = conversion(&folder);
    let again = convert(&books, Path::new(&converted), &how).expect("the files can be read");
    assert!(again.positions <= found.positions && again.moves <= found.moves);
    let checked = inspect_ybb(Path::new(&converted)).expect("a book");
    assert_eq!((checked.positions, checked.moves), (again.positions, again.moves));
    let illegal = |fault: &EntryFault| matches!(fault, EntryFault::Record(YbbFault::Illegal(..)));
    assert!(checked.faults.named.iter().all(illegal), "{:?}", checked.faults.named);
}

fn conversion(folder: &Folder) -> Conversion {
    let folder = folder.path().to_owned();
    Conversion { memory: 1 << 12, folder, depths: true, starts: Vec::new() }
}

/// ShogiGUI's book format: conversion. A converted book has no faults.
pub fn book_sbk(bytes: &[u8]) {
    let folder = Folder::new();
    let books = [folder.write("book.sbk", bytes).into()];
    let converted = folder.file("converted.ybb");
    let converted = Path::new(&converted);
    let Ok(done) = convert(&books, converted, &conversion(&folder)) else { return };
    let checked = inspect_ybb(converted).expect("a book");
    assert_eq!((checked.positions, checked.moves), (done.positions, done.moves));
    assert_eq!(checked.faults.count, 0, "{:?}", checked.faults.named);
}

/// Records of PSV and hcpe.
pub fn flat(bytes: &[u8]) {
    for format in [FlatFormat::Psv, FlatFormat::Hcpe] {
        for record in bytes.chunks_exact(format.size()) {
            if let Ok(entry) = format.read(record) {
                entry.position.validate().expect("a playable position");
                assert!(entry.position.is_legal(entry.mv));
            }
        }
    }
}

/// Self-play records.
pub fn self_play(bytes: &[u8]) {
    let folder = Folder::new();
    let path = folder.write("games.mgr", bytes);
    let path = Path::new(&path);
    // Errors are expected; each damaged part is reported once and skipped.
    let _ = scan(path);
    if let Ok(reader) = GameReader::open(path) {
        for game in reader.flatten() {
            game.walk(|_| ());
        }
    }
}

/// USI commands of a session. Commands that use files or much memory are left out, and searches are
/// short.
pub fn usi_session(bytes: &[u8]) {
    const LEFT_OUT: [&str; 8] =
        ["file", "dir", "book", "hash", "threads", "perft", "bench", "quit"];
    let mut script = String::from("setoption name USI_Hash value 1\n");
    for line in String::from_utf8_lossy(bytes).lines().take(50) {
        let lower = line.to_lowercase();
        if LEFT_OUT.iter().any(|word| lower.contains(word)) {
            continue;
        }
        script.push_str(line);
        if lower.trim_start().starts_with("go") {
            script.push_str(" nodes 50");
        }
        script.push('\n');
    }
    script.push_str("stop\nquit\n");
    let mut output = Vec::new();
    monomi_usi::serve(Cursor::new(script.into_bytes()), &mut output).expect("threads start");
    std::str::from_utf8(&output).expect("only UTF-8 is written");
}
