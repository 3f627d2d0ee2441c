use crate::book::{Book, Lookup};
use crate::book_move::{BookMove, PlayedMove};
use crate::convert;
use crate::convert::Conversion;
use crate::entry::BookEntry;
use crate::fault::{BookError, NotABook};
use crate::reader::inspect_ybb;
use crate::ybb::YbbFault;
use crate::ybb::YbbWriter;
use monomi_movegen::Position;
use monomi_movegen::{Layout, PackedPosition, Random};
use std::collections::BTreeMap;
use std::path::Path;

/// A book of random positions with a few legal moves each.
fn random_book(seed: u64, size: usize) -> BTreeMap<[u8; 32], BookEntry> {
    let mut random = Random::new(seed);
    let mut book = BTreeMap::new();
    while book.len() < size {
        let mut position = Position::startpos();
        for _ in 0..random.below(40) {
            let legal = position.legal_moves();
            let Some(mv) = random.choose(&legal) else { break };
            position.do_move(mv);
        }
        let legal = position.legal_moves();
        let mut number = |end: usize| random.below(end) as i32;
        let moves = legal.iter().step_by(7).map(|&mv| {
            let (eval, depth) = (number(4000) - 2000, number(50) as u32);
            let found = BookMove { mv, ponder: None, eval, depth, count: 1 };
            PlayedMove { found, results: None }
        });
        let moves: Vec<PlayedMove> = moves.collect();
        let packed = PackedPosition::pack(&position, Layout::Sfen).unwrap();
        if !moves.is_empty() {
            let entry = BookEntry { position: packed, ply: position.ply(), moves };
            book.insert(packed.0, entry);
        }
    }
    book
}

fn write(book: &BTreeMap<[u8; 32], BookEntry>, path: &Path, depths: bool) {
    let folder = path.parent().unwrap();
    let mut writer = YbbWriter::new(folder, depths).unwrap();
    for entry in book.values() {
        let moves: Vec<BookMove> = entry.moves.iter().map(|played| played.found).collect();
        writer.add(entry.position.0, entry.ply, &moves).unwrap();
    }
    let mut bytes = Vec::new();
    assert_eq!(writer.finish(&mut bytes).unwrap(), book.len() as u64);
    std::fs::write(path, bytes).unwrap();
}

fn how(folder: &Path, memory: usize, depths: bool) -> Conversion {
    let (folder, starts) = (folder.to_owned(), vec![Position::startpos()]);
    Conversion { memory, folder, depths, starts }
}

#[test]
fn every_position_is_found_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("random.ybb");
    // More than 1,024 positions, so that samples skip some.
    let (known, other) = (random_book(1, 3000), random_book(2, 500));
    for depths in [true, false] {
        write(&known, &path, depths);
        assert_eq!(inspect_ybb(&path).unwrap().faults.count, 0);
        for on_disk in [true, false] {
            let (book, _) = Book::open(&path, on_disk).unwrap();
            let lookup = Lookup { ignore_ply: true, flipped: false };
            for (packed, entry) in known.iter().chain(&other) {
                let position = entry.position.unpack(Layout::Sfen, entry.ply).unwrap();
                let found = book.find_played(&position, lookup).unwrap();
                let Some(entry) = known.get(packed) else {
                    assert!(found.is_empty());
                    continue;
                };
                let mut expected = entry.moves.clone();
                for played in &mut expected {
                    played.found.depth *= u32::from(depths);
                }
                expected.sort_by_key(|played| std::cmp::Reverse(played.found.eval));
                assert_eq!(found, expected);
                // With the colours exchanged, and only with this move number.
                let flipped =
                    Position::from_partial(&monomi_movegen::rotated(&position.to_partial()));
                let how = Lookup { ignore_ply: false, flipped: true };
                let flipped = book.find(&flipped.unwrap(), how).unwrap();
                let expected = expected.iter().map(|played| played.found.mv.flipped());
                assert!(flipped.iter().map(|found| found.mv).eq(expected));
            }
        }
    }
}

#[test]
fn conversions_in_little_memory_keep_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let known = random_book(3, 400);
    write(&known, &path("first.ybb"), true);
    let tiny = how(folder.path(), 2000, true);
    let convert = |from: &str, to: &str| convert(&[path(from)], &path(to), &tiny).unwrap();
    let there = convert("first.ybb", "text.db");
    let back = convert("text.db", "second.ybb");
    for converted in [&there, &back] {
        assert_eq!((converted.positions, converted.merged, converted.clamped), (400, 0, 0));
        assert_eq!(converted.moves, known.values().map(|entry| entry.moves.len() as u64).sum());
    }
    let bytes = |name: &str| std::fs::read(path(name)).unwrap();
    assert_eq!(bytes("first.ybb"), bytes("second.ybb"));
    let text = std::fs::File::open(path("text.db")).unwrap();
    let checked = crate::edit::inspect(std::io::BufReader::new(text)).unwrap();
    assert_eq!((checked.fault_count, checked.unsorted_at, checked.duplicates), (0, None, 0));
}

#[test]
fn books_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    std::fs::write(path("a.db"), format!("{start} 5\n7g7f none 10 5 2\n2g2f none 9 7 1\n"))
        .unwrap();
    std::fs::write(
        path("b.db"),
        format!("{start} 1\n7g7f 3c3d 20 6 3\n5g5f none 99999 0 1\nsfen broken\n9g9f none 0 0 0\n"),
    )
    .unwrap();
    let books = [path("a.db"), path("b.db")];
    let how = how(folder.path(), 1 << 20, true);
    let converted = convert(&books, &path("both.ybb"), &how).unwrap();
    let numbers = (converted.positions, converted.moves, converted.merged, converted.clamped);
    assert_eq!(numbers, (1, 3, 1, 1));
    assert_eq!(converted.faults.iter().map(|(_, faults)| faults.count).sum::<u64>(), 1);
    let (book, _) = Book::open(&path("both.ybb"), true).unwrap();
    let lookup = Lookup { ignore_ply: false, flipped: false };
    let moves = book.find(&Position::startpos(), lookup).unwrap();
    let numbers: Vec<_> =
        moves.iter().map(|found| (found.mv.to_string(), found.eval, found.depth)).collect();
    let expected = [("5g5f", 32767, 0), ("7g7f", 20, 6), ("2g2f", 9, 7)];
    assert_eq!(numbers, expected.map(|(mv, eval, depth)| (mv.to_owned(), eval, depth)));
}

#[test]
fn positions_of_apery_books_are_found_by_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Black's moves only: White's replies are not in the book.
    let mut text = String::new();
    let mut position = Position::startpos();
    for mv in ["7g7f", "3c3d", "2g2f", "4c4d", "3i4h"] {
        if position.ply() % 2 == 1 {
            text += &format!("sfen {}\n{mv} none 15 0 7\n", position.to_sfen());
        }
        position.do_move(mv.parse().unwrap());
    }
    std::fs::write(path("black.db"), text).unwrap();
    let how = how(folder.path(), 1 << 20, false);
    let convert = |from: &str, to: &str| convert(&[path(from)], &path(to), &how).unwrap();
    assert_eq!(convert("black.db", "black.bin").moves, 3);
    let back = convert("black.bin", "back.db");
    assert_eq!((back.positions, back.moves, back.unreached), (3, 3, 0));
    convert("black.db", "sorted.db");
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("back.db"), read("sorted.db"));
}

/// The fault that opening this file reports.
fn refusal(bytes: &[u8]) -> Option<YbbFault> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.ybb");
    std::fs::write(&path, bytes).unwrap();
    match Book::open(&path, true) {
        Err(BookError::NotABook { reason: NotABook::Ybb(fault), .. }) => Some(fault),
        Err(error) => panic!("{error}"),
        Ok(_) => None,
    }
}

/// The faults that checking this file reports.
fn faults(bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.ybb");
    std::fs::write(&path, bytes).unwrap();
    let found = inspect_ybb(&path).unwrap().faults.named;
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn damaged_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.ybb");
    write(&random_book(4, 20), &path, true);
    let good = std::fs::read(path).unwrap();
    assert_eq!(refusal(&good), None);
    assert_eq!(refusal(b""), Some(YbbFault::Magic));
    assert_eq!(refusal(b"#YANEURAOU-DB2016 1.00\nsfen"), Some(YbbFault::Magic));
    assert_eq!(refusal(&good[..20]), Some(YbbFault::Truncated { bytes: 20, needed: 32 }));
    let needed = 32 + 20 * 44;
    assert_eq!(refusal(&good[..500]), Some(YbbFault::Truncated { bytes: 500, needed }));
    let change = |at: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        changed
    };
    assert_eq!(refusal(&change(24, &[3])), Some(YbbFault::Flags(3)));
    let many = refusal(&change(16, &[255; 8]));
    assert!(matches!(many, Some(YbbFault::Truncated { .. })), "{many:?}");
    let record = |number: usize| 32 + number * 44;
    let second = good[record(1)..record(1) + 32].to_vec();
    assert_eq!(refusal(&change(record(2), &second)), Some(YbbFault::Duplicate(3)));
    assert_eq!(refusal(&change(record(1), &[0; 32])), Some(YbbFault::Unsorted(2)));
    let cut = faults(&good[..good.len() - 1]);
    assert_eq!(cut, ["the moves of position 20 are not in the file"]);
    let far = faults(&change(record(5) + 32, &[255; 8]));
    assert_eq!(far, ["the moves of position 6 are not in the file"]);
    let overlapping = faults(&change(record(5) + 32, &[0; 8]));
    assert!(overlapping.iter().any(|fault| fault.contains("also belong")), "{overlapping:?}");
    let moves = needed as usize;
    assert_eq!(faults(&change(moves, &[0, 0])), ["position 1: 0x0000 is not a move"]);
}
